import {
  createSqliteStore,
  type SqliteLike,
  type SqliteStoreOptions,
  type SqliteValue,
} from 'dealwright/sqlite';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acme, addition, additionOf, committed, refused, registration } from '../sql/writes.js';
import { createTestFile, createTestStore, type TestStore } from './database.js';

let store: TestStore;
beforeEach(async () => {
  store = createTestStore();
  (await store.commit(acme, registration()))._unsafeUnwrap();
});
afterEach(() => store.close());

/** How many rows a table has. */
function count(table: string): number {
  const row = store.db.prepare(`select count(*) as n from dealwright_${table}`).get();
  return (row as { n: number }).n;
}

describe('a full disk', () => {
  it('is unavailable, keeps what was answered, and is over when there is room', async () => {
    const { db } = store;
    const first = (await store.reserve('sandbox', 100))._unsafeUnwrap();
    const pages = (db.prepare('pragma page_count').get() as { page_count: number }).page_count;
    db.prepare(`pragma max_page_count = ${pages + 30}`).get();
    const description = 'x'.repeat(5_000);
    const created: string[] = [];
    for (let batch = 0; batch < 10; batch += 1) {
      const names = Array.from({ length: 4 }, (_, at) => `${batch}-${at}`);
      const answers = await Promise.all(
        names.map((name, at) =>
          store.commit(acme, additionOf(first + batch * 8 + at * 2, name, { description })),
        ),
      );
      for (const [at, answer] of answers.entries()) {
        if (answer.isOk()) created.push(`${names[at]}`);
        else {
          expect(answer.error).toMatchObject({ outcome: 'none', retryable: true, retryAfter: 1 });
          expect(String(answer.error.cause)).toMatch(/full/);
        }
      }
    }
    expect(created.length).toBeGreaterThan(3);
    expect(created.length).toBeLessThan(40);
    expect([count('deals'), count('stages'), count('events')]).toEqual([
      created.length,
      created.length,
      created.length + 1,
    ]);
    db.prepare('pragma max_page_count = 1000000').get();
    const later = await store.commit(acme, additionOf(first + 90, 'later'));
    expect(later._unsafeUnwrap()).toEqual(committed);
  });
});

describe('a row that the database refuses', () => {
  it('fails by itself, and those with it are stored', async () => {
    // the domain refuses such a number
    const answers = await Promise.all([
      store.commit(acme, additionOf(1, '1')),
      store.commit(acme, additionOf(3, 'bad', { work_days: 0.5 })),
      store.commit(acme, additionOf(5, '2')),
      store.commit(acme, additionOf(7, '2')),
    ]);
    expect(answers.map((each) => each.isOk() && each.value)).toEqual([
      committed,
      false,
      committed,
      refused(0),
    ]);
    expect(answers[1]?._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
    expect([count('deals'), count('stages'), count('events')]).toEqual([2, 2, 3]);
  });
});

describe('a commit that fails', () => {
  /**
   * A connection whose next commit fails: before it has its effect, after it, or so that the
   * transaction stays open, because the rollback after it fails too.
   */
  function breakable(db: SqliteLike) {
    let fault: 'before' | 'behind' | 'undone' | 'open' | undefined;
    const lost = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    const faulty: SqliteLike = {
      prepare(sql) {
        const statement = db.prepare(sql);
        if (sql !== 'commit' && sql !== 'rollback') return statement;
        const run = (...values: SqliteValue[]) => {
          if (sql === 'rollback' && fault !== 'open') return statement.run(...values);
          const now = fault;
          if (now !== 'open' || sql === 'rollback') fault = undefined;
          if (now === 'open') throw lost;
          if (now === 'undone') db.prepare('rollback').run();
          if (now === 'before' || now === 'undone') throw lost;
          const done = statement.run(...values);
          if (now === 'behind') throw lost;
          return done;
        };
        return {
          run,
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
        };
      },
    };
    const fail = (how: typeof fault) => {
      fault = how;
    };
    return { faulty, fail };
  }

  it.each(['before', 'undone'] as const)('is unknown if nothing is there (%s)', async (how) => {
    const { faulty, fail } = breakable(store.file.open());
    const own = createSqliteStore(faulty);
    const given = await addition(own, '1');
    fail(how);
    const failure = (await own.commit(acme, given))._unsafeUnwrapErr();
    expect(failure).toMatchObject({ outcome: 'unknown', retryable: true });
    expect(count('deals')).toBe(0);
    expect((await own.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
    expect(count('deals')).toBe(1);
  });

  it('is unknown if it cannot be rolled back either, and is not found in itself', async () => {
    const { faulty, fail } = breakable(store.file.open());
    const own = createSqliteStore(faulty);
    const given = await addition(own, '1');
    fail('open');
    const failure = (await own.commit(acme, given))._unsafeUnwrapErr();
    expect(failure).toMatchObject({ outcome: 'unknown', retryable: true });
    expect(count('deals')).toBe(0);
    const other = await own.commit(acme, await addition(own, '2'));
    expect(other._unsafeUnwrap()).toEqual(committed);
    expect(count('deals')).toBe(1);
    expect((await own.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
  });

  it('is answered as done if all is there', async () => {
    const { faulty, fail } = breakable(store.file.open());
    const own = createSqliteStore(faulty);
    const first = (await own.reserve('sandbox', 6))._unsafeUnwrap();
    fail('behind');
    const answers = await Promise.all([
      own.commit(acme, additionOf(first, '1')),
      own.commit(acme, additionOf(first + 2, '1')),
      own.commit(acme, additionOf(first + 4, '2')),
    ]);
    const outcomes = answers.map((each) => each._unsafeUnwrap());
    expect(outcomes).toEqual([committed, refused(0), committed]);
    expect(count('deals')).toBe(2);
  });

  it('is unknown for a change that leaves no record, and done if nothing changed', async () => {
    const { faulty, fail } = breakable(store.file.open());
    const own = createSqliteStore(faulty);
    (await own.commit(acme, await addition(own, '1')))._unsafeUnwrap();
    const expected = {
      present: 'deal',
      key: '1',
      where: { status: ['created' as const] },
    } as const;
    const change = {
      ...{ attempt: '1', expect: [expected], insert: [], events: [] },
      change: [{ kind: 'deal', key: '1', set: { status: 'accepted' } }],
    } as const;
    for (const how of ['before', 'behind'] as const) {
      fail(how);
      const failure = (await own.commit(acme, change))._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'unknown', retryable: true });
    }
    fail('behind');
    expect((await own.commit(acme, change))._unsafeUnwrap()).toEqual(refused(0));
  });

  it('takes other integers if it is not known who has these', async () => {
    const { faulty, fail } = breakable(store.file.open());
    const own = createSqliteStore(faulty);
    for (const how of ['before', 'behind'] as const) {
      fail(how);
      const failure = (await own.reserve('sandbox', 2))._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'none', retryable: true });
    }
    const [mine, others] = [await own.reserve('sandbox', 2), await store.reserve('sandbox', 2)];
    expect(mine._unsafeUnwrap()).toBeGreaterThan(256);
    expect(others._unsafeUnwrap()).toBeGreaterThan(mine._unsafeUnwrap() + 1);
  });
});

describe('a database without the schema', () => {
  it('is unavailable, and nothing throws', async () => {
    const file = createTestFile();
    const own = createSqliteStore(file.open());
    const failures = await Promise.all([
      own.commit(acme, additionOf(1, '1')),
      own.reserve('sandbox', 1),
      own.deals.byId(acme, 1, []),
      own.deals.list(acme, {}, { direction: 'older', from: undefined, limit: 1 }),
      own.events.after(acme, undefined, 1),
      own.workFiles.recorded(acme, ['1']),
      own.tenants(undefined, 1),
    ]);
    for (const failure of failures) {
      expect(failure._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
      expect(String(failure._unsafeUnwrapErr().cause)).toMatch(/no such table/);
    }
    file.remove();
  });
});

describe('wiring', () => {
  it('refuses options that are wrong or that there are not, all at once', () => {
    const options = { synchronous: 'off', gather: { maxBatch: 0, size: 1 }, cache: true, hooks: 1 };
    const wrong: SqliteStoreOptions = Object(options);
    expect(() => createSqliteStore(store.db, wrong)).toThrow(TypeError);
    for (const list of [{ gather: [] }, { hooks: [] }]) {
      expect(() => createSqliteStore(store.db, Object(list))).toThrow(TypeError);
    }
    for (const said of [
      ...['synchronous is', 'gather.maxBatch', "gather has no 'size'", "options has no 'cache'"],
      'hooks',
    ]) {
      expect(() => createSqliteStore(store.db, wrong)).toThrow(said);
    }
    for (const busyTimeout of [-1, Number.NaN, 2 ** 31]) {
      expect(() => createSqliteStore(store.db, { busyTimeout })).toThrow('busyTimeout');
    }
  });

  it('refuses what is no connection that can be written to', () => {
    for (const db of [undefined, null, 'deals.db', {}, { prepare: () => ({}) }]) {
      expect(() => createSqliteStore(Object(db))).toThrow(TypeError);
    }
    const file = createTestFile();
    const closed = file.open();
    closed.close();
    expect(() => createSqliteStore(closed)).toThrow(TypeError);
    file.remove();
    const late = (async () => ({ prepare: () => ({ get: async () => ({}) }) }))();
    expect(() => createSqliteStore(Object(late))).toThrow(TypeError);
    const folder: SqliteLike = { prepare: (sql) => new Database('/').prepare(sql) };
    expect(() => createSqliteStore(folder)).toThrow(TypeError);
  });
});

it('says a database that became read-only, and that a retry is of no use', async () => {
  const given = await addition(store, '1');
  store.db.prepare('pragma query_only = on').run();
  const failure = (await store.commit(acme, given))._unsafeUnwrapErr();
  expect(failure).toMatchObject({ outcome: 'none', retryable: false });
  store.db.prepare('pragma query_only = off').run();
  expect((await store.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
});
