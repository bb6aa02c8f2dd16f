import type { StatementReport } from 'dealwright/sqlite';
import { expect, it } from 'vitest';
import { acme, additionOf, registration } from '../sql/writes.js';
import { createTestStore } from './database.js';

it('tells of each transaction and each read, and of nothing that is stored', async () => {
  const reports: StatementReport[] = [];
  const onStatement = (report: StatementReport) => {
    reports.push(report);
    throw new Error('a hook that fails');
  };
  const store = createTestStore({ hooks: { onStatement }, gather: { maxBatch: 3 } });
  try {
    (await store.commit(acme, registration()))._unsafeUnwrap();
    await Promise.all([1, 3, 5, 7].map((id) => store.commit(acme, additionOf(id, `${id}`))));
    await Promise.all([
      store.commit(acme, additionOf(9, '9')),
      Promise.resolve(store.reserve('sandbox', 1)),
    ]);
    (await store.deals.byPartnerId(acme, '5', ['stage']))._unsafeUnwrap();
    store.db.prepare('drop table dealwright_stages').run();
    (await store.deals.byPartnerId(acme, '5', ['stage']))._unsafeUnwrapErr();
    expect(
      reports.map(({ statement, rows, outcome, code }) => [statement, rows, outcome, code]),
    ).toEqual([
      ['commit', 1, 'ok', undefined],
      ['commit', 3, 'ok', undefined],
      ['commit', 1, 'ok', undefined],
      ['writes', 2, 'ok', undefined],
      ['deals.byPartnerId', 1, 'ok', undefined],
      ['deals.byPartnerId', 1, 'failed', 'SQLITE_ERROR'],
    ]);
    for (const report of reports) {
      expect(report.milliseconds).toBeGreaterThanOrEqual(0);
      expect(report.retries).toBe(0);
      expect(Object.keys(report)).not.toContain('sql');
    }
  } finally {
    await store.close();
  }
});

it('hears no rejection of a hook, which would end the process', async () => {
  let asked = 0;
  const onStatement = async () => {
    asked += 1;
    throw new Error('a hook that fails later');
  };
  const store = createTestStore({ hooks: { onStatement } });
  const heard: unknown[] = [];
  const hear = (error: unknown) => void heard.push(error);
  process.on('unhandledRejection', hear);
  try {
    (await store.commit(acme, registration()))._unsafeUnwrap();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(asked).toBe(1);
    expect(heard).toEqual([]);
  } finally {
    process.off('unhandledRejection', hear);
    await store.close();
  }
});

it('takes null for no options, as a store over PostgreSQL does', async () => {
  const store = createTestStore(null as never);
  expect((await store.commit(acme, registration())).isOk()).toBe(true);
  await store.close();
});

it('refuses at once what comes when the queue is full', async () => {
  const store = createTestStore({ gather: { maxBatch: 1, maxQueue: 2 } });
  try {
    const keys = ['1', '2', '3'];
    const answers = await Promise.all(
      keys.map((contractor_key) => store.commit(acme, registration({ contractor_key }))),
    );
    expect(answers.map((answer) => answer.isOk())).toEqual([true, true, false]);
    expect(answers[2]?._unsafeUnwrapErr()).toMatchObject({
      outcome: 'none',
      retryable: true,
      retryAfter: 1,
    });
    const log = (await store.events.after(acme, undefined, 10))._unsafeUnwrap();
    expect(log).toMatchObject({ cursor: '2' });
  } finally {
    await store.close();
  }
});
