import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { tokens } from './intents.js';

// from the root, where tests and scripts run: this file may be part of a bundle
const program = resolve('dist/adapters/cli/main.js');

/** `dealwright serve`, which is killed, in a process of its own. */
export interface Service {
  /** Starts it where it does not run, and answers its address. */
  start(): Promise<string>;
  /** Kills it at once and without a word. */
  kill(): Promise<void>;
  /** What it complained of since it started. */
  complaints(): string;
}

/** Where a service keeps its deals. */
export interface ServicePlace {
  readonly folder: string;
  /** Of PostgreSQL; without one deals are in the folder, or in memory. */
  readonly url?: string;
  readonly isMemory?: boolean;
}

/** The service that somebody who installed the package starts, over the store at this place. */
export function createService(place: ServicePlace): Service {
  let running: { child: ChildProcess; gone: Promise<unknown>; url: Promise<string> } | undefined;
  let complaints = '';
  return {
    start() {
      running ??= launch(place, (text) => {
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

function launch(
  { folder, url: database, isMemory }: ServicePlace,
  complain: (text: string) => void,
) {
  complain('');
  const args = [program, 'serve', ...(isMemory === true ? ['--memory'] : [])];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DEALWRIGHT_TOKENS: tokens,
      DEALWRIGHT_DATA: folder,
      ...(database === undefined ? {} : { DATABASE_URL: database }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
      const [, listens] = /^Dealwright listens on (http:\S+)[^\n]*\n/.exec(said) ?? [];
      if (listens !== undefined) resolve(listens);
    });
    gone.then(([code]) => reject(new Error(`the service ended with ${code}: ${errors}`)), reject);
  });
  return { child, gone, url };
}
