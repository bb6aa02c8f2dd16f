import { createMarketplace } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { type Store, unavailable } from 'dealwright/ports';
import { createPostgresStore } from 'dealwright/postgres';
import { createRelay } from 'dealwright/relay';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { startPostgres } from '../kit/postgres.js';
import { createHost, day, live } from './due-host.js';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Stores that always refuse to expire a deal whose id begins with `bad`. */
const stores: Record<string, () => Store | Promise<Store>> = {
  memory() {
    const memory = createMemoryStore();
    return {
      ...memory,
      commit: (tenant, write) =>
        String(write.subject?.key).startsWith('bad') && write.events[0]?.type === 'deal.expired'
          ? unavailable({ outcome: 'none', retryable: false })
          : memory.commit(tenant, write),
    };
  },
  sqlite() {
    const db = new Database(':memory:');
    closing.push(() => db.close());
    migrateSqlite(db)._unsafeUnwrap();
    db.exec(`create trigger bad before update on dealwright_deals
      when new.partner_id like 'bad%' and new.status = 'expired'
      begin select raise(abort, 'refused'); end`);
    return createSqliteStore(db, { gather: true });
  },
  async postgres() {
    const server = await startPostgres({ fsync: false });
    const pool = new pg.Pool({ connectionString: server.socketUrl, max: 8 });
    closing.push(
      () => server.stop(),
      () => pool.end(),
    );
    await createTables((sql) => server.psql(sql), 'dealwright');
    await pool.query(`create function bad() returns trigger language plpgsql as $$ begin
        if new.partner_id like 'bad%' and new.status = 'expired'
        then raise exception 'refused' using errcode = '22003'; end if;
        return new;
      end $$;
      create trigger bad before update on dealwright.deals for each row execute function bad()`);
    return createPostgresStore(pool);
  },
};

describe.each(Object.entries(stores))('records that a store in %s refuses for ever', (_, open) => {
  it('end only their own, of one partner too, and however many are due first', async () => {
    const host = createHost({ store: await open() });
    const { time, marketplace, create, statusOf } = host;
    for (const [partner, bad] of [
      ['few', 17],
      ['many', 80],
    ] as const) {
      for (let at = 0; at < bad; at += 1) await create(live(partner), `bad-${at}`);
    }
    time.now += 1_000;
    for (const partner of ['few', 'many']) {
      for (let at = 0; at < 40; at += 1) await create(live(partner), `good-${at}`);
    }
    time.now += 31 * day;
    const run = async () => (await marketplace.operator('production').runTimers())._unsafeUnwrap();
    expect(await run()).toMatchObject({ done: 80, failed: 97 });
    // a host that schedules by itself begins anew each time
    expect(await run()).toMatchObject({ done: 0, failed: 97 });
    for (let at = 0; at < 20; at += 1) await create(live('few'), `later-${at}`);
    time.now += 31 * day;
    expect(await run()).toMatchObject({ done: 20, failed: 97 });

    for (let at = 0; at < 20; at += 1) await create(live('many'), `last-${at}`);
    time.now += 31 * day;
    const failures: unknown[] = [];
    const running = createRelay(createMarketplace(host.ports)).runDue({
      onFailure: (failure) => failures.push(failure),
    });
    await expect.poll(() => statusOf(live('many'), 'last-19')).toBe('expired');
    await running.stop();
    expect(failures.length).toBeGreaterThanOrEqual(97);
  });
});
