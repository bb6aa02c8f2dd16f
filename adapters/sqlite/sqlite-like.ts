import { checkOptions } from 'dealwright/ports';

/** A value for a statement of SQLite: text, an integer, or null. */
export type SqliteValue = string | number | null;

/** The part of a prepared statement that the store needs. It gets a `SqliteValue` for each `?`. */
export interface SqliteStatementLike {
  // `unknown`, since TypeScript before 6 takes the parameters of some drivers for `{}`, not for text
  run(...values: unknown[]): unknown;
  /** The first row as an object of its columns; `undefined` or `null` if there is none. */
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

/**
 * A connection of a synchronous driver of SQLite: `libsql`, `better-sqlite3`, `node:sqlite` and
 * `bun:sqlite` fit. It is for one owner alone: a transaction that another one begins on it would
 * include foreign statements.
 */
export interface SqliteLike {
  prepare(sql: string): SqliteStatementLike;
}

/** A statement that is prepared at its first use, and then kept. */
export interface Statement {
  run(...values: SqliteValue[]): void;
  get<Row>(...values: SqliteValue[]): Row | undefined;
  all<Row>(...values: SqliteValue[]): Row[];
}

/** Makes the statements of a connection: tables need not exist before the first of them runs. */
export type Prepare = (sql: string) => Statement;

/** What a host may have set for all statements of its connection, by driver. */
interface Toggles {
  /** Of `better-sqlite3`, `libsql` and `bun:sqlite`. */
  safeIntegers?(isOn: boolean): unknown;
  /** Of `node:sqlite`. */
  setReadBigInts?(isOn: boolean): unknown;
  setReturnArrays?(isOn: boolean): unknown;
}

/** A statement whose integers are numbers, and whose rows are objects. */
function asNeeded(statement: SqliteStatementLike): SqliteStatementLike {
  const toggles: Toggles = Object(statement);
  toggles.safeIntegers?.(false);
  toggles.setReadBigInts?.(false);
  toggles.setReturnArrays?.(false);
  return statement;
}

/**
 * Prepares each statement of a connection only once. Its columns need names (`as`): a host can
 * choose others for those without.
 */
export function preparer(db: SqliteLike): Prepare {
  const known = new Map<string, Statement>();
  const make = (sql: string): Statement => {
    let prepared: SqliteStatementLike | undefined;
    const statement = () => {
      prepared ??= asNeeded(db.prepare(sql));
      return prepared;
    };
    return {
      run: (...values) => void statement().run(...values),
      get: <Row>(...values: SqliteValue[]) =>
        (statement().get(...values) ?? undefined) as Row | undefined,
      all: <Row>(...values: SqliteValue[]) => statement().all(...values) as Row[],
    };
  };
  return (sql) => {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = make(sql);
      known.set(sql, statement);
    }
    return statement;
  };
}

/** Throws a `TypeError` if the value is not a connection. */
export function checkConnection(db: SqliteLike, who: string): void {
  const given = Object(db) as Partial<SqliteLike>;
  checkOptions(who, {
    'db is a connection of a synchronous driver of SQLite': typeof given.prepare === 'function',
  });
}

/** Ends a failed transaction, without an error that would hide the reason. */
export function rollBack(prepare: Prepare): void {
  try {
    prepare('rollback').run();
  } catch {
    // SQLite rolls back itself after some errors
  }
}
