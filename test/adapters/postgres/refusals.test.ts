import { inspect } from 'node:util';
import {
  createPostgresArchive,
  createPostgresStore,
  distributePostgres,
  migratePostgres,
  type PostgresLike,
} from 'dealwright/postgres';
import { expect, it } from 'vitest';
import {
  acme,
  additionV2,
  fileAddition,
  registration,
  workFileOf,
} from '../../../spec/store/subject.js';

const refusal = (code: string, more: object = {}) =>
  Object.assign(new Error('no'), { code, ...more });

const changeTo = (deal_id: number) => ({
  deal_id,
  version: 1,
  status: 'accepted' as const,
  freelancer_status: 'accepted' as const,
  stages: [],
  events: [],
});

/** Refuses what it is sent first, and nothing after that. */
function refusingOnce(error: Error, answer: string): PostgresLike {
  let isFirst = true;
  return {
    async query() {
      if (!isFirst) return { rows: [{ answer }] };
      isFirst = false;
      throw error;
    },
  };
}

it.each([
  ['57P05', 'none'],
  ['57P03', 'none'],
  ['40003', 'unknown'],
  ['EPERM', 'unknown'],
  ['EBADF', 'unknown'],
])('a save that ends in %s may be tried again: %s', async (code, outcome) => {
  const failing: PostgresLike = { query: () => Promise.reject(refusal(code)) };
  const change = changeTo(1);
  const once = createPostgresStore(refusingOnce(refusal(code), 'saved'));
  const saved = await once.deals.save(acme, change);
  if (outcome === 'none') return expect(saved._unsafeUnwrap()).toBe('saved');
  const failure = (await createPostgresStore(failing).deals.save(acme, change))._unsafeUnwrapErr();
  return expect(failure).toMatchObject({ outcome: 'unknown', retryable: true, retryAfter: 1 });
});

it('answers that cannot be read are unavailable, and nothing rejects', async () => {
  for (const rows of [[], [{ answer: '"secret' }]]) {
    const store = createPostgresStore({ query: async () => ({ rows }) }, { gather: false });
    const file = fileAddition(acme, 1, 1, workFileOf(1));
    const writes = [
      await store.contractors.add(acme, registration(acme)),
      await store.deals.addWorkFile(acme, file),
      await store.deals.save(acme, changeTo(1)),
      await store.dealsV2.add(acme, additionV2(acme, 'deal')),
    ];
    for (const write of writes) {
      const failure = write._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'unknown', retryable: false });
      expect(inspect(failure, { depth: 9 })).not.toContain('secret');
    }
    const read = (await store.events.after(acme, undefined, 5))._unsafeUnwrapErr();
    expect(read).toMatchObject({ outcome: 'none', retryable: false });
  }
  const nonsense = [{ answer: '{"api_version":"1.0","budget":"NaN"}' }];
  const { deals, contractors } = createPostgresStore({ query: async () => ({ rows: nonsense }) });
  const read = await deals.byId(acme, 1);
  expect(read._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
  expect((await contractors.byKey(acme, { register: 'a', email_key: 'b' })).isOk()).toBe(true);
});

it('an id that is no integer is of no deal', async () => {
  const asked: unknown[] = [];
  const { deals } = createPostgresStore({
    async query({ values = [] }) {
      asked.push(...values.filter((value) => typeof value === 'number'));
      return { rows: [{ answer: 'missing' }] };
    },
  });
  for (const deal_id of [1e20, 1.5, Number.NaN]) {
    const saved = await deals.save(acme, changeTo(deal_id));
    expect(saved._unsafeUnwrap()).toBe('missing');
    const added = await deals.addWorkFile(acme, fileAddition(acme, deal_id, 1, workFileOf(1)));
    expect(added._unsafeUnwrap()).toEqual({ outcome: 'missing' });
  }
  expect(asked.every((value) => Number.isSafeInteger(value))).toBe(true);
});

it('keeps what a driver sent out of every cause, under whatever name it hangs there', async () => {
  const hung = { query: { values: ['TOKEN'] }, statement: 'TOKEN', detail: 'TOKEN', hint: 'why' };
  const tried = [Object.assign(new Error('one'), { parameters: ['TOKEN'], port: 5432 })];
  for (const code of ['23514', '42P01', 'ECONNREFUSED_']) {
    const error = refusal(code, {
      ...hung,
      errors: tried,
      cause: Object.assign(new Error('two'), hung),
    });
    const db: PostgresLike = { query: () => Promise.reject(error) };
    const archive = createPostgresArchive(db);
    const store = createPostgresStore(db, { statementTimeout: 10 });
    const failures = [
      (await store.deals.save(acme, changeTo(1))).match(
        () => undefined,
        (failure) => failure,
      ),
      (await migratePostgres(db))._unsafeUnwrapErr(),
      (await distributePostgres(db))._unsafeUnwrapErr(),
      await archive.restore(noRecords()).catch((thrown: unknown) => thrown),
      await archive
        .dump()
        [Symbol.asyncIterator]()
        .next()
        .catch((thrown: unknown) => thrown),
    ];
    for (const failure of failures) {
      const shown = inspect(failure, { depth: 9, showHidden: true });
      expect(shown).toContain('why');
      expect(shown).toContain('5432');
      expect(shown).toContain('two');
      expect(shown).not.toContain('TOKEN');
    }
  }
});

async function* noRecords() {}

it('a distribution that stops behind its first step may have changed something', async () => {
  const stopping = (steps: number): PostgresLike => {
    let left = steps;
    return {
      async query({ text }) {
        if (text.startsWith('do ') && left-- === 0) throw refusal('42501');
        return { rows: [{ answer: '1' }] };
      },
    };
  };
  const outcomes = [0, 1, 3].map(async (steps) => {
    const failure = (await distributePostgres(stopping(steps)))._unsafeUnwrapErr();
    return 'outcome' in failure ? failure.outcome : failure.code;
  });
  expect(await Promise.all(outcomes)).toEqual(['none', 'unknown', 'unknown']);
});
