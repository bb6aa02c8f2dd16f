import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/lib/postgresql/15/bin/pgbench';

/**
 * pgbench running a statement of ours, prepared, over and over: the speed of the server for a
 * client that costs next to nothing. `fresh` names the values that change each time, and `tenant`
 * the one that differs for each client: the writes of one tenant would wait for each other.
 */
export function createPgbench(socketUrl, { text, values }, { fresh, tenant }) {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-pgbench-'));
  const script = join(folder, 'create.sql');
  const draws = fresh.map((_, at) => `\\set fresh${at} random(1, 1000000000000000)`);
  const constants = [];
  const variables = values.map((value, at) => {
    // the environment stays: it has the contractor
    if (value === tenant) return `'${tenant.split(':')[0]}:' || :client_id`;
    const drawn = fresh.indexOf(value);
    if (drawn >= 0) return `:fresh${drawn}`;
    if (value === null) return 'null';
    // it accepts no empty variable
    if (value === '') return "''";
    constants.push(['-D', `p${at}=${value}`]);
    return `:p${at}`;
  });
  const statement = text.replace(/\$(\d+)/g, (_, place) => variables[Number(place) - 1]);
  writeFileSync(script, `${draws.join('\n')}\n${statement};\n`);
  return {
    /** Transactions a second of a number of clients. */
    async run(clients, seconds) {
      const url = new URL(socketUrl.replace(/^postgres:\/\//, 'postgres://x'));
      const args = ['-n', '-M', 'prepared', '-f', script, '-c', String(clients)];
      args.push('-j', String(Math.min(clients, 2)), '-T', String(seconds), ...constants.flat());
      args.push('-h', url.searchParams.get('host'), '-p', url.searchParams.get('port'));
      args.push('-U', 'postgres', url.pathname.slice(1));
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (part) => {
          said += part;
        });
      }
      const [code] = await once(child, 'close');
      const tps = /tps = ([\d.]+)/.exec(said)?.[1];
      if (code !== 0 || tps === undefined) throw new Error(`pgbench: ${said}`);
      return Number(tps);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
