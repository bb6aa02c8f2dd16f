import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../kit/children.js';
import { ensureTools } from '../../kit/tools.js';

const script = fileURLToPath(new URL('children/contract.mjs', import.meta.url));
const installed = await ensureTools('runtimes');
const bin = (name: string) => join(installed, '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'dealwright-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Node 20 has no `node:sqlite`; Deno's is the same interface
const runtimes: readonly (readonly [string, string, readonly string[]])[] = [
  ['bun:sqlite', bin('bun'), ['run']],
  ['node:sqlite', 'env', [`DENO_DIR=${folder}`, bin('deno'), 'run', '--quiet', '-A']],
];

it.each(runtimes)('%s keeps the contract of stores', async (_, command, args) => {
  const { stdout, stderr } = await run(command, [...args, script]);
  expect(stderr).toBe('');
  const { cases, failures } = JSON.parse(stdout);
  expect(failures).toEqual([]);
  expect(cases).toBeGreaterThan(40);
});

const transactions = fileURLToPath(new URL('children/transactions.mjs', import.meta.url));

it.each(runtimes)('%s works within transactions', async (name, command, args) => {
  const file = join(folder, `${name.replace(':', '-')}.db`);
  const { stdout, stderr } = await run(command, [...args, transactions, file]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    'unavailable lost',
    ...['ok', 'false'],
    ...['ok', 'deal_exists usable', 'true'],
    ...['ok', 'unavailable lost'],
  ]);
});
