import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureServer } from './debian.js';

const program = '/usr/sbin/nginx';

/** Starts an nginx with these blocks in its block `http`; it listens on a port of this machine. */
export async function startNginx(blocks: string, port: number): Promise<{ stop(): Promise<void> }> {
  ensureServer(program, 'nginx-light');
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-nginx-'));
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const lines = [
    'daemon off;',
    // it may write into the folder
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr error;',
    'events {}',
    'http {',
    'access_log off;',
    ...kept.map((each) => `${each}_temp_path ${folder}/${each};`),
    blocks,
    '}',
  ];
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
  // it ends with the process that started it
  const dying = ['--pdeathsig', 'TERM', program, '-e', 'stderr', '-c', `${folder}/nginx.conf`];
  const child = spawn('setpriv', dying, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx does not start: ${said}`);
    await sleep(20);
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}
