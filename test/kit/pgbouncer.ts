import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureServer } from './debian.js';
import type { Postgres } from './postgres.js';
import { postgresAccount } from './postgres-package.js';
import { freePort } from './processes.js';

/** A pooler of connections, in transaction mode. */
export interface Pgbouncer {
  /** The URL of the server's first database, by the pooler. */
  readonly url: string;
  /** A version such as `1.18`. */
  readonly version: string;
  stop(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';

/** Starts a pgbouncer in front of a server, with this many connections to it. */
export async function startPgbouncer(server: Postgres, poolSize: number): Promise<Pgbouncer> {
  ensureServer(program, 'pgbouncer');
  const account = postgresAccount();
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-pgbouncer-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  chownSync(folder, account.uid, account.gid);
  // it ends with the process that started it
  const dying = ['--pdeathsig', 'KILL', program];
  const child = spawn('setpriv', [...dying, '-q', join(folder, 'pgbouncer.ini')], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await answers(port))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await stop();
      throw new Error(`pgbouncer did not start: ${said}`);
    }
    await sleep(20);
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [version = ''] = /\d+\.\d+/.exec(stdout) ?? [];
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, version, stop };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
