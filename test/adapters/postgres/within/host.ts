import { createPostgresStore, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../../kit/postgres.js';
import { acme, registration } from '../../sql/writes.js';
import { clearTables, createTables } from '../tables.js';

/** A database with the tables of the store and one of the host. */
export interface Host {
  readonly server: Postgres;
  readonly pool: pg.Pool;
  readonly store: PostgresStore;
  /** Empties all tables, and registers the contractor that deals are for. */
  clear(): Promise<void>;
  /** The rows of the host and the deals of acme, by their names. */
  found(): Promise<{ readonly rows: readonly string[]; readonly deals: readonly string[] }>;
  close(): Promise<void>;
}

/** Milliseconds that writes within transactions of these tests wait for a lock. */
export const lockTimeout = 400;

/** Starts a server that looks for deadlocks early. */
export async function startHost(): Promise<Host> {
  const settings = { deadlock_timeout: '50ms', max_connections: '60' };
  const server = await startPostgres({ fsync: false, settings });
  const pool = new pg.Pool({ connectionString: server.socketUrl, max: 6 });
  pool.on('error', () => undefined);
  await createTables((text) => pool.query(text), 'dealwright');
  await pool.query('create table orders (id text primary key)');
  const store = createPostgresStore(pool, { lockTimeout, statementTimeout: 2_000 });
  return {
    server,
    pool,
    store,
    async clear() {
      await clearTables((text) => pool.query(text), 'dealwright');
      await pool.query('delete from orders');
      (await store.commit(acme, registration()))._unsafeUnwrap();
    },
    async found() {
      const rows = await pool.query<{ id: string }>('select id from orders order by id');
      const deals = await pool.query<{ id: string }>(
        'select partner_id as id from dealwright.deals order by partner_id',
      );
      return { rows: rows.rows.map(({ id }) => id), deals: deals.rows.map(({ id }) => id) };
    },
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}
