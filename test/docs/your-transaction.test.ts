import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DealV2Input } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeals, migrate, recordOrder } from '../../examples/your-transaction/by-key.js';
import { again, type Deals, NotCreated } from '../../examples/your-transaction/deals.js';
import * as overPg from '../../examples/your-transaction/node-postgres.js';
import * as overSqlite from '../../examples/your-transaction/sqlite.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2, tenant } from '../kit/requests.js';
import { hosts } from './transaction-hosts.js';

const folder = 'examples/your-transaction';
const quiet = () => undefined;
const closing: (() => unknown)[] = [];
let server: Postgres;
let pool: pg.Pool;
let deals: Deals;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', quiet);
  (await migratePostgres(pool))._unsafeUnwrap();
  await pool.query('create table orders (id text primary key)');
  const store = createPostgresStore(pool);
  deals = { store, marketplace: createDealwright({ store }).marketplace };
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
  await pool?.end();
  await server?.stop();
});

/** The rows of the host, and the deals. */
async function found() {
  const orders = await pool.query('select id from orders order by id');
  const made = await pool.query('select partner_id as id from dealwright.deals order by 1');
  return [orders, made].map(({ rows }) => rows.map(({ id }) => id));
}

describe('docs/how-to/use-your-transaction.md', () => {
  it('shows the programs that run here, and names those that differ in one line', () => {
    const page = readFileSync('docs/how-to/use-your-transaction.md', 'utf8');
    const named = ['kysely.ts', 'knex.ts', 'postgres-js.ts', 'type-orm.ts'];
    for (const file of readdirSync(folder)) {
      expect(page).toContain(
        named.includes(file) ? `\`${file}\`` : readFileSync(join(folder, file), 'utf8'),
      );
    }
  });

  it.each(Object.entries(hosts))(
    '%s: an order has its deal, or neither is there, and may be placed again',
    async (library, open) => {
      await pool.query(
        'delete from orders; delete from dealwright.deals; delete from dealwright.answers',
      );
      const { place, close } = await open(server.url, 1);
      closing.push(close);
      const order = { ...dealV2, partner_id: `1-of-${library}` };
      const placed = await place(deals, tenant, order);
      expect(placed.status).toBe('created');
      const refused = { ...order, partner_id: '2', amount: '-1.00' };
      await expect(place(deals, tenant, refused)).rejects.toBeInstanceOf(NotCreated);
      expect(await place(deals, tenant, order)).toEqual(placed);
      const other = place(deals, tenant, { ...order, amount: '2.00' });
      await expect(other).rejects.toMatchObject({ error: { code: 'idempotency_key_reused' } });
      expect(await found()).toEqual([[order.partner_id], [order.partner_id]]);
    },
  );

  it('places all orders that race for one tenant in serializable transactions', async () => {
    await pool.query(
      'delete from orders; delete from dealwright.deals; delete from dealwright.answers',
    );
    const own = new pg.Pool({
      connectionString: server.url,
      options: '-c default_transaction_isolation=serializable',
    });
    try {
      let runs = 0;
      const placed = ['1', '2', '3'].map((partner_id) =>
        again(() => {
          runs += 1;
          return overPg.placeOrder(own, deals, tenant, { ...dealV2, partner_id });
        }),
      );
      await Promise.all(placed);
      expect(runs).toBeGreaterThan(3);
      expect(await found()).toEqual([
        ['1', '2', '3'],
        ['1', '2', '3'],
      ]);
    } finally {
      await own.end();
    }
  });
});

describe('over files of SQLite', () => {
  mkdirSync('reports', { recursive: true });
  // within the package, so that the second process imports it by its name
  const place = mkdtempSync('reports/your-transaction-');
  afterAll(() => rmSync(place, { recursive: true }));
  const openStore = (name: string) => {
    const db = new Database(join(place, name));
    closing.push(() => db.close());
    migrateSqlite(db)._unsafeUnwrap();
    const store = createSqliteStore(db);
    return { db, store, marketplace: createDealwright({ store }).marketplace };
  };
  const statesIn = (db: Database.Database) =>
    db
      .prepare('select id, state from orders order by id')
      .all()
      .map((row) => [Object(row).id, Object(row).state]);

  it('an order has its deal, or neither is there', async () => {
    const own = openStore('own.db');
    const db = new Database(join(place, 'own.db'));
    closing.push(() => db.close());
    db.exec('create table orders (id text primary key)');
    const place1 = (order: DealV2Input) => overSqlite.placeOrder(db, own, tenant, order);
    const placed = (await place1({ ...dealV2, partner_id: '1' }))._unsafeUnwrap();
    const refused = await place1({ ...dealV2, partner_id: '2', amount: '-1.00' });
    expect(refused._unsafeUnwrapErr().code).toBe('validation_failed');
    expect((await place1({ ...dealV2, partner_id: '1' }))._unsafeUnwrap()).toEqual(placed);
    const ids = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object(row).id);
    expect(ids('select id from orders')).toEqual(['1']);
    expect(ids('select partner_id as id from dealwright_deals')).toEqual(['1']);
  });

  it('a refusal is noted, and what is unavailable is asked again', async () => {
    const { marketplace } = openStore('refused-deals.db');
    const db = new Database(join(place, 'refused-shop.db'));
    closing.push(() => db.close());
    migrate(db);
    recordOrder(db, { ...dealV2, amount: '-1.00' });
    const { store } = createDealwright().ports;
    const down = createDealwright({
      store: { ...store, commit: () => Promise.reject(new Error('down')) },
    });
    recordOrder(db, { ...dealV2, partner_id: 'z' });
    await createDeals(db, down.marketplace.partner(tenant));
    expect(statesIn(db)).toEqual([
      [dealV2.partner_id, 'validation_failed'],
      ['z', 'open'],
    ]);
    await createDeals(db, marketplace.partner(tenant));
    expect(statesIn(db)).toEqual([
      [dealV2.partner_id, 'validation_failed'],
      ['z', 'created'],
    ]);
  });
});
