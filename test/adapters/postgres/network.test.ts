import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresStore, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { move, registration } from '../../../spec/store/writes.js';
import { createDice } from '../../faults/dice.js';
import { type Forwarder, startForwarder } from '../../kit/forwarder.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { seed } from '../../kit/seed.js';
import { dealOf } from './new-deals.js';
import { clearTables, createTables } from './tables.js';
import { checkTally, createMany, createOne, emptyTally, replay } from './tally.js';

const ways = { 'each alone': { gather: false }, gathered: {} } as const;

let server: Postgres;
let network: Forwarder;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(() => server?.stop());
beforeEach(async () => {
  await clearTables((sql) => server.psql(sql), 'dealwright');
  network = await startForwarder(server.port);
  pool = new pg.Pool({
    connectionString: `postgres://postgres@127.0.0.1:${network.port}/postgres`,
    max: 4,
    connectionTimeoutMillis: 2_000,
  });
  pool.on('error', () => undefined);
  (await createPostgresStore(pool).commit(acme, registration()))._unsafeUnwrap();
});
afterEach(async () => {
  await pool.end();
  await network.stop();
});

/** Waits until all delayed statements have reached the server, and were executed or refused. */
async function arrived(): Promise<void> {
  while (network.count() > pool.totalCount) await sleep(5);
  const others = `select count(*) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while (Number(await server.psql(others)) > pool.totalCount) await sleep(5);
}

describe('a network that swallows what it is given, and closes nothing', () => {
  it.each(Object.entries(ways))('is avoided by another connection: %s', async (_, options) => {
    const hooked: (string | undefined)[] = [];
    const store = createPostgresStore(pool, {
      ...options,
      statementTimeout: 1_000,
      hooks: { onStatement: ({ code }) => void hooked.push(code) },
    });
    const tally = emptyTally();
    const some = (name: string, most: number) =>
      createMany(store, tally, { name, atOnce: 8, isOver: (nth) => nth >= most });
    await some('before', 16);
    network.hold('present');
    await some('meanwhile', 40);
    expect(hooked).toContain('STATEMENT_TIMEOUT');
    expect(tally.acknowledged).toHaveLength(56);
    // the delayed writes arrive late, and find their records stored
    network.pass();
    await arrived();
    await some('after', 8);
    await checkTally(server.psql, tally);
    await replay(store, tally);
    await checkTally(server.psql, tally);
  });

  it('leaves open what became of a change, which may come late', async () => {
    const store = createPostgresStore(pool, { statementTimeout: 250 });
    const tally = emptyTally();
    await createOne(store, tally, 'deal');
    const read = async () => (await store.deals.byPartnerId(acme, 'deal', []))._unsafeUnwrap();
    expect((await read())?.deal.version).toBe(1);
    network.hold('all');
    const start = performance.now();
    const changed = await store.commit(acme, move('deal', 1, { status: 'accepted' }));
    expect(performance.now() - start).toBeLessThan(60_000);
    expect(changed._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', retryable: true });
    expect((await server.psql('select max(version) from dealwright.deals')).trim()).toBe('1');
    network.pass();
    await arrived();
    expect((await read())?.deal).toMatchObject({ version: 2, status: 'accepted' });
  });
});

describe(`connections that are cut before a statement and after it (seed ${seed})`, () => {
  it.each(Object.entries(ways))('cost nothing that was acknowledged: %s', async (_, options) => {
    const store: PostgresStore = createPostgresStore(pool, options);
    const dice = createDice(seed);
    // gathered creates need few statements
    const percent = 'gather' in options ? 5 : 20;
    const cuts = { up: 0, down: 0 };
    network.decide((direction) => {
      if (!dice.isBelow(percent)) return 'pass';
      cuts[direction] += 1;
      return dice.isBelow(50) ? 'reset' : 'end';
    });
    const tally = emptyTally();
    await createMany(store, tally, {
      name: 'deal',
      atOnce: 64,
      isOver: (nth) => nth >= 256 && cuts.up > 1 && cuts.down > 1,
    });
    network.decide(() => 'pass');
    const before = tally.acknowledged.length;
    await createMany(store, tally, { name: 'after', atOnce: 8, isOver: (nth) => nth >= 16 });
    expect(tally.acknowledged.length).toBe(before + 16);
    await arrived();
    await checkTally(server.psql, tally);
    await replay(store, tally);
    await checkTally(server.psql, tally);
  });
});

it('ten thousand creates at once: the queue takes its bound, and the others are refused at once', async () => {
  const store = createPostgresStore(pool);
  let made = 0;
  let refused = 0;
  let first: number | undefined;
  const creates = Array.from({ length: 10_000 }, async (_, nth) => {
    const answer = await store.commit(acme, dealOf(`deal-${nth}`));
    if (answer.isOk()) {
      first ??= refused;
      made += 1;
    } else {
      expect(answer.error).toMatchObject({ outcome: 'none', retryAfter: 1 });
      refused += 1;
    }
  });
  await Promise.all(creates);
  expect([made, refused]).toEqual([2_000, 8_000]);
  // before the first write
  expect(first).toBe(8_000);
  expect((await server.psql('select count(*) from dealwright.deals')).trim()).toBe('2000');
});
