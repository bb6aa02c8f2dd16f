import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { hammerStore } from 'dealwright/spec';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { under } from '../../../spec/store/writes.js';
import { createDice } from '../../faults/dice.js';
import { hammer, hammerSeeds } from '../../kit/hammer.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { citusStandIn } from './citus-stand-in.js';
import { dealOf } from './new-deals.js';
import { clearTables, createTables } from './tables.js';
import { gapsSql } from './tally.js';

let server: Postgres;
let pools: pg.Pool[];
const codes: (string | undefined)[] = [];

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pools = [0, 1].map(() => new pg.Pool({ connectionString: server.socketUrl, max: 16 }));
  for (const pool of pools) pool.on('error', () => undefined);
  await createTables((sql) => server.psql(sql), 'dealwright');
  // one server that names two nodes: a call may hold writes of many tenants
  await server.psql(citusStandIn);
}, 120_000);
afterAll(async () => {
  for (const pool of pools ?? []) await pool.end();
  await server?.stop();
});

/** Loses some answers after their statement was executed. */
function losing(db: PostgresLike, percent: number, seed: number): PostgresLike {
  const dice = createDice(seed);
  return {
    async query(statement) {
      const answer = await db.query(statement);
      if (!dice.isBelow(percent)) return answer;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
}

const modes = {
  'each alone': { gather: false },
  gathered: {},
  'gathered by node': { gather: { by: 'node', maxBatch: 7 } },
} as const;
const runs = Object.entries(modes).flatMap(([name, options]) =>
  hammerSeeds.map((seed) => ({ name, seed, options })),
);

it.each(runs)(
  'two stores answer a hammer with what they hold, while backends are killed: $name, seed $seed',
  async ({ seed, options }) => {
    const [pool] = pools as [pg.Pool];
    await clearTables((sql) => pool.query(sql), 'dealwright');
    const hooks = { onStatement: ({ code }: { readonly code?: string }) => void codes.push(code) };
    let isOver = false;
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 2`;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await server.psql(kill);
      }
    })();
    // the first store reads the stored records, after all answers
    const settled = () => {
      isOver = true;
      return killing;
    };
    const stores = [pool, ...pools.map((each) => losing(each, 2, seed))].map((db) => ({
      ...createPostgresStore(db, { ...options, hooks }),
      settled,
      close: async () => undefined,
    }));
    const report = await hammerStore(stores, hammer(seed, 1000));
    expect(report.committed).toBeGreaterThan(200);
    expect(report.refused).toBeGreaterThan(100);
    // the store itself sent the doubtful writes again
    expect(codes.filter((code) => code === 'ECONNRESET').length).toBeGreaterThan(5);
    expect((await pool.query(gapsSql)).rows).toEqual([]);
    expect(codes.filter((code) => code === '23505' || code === '40P01')).toEqual([]);
  },
  120_000,
);

it('batches of one process never wait for each other crosswise, however keys and names cross', async () => {
  const [pool] = pools as [pg.Pool];
  await clearTables((sql) => pool.query(sql), 'dealwright');
  const store = createPostgresStore(pool);
  const deadlocks = async () => {
    const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
    await pool.query('select pg_stat_force_next_flush()');
    return (await pool.query(sql)).rows[0].deadlocks as number;
  };
  const before = await deadlocks();
  for (let round = 0; round < 40; round += 1) {
    const names = Array.from({ length: 48 }, (_, at) => `${round}-${String(at).padStart(2, '0')}`);
    // the first half uses the keys of the second half in reverse order
    const adds = names.map((name, at) =>
      store.commit(acme, under(`${round}-${at < 24 ? at : 47 - at}`, dealOf(name))),
    );
    for (const answer of await Promise.all(adds)) expect(answer.isOk()).toBe(true);
  }
  expect((await deadlocks()) - before).toBe(0);
});
