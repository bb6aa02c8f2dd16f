import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { dealOf, writesIn } from './new-deals.js';

// eight seconds pass at once
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));
const silence = new Promise<never>(() => undefined);

it('a statement that is not answered is lost after eight seconds, and what waits goes out', async () => {
  const sent: number[] = [];
  const db: PostgresLike = {
    query({ text, values = [] }) {
      sent.push(writesIn(text, values));
      return silence;
    },
  };
  const store = createPostgresStore(db);
  const add = (names: string) => [...names].map((name) => store.commit(acme, dealOf(name)));
  const first = add('abcd');
  await turn();
  const second = add('ef');
  await vi.advanceTimersByTimeAsync(1_000);
  const later = add('g');
  await vi.advanceTimersByTimeAsync(6_999);
  // two statements are under way
  expect(sent).toEqual([4, 2]);
  await vi.advanceTimersByTimeAsync(1);
  for (const answer of await Promise.all([...first, ...second])) {
    expect(answer._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', retryAfter: 1 });
  }
  await turn();
  expect(sent).toEqual([4, 2, 1]);
  await vi.advanceTimersByTimeAsync(8_000);
  expect((await Promise.all(later)).every((answer) => answer.isErr())).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('one that is answered leaves no timer behind', async () => {
  const db: PostgresLike = { query: async () => ({ rows: [] }) };
  await createPostgresStore(db).deals.byPartnerId(acme, 'deal', []);
  const failing: PostgresLike = { query: () => Promise.reject(Object(new Error('no'))) };
  const reading = createPostgresStore(failing).deals.byPartnerId(acme, 'deal', []);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await reading).isErr()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('of a batch that goes one by one only the first waits for a database that is gone', async () => {
  const sent: string[] = [];
  const db: PostgresLike = {
    query({ text }) {
      const isBatch = !text.includes('commit_one');
      sent.push(isBatch ? 'batch' : 'one');
      if (!isBatch) return silence;
      return Promise.reject(Object.assign(new Error('bad row'), { code: '22021' }));
    },
  };
  const store = createPostgresStore(db);
  const given = ['a', 'b', 'c', 'd'].map((name) => store.commit(acme, dealOf(name)));
  await turn();
  await vi.advanceTimersByTimeAsync(8_000);
  const failures = (await Promise.all(given)).map((answer) => answer._unsafeUnwrapErr());
  for (const failure of failures) expect(failure).toMatchObject({ retryAfter: 1 });
  // the batch was rolled back, and only one write was sent since
  expect(failures.map(({ outcome }) => outcome)).toEqual(['unknown', 'none', 'none', 'none']);
  expect(sent).toEqual(['batch', 'one']);
});
