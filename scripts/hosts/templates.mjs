// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * The members of `hosts/<name>/host.json` besides those that `dealwright init` reads.
 *
 * @typedef {object} Tested
 * @property {string} name the folder
 * @property {string} [package] the package whose version the table shows
 * @property {'h2c'} [protocol] the protocol of the server, if it is not HTTP/1.1
 * @property {string} [runOn] the version of Node that it runs on here, if it differs
 * @property {readonly string[]} [runtime] the command that prints the version of the runtime
 * @property {Readonly<Record<string, string>>} [exceptions] requests and laws that the host itself answers
 *   otherwise, each with the reason that the table shows
 */
/** @typedef {import('../../adapters/cli/init/templates.js').HostFile & Tested} Host */

/** @type {typeof import('../../adapters/cli/init/templates.js')} */
const init = await import(join(root, 'dist', 'adapters', 'cli', 'init', 'templates.js'));

/** @returns {readonly Host[]} */
export function listHosts() {
  return [...init.allHosts()].map(([name, host]) => ({ name, ...host }));
}
