import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { tokens } from './intents.js';

// from the root, where tests and scripts run: this file may be part of a bundle
const program = resolve('test/faults/children/serve.mjs');

/** The service that is killed, in a process of its own. */
export interface Service {
  /** Starts it where it does not run, and answers its address. */
  start(): Promise<string>;
  /** Kills it at once and without a word. */
  kill(): Promise<void>;
  /** What it complained of since it started. */
  complaints(): string;
}

/** A service over the store at this place, which keeps the contents of work files in this folder. */
export function createService(place: string, folder: string): Service {
  let running: { child: ChildProcess; gone: Promise<unknown>; url: Promise<string> } | undefined;
  let complaints = '';
  return {
    start() {
      running ??= launch([place, folder, tokens], (text) => {
        complaints = `${complaints}${text}`.slice(-4_000);
      });
      return running.url;
    },
    async kill() {
      running?.child.kill('SIGKILL');
      await running?.gone;
      running = undefined;
    },
    complaints: () => complaints,
  };
}

function launch(args: readonly string[], complain: (text: string) => void) {
  complain('');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    complain(text);
  });
  const url = new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [first = '', ...rest] = said.split('\n');
      if (rest.length > 0) resolve(first);
    });
    gone.then(([code]) => reject(new Error(`the service ended with ${code}: ${errors}`)), reject);
  });
  return { child, gone, url };
}
