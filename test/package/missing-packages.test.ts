import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'dealwright-missing-'));
const modules = join(folder, 'node_modules');
const pack = promisify(execFile);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The program as it was packed, with its dependencies, and neither peer dependency nor driver. */
beforeAll(async () => {
  const installed = join(modules, 'dealwright');
  mkdirSync(installed, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse((await pack('npm', args, { cwd: root })).stdout) as [
    { filename: string },
  ];
  const unpack = ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'];
  await pack('tar', unpack);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How the program ends. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = join(modules, 'dealwright/dist/cli/main.js');
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

it('says that neverthrow is missing, whatever it was asked for', async () => {
  const stderr =
    'dealwright: the package neverthrow is missing: install it with "npm install neverthrow"\n';
  for (const args of [[], ['--help'], ['serve'], ['deals', 'list'], ['verify', '--list']]) {
    expect(await run(args)).toEqual({ code: 1, stdout: '', stderr });
  }
});

it('says which of its own dependencies is missing, once a command needs it', async () => {
  const neverthrow = join(modules, 'neverthrow');
  symlinkSync(join(root, 'node_modules/neverthrow'), neverthrow);
  const away = join(folder, 'away');
  renameSync(join(modules, '@noble/hashes'), away);
  const { code, stderr } = await run(['serve', '--memory', '--port', '0']);
  renameSync(away, join(modules, '@noble/hashes'));
  expect([code, stderr]).toEqual([
    1,
    'dealwright: the package @noble/hashes is missing: install it with "npm install @noble/hashes"\n',
  ]);
});

it('says which driver a command lacks, and needs fast-check for none', async () => {
  const postgres = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  for (const args of [['serve'], ['migrate'], ['dump'], ['prune']]) {
    const { code, stderr } = await run(args, postgres);
    expect(code).not.toBe(0);
    expect(stderr.split('\n')[0]).toBe(
      'dealwright: there is no driver of PostgreSQL, which DATABASE_URL asks for: install it with "npm install pg"',
    );
    expect(stderr).not.toMatch(/^ +at /m);
  }
  // newer versions of Node have a driver of SQLite
  if (Number.parseInt(process.versions.node, 10) < 22) {
    for (const args of [['serve'], ['migrate']]) {
      const { code, stderr } = await run(args);
      expect(code).not.toBe(0);
      expect(stderr).toContain('install one with "npm install libsql"');
      expect(stderr).not.toMatch(/^ +at /m);
    }
  }
  const listed = await run(['verify', '--list']);
  expect([listed.code, listed.stderr]).toEqual([0, '']);
}, 60_000);
