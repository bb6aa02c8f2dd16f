import { setTimeout as sleep } from 'node:timers/promises';
import type { StatementReport } from 'dealwright/sqlite';
import { afterEach, expect, it } from 'vitest';
import { acme, additionOf, committed, registration } from '../sql/writes.js';
import { createTestStore, type TestStore } from './database.js';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** A store with this time-out, and another connection to its file, which holds the lock. */
async function lockedStore(busyTimeout: number, gather: boolean) {
  const reports: StatementReport[] = [];
  const hooks = { onStatement: (report: StatementReport) => void reports.push(report) };
  const store = createTestStore({ busyTimeout, gather, hooks });
  opened.push(store);
  (await store.commit(acme, registration()))._unsafeUnwrap();
  const other = store.file.open();
  other.prepare('begin immediate').run();
  return { store, reports, release: () => void other.prepare('commit').run() };
}

it.each([true, false])('waits for a lock that is released (gathered: %s)', async (gather) => {
  const { store, reports, release } = await lockedStore(20_000, gather);
  const adding = [1, 3, 5].map((id) => store.commit(acme, additionOf(id, `${id}`)));
  let isAnswered = false;
  void Promise.race(adding).then(() => {
    isAnswered = true;
  });
  await sleep(150);
  expect(isAnswered).toBe(false);
  // reads do not wait for the lock
  expect((await store.deals.byPartnerId(acme, '1', []))._unsafeUnwrap()).toBeUndefined();
  release();
  for (const answer of await Promise.all(adding)) {
    expect(answer._unsafeUnwrap()).toEqual(committed);
  }
  const sent = reports.filter(({ statement }) => statement === 'commit').slice(1);
  expect(sent.map(({ rows }) => rows)).toEqual(gather ? [3] : [1, 1, 1]);
  for (const { retries, outcome } of sent) {
    expect(retries).toBeGreaterThan(0);
    expect(outcome).toBe('ok');
  }
});

it.each([true, false])('gives up if the lock is held longer (gathered: %s)', async (gather) => {
  const { store, reports, release } = await lockedStore(100, gather);
  const answers = await Promise.all([
    store.commit(acme, additionOf(1, '1')),
    store.commit(acme, additionOf(3, '2')),
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
  expect((await store.commit(acme, additionOf(1, '1')))._unsafeUnwrap()).toEqual(committed);
  expect((await store.deals.byPartnerId(acme, '2', []))._unsafeUnwrap()).toBeUndefined();
});

it('lets the event loop go on while it waits', async () => {
  const { store, release } = await lockedStore(1_000, true);
  const adding = store.commit(acme, additionOf(1, '1'));
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
