import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres } from '../kit/postgres.js';
import { runHere } from './dealwright.js';

const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));
const run = promisify(execFile);
const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...environment } = process.env;

let folder = '';
let said = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-project-'));
  said = await make('shop');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name = 'shop') => join(folder, name);

/** Makes a project, and returns the output of the command. */
async function make(name: string, ...flags: string[]): Promise<string> {
  const { code, stdout } = await runHere(['init', 'node-http', at(name), ...flags]);
  expect(code).toBe(0);
  // like npm install, with the packages that are here
  const modules = join(at(name), 'node_modules');
  mkdirSync(modules);
  const { dependencies } = JSON.parse(readFileSync(join(at(name), 'package.json'), 'utf8'));
  for (const each of ['.bin', '@types', 'typescript', ...Object.keys(dependencies)]) {
    const from = each === 'dealwright' ? root : join(root, 'node_modules', each);
    symlinkSync(from, join(modules, each));
  }
  return stdout;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return Object(address).port;
}

it('passes its own test', async () => {
  const { stdout } = await run('npm', ['test'], { cwd: at(), env: environment });
  expect(stdout).toMatch(/^# pass 4$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
  // skipped steps would be named there
  expect(stdout).not.toContain('not done');
});

it('passes its own test over PostgreSQL, as often as it is run', async () => {
  await make('postgres', '--store', 'postgres');
  const server = await startPostgres({ fsync: false });
  try {
    const { url } = await server.createDatabase();
    for (let times = 0; times < 2; times += 1) {
      const env = { ...environment, DATABASE_URL: url };
      const { stdout } = await run('npm', ['test'], { cwd: at('postgres'), env });
      expect(stdout).toMatch(/^# pass 4$/m);
    }
  } finally {
    await server.stop();
  }
});

/** Starts the project on a free port, and resolves once it prints its address. */
async function start(more: NodeJS.ProcessEnv = {}) {
  const base = `http://127.0.0.1:${await freePort()}`;
  const env = { ...environment, PORT: new URL(base).port, ...more };
  await run('npm', ['run', 'build'], { cwd: at(), env });
  const { scripts } = JSON.parse(readFileSync(join(at(), 'package.json'), 'utf8'));
  const child = spawn('sh', ['-c', `exec ${scripts.start}`], { cwd: at(), env });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt += 1) {
    if (output.includes(`${base}/deals\n`)) break;
    await pause(100);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    return child.exitCode;
  };
  return { base, output: () => output, stop };
}

const listDeals = (base: string, token: string) =>
  fetch(`${base}/deals/api/2.0/deal/`, { headers: { authorization: `Token ${token}` } });

it('starts, and creates the deal that the command said, with nothing left out', async () => {
  const { base, output, stop } = await start();
  let code: number | null = null;
  try {
    const [, given = ''] = /\n {2}(curl .*?'\{.*\}')\n/s.exec(said) ?? [];
    const curl = given.replace('http://127.0.0.1:3000', base);
    const { stdout } = await run('sh', ['-c', curl]);
    expect(stdout).toMatch(/^HTTP\/1\.1 201 /);
    expect(stdout).toMatch(/"payment_token":".+"status":"created"/);
    // the README says the same command
    expect(readFileSync(join(at(), 'README.md'), 'utf8')).toContain(given);
    const [, openApi = ''] = /(\/deals\/openapi\.json)$/m.exec(said) ?? [];
    expect(await (await fetch(base + openApi)).json()).toMatchObject({ openapi: '3.1.0' });
    expect(await (await fetch(`${base}/`)).text()).toContain('of node:http itself');
    const [, reference = ''] = /(\/deals\/)$/m.exec(said) ?? [];
    const page = await (await fetch(base + reference)).text();
    const [, script = ''] = /<script src="(\S+bundle\.js)">/.exec(page) ?? [];
    expect(await (await fetch(base + reference + script)).text()).toContain('SwaggerUIBundle');
  } finally {
    code = await stop();
  }
  expect(output()).toBe(`
The deals are at ${base}/deals
Their reference, to read and to try, is at ${base}/deals/
An API token for trying out: demo-token

`);
  expect(code).toBe(0);
  expect(readdirSync(join(at(), '.deals')).sort()).toEqual(
    expect.arrayContaining(['deals.db', 'files']),
  );
  expect(statSync(join(at(), '.deals')).mode & 0o077).toBe(0);
});

it.each([
  ['in production', { NODE_ENV: 'production' }, 401],
  ['where it is told tokens', { DEALWRIGHT_TOKENS: 's3cret=sandbox:acme' }, 200],
])('%s has no token for trying out, and prints none', async (_, more, status) => {
  const { base, output, stop } = await start(more);
  try {
    expect((await listDeals(base, 'demo-token')).status).toBe(401);
    expect((await listDeals(base, 's3cret')).status).toBe(status);
  } finally {
    await stop();
  }
  expect(output()).toContain(`The deals are at ${base}/deals\n`);
  expect(output()).toContain('The API tokens are those of DEALWRIGHT_TOKENS.\n');
  expect(output()).not.toMatch(/demo-token|s3cret/);
});
