import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureServer } from './debian.js';

/** A Redis server for one test, in memory only. */
export interface Redis {
  /** Its Unix socket. */
  readonly path: string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

const program = '/usr/bin/redis-server';

/** Starts an empty Redis server, in a few milliseconds. */
export async function startRedis(): Promise<Redis> {
  ensureServer(program, 'redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-redis-'));
  const path = join(folder, 'redis.sock');
  const inMemory = ['--save', '', '--appendonly', 'no', '--dir', folder];
  // it ends with the process that started it
  const dying = ['--pdeathsig', 'KILL', program];
  const listening = ['--port', '0', '--unixsocket', path];
  const server = spawn('setpriv', [...dying, ...listening, ...inMemory], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  const stop = async () => {
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  let said = '';
  const isReady = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.once('close', () => resolve(false));
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000);
      if (/ready to accept connections/i.test(said)) resolve(true);
    });
  });
  if (isReady) return { path, stop };
  await stop();
  throw new Error(`Redis did not start: ${said}`);
}
