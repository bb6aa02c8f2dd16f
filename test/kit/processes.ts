import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A free port below those that the system gives out, so that it is still free at a restart. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * Kills a process with all its children, so that none outlives the others, and waits until they are
 * gone.
 */
export async function killFamily(pid: number): Promise<void> {
  // a stopped process cannot start others
  signal(pid, 'SIGSTOP');
  const family = [pid, ...childrenOf(pid)];
  for (const each of family) signal(each, 'SIGKILL');
  while (family.some(isAlive)) await sleep(5);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it is gone already
  }
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === parent)
    .map(Number);
}

/** A zombie counts as dead: it holds nothing any more. */
function isAlive(pid: number): boolean {
  const stat = statOf(String(pid));
  return stat !== undefined && stat.state !== 'Z';
}

function statOf(pid: string): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // its own name is in brackets and may contain anything
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** At the end of its input, ends the server of the folder and removes the folder. */
const guarding = `read -r line
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
while [ -n "$pid" ] && grep -qF "$1" "/proc/$pid/cmdline" 2>/dev/null; do
  kill -QUIT "$pid"
  sleep 0.05
done
rm -rf "$1"`;

/**
 * A separate process. Once it is released, or this process has ended in any way, it ends the
 * PostgreSQL server over `data` in the folder and removes the folder.
 */
export function guardFolder(folder: string): { release(): Promise<void> } {
  const child = spawn('sh', ['-c', guarding, 'sh', folder], {
    cwd: '/',
    // a key that interrupts the tests must not interrupt the guard
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const ended = once(child, 'exit');
  return {
    async release() {
      child.stdin.end();
      child.ref();
      await ended;
    },
  };
}

/** Runs a program to its end, and returns its output; rejects with its error output. */
export async function output(
  command: string,
  args: readonly string[],
  { input = '', ...options }: { input?: string; uid?: number; gid?: number } = {},
): Promise<string> {
  const child = spawn(command, args, { ...options, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // a program that has read enough may end before all of its input was read
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
