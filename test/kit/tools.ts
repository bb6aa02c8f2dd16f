import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './processes.js';

/**
 * Sees to it that the packages of a folder of `test/tools` are installed as its lock file says, and
 * answers where: few tests need them, and each is large.
 */
export function ensureTools(name: 'jest' | 'openapi' | 'runtimes'): Promise<string> {
  return installOnce(fileURLToPath(new URL(`../tools/${name}`, import.meta.url)));
}

/** The lock file is copied last, and `npm ci` removes the copy first: who sees it has all packages. */
const install = `cd "$0" && { cmp -s package-lock.json node_modules/.installed ||
  { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed; }; }`;

/**
 * Installs the packages of a folder, unless its lock file is the one that they were installed by.
 * Several test files may ask at once: a lock lets one after the other in.
 */
export async function installOnce(folder: string): Promise<string> {
  try {
    await output('flock', [folder, 'sh', '-c', install, folder]);
  } catch (cause) {
    const { message } = Object(cause);
    throw new Error(`the packages of ${folder} could not be installed: ${message}`, { cause });
  }
  return join(folder, 'node_modules');
}
