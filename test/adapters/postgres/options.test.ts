import { PGlite } from '@electric-sql/pglite';
import {
  createPostgresArchive,
  createPostgresStore,
  distributePostgres,
  type fromPglite,
  type fromPostgresJs,
  migratePostgres,
  type PostgresLike,
} from 'dealwright/postgres';
import pg from 'pg';
import postgres from 'postgres';
import { expect, expectTypeOf, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { dealOf } from './new-deals.js';

const silent: PostgresLike = { query: async () => ({ rows: [] }) };

const wrong: readonly (readonly [unknown, string])[] = [
  [{ schema: 'Deals' }, 'schema has letters'],
  [{ schema: 'a"b' }, 'schema has letters'],
  [{ schema: 'a'.repeat(64) }, 'schema has letters'],
  [{ schema: '' }, 'schema has letters'],
  [{ schema: '1a' }, 'schema has letters'],
  [{ prepare: 'no' }, 'prepare is true or false'],
  [{ gather: true }, 'gather is an object that takes maxBatch'],
  [{ gather: [] }, 'gather is an object that takes maxBatch'],
  [{ gather: { maxBatch: 0 } }, 'gather.maxBatch'],
  [{ gather: { maxBatch: 1001 } }, 'gather.maxBatch'],
  [{ gather: { maxQueue: 1.5 } }, 'gather.maxQueue'],
  [{ gather: { by: 'partner' } }, 'gather.by'],
  [{ gather: { size: 1 } }, "gather has no 'size', it takes maxBatch, maxQueue, by"],
  [{ idBlock: 0 }, 'idBlock'],
  [{ idBlock: 10_001 }, 'idBlock is an integer from 1 to 10000'],
  [{ idBlock: 1.5 }, 'idBlock'],
  [{ idBlock: '10' }, 'idBlock'],
  [{ statementTimeout: 0 }, 'statementTimeout is an integer'],
  [{ statementTimeout: 2 ** 31 }, 'statementTimeout is an integer'],
  [{ lockTimeout: 0 }, 'lockTimeout is an integer'],
  [{ lockTimeout: 8_000 }, 'lockTimeout is below statementTimeout'],
  [{ hooks: { onStatement: 1 } }, 'hooks.onStatement'],
  [{ hooks: null }, 'hooks.onStatement'],
  [{ hooks: [] }, 'hooks.onStatement'],
  [{ pool: 1 }, "options has no 'pool', it takes schema"],
];

it.each(wrong)('wrong options throw at once: %j', (options, says) => {
  const make = () => createPostgresStore(silent, options as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(says);
});

it('something that is no database throws at once', () => {
  for (const db of [undefined, null, {}, 'postgres://']) {
    expect(() => createPostgresStore(db as never)).toThrow('the database has no query()');
  }
});

it('migrations and archives tell a wrong option and what is no database alike', () => {
  for (const make of [migratePostgres, distributePostgres, createPostgresArchive]) {
    for (const db of [undefined, null, {}, 1, 'postgres://']) {
      expect(() => make(db as never)).toThrow('the database has no query()');
    }
    // with a typing error, they would work on another schema
    expect(() => make(silent, { shema: 'x' } as never)).toThrow(
      "options has no 'shema', it takes schema",
    );
    expect(() => make(silent, { schema: 'a"b' })).toThrow('schema has letters');
    expect(make(silent, null as never)).toBeTypeOf('object');
  }
});

it('right options are taken', () => {
  for (const options of [
    {},
    { schema: '_a1', prepare: false, gather: false, idBlock: 1, statementTimeout: 1, hooks: {} },
    { idBlock: 10_000 },
    { gather: { maxBatch: 1000, maxQueue: 100_000, by: 'all' } },
  ] as const) {
    expect(Object.keys(createPostgresStore(silent, options))).toContain('commit');
  }
});

it('the drivers fit by their types', () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresLike>();
  expectTypeOf<pg.Client>().toExtend<PostgresLike>();
  expectTypeOf<PGlite>().toExtend<Parameters<typeof fromPglite>[0]>();
  expectTypeOf<postgres.Sql>().toExtend<Parameters<typeof fromPostgresJs>[0]>();
  expect([typeof pg.Pool, typeof postgres, typeof PGlite]).toEqual(Array(3).fill('function'));
});

it('what comes when the queue is full is refused at once, and nothing of it was carried out', async () => {
  const never: PostgresLike = { query: () => new Promise(() => undefined) };
  const store = createPostgresStore(never, { gather: { maxBatch: 1, maxQueue: 2 } });
  void store.commit(acme, dealOf('under way'));
  await new Promise((resolve) => setImmediate(resolve));
  void store.commit(acme, dealOf('waits'));
  void store.commit(acme, dealOf('waits too'));
  const refused = await store.commit(acme, dealOf('too many'));
  expect(refused._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryAfter: 1 });
});
