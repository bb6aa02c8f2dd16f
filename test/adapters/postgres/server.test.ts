import {
  createPostgresStore,
  fromPostgresJs,
  type PostgresLike,
  type PostgresStoreOptions,
} from 'dealwright/postgres';
import { deliveryContract, storeContract } from 'dealwright/spec';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { runGroups } from '../../kit/groups.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;
let sql: postgres.Sql;

beforeAll(async () => {
  // the contract does not depend on fsync, and other tests cut the power
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 10 });
  sql = postgres(server.url, { onnotice: () => undefined });
  await createTables((text) => pool.query(text), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await sql?.end();
  await server?.stop();
});

const ofWrites = [
  'store: what refuses a write',
  'store: writes that come again',
  'store: writes at the same time',
];
const ofValues = [
  'store: reads of deals',
  'store: records by their keys',
  'store: events',
  'store: integers and tenants',
];

/** Variants, each with the groups of the contract in which it can differ. */
const variants: Readonly<
  Record<string, [() => PostgresLike, PostgresStoreOptions, readonly string[]]>
> = {
  'pg, each write alone': [
    () => pool,
    { gather: false },
    [...ofWrites, 'store: random writes against a model'],
  ],
  'pg, gathered as on a cluster, without names': [
    () => pool,
    { prepare: false, gather: { by: 'node' } },
    [...ofWrites, ...ofValues],
  ],
  'postgres.js': [() => fromPostgresJs(sql), {}, ofValues],
};

const makeStore = (db: () => PostgresLike, options: PostgresStoreOptions) => async () => {
  await clearTables((text) => pool.query(text), 'dealwright');
  const close = async () => undefined;
  const analysed = async () => void (await pool.query('analyze'));
  const reopened = () => ({ ...createPostgresStore(pool, options), close });
  return { ...createPostgresStore(db(), options), close, analysed, reopened };
};

describe('pg, writes gathered', () => {
  const make = makeStore(() => pool, {});
  storeContract({ describe, it }, make);
  deliveryContract({ describe, it }, make);
});

describe.each(Object.entries(variants))('%s', (_, [db, options, groups]) => {
  runGroups(groups, (runner) => storeContract(runner, makeStore(db, options)));
});
