import { turn } from '../../sql/gather.js';

/**
 * A statement to send: with a name it is parsed once for each connection, and then known by it.
 */
export interface PostgresStatement {
  name?: string;
  text: string;
  /** Texts, numbers, and null. */
  values?: unknown[];
  /**
   * Milliseconds after which its answer is no longer waited for. A `Pool` of node-postgres then
   * closes the connection and has room for another. A `Client` keeps its own, and the next
   * statement waits for the lost one; other drivers ignore it.
   */
  query_timeout?: number;
}

/**
 * The part of a driver that a store needs: it takes a statement and returns its rows, and rejects
 * with a `code` (the SQLSTATE, or the system's) if it fails. A `Pool` of node-postgres is one, and
 * so is a `Client`; `fromPostgresJs` and `fromPglite` make one of postgres.js and of PGlite.
 *
 * A store treats each statement as its own transaction. A connection within a transaction is for
 * the `within` of a store.
 */
export interface PostgresLike {
  query(statement: PostgresStatement): PromiseLike<{
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }>;
  /** Whether the driver rolls a transaction back after any failed statement. */
  readonly rollsBack?: boolean;
}

/** The part of postgres.js that a store needs. */
export interface PostgresJsLike {
  /** Only in a transaction. */
  readonly savepoint?: unknown;
  unsafe(
    text: string,
    values?: (string | number | null)[],
    options?: { prepare?: boolean },
  ): PromiseLike<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * A bridge from postgres.js, which names prepared statements itself, and from a transaction of it.
 *
 * @example
 * ```ts
 * import { createPostgresStore, fromPostgresJs } from 'dealwright/postgres';
 * import postgres from 'postgres';
 *
 * const store = createPostgresStore(fromPostgresJs(postgres('postgres://127.0.0.1/deals')));
 * ```
 */
export function fromPostgresJs(sql: PostgresJsLike): PostgresLike {
  return {
    query: ({ name, text, values = [] }) =>
      sql
        .unsafe(text, values as (string | number | null)[], { prepare: name !== undefined })
        .then((rows) => ({ rows })),
    rollsBack: sql.savepoint !== undefined,
  };
}

/** The part of PGlite that a store needs. */
export interface PgliteLike {
  query(
    text: string,
    values?: unknown[],
  ): PromiseLike<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/**
 * A bridge from PGlite, for tests and for trying things out: PGlite does not synchronise its
 * writes, so a crash loses them.
 *
 * @example
 * ```ts
 * import { PGlite } from '@electric-sql/pglite';
 * import { createPostgresStore, fromPglite } from 'dealwright/postgres';
 *
 * const store = createPostgresStore(fromPglite(new PGlite()));
 * ```
 */
export function fromPglite(db: PgliteLike): PostgresLike {
  return {
    async query({ text, values }) {
      const answer = await db.query(text, values);
      // it answers without a turn of the event loop: a loop of queries would block all other work
      await turn();
      return answer;
    },
  };
}
