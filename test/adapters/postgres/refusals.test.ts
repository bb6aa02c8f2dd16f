import { inspect } from 'node:util';
import {
  createPostgresArchive,
  createPostgresStore,
  distributePostgres,
  migratePostgres,
  type PostgresLike,
} from 'dealwright/postgres';
import { expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { move, registration, upload } from '../../../spec/store/writes.js';
import { dealOf } from './new-deals.js';

const refusal = (code: string, more: object = {}) =>
  Object.assign(new Error('no'), { code, ...more });

/** A write without inserts, which is not sent again after it may have been executed. */
const change = () => move('deal', 1, { status: 'accepted' });

/** Refuses the first statement, and no other. */
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
])('a change that ends in %s may be tried again: %s', async (code, outcome) => {
  const failing: PostgresLike = { query: () => Promise.reject(refusal(code)) };
  const once = createPostgresStore(refusingOnce(refusal(code), 'null'));
  const changed = await once.commit(acme, change());
  if (outcome === 'none') return expect(changed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
  const failure = (await createPostgresStore(failing).commit(acme, change()))._unsafeUnwrapErr();
  return expect(failure).toMatchObject({ outcome: 'unknown', retryable: true, retryAfter: 1 });
});

it('answers that cannot be read are unavailable, and nothing rejects', async () => {
  for (const rows of [[], [{ answer: '"secret' }], [{ answer: 'secret' }]]) {
    for (const gather of [false, {}] as const) {
      const store = createPostgresStore({ query: async () => ({ rows }) }, { gather });
      const writes = [registration(), upload('deal', 1), change(), dealOf('deal')];
      const answers = await Promise.all(writes.map((each) => store.commit(acme, each)));
      for (const answer of answers) {
        const failure = answer._unsafeUnwrapErr();
        expect(failure).toMatchObject({ outcome: 'unknown', retryable: false });
        expect(inspect(failure, { depth: 9 })).not.toContain('secret');
      }
      const reads = [
        await store.events.after(acme, undefined, 5),
        ...(rows.length === 0 ? [] : [await store.deals.byId(acme, 1, [])]),
      ];
      for (const read of reads) {
        expect(read._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
      }
    }
  }
});

it('an id that is not an integer is of no deal', async () => {
  const { deals } = createPostgresStore({ query: () => Promise.reject(new Error('asked')) });
  for (const id of [1e20, 1.5, Number.NaN]) {
    expect((await deals.byId(acme, id, []))._unsafeUnwrap()).toBeUndefined();
  }
});

it('keeps what a driver sent out of every cause, under any name', async () => {
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
      (await store.commit(acme, change())).match(
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

it('a distribution that stops after its first step may have changed something', async () => {
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
