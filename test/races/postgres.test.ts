import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { describeRaces } from './explain.js';

let server: Postgres;
let pools: readonly pg.Pool[];

beforeAll(async () => {
  // the proof does not depend on the disk
  server = await startPostgres({ fsync: false });
  const connectionString = server.socketUrl;
  pools = [1, 2, 3].map(() => new pg.Pool({ connectionString, max: 8 }));
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  for (const pool of pools ?? []) await pool.end();
  await server?.stop();
});

describeRaces('three pools of PostgreSQL', () => {
  const options = [{}, { gather: false }, {}] as const;
  return pools.map((pool, at) => createPostgresStore(pool, options[at]));
});
