import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PaymentEffect } from 'dealwright/ports';
import { tokens } from './intents.js';

// from the root, where tests and scripts run: this file may be part of a bundle
const program = resolve('test/faults/service.mjs');

/** The effects that the gateway of the service was asked for, with the partner of each deal. */
export type Effect = PaymentEffect & { readonly partner: string };

/** The parts of `dealwright serve` with a gateway, killed, in a process of its own. */
export interface Service {
  /** Starts it if it does not run, and returns its address. */
  start(): Promise<string>;
  /** Kills it at once. */
  kill(): Promise<void>;
  /** Its complaints since it started. */
  complaints(): string;
  /** The effects that its gateway was asked for, by all processes since the first. */
  effects(): readonly Effect[];
}

/** The place where a service keeps its deals. */
export interface ServicePlace {
  readonly folder: string;
  /** The URL of PostgreSQL; without one, deals are in the folder, or in memory. */
  readonly url?: string;
  readonly isMemory?: boolean;
}

/** The service as a user of the package starts it, over the store at this place. */
export function createService(place: ServicePlace): Service {
  let running: { child: ChildProcess; gone: Promise<unknown>; url: Promise<string> } | undefined;
  let complaints = '';
  const began = Date.now();
  return {
    start() {
      running ??= launch(place, began, (text) => {
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
    effects() {
      const path = effectsIn(place);
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Effect]));
    },
  };
}

/** The file of the effects that the gateway writes down. */
export function effectsIn({ folder }: Pick<ServicePlace, 'folder'>): string {
  return join(folder, 'effects.ndjson');
}

function launch(place: ServicePlace, began: number, complain: (text: string) => void) {
  const { folder, url: database, isMemory } = place;
  complain('');
  const args = [program, isMemory === true ? 'memory' : '', effectsIn(place), String(began)];
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
