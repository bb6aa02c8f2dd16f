import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { move, registration } from '../../../spec/store/writes.js';
import { type Pgbouncer, startPgbouncer } from '../../kit/pgbouncer.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { dealOf } from './new-deals.js';
import { checkTally, createMany, emptyTally, replay } from './tally.js';

let server: Postgres;
let pooler: Pgbouncer;
const pools: pg.Pool[] = [];

const poolOf = (settings: pg.PoolConfig = {}) => {
  const pool = new pg.Pool({ connectionString: pooler.url, max: 8, ...settings });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
};

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  // eight clients share two connections: each transaction may use the other one
  pooler = await startPgbouncer(server, 2);
}, 600_000);
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await pooler?.stop();
  await server?.stop();
});

it('by a pooler in transaction mode a database is migrated, and a store without names works', async () => {
  const pool = poolOf();
  const many = await Promise.all([0, 1, 2].map(() => migratePostgres(pool)));
  // each step once, by whichever of them came first to it
  expect(many.flatMap((each) => each._unsafeUnwrap().applied).sort()).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
  const tally = emptyTally();
  const stores = [{ gather: false } as const, {}].map((options) =>
    createPostgresStore(pool, { ...options, prepare: false }),
  );
  (await stores[0]?.commit(acme, registration()))?._unsafeUnwrap();
  await Promise.all(
    stores.map(async (store, at) => {
      await createMany(store, tally, {
        name: `deal-${at}`,
        atOnce: 16,
        isOver: (nth) => nth >= 48,
      });
    }),
  );
  expect(tally.acknowledged).toHaveLength(96);
  await checkTally(server.psql, tally);
  for (const store of stores) await replay(store, tally);
  const own = tally.acknowledged.filter(({ tenant }) => tenant === acme).slice(0, 16);
  await Promise.all(
    own.map(async ({ id, partner_id }, at) => {
      const store = stores[at % 2] ?? createPostgresStore(pool, { prepare: false });
      const changed = await store.commit(acme, move(partner_id, 1, { status: 'accepted' }));
      expect(changed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
      const read = (await store.deals.byId(acme, id, []))._unsafeUnwrap();
      expect(read?.deal).toMatchObject({ version: 2, status: 'accepted' });
    }),
  );
});

it('with names it works if the pooler keeps them, and else says to go without', async () => {
  const store = createPostgresStore(poolOf(), { gather: false });
  const creates = Array.from({ length: 32 }, (_, nth) =>
    store.commit(acme, dealOf(`named-${nth}`)),
  );
  const failed = (await Promise.all(creates)).flatMap((each) => (each.isErr() ? [each.error] : []));
  // version 1.21 supports it, and 1.24 has it on
  const [, minor = 0] = pooler.version.split('.').map(Number);
  if (minor >= 24) expect(failed).toEqual([]);
  else expect(failed.length).toBeGreaterThan(0);
  for (const { outcome, retryable, cause } of failed) {
    expect([outcome, retryable]).toEqual(['none', false]);
    expect(String(cause)).toContain('prepare: false');
  }
});
