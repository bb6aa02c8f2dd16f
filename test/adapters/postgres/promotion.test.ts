import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { registration } from '../../../spec/store/writes.js';
import { createDice } from '../../faults/dice.js';
import { type Forwarder, startForwarder } from '../../kit/forwarder.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { type Standby, startStandby } from '../../kit/postgres-standby.js';
import { seed } from '../../kit/seed.js';
import { createTables } from './tables.js';
import { checkTally, createMany, createOne, emptyTally, replay, type Tally } from './tally.js';

let primary: Postgres;
let standby: Standby;
/** The address that clients use for the database. */
let address: Forwarder;
/** The link by which the standby follows. */
let link: Forwarder;
const pools: pg.Pool[] = [];

const poolAt = (port: number) => {
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
};

beforeAll(async () => {
  // it is killed, but the power stays on
  primary = await startPostgres({ fsync: false });
  await createTables((sql) => primary.psql(sql), 'dealwright');
  link = await startForwarder(primary.port);
  standby = await startStandby(primary, link.port, { fsync: false });
  address = await startForwarder(primary.port);
}, 120_000);
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await address?.stop();
  await link?.stop();
  await standby?.stop();
  await primary?.stop();
});

it(`a synchronous standby that is promoted has all that was acknowledged (seed ${seed})`, async () => {
  const stores = [{ gather: false } as const, {}].map((options) =>
    createPostgresStore(poolAt(address.port), options),
  );
  const [first] = stores;
  (await first?.commit(acme, registration()))?._unsafeUnwrap();
  const tallies: Tally[] = stores.map(emptyTally);
  const counts = () => tallies.map(({ acknowledged }) => acknowledged.length);
  let isOver = false;
  const writing = stores.map((store, at) =>
    createMany(store, tallies[at] as Tally, {
      name: `deal-${at}`,
      atOnce: 8,
      isOver: () => isOver,
    }),
  );
  while (counts().some((count) => count < 20)) await sleep(5);
  await sleep(createDice(seed).below(200));
  // the primary is ahead of the standby when it ends: those writes may not be acknowledged
  link.hold('all');
  await sleep(100);
  await primary.kill();
  await link.stop();
  await standby.promote();
  address.pointTo(standby.port);
  // clients of the other server go on without a restart
  const before = counts();
  while (counts().some((count, at) => count < (before[at] ?? 0) + 20)) await sleep(5);
  isOver = true;
  await Promise.all(writing);

  const tally: Tally = {
    acknowledged: tallies.flatMap(({ acknowledged }) => acknowledged),
    open: tallies.flatMap(({ open }) => open),
    refused: tallies.flatMap(({ refused }) => refused),
  };
  await checkTally(standby.psql, tally);
  const opened = createPostgresStore(poolAt(standby.port));
  await replay(opened, tally);
  await createOne(opened, tally, 'afterwards');
  expect(tally.open).toEqual([]);
  await checkTally(standby.psql, tally);
});
