import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealV2Created, DealV2Input } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { drizzle } from 'drizzle-orm/node-postgres';
import { transform } from 'esbuild';
import createKnex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import Database from 'libsql';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeals, migrate, recordOrder } from '../../examples/your-transaction/by-key.js';
import { again, type Deals, NotCreated } from '../../examples/your-transaction/deals.js';
import * as overDrizzle from '../../examples/your-transaction/drizzle.js';
import * as overKnex from '../../examples/your-transaction/knex.js';
import * as overKysely from '../../examples/your-transaction/kysely.js';
import * as overPg from '../../examples/your-transaction/node-postgres.js';
import * as overPostgresJs from '../../examples/your-transaction/postgres-js.js';
import * as overSqlite from '../../examples/your-transaction/sqlite.js';
import * as overTypeOrm from '../../examples/your-transaction/type-orm.js';
import { run } from '../kit/children.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2, tenant } from '../kit/requests.js';

type PlaceOrder = (order: DealV2Input) => Promise<DealV2Created>;

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

const libraries: Readonly<Record<string, () => PlaceOrder | Promise<PlaceOrder>>> = {
  'node-postgres': () => (order) => overPg.placeOrder(pool, deals, tenant, order),
  'postgres.js'() {
    const sql = postgres(server.url, { onnotice: quiet });
    closing.push(() => sql.end());
    return (order) => overPostgresJs.placeOrder(sql, deals, tenant, order);
  },
  Drizzle() {
    const db = drizzle({ client: pool });
    return (order) => overDrizzle.placeOrder(db, deals, tenant, order);
  },
  Kysely() {
    const own = new pg.Pool({ connectionString: server.url });
    const db = new Kysely<{ orders: { id: string } }>({
      dialect: new PostgresDialect({ pool: own }),
    });
    closing.push(() => db.destroy());
    return (order) => overKysely.placeOrder(db, deals, tenant, order);
  },
  Knex() {
    const knex = createKnex({ client: 'pg', connection: server.url });
    closing.push(() => knex.destroy());
    return (order) => overKnex.placeOrder(knex, deals, tenant, order);
  },
  async TypeORM() {
    const entities = [overTypeOrm.Order];
    const source = new DataSource({ type: 'postgres', url: server.url, entities });
    await source.initialize();
    closing.push(() => source.destroy());
    return (order) => overTypeOrm.placeOrder(source, deals, tenant, order);
  },
};

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

  it.each(Object.entries(libraries))(
    '%s: an order has its deal, or neither is there',
    async (_, open) => {
      await pool.query('delete from orders; delete from dealwright.deals');
      const placeOrder = await open();
      const order = { ...dealV2, partner_id: '1' };
      expect((await placeOrder(order)).status).toBe('created');
      expect(await found()).toEqual([['1'], ['1']]);
      const refused = { ...order, partner_id: '2', amount: '-1.00' };
      await expect(placeOrder(refused)).rejects.toBeInstanceOf(NotCreated);
      // the host's own row is refused
      await expect(placeOrder(order)).rejects.not.toBeInstanceOf(NotCreated);
      expect(await found()).toEqual([['1'], ['1']]);
    },
  );

  it('places all orders that race for one tenant in serializable transactions', async () => {
    await pool.query('delete from orders; delete from dealwright.deals');
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
    expect((await place1({ ...dealV2, partner_id: '1' })).isOk()).toBe(true);
    const refused = await place1({ ...dealV2, partner_id: '2', amount: '-1.00' });
    expect(refused._unsafeUnwrapErr().code).toBe('validation_failed');
    await expect(place1({ ...dealV2, partner_id: '1' })).rejects.toThrow();
    const ids = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object(row).id);
    expect(ids('select id from orders')).toEqual(['1']);
    expect(ids('select partner_id as id from dealwright_deals')).toEqual(['1']);
  });

  it.each(['recorded', 'created', 'noted'])(
    'a row that comes first has one deal in the end, killed when it is %s',
    async (point) => {
      const { code } = await transform(readFileSync(`${folder}/by-key.ts`, 'utf8'), {
        loader: 'ts',
      });
      writeFileSync(join(place, 'by-key.js'), code);
      writeFileSync(
        join(place, 'killed.mjs'),
        `import { createDealwright } from 'dealwright/host';
        import { createSqliteStore } from 'dealwright/sqlite';
        import Database from 'libsql';
        import { createDeals, migrate, recordOrder } from './by-key.js';
        const [shop, deals, point] = process.argv.slice(2);
        const wait = (now) => {
          if (now !== point) return;
          console.log('reached');
          return new Promise((resolve) => setTimeout(resolve, 60_000));
        };
        const db = new Database(shop);
        migrate(db);
        recordOrder(db, ${JSON.stringify(dealV2)});
        await wait('recorded');
        const store = createSqliteStore(new Database(deals));
        const own = createDealwright({ store }).marketplace.partner(${JSON.stringify(tenant)});
        await createDeals(db, {
          ...own,
          async createDealV2(...args) {
            const created = await own.createDealV2(...args);
            await wait('created');
            return created;
          },
        });
        await wait('noted');`,
      );
      const { marketplace, db: dealsDb } = openStore(`${point}-deals.db`);
      const files = [`${point}-shop.db`, `${point}-deals.db`].map((name) => join(place, name));
      const args = [join(place, 'killed.mjs'), ...files, point];
      expect(await run(process.execPath, args, 'reached')).toMatchObject({
        signal: 'SIGKILL',
        stderr: '',
      });
      const db = new Database(join(place, `${point}-shop.db`));
      closing.push(() => db.close());
      expect(statesIn(db)).toEqual([[dealV2.partner_id, point === 'noted' ? 'created' : 'open']]);
      await createDeals(db, marketplace.partner(tenant));
      await createDeals(db, marketplace.partner(tenant));
      expect(statesIn(db)).toEqual([[dealV2.partner_id, 'created']]);
      expect(dealsDb.prepare('select partner_id from dealwright_deals').all()).toHaveLength(1);
    },
  );

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
