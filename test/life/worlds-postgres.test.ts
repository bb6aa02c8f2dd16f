import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { createPlace } from './place.js';
import { runWorlds, timeLimit } from './worlds.js';

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  // the comparison does not depend on the disk
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 4 });
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

test(
  'the books, the bank and the model agree, on PostgreSQL',
  async () => {
    const place = createPlace(createPostgresStore(pool));
    expect(await runWorlds(() => place, 700)).toBeGreaterThan(0);
  },
  timeLimit,
);
