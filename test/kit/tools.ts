import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './processes.js';

/**
 * Installs the packages of a folder of `test/tools` by its lock file, if needed, and returns the
 * path: few tests need them, and each is large.
 */
export function ensureTools(name: 'jest' | 'middleware' | 'openapi' | 'runtimes'): Promise<string> {
  return installOnce(fileURLToPath(new URL(`../tools/${name}`, import.meta.url)));
}

/** The lock file is copied last, and `npm ci` removes the copy first: a copy means all is there. */
const install = `cd "$0" && { cmp -s package-lock.json node_modules/.installed ||
  { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed; }; }`;

/**
 * Installs the packages of a folder, unless they were installed by the same lock file. Several test
 * files may ask at once: a lock admits one after the other.
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
