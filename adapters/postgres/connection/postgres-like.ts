import { turn } from '../../sql/turn.js';

/**
 * A statement as it is sent: with a name it is parsed once for each connection and then known by it.
 */
export interface PostgresStatement {
  name?: string;
  text: string;
  /** Texts, numbers, and null. */
  values?: unknown[];
  /**
   * Milliseconds after which its answer is no longer waited for. A `Pool` of node-postgres then
   * closes the connection and has room for another. A `Client` keeps its own, where the next statement
   * waits behind the lost one; a driver that does not know it leaves it be.
   */
  query_timeout?: number;
}

/**
 * What a store asks of a driver: a statement in, its rows out, and a rejection with a `code` (the
 * SQLSTATE, or the system's) where it fails. A `Pool` of node-postgres is one, and so is a `Client`;
 * `fromPostgresJs` and `fromPglite` make one of postgres.js and of PGlite.
 *
 * A store takes each statement for a transaction of its own. A connection that is within one is for
 * the `within` of a store.
 */
export interface PostgresLike {
  query(statement: PostgresStatement): PromiseLike<{
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }>;
  /** Whether the driver rolls a transaction back of which any statement has failed. */
  readonly rollsBack?: boolean;
}

/** What is asked of postgres.js. */
export interface PostgresJsLike {
  /** In a transaction alone. */
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

/** What is asked of PGlite. */
export interface PgliteLike {
  query(
    text: string,
    values?: unknown[],
  ): PromiseLike<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/**
 * A bridge from PGlite, for tests and for trying things out: PGlite does not synchronise what it
 * writes, so that a crash loses it.
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
      // it answers without a turn of the event loop: who asks it in a loop would let nobody else in
      await turn();
      return answer;
    },
  };
}
