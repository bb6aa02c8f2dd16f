import type { DealV2Created, DealV2Input, Tenant } from 'dealwright';
import { fromKnex, fromPostgresJs, fromTypeOrm, type PostgresLike } from 'dealwright/postgres';
import pg from 'pg';
import type { Deals } from '../../examples/your-transaction/deals.js';

/** A pool of a host, whose database also has its deals. */
export interface Host {
  /** The same pool, for the store. */
  readonly db: PostgresLike;
  place(deals: Deals, tenant: Tenant, order: DealV2Input): Promise<DealV2Created>;
  close(): unknown;
}

const quiet = () => undefined;

const createPool = (url: string, max: number) => {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', quiet);
  return pool;
};

/**
 * By library: a host over the database at a URL, with so many connections. Each loads its own
 * library alone, as a process that is started often has to.
 */
export const hosts: Readonly<Record<string, (url: string, max: number) => Promise<Host>>> = {
  async 'node-postgres'(url, max) {
    const { placeOrder } = await import('../../examples/your-transaction/node-postgres.js');
    const pool = createPool(url, max);
    return {
      db: pool,
      place: (...given) => placeOrder(pool, ...given),
      close: () => pool.end(),
    };
  },
  async 'postgres.js'(url, max) {
    const { placeOrder } = await import('../../examples/your-transaction/postgres-js.js');
    const { default: postgres } = await import('postgres');
    const sql = postgres(url, { max, onnotice: quiet });
    return {
      db: fromPostgresJs(sql),
      place: (...given) => placeOrder(sql, ...given),
      close: () => sql.end(),
    };
  },
  async Drizzle(url, max) {
    const { placeOrder } = await import('../../examples/your-transaction/drizzle.js');
    const { drizzle } = await import('drizzle-orm/node-postgres');
    const pool = createPool(url, max);
    const db = drizzle({ client: pool });
    return {
      db: pool,
      place: (...given) => placeOrder(db, ...given),
      close: () => pool.end(),
    };
  },
  async Kysely(url, max) {
    const { placeOrder } = await import('../../examples/your-transaction/kysely.js');
    const { Kysely, PostgresDialect } = await import('kysely');
    const pool = createPool(url, max);
    const dialect = new PostgresDialect({ pool });
    const db = new Kysely<{ orders: { id: string } }>({ dialect });
    return {
      db: pool,
      place: (...given) => placeOrder(db, ...given),
      close: () => db.destroy(),
    };
  },
  async Knex(url, max) {
    const { placeOrder } = await import('../../examples/your-transaction/knex.js');
    const { default: createKnex } = await import('knex');
    const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max } });
    return {
      db: fromKnex(knex),
      place: (...given) => placeOrder(knex, ...given),
      close: () => knex.destroy(),
    };
  },
  async TypeORM(url, max) {
    const { placeOrder, Order } = await import('../../examples/your-transaction/type-orm.js');
    const { DataSource } = await import('typeorm');
    const source = new DataSource({ type: 'postgres', url, entities: [Order], poolSize: max });
    await source.initialize();
    return {
      db: fromTypeOrm(source),
      place: (...given) => placeOrder(source, ...given),
      close: () => source.destroy(),
    };
  },
};
