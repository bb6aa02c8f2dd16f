import { relative } from 'node:path';
import type { Flags } from '../fields.js';
import { complain, failedExit, say } from '../problem.js';
import { hostTable, makeProject } from './make-project.js';
import { firstDeal, listHosts, projectUrl, storeNames } from './templates.js';

/** Makes a project, or lists the hosts with templates. */
export async function init(
  process: NodeJS.Process,
  flags: Flags,
  host?: string,
  given = '.',
): Promise<number> {
  const { stdout } = process;
  if (host === undefined) {
    stdout.write(`The hosts of dealwright init <host> [folder]:\n\n${hostTable(listHosts())}\n`);
    return 0;
  }
  const { store = 'sqlite' } = flags;
  const made = makeProject({ host, folder: given, store, package: flags.package });
  if (made.isErr()) {
    const { kind, message } = made.error;
    if (kind === 'usage') return complain(process, message);
    say(process, message);
    return failedExit;
  }
  const { folder, name, host: its } = made.value;
  const way = relative('.', folder);
  const enter = way === '' ? '' : `cd ${quotedForShell(way)} && `;
  const address =
    store === 'postgres' ? 'DATABASE_URL=postgres://user:password@127.0.0.1:5432/deals ' : '';
  stdout.write(`Made ${name}: ${its.title} with ${storeNames[store]}, in ${folder}

Run:
  ${enter}npm install
  ${address}npm start

Then create a deal in another terminal:
  ${firstDeal(its)}

Or run ${address}npm test, which starts it and creates deals by itself.
The OpenAPI document is at ${projectUrl}/openapi.json
and a page to read it, and to try each request, at ${projectUrl}/
`);
  return 0;
}

/** A path as a shell reads it, with any characters in it. */
function quotedForShell(path: string): string {
  // a path that begins with a dash would be an option of cd
  const safe = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./@-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
