import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { expectOrder, raceSeeds } from './explain.js';

let server: Postgres;
let pools: readonly pg.Pool[];

beforeAll(async () => {
  // what is proved does not depend on the disk
  server = await startPostgres({ fsync: false });
  const connectionString = server.socketUrl;
  pools = [1, 2, 3].map(() => new pg.Pool({ connectionString, max: 8 }));
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  for (const pool of pools ?? []) await pool.end();
  await server?.stop();
});

it.each(raceSeeds)(
  '50 commands at once on one deal over three pools of PostgreSQL are what some order of them explains: seed %i',
  async (seed) => {
    const options = [{}, { gather: false }, {}] as const;
    const stores = pools.map((pool, at) => createPostgresStore(pool, options[at]));
    const { beaten, events } = await expectOrder(stores, seed);
    expect(beaten).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(0);
  },
);
