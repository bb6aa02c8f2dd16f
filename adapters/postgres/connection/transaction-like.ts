import { changed } from './answers.js';
import type { PostgresLike, PostgresStatement } from './postgres-like.js';

type Row = Readonly<Record<string, unknown>>;
type Values = readonly (string | number | null)[];

/** The part of a transaction of Drizzle that a store needs. `Query` is its `SQL`. */
export interface DrizzleTransactionLike<Query> {
  execute(query: Query): PromiseLike<unknown>;
}

/**
 * A bridge from a transaction of Drizzle over node-postgres or postgres.js, with its tag `sql`.
 *
 * @example
 * ```ts
 * import { fromDrizzle, type PostgresStore } from 'dealwright/postgres';
 * import { sql } from 'drizzle-orm';
 * import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
 *
 * export const ready = (db: NodePgDatabase, store: PostgresStore) =>
 *   db.transaction(async (tx) => store.within(fromDrizzle(tx, sql)).tenants(undefined, 1));
 * ```
 */
export function fromDrizzle<Query>(
  tx: DrizzleTransactionLike<Query>,
  sql: (texts: TemplateStringsArray, ...values: unknown[]) => Query,
): PostgresLike {
  let isPostgresJs = false;
  const { query } = bridge(async (statement) => {
    const { texts, values } = partsOf(statement);
    const answer = await tx.execute(sql(Object.assign(texts, { raw: texts }), ...values));
    isPostgresJs = Array.isArray(answer);
    return answer;
  });
  return {
    query,
    get rollsBack() {
      return isPostgresJs;
    },
  };
}

/** The part of a transaction of Kysely that a store needs. */
export interface KyselyTransactionLike<Query> {
  executeQuery(query: Query): PromiseLike<unknown>;
  withoutPlugins?(): KyselyTransactionLike<Query>;
}

/**
 * A bridge from a transaction of Kysely, with its `CompiledQuery`. The plugins of the host do not
 * see its statements.
 *
 * @example
 * ```ts
 * import { fromKysely, type PostgresStore } from 'dealwright/postgres';
 * import { CompiledQuery, type Kysely } from 'kysely';
 *
 * export const ready = (db: Kysely<object>, store: PostgresStore) =>
 *   db
 *     .transaction()
 *     .execute(async (trx) => store.within(fromKysely(trx, CompiledQuery)).tenants(undefined, 1));
 * ```
 */
export function fromKysely<Query>(
  trx: KyselyTransactionLike<Query>,
  compiledQuery: { raw(sql: string, parameters?: unknown[]): Query },
): PostgresLike {
  const plain = trx.withoutPlugins?.() ?? trx;
  return bridge(({ text, values = [] }) => plain.executeQuery(compiledQuery.raw(text, values)));
}

/** The part of a transaction of Knex that a store needs. */
export interface KnexTransactionLike {
  raw(
    sql: string,
    bindings: Values,
  ): {
    /** Options of the driver for this statement. */
    options(options: object): PromiseLike<unknown>;
  };
}

/**
 * The parsers of node-postgres for one statement of Knex: they return a text as a function that
 * returns it, which no `postProcessResponse` of a host takes for a value that it may change.
 */
const types = {
  getTypeParser: () => (value: unknown) => {
    const text = String(value);
    return () => text;
  },
};

/**
 * A bridge from a transaction of Knex over `pg`. The `postProcessResponse` of the host does not
 * change its answers.
 *
 * @example
 * ```ts
 * import { fromKnex, type PostgresStore } from 'dealwright/postgres';
 * import type { Knex } from 'knex';
 *
 * export const ready = (knex: Knex, store: PostgresStore) =>
 *   knex.transaction(async (trx) => store.within(fromKnex(trx)).tenants(undefined, 1));
 * ```
 */
export function fromKnex(trx: KnexTransactionLike): PostgresLike {
  return bridge((statement) => {
    const { texts, values } = partsOf(statement);
    const sql = texts.map((text) => text.replaceAll('?', '\\?')).join('?');
    return trx.raw(sql, values).options({ types });
  });
}

/** The part of an `EntityManager` or a `QueryRunner` of TypeORM that a store needs. */
export interface TypeOrmTransactionLike {
  query(sql: string, parameters?: unknown[]): PromiseLike<unknown>;
}

/**
 * A bridge from the manager of a transaction of TypeORM over `pg`, or from a `QueryRunner`.
 *
 * @example
 * ```ts
 * import { fromTypeOrm, type PostgresStore } from 'dealwright/postgres';
 * import type { DataSource } from 'typeorm';
 *
 * export const ready = (dataSource: DataSource, store: PostgresStore) =>
 *   dataSource.transaction(async (manager) =>
 *     store.within(fromTypeOrm(manager)).tenants(undefined, 1),
 *   );
 * ```
 */
export function fromTypeOrm(manager: TypeOrmTransactionLike): PostgresLike {
  return bridge(({ text, values = [] }) => manager.query(text, values));
}

/** A library that returns only rows, or an object with them, and wraps the driver's errors. */
function bridge(ask: (statement: PostgresStatement) => PromiseLike<unknown>): PostgresLike {
  return {
    async query(statement) {
      try {
        const found = await ask(statement);
        const rows: unknown = Array.isArray(found) ? found : Object(found).rows;
        if (!Array.isArray(rows)) throw changed('no list of rows');
        return { rows: rows.map(firstOf) };
      } catch (error) {
        throw driverError(error);
      }
    },
  };
}

/** A row of one value, which may have another name by now. */
function firstOf(row: unknown): Row {
  const [value] = Object.values(Object(row));
  return { answer: typeof value === 'function' ? value() : value };
}

/** The error of the driver, which has the code of the database. */
function driverError(thrown: unknown): unknown {
  const { code, cause } = Object(thrown) as { readonly code?: unknown; readonly cause?: unknown };
  const isDriverError = typeof code === 'string' || cause === undefined || cause === null;
  return isDriverError ? thrown : driverError(cause);
}

/**
 * The texts around the values of a statement, and the values in the order of their placeholders.
 */
function partsOf({ text, values = [] }: PostgresStatement): {
  readonly texts: string[];
  readonly values: (string | number | null)[];
} {
  const [first = '', ...rest] = text.split(/\$(\d+)/);
  const texts = [first];
  const inOrder: (string | number | null)[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const value = values[Number(rest[at]) - 1];
    inOrder.push(typeof value === 'string' || typeof value === 'number' ? value : null);
    texts.push(rest[at + 1] ?? '');
  }
  return { texts, values: inOrder };
}
