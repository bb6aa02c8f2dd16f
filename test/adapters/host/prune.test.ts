import { getEventListeners } from 'node:events';
import { createDealwright } from 'dealwright/host';
import type { Store } from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createManualClock } from 'dealwright/testing';
import Database from 'libsql';
import { okAsync } from 'neverthrow';
import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { prune } from '../../../adapters/host/prune.js';
import { countKeysSql, writeKeys } from '../../kit/ended-keys.js';
import { startPostgres } from '../../kit/postgres.js';

interface Opened {
  readonly store: Store;
  /** The number of its keys. */
  count(): Promise<number>;
  close(): Promise<void>;
}

const databases: readonly (readonly [name: string, open: () => Promise<Opened>])[] = [
  [
    'SQLite',
    async () => {
      const db = new Database(':memory:');
      migrateSqlite(db)._unsafeUnwrap();
      const counted = db.prepare(`select count(*) as n from dealwright_answers ${countKeysSql}`);
      return {
        store: createSqliteStore(db),
        count: async () => (counted.get() as { readonly n: number }).n,
        close: async () => void db.close(),
      };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const postgres = await startPostgres({ fsync: false });
      const pool = new Pool({ connectionString: postgres.socketUrl });
      (await migratePostgres(pool))._unsafeUnwrap();
      return {
        store: createPostgresStore(pool),
        async count() {
          const { rows } = await pool.query<{ n: number }>(
            `select count(*)::int as n from dealwright.answers ${countKeysSql}`,
          );
          return rows[0]?.n ?? -1;
        },
        async close() {
          await pool.end();
          await postgres.stop();
        },
      };
    },
  ],
];

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];

describe.each(databases)('what has ended in %s', (_, open) => {
  it('is deleted at the start and hourly, more than one batch of it', async () => {
    const { store, count, close } = await open();
    const clock = createManualClock();
    const ending = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
    await writeKeys(store, 1_250, ending(-minute));
    await writeKeys(store, 700, ending(30 * minute));
    await writeKeys(store, 10, ending(day));
    // the clock of the test moves by hours while a call may be under way
    const { start } = createDealwright({ store, timer: clock, clock, deadline: 2 ** 31 - 1 });
    const failures: object[] = [];
    const stop = start((failure) => failures.push(failure));
    const countLater = () => {
      clock.advance(50);
      return count();
    };
    const { poll } = expect;
    await poll(countLater, { timeout: 60_000 }).toBe(710);
    // the first run also reads the tenants, in calls that delete nothing
    for (let pauses = 0; pauses < 5; pauses += 1) {
      await settled(clock);
      clock.advance(50);
    }
    await settled(clock);
    // there is no read before an hour has passed
    clock.advance(58 * minute);
    await settled(clock);
    expect(await count()).toBe(710);
    clock.advance(2 * minute);
    await poll(countLater, { timeout: 60_000 }).toBe(10);
    await settled(clock);
    clock.advance(hour);
    await settled(clock);
    expect(await count()).toBe(10);
    await stop();
    expect(failures).toEqual([]);
    await close();
  });
});

it('leaves nothing at the signal of a run, however many batches there are', async () => {
  const control = new AbortController();
  const clock = createManualClock();
  const listeners: number[] = [];
  const batches = {
    prune() {
      listeners.push(getEventListeners(control.signal, 'abort').length);
      return okAsync({ deleted: 1, isMore: listeners.length < 20 });
    },
  };
  const pruned = prune(clock, batches, control.signal);
  // twenty looks: at the default pace there would be no time for more
  const often = { interval: 5, timeout: 10_000 };
  await expect.poll(() => clock.advance(50) ?? listeners.length, often).toBe(20);
  expect((await pruned)._unsafeUnwrap()).toBe(20);
  expect(listeners).toEqual(Array(20).fill(0));
});

/** Waits until all regular work sleeps: due work, sweeping and pruning. */
async function settled(clock: ReturnType<typeof createManualClock>): Promise<void> {
  for (let quiet = 0; quiet < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    quiet = clock.sleepers() === 3 ? quiet + 1 : 0;
  }
}
