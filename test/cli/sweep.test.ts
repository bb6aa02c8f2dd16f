import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createFolderFileStore } from 'dealwright/files';
import { createMemoryStore } from 'dealwright/memory';
import { type Store, type Timer, unavailable } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { repeat } from '../../adapters/host/repeat.js';
import { type SweptParts, sweep } from '../../adapters/host/sweep.js';
import { fill, useDataFolder } from './data-folder.js';
import { run } from './dealwright.js';

const { at, data, environment, pathOf, start } = useDataFolder();

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** The name of a folder, as for a tenant. */
const acme = 'a'.repeat(64);
/** A ULID of 1 January 2026: no work file has it. */
const forgotten = '01KDVE00000000000000000001';

/** Writes a file as a killed process left it, this long ago. */
function leave(path: string, age: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'half');
  const time = (Date.now() - age) / 1000;
  utimesSync(path, time, time);
  return path;
}

it('is done by serve as it starts: unfinished files, and contents that no work file names', async () => {
  const first = await start();
  const { file } = await fill(first, new Uint8Array(10));
  first.child.kill('SIGTERM');
  await first.ended;
  const recorded = pathOf(file.id);
  const own = dirname(recorded);
  const old = leave(join(own, `${forgotten}.${'0'.repeat(16)}.part`), day + hour);
  const young = leave(join(own, `${forgotten}.${'1'.repeat(16)}.part`), day - hour);
  const unnamed = leave(join(own, forgotten), day + hour);

  const second = await start();
  await expect.poll(() => existsSync(unnamed)).toBe(false);
  expect(existsSync(old)).toBe(false);
  expect([young, recorded].every((path) => existsSync(path))).toBe(true);
  second.child.kill('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
});

it('is done by dealwright sweep, with the age that is given', async () => {
  expect((await run(['migrate'], environment()).ended).code).toBe(0);
  const own = join(data(), 'files', 'sandbox', acme);
  const [old, young] = [3 * hour, hour].map((age, number) =>
    leave(join(own, `${forgotten}.${String(number).repeat(16)}.part`), age),
  );
  const none = await run(['sweep'], environment()).ended;
  expect(none).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'Removed 0 unfinished files; of 0 tenants moved 0 files to the trash that no work file names, restored 0 that one names, and deleted 0 after 30 days\n',
  });
  const some = await run(['sweep', '--min-age', '2'], environment()).ended;
  expect(some).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Removed 1 unfinished/) });
  expect([old, young].map((path) => existsSync(path ?? ''))).toEqual([false, true]);
});

it('is refused by dealwright sweep for a wrong age and a folder without deals', async () => {
  const usage = await run(['sweep', '--min-age', '1'], environment()).ended;
  expect(usage).toMatchObject({ code: 2, stdout: '' });
  expect(usage.stderr).toContain('--min-age takes a whole number of hours from 2 to 8760');
  const empty = await run(['sweep'], environment()).ended;
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('dealwright migrate') });
});

/** A marketplace over a folder, with a timer that the test moves. */
function partsOf(tenants: Store['tenants']) {
  const timer = createManualClock(Date.now());
  const files = createFolderFileStore({ folder: at.folder, timer });
  const marketplace = createMarketplace({
    ...createSystemPorts(),
    store: createMemoryStore(),
    files,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  });
  return { timer, parts: { marketplace, files, store: { tenants } } };
}

const sweepDaily = (timer: Timer, parts: SweptParts, failures: unknown[]) =>
  repeat(
    { timer, pause: day },
    'sweep',
    (signal) => sweep(parts, undefined, signal),
    (failure) => failures.push(failure),
  );

it('is done again a day later, and no more once it is stopped', async () => {
  const { timer, parts } = partsOf(async () => ok([]));
  const failures: unknown[] = [];
  const stop = sweepDaily(timer, parts, failures);
  await expect.poll(() => timer.sleepers()).toBe(1);
  const path = leave(join(at.folder, 'sandbox', acme, `${forgotten}.${'0'.repeat(16)}.part`), hour);
  timer.advance(day - 1);
  expect(existsSync(path)).toBe(true);
  timer.advance(1);
  await expect.poll(() => existsSync(path)).toBe(false);
  await expect.poll(() => timer.sleepers()).toBe(1);
  stop();
  expect(timer.sleepers()).toBe(0);
  expect(failures).toEqual([]);
});

it('goes through all pages of tenants, and stops between two of them', async () => {
  const all = Array.from({ length: 250 }, (_, number) => ({
    environment: 'sandbox' as const,
    partner: String(number).padStart(3, '0'),
  }));
  const { parts } = partsOf(async (after, limit) => {
    const from = all.findIndex(({ partner }) => partner === after?.partner) + 1;
    return ok(all.slice(from, from + limit).map((tenant) => ({ tenant, end: '1' })));
  });
  const swept = await sweep(parts);
  expect(swept._unsafeUnwrap()).toMatchObject({ unfinished: 0, trashed: 0, tenants: 250 });
  const stopped = await sweep(parts, day, AbortSignal.abort());
  expect(stopped._unsafeUnwrap().tenants).toBe(0);
});

it.each<[string, Store['tenants']]>([
  ['answers with a failure', async () => unavailable({ outcome: 'none', cause: 'down' })],
  [
    'throws',
    () => {
      throw 'down';
    },
  ],
])('reports a list of tenants that %s, and tries again a day later', async (_, tenants) => {
  const { timer, parts } = partsOf(tenants);
  const failures: unknown[] = [];
  const stop = sweepDaily(timer, parts, failures);
  const failure = { work: 'sweep', cause: 'down' };
  await expect.poll(() => failures).toEqual([failure]);
  timer.advance(day);
  await expect.poll(() => failures).toEqual([failure, failure]);
  stop();
});
