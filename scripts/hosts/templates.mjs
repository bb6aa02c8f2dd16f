// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * What `hosts/<name>/host.json` says of a host; everything else is in its package.json.
 *
 * @typedef {object} Host
 * @property {string} name the folder
 * @property {string} title for a person
 * @property {string} [template] the folder whose files it takes; default its own
 * @property {string} [mount] the file with the mount
 * @property {string} [common] the folder of the project for deals.ts, store.ts and users.ts
 * @property {string} [package] the package whose version the table shows
 * @property {'h2c'} [protocol] what the server speaks, where it is not HTTP/1.1
 * @property {readonly string[]} [runtime] the command that prints the version of the runtime
 * @property {Readonly<Record<string, string>>} [dependencies] more of them than the template has
 * @property {Readonly<Record<string, string>>} [exceptions] requests that the host itself answers
 *   otherwise, each with the reason that the table shows
 */

/** @returns {readonly Host[]} */
export function listHosts() {
  const folder = join(root, 'hosts');
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'host.json')))
    .sort()
    .map((name) => ({
      name,
      ...JSON.parse(readFileSync(join(folder, name, 'host.json'), 'utf8')),
    }));
}
