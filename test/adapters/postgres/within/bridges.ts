import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPostgresJs,
  fromTypeOrm,
  type PostgresLike,
} from 'dealwright/postgres';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import createKnex from 'knex';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';

/** Isolation levels as SQL spells them. */
export type Level = 'read committed' | 'repeatable read' | 'serializable';

/** The view of a host on one transaction. */
export interface HostTransaction {
  /** The connection for `within` of a store. */
  readonly connection: PostgresLike;
  /** The host's own statements, without parameters. */
  run(sql: string): Promise<unknown>;
}

/** A library of a host, over a database. */
export interface Library {
  /** Commits the result of the work, and rolls back and rethrows if it throws. */
  transaction<T>(work: (tx: HostTransaction) => Promise<T>, level?: Level): Promise<T>;
  /** Whether a failed statement rolls all of its transaction back. */
  readonly losesAll?: true;
  close(): Promise<unknown>;
}

const quiet = () => undefined;

/** A pool whose connections may be lost, even while they are in use. */
function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', quiet);
  pool.on('connect', (client) => client.on('error', quiet));
  return pool;
}

function nodePostgres(url: string): Library {
  const pool = createPool(url);
  return {
    async transaction(work, level = 'read committed') {
      const client = await pool.connect();
      try {
        await client.query(`begin isolation level ${level}`);
        const answer = await work({ connection: client, run: (sql) => client.query(sql) });
        await client.query('commit');
        client.release();
        return answer;
      } catch (error) {
        await client.query('rollback').catch(quiet);
        client.release(true);
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

function postgresJs(url: string): Library {
  const sql = postgres(url, { onnotice: quiet });
  return {
    transaction: async (work, level = 'read committed') => {
      let answer: { readonly value: Awaited<ReturnType<typeof work>> } | undefined;
      await sql.begin(`isolation level ${level}`, async (tx) => {
        const value = await work({
          connection: fromPostgresJs(tx),
          run: async (text) => tx.unsafe(text),
        });
        answer = { value };
      });
      if (answer === undefined) throw new Error('the transaction answered nothing');
      return answer.value;
    },
    losesAll: true,
    close: () => sql.end({ timeout: 1 }),
  };
}

function drizzleOverPg(url: string): Library {
  const pool = createPool(url);
  const db = drizzle({ client: pool });
  return {
    transaction: (work, level = 'read committed') =>
      db.transaction(
        (tx) =>
          work({
            connection: fromDrizzle(tx, drizzleSql),
            run: async (text) => tx.execute(text),
          }),
        { isolationLevel: level },
      ),
    close: () => pool.end(),
  };
}

function drizzleOverJs(url: string): Library {
  const client = postgres(url, { onnotice: quiet });
  const db = drizzleOverPostgresJs({ client });
  return {
    transaction: (work, level = 'read committed') =>
      db.transaction(
        (tx) =>
          work({
            connection: fromDrizzle(tx, drizzleSql),
            run: async (text) => tx.execute(text),
          }),
        { isolationLevel: level },
      ),
    losesAll: true,
    close: () => client.end({ timeout: 1 }),
  };
}

function kysely(url: string): Library {
  const pool = createPool(url);
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  return {
    transaction: (work, level = 'read committed') =>
      db
        .transaction()
        .setIsolationLevel(level)
        .execute((trx) =>
          work({
            connection: fromKysely(trx, CompiledQuery),
            run: (text) => trx.executeQuery(CompiledQuery.raw(text)),
          }),
        ),
    close: () => db.destroy(),
  };
}

function knex(url: string): Library {
  const db = createKnex({ client: 'pg', connection: url, pool: { min: 0 } });
  return {
    transaction: (work, level = 'read committed') =>
      db.transaction(
        (trx) => work({ connection: fromKnex(trx), run: async (text) => trx.raw(text) }),
        { isolationLevel: level },
      ),
    close: () => db.destroy(),
  };
}

function typeOrm(url: string): Library {
  const source = new DataSource({ type: 'postgres', url, poolErrorHandler: quiet });
  const opened = source.initialize();
  return {
    async transaction(work, level = 'read committed') {
      const { manager } = await opened;
      const upper = level.toUpperCase() as Uppercase<Level>;
      return manager.transaction(upper, (own) =>
        work({ connection: fromTypeOrm(own), run: (text) => own.query(text) }),
      );
    },
    close: () => source.destroy(),
  };
}

/** The ways of a host to use PostgreSQL, by library. */
export const libraries: Readonly<Record<string, (url: string) => Library>> = {
  'node-postgres': nodePostgres,
  'postgres.js': postgresJs,
  'Drizzle over node-postgres': drizzleOverPg,
  'Drizzle over postgres.js': drizzleOverJs,
  Kysely: kysely,
  Knex: knex,
  TypeORM: typeOrm,
};
