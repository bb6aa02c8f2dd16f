import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const nursery = join(root, 'reports');

/**
 * Plants files into a folder of their own, shows it, and takes it away. It lies within the package,
 * so that packages resolve from there as they do from anywhere here.
 */
export async function withPlanted<T>(
  files: Readonly<Record<string, string>>,
  show: (folder: string) => T | Promise<T>,
): Promise<T> {
  mkdirSync(nursery, { recursive: true });
  const folder = mkdtempSync(join(nursery, 'planted-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await show(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
