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
  /**
   * The parsers of node-postgres for this statement, in place of those of its host: they return
   * each value as a text. Other drivers ignore it.
   */
  types?: { getTypeParser(): (value: string) => string };
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
  /** A value of a type of the database. */
  typed(value: string | number, type: number): unknown;
  unsafe(
    text: string,
    values?: unknown[],
    options?: { prepare?: boolean },
  ): {
    /** The rows as lists of bytes. */
    raw(): PromiseLike<unknown>;
  };
}

/** The type of a value that the server is to find out: no host has a serializer for it. */
const unknownType = 705;

/**
 * A bridge from postgres.js, which names prepared statements itself, and from a transaction of it.
 * The host's `transform` and `types` do not change what its statements send and get: only a
 * `transform.row` that removes values is refused, by the first statement.
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
    async query({ name, text, values = [] }) {
      const sent = values.map((value) =>
        typeof value === 'string' || typeof value === 'number'
          ? sql.typed(value, unknownType)
          : null,
      );
      const rows = await sql.unsafe(text, sent, { prepare: name !== undefined }).raw();
      return { rows: Array.isArray(rows) ? rows.map(fromBytes) : [] };
    },
    rollsBack: sql.savepoint !== undefined,
  };
}

/** A row of one text, from a list of its bytes, in which a host may have put names. */
function fromBytes(row: unknown): Readonly<Record<string, unknown>> {
  const [value] = Array.isArray(row) ? row : Object.values(Object(row));
  return { answer: value instanceof Uint8Array ? String(value) : value };
}

/** The part of PGlite that a store needs. */
export interface PgliteLike {
  query(
    text: string,
    values?: unknown[],
    options?: PgliteQueryOptions,
  ): PromiseLike<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** How one statement is sent and read, by types of the database. */
export interface PgliteQueryOptions {
  parsers?: Record<number, (value: string) => unknown>;
  serializers?: Record<number, (value: unknown) => string>;
}

/** Texts and integers, whatever the host has set for them. */
const unchanged: PgliteQueryOptions = {
  parsers: { 25: String },
  serializers: { 20: String, 25: String },
};

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
      const found = await db.query(text, values, unchanged);
      // it answers without a turn of the event loop: a loop of queries would block all other work
      await turn();
      return found;
    },
  };
}
