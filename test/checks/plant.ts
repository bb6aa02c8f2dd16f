import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const nursery = join(root, 'reports');

/**
 * Plants files into a folder of their own, shows the folder, and removes it. The folder is in the
 * package, so that packages resolve from it as from other folders here.
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
