import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ensurePackages } from '../kit/debian.js';

/** A server that shares no code with ours, and runs. */
export interface Stranger {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** The tokens that it knows. */
export const tokens = ['secret=sandbox:acme', 'other=sandbox:globex', 'live=production:acme'];

const python = '/usr/bin/python3';

/** Starts a program in Python or JavaScript on a free port, until it says its address. */
export async function startStranger(program: string): Promise<Stranger> {
  const isPython = program.endsWith('.py');
  if (isPython) ensurePackages('python3');
  const args = ['--port', '0', ...tokens.flatMap((token) => ['--token', token])];
  const child: ChildProcess = spawn(
    isPython ? python : process.execPath,
    [...(isPython ? ['-B'] : []), program, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  if (child.stdout === null) throw new Error('its output is not piped');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const baseUrl = /^listening on (http:\S+)$/.exec(String(line))?.[1];
  if (baseUrl === undefined) throw new Error(`it did not start: ${line}`);
  return {
    baseUrl,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
