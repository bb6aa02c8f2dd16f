import type { DealV2Created, DealV2Input, Tenant } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import {
  createPostgresStore,
  fromKnex,
  fromPostgresJs,
  fromTypeOrm,
  migratePostgres,
  type PostgresLike,
} from 'dealwright/postgres';
import { drizzle } from 'drizzle-orm/node-postgres';
import createKnex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deals } from '../../examples/your-transaction/deals.js';
import * as overDrizzle from '../../examples/your-transaction/drizzle.js';
import * as overKnex from '../../examples/your-transaction/knex.js';
import * as overKysely from '../../examples/your-transaction/kysely.js';
import * as overPg from '../../examples/your-transaction/node-postgres.js';
import * as overPostgresJs from '../../examples/your-transaction/postgres-js.js';
import * as overTypeOrm from '../../examples/your-transaction/type-orm.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2 } from '../kit/requests.js';

/** A pool of a host, whose database also has its deals. */
interface Host {
  /** The same pool, for the store. */
  readonly db: PostgresLike;
  place(deals: Deals, tenant: Tenant, order: DealV2Input): Promise<DealV2Created>;
  close(): unknown;
}

/** Connections of the pool. */
const max = 5;
const quiet = () => undefined;
let server: Postgres;
let observer: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  observer = new pg.Pool({ connectionString: server.url, max: 1 });
  (await migratePostgres(observer))._unsafeUnwrap();
  await observer.query('create table orders (id text primary key)');
}, 120_000);
afterAll(async () => {
  await observer?.end();
  await server?.stop();
});

const createPool = () => {
  const pool = new pg.Pool({ connectionString: server.url, max });
  pool.on('error', quiet);
  return pool;
};

const hosts: Readonly<Record<string, () => Host | Promise<Host>>> = {
  'node-postgres'() {
    const pool = createPool();
    return {
      db: pool,
      place: (...given) => overPg.placeOrder(pool, ...given),
      close: () => pool.end(),
    };
  },
  'postgres.js'() {
    const sql = postgres(server.url, { max, onnotice: quiet });
    return {
      db: fromPostgresJs(sql),
      place: (...given) => overPostgresJs.placeOrder(sql, ...given),
      close: () => sql.end(),
    };
  },
  Drizzle() {
    const pool = createPool();
    const db = drizzle({ client: pool });
    return {
      db: pool,
      place: (...given) => overDrizzle.placeOrder(db, ...given),
      close: () => pool.end(),
    };
  },
  Kysely() {
    const pool = createPool();
    const dialect = new PostgresDialect({ pool });
    const db = new Kysely<{ orders: { id: string } }>({ dialect });
    return {
      db: pool,
      place: (...given) => overKysely.placeOrder(db, ...given),
      close: () => db.destroy(),
    };
  },
  Knex() {
    const knex = createKnex({ client: 'pg', connection: server.url, pool: { min: 0, max } });
    return {
      db: fromKnex(knex),
      place: (...given) => overKnex.placeOrder(knex, ...given),
      close: () => knex.destroy(),
    };
  },
  async TypeORM() {
    const entities = [overTypeOrm.Order];
    const source = new DataSource({ type: 'postgres', url: server.url, entities, poolSize: max });
    await source.initialize();
    return {
      db: fromTypeOrm(source),
      place: (...given) => overTypeOrm.placeOrder(source, ...given),
      close: () => source.destroy(),
    };
  },
};

/** One partner, whose transactions take turns, and many, whose transactions overlap. */
const tenants: Readonly<Record<string, (at: number) => Tenant>> = {
  'one partner': () => ({ environment: 'sandbox', partner: 'acme' }),
  'many partners': (at) => ({ environment: 'production', partner: `shop-${at % 20}` }),
};

const orders = Array.from({ length: 100 }, (_, at) => ({ ...dealV2, partner_id: `order-${at}` }));
const cases = Object.entries(hosts).flatMap(([library, open]) =>
  Object.entries(tenants).map(([whose, tenantAt]) => ({ library, open, whose, tenantAt })),
);

describe('a pool of five that the host shares with the store', () => {
  it.each(cases)(
    '$library: 100 transactions of $whose, begun at once, all have their deal',
    async ({ open, tenantAt }) => {
      await observer.query('delete from orders; delete from dealwright.deals');
      const { db, place, close } = await open();
      try {
        const store = createPostgresStore(db);
        const deals = { store, marketplace: createDealwright({ store }).marketplace };
        const placed = await Promise.allSettled(
          orders.map((order, at) => place(deals, tenantAt(at), order)),
        );
        expect(placed.filter(({ status }) => status === 'rejected')).toEqual([]);
        const found = await observer.query(
          'select count(*)::int, count(distinct d.id)::int as ids from dealwright.deals d join orders o on o.id = d.partner_id',
        );
        expect(found.rows).toEqual([{ count: 100, ids: 100 }]);
      } finally {
        await close();
      }
    },
  );
});
