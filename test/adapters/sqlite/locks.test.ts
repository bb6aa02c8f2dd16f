import { setTimeout as sleep } from 'node:timers/promises';
import type { StatementReport } from 'dealwright/sqlite';
import { afterEach, expect, it } from 'vitest';
import { acme, addition, additionV2, registration } from './additions.js';
import { createTestStore, type TestStore } from './database.js';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** A store that waits so long, and another connection to its file, which holds the lock. */
async function lockedStore(busyTimeout: number, gather: boolean) {
  const reports: StatementReport[] = [];
  const hooks = { onStatement: (report: StatementReport) => void reports.push(report) };
  const store = createTestStore({ busyTimeout, gather, hooks });
  opened.push(store);
  (await store.contractors.add(acme, registration()))._unsafeUnwrap();
  const other = store.file.open();
  other.prepare('begin immediate').run();
  return { store, reports, release: () => void other.prepare('commit').run() };
}

it.each([true, false])('waits for a lock that is let go of (gathered: %s)', async (gather) => {
  const { store, reports, release } = await lockedStore(20_000, gather);
  const adding = [1, 2, 3].map((each) => store.dealsV2.add(acme, additionV2(`${each}`)));
  let isAnswered = false;
  void Promise.race(adding).then(() => {
    isAnswered = true;
  });
  await sleep(150);
  expect(isAnswered).toBe(false);
  // what reads meets no lock
  expect((await store.dealsV2.byPartnerId(acme, '1'))._unsafeUnwrap()).toBeUndefined();
  release();
  for (const answer of await Promise.all(adding)) {
    expect(answer._unsafeUnwrap()).toEqual({ outcome: 'created' });
  }
  const sent = reports.filter(({ statement }) => statement === 'dealsV2.add');
  expect(sent.map(({ rows }) => rows)).toEqual(gather ? [3] : [1, 1, 1]);
  for (const { retries, outcome } of sent) {
    expect(retries).toBeGreaterThan(0);
    expect(outcome).toBe('ok');
  }
});

it.each([true, false])('gives up where the lock is held longer (gathered: %s)', async (gather) => {
  const { store, reports, release } = await lockedStore(100, gather);
  const answers = await Promise.all([
    store.deals.add(acme, addition('1')),
    store.dealsV2.add(acme, additionV2('2')),
  ]);
  for (const answer of answers) {
    expect(answer._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      outcome: 'none',
      retryable: true,
      retryAfter: 1,
      cause: { message: expect.stringMatching(/locked/) },
    });
  }
  const failed = reports.filter(({ outcome }) => outcome === 'failed');
  expect(failed.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
  for (const { code } of failed) expect(code).toBe('SQLITE_BUSY');
  release();
  const { outcome } = (await store.deals.add(acme, addition('1')))._unsafeUnwrap();
  expect(outcome).toBe('created');
  expect((await store.dealsV2.byPartnerId(acme, '2'))._unsafeUnwrap()).toBeUndefined();
});

it('lets the event loop go on while it waits', async () => {
  const { store, release } = await lockedStore(1_000, true);
  const adding = store.deals.add(acme, addition('1'));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const answer = await adding;
  clearInterval(timer);
  release();
  expect(answer.isErr()).toBe(true);
  expect(turns).toBeGreaterThan(5);
});
