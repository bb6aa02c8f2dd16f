import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ensurePackages } from '../kit/debian.js';

/** A server that shares no code with ours, and runs. */
export interface Stranger {
  readonly baseUrl: string;
  /** What it has written to its standard error. */
  errors(): string;
  /** Ends it by a signal, and says how it ended: its exit code, or the signal. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | string>;
}

/** The tokens that it knows. */
const tokens = ['secret=sandbox:acme', 'other=sandbox:globex', 'live=production:acme'];

const python = '/usr/bin/python3';

/** Starts a program in Python or JavaScript on a free port, until it says its address. */
export async function startStranger(program: string): Promise<Stranger> {
  const isPython = program.endsWith('.py');
  if (isPython) ensurePackages('python3');
  const args = ['--port', '0', ...tokens.flatMap((token) => ['--token', token])];
  const child = spawn(
    isPython ? python : process.execPath,
    [...(isPython ? ['-B'] : []), program, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const baseUrl = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(line))?.[1];
  if (baseUrl === undefined) throw new Error(`it did not start: ${line} ${errors}`);
  return {
    baseUrl,
    errors: () => errors,
    async stop(signal = 'SIGKILL') {
      child.kill(signal);
      const [code, endedBy] = await ended;
      return code ?? endedBy;
    },
  };
}
