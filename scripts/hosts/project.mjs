// @ts-check
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { serveHttp1For } from './http1-for-http2.mjs';
import { root } from './templates.mjs';
import { findPort, pause } from './wait.mjs';

/** @typedef {import('./templates.mjs').Host} Host */

/** @type {typeof import('../../adapters/cli/init/make-project.js')} */
const init = await import(join(root, 'dist', 'adapters', 'cli', 'init', 'make-project.js'));

/**
 * Makes the project of a host as `dealwright init` does.
 *
 * @param {Host} host
 * @param {string} folder
 * @param {string} dealwright the packed file, or a clone
 */
export function makeProject({ name }, folder, dealwright) {
  const made = init.makeProject({ host: name, folder, store: 'sqlite', package: dealwright });
  if (made.isErr()) throw new Error(made.error.message);
}

/**
 * Replaces the project's own deals with the service of each case.
 *
 * @param {Host} host
 * @param {string} folder
 */
export function useCases({ common = '.' }, folder) {
  const cases = join(root, 'test', 'hosts', 'judged-deals.ts');
  copyFileSync(cases, join(folder, common, 'deals.ts'));
}

/** @param {string} folder */
const environmentOf = (folder) => {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return { ...env, PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${env['PATH']}` };
};

/**
 * Runs a command in a project, and returns its output; it rejects with the output if it fails.
 *
 * @param {string} folder
 * @param {readonly string[]} command
 * @returns {Promise<string>}
 */
export function run(folder, [program = '', ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environmentOf(folder) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${[program, ...args].join(' ')} failed:\n${output.slice(-4_000)}`));
    });
  });
}

/**
 * Starts a project as `npm start` does after its build, and waits until it answers.
 *
 * @param {Host} host
 * @param {string} folder
 * @returns {Promise<{ baseUrl: string, output: () => string, stop: () => Promise<void> }>}
 */
export async function startProject({ protocol }, folder) {
  const port = await findPort();
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [program, ...args] = scripts.start.split(' ');
  const env = {
    ...environmentOf(folder),
    PORT: String(port),
    DEALS_FOLDER: join(folder, '.deals'),
  };
  const child = spawn(program, args, { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000);
    });
  }
  /** @type {Awaited<ReturnType<typeof serveHttp1For>> | undefined} */
  let front;
  const ended = new Promise((resolve) => child.once('close', resolve));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    await front?.close();
    if (isRunning()) child.kill();
    await Promise.race([ended, pause(5_000)]);
    if (isRunning()) child.kill('SIGKILL');
    await ended;
  };
  if (protocol === 'h2c') front = await serveHttp1For(port);
  const baseUrl = `http://127.0.0.1:${front?.port ?? port}/deals`;
  for (let attempt = 0; attempt < 600 && isRunning(); attempt += 1) {
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    await ready?.arrayBuffer();
    if (ready?.ok) return { baseUrl, output: () => output, stop };
    await pause(100);
  }
  await stop();
  throw new Error(`${scripts.start} does not answer:\n${output.slice(-4_000)}`);
}

/**
 * The version of a package that a project has.
 *
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
export function versionOf(folder, name) {
  const [path = ''] = [folder, dirname(folder)]
    .map((each) => join(each, 'node_modules', name, 'package.json'))
    .filter((each) => existsSync(each));
  return JSON.parse(readFileSync(path, 'utf8')).version;
}
