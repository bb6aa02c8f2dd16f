import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { createProgram } from '../../adapters/cli/program.js';

/** The built command line. */
export const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a run of the command line ended. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service that listens, as a user sees it. */
export interface RunningService {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** The port that it took. */
  readonly port: number;
  /** Its output so far. */
  said(): Ending;
  readonly ended: Promise<Ending>;
}

const started = new Set<ChildProcess>();

/**
 * Runs the built command line with only these settings. A text is its stdin; with `open`, the test
 * writes to stdin; a number is an open file.
 */
export function run(
  args: readonly string[],
  environment: Record<string, string> = {},
  stdin?: string | number | { readonly open: true },
  /** The command that runs Node and ends with it; default: none. */
  before: readonly string[] = [],
) {
  const [command, ...rest] = [...before, process.execPath, program, ...args] as const;
  const child = spawn(command ?? '', rest, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: [
      stdin === undefined ? 'ignore' : typeof stdin === 'number' ? stdin : 'pipe',
      'pipe',
      'pipe',
    ],
  });
  started.add(child);
  // a program that has read enough may end before all of its input was read
  child.stdin?.on('error', () => {});
  if (typeof stdin === 'string') child.stdin?.end(stdin);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const said = (): Ending => ({ code: child.exitCode, stdout, stderr });
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', () => {
      started.delete(child);
      resolve(said());
    });
  });
  return { child, ended, said };
}

/** Keeps what is written to it. */
function createOutput() {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/**
 * Runs the command line in this process, which takes a tenth of the time: for tests that need no
 * process of its own, such as its stdin, its signals and its memory.
 */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ending> {
  const [stdout, stderr, signals] = [createOutput(), createOutput(), new EventEmitter()];
  const own: NodeJS.Process = Object.create(process, {
    env: { value: environment },
    exitCode: { value: 0, writable: true },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
    on: { value: signals.on.bind(signals) },
  });
  try {
    await createProgram(own).parseAsync(['node', 'dealwright', ...args]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    own.exitCode = error.exitCode === 0 ? 0 : 2;
  }
  return { code: Number(own.exitCode), stdout: stdout.text(), stderr: stderr.text() };
}

/** The settings of the place of deals: in memory, unless one of these is set. */
const places = ['DEALWRIGHT_DATA', 'DATABASE_URL'];

/** Runs `serve`, on a free port by default, until it has printed its greeting. */
export async function startService(
  environment: Record<string, string> = {},
  args: readonly string[] = [],
  before: readonly string[] = [],
): Promise<RunningService> {
  const memory = places.some((name) => name in environment) ? [] : ['--memory'];
  const settings = { PORT: '0', ...environment };
  const { child, ended, said } = run(['serve', ...memory, ...args], settings, undefined, before);
  const listening = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (/^Dealwright listens on .*\n/.test(said().stdout)) resolve();
    });
  });
  await Promise.race([listening, ended]);
  const baseUrl = /^Dealwright listens on (http:\S+)/.exec(said().stdout)?.[1];
  if (baseUrl === undefined) throw new Error(`it does not listen: ${JSON.stringify(said())}`);
  return { child, baseUrl, port: Number(new URL(baseUrl).port), said, ended };
}

/** Kills the processes that a failed test has left running. */
export function stopAll(): void {
  for (const child of started) child.kill('SIGKILL');
}
