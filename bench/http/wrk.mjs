import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinned } from '../contender.mjs';
import { deal } from '../validation/cases.mjs';

const script = fileURLToPath(new URL('./create.lua', import.meta.url));
const description = 'Three texts of a page each about what the product does. '.repeat(7).trim();
let runs = 0;

/**
 * Creates deals over a number of connections for some seconds, each with its own `partner_id`,
 * and fails if any answer is not 201. `busy` is the share of a core that wrk took.
 */
export async function runWrk({ port, token, connections, seconds }, core) {
  runs += 1;
  const body = JSON.stringify({ ...deal, description, partner_id: `deal-${runs}-000000000000` });
  const url = `http://127.0.0.1:${port}/api/1.0/deal/`;
  const options = ['-t1', `-c${connections}`, `-d${seconds}`, '--timeout', '10', '-s', script];
  const [program, ...args] = [...pinned(core), 'wrk', ...options, url, '--', token, body];
  const { stdout } = await promisify(execFile)(program, args).catch(({ stderr, message }) => {
    throw new Error(`wrk: ${stderr || message}`);
  });
  const { created, seconds: lasted, cpu } = JSON.parse(stdout.trim().split('\n').at(-1));
  return { created, perSecond: created / lasted, busy: cpu / lasted };
}
