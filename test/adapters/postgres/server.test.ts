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
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;
let sql: postgres.Sql;

beforeAll(async () => {
  // what the contract says does not depend on it, and other tests cut the power
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

const subjects: Readonly<Record<string, [() => PostgresLike, PostgresStoreOptions]>> = {
  'pg, each write alone': [() => pool, { gather: false }],
  'pg, writes gathered': [() => pool, {}],
  'pg, gathered by tenant, without names': [
    () => pool,
    { prepare: false, gather: { by: 'tenant' } },
  ],
  'postgres.js': [() => fromPostgresJs(sql), {}],
};

for (const [name, [db, options]] of Object.entries(subjects)) {
  describe(name, () => {
    const makeStore = async () => {
      await clearTables((text) => pool.query(text), 'dealwright');
      const close = async () => undefined;
      const reopened = () => ({ ...createPostgresStore(pool, options), close });
      return { ...createPostgresStore(db(), options), close, reopened };
    };
    storeContract({ describe, it }, makeStore);
    // relays are the same whatever the driver
    if (name === 'pg, writes gathered') deliveryContract({ describe, it }, makeStore);
  });
}
