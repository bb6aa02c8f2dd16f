import { checkOptions, type PortFailure, type Store, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type TransactionState, transactionFailure } from '../sql/host-transaction.js';
import { tell } from '../sql/observe.js';
import { createBatches } from './batch.js';
import { createCommit } from './commit.js';
import type { Connection } from './connection.js';
import { codeOf, failureOf, isOfOldSnapshot } from './failures.js';
import type { SqliteSettings } from './options.js';
import { createReads } from './reads.js';
import { checkConnection, type Prepare, preparer, type SqliteLike } from './sqlite-like.js';
import type { Write } from './transactions.js';
import { orUsedUp } from './upkeep.js';

/** Makes stores over connections that are within a transaction of the host. */
export type Within = (connection: SqliteLike) => Omit<Store, 'watch'>;

/**
 * A store within transactions of its host. Integers are reserved within them, too: a writer has the
 * lock of the whole database, so no other connection can reserve any meanwhile.
 */
export function createWithin(own: SqliteLike, { hooks }: SqliteSettings): Within {
  const stores = new WeakMap<SqliteLike, ReturnType<Within>>();
  const create = (db: SqliteLike): ReturnType<Within> => {
    const prepare = preparer(db);
    const connection = createHostConnection(prepare, hooks);
    return {
      commit: createCommit(prepare, connection),
      reserve: (environment, count) =>
        connection
          .write({ name: 'reserve', apply: (batch) => batch.takeNumbers(environment, count) })
          .andThen(orUsedUp),
      ...createReads(prepare, connection),
    };
  };
  return (db) => {
    checkConnection(db, 'within');
    checkOptions('within', {
      'a transaction has a connection of its own, not the one of the store': db !== own,
    });
    const store = stores.get(db) ?? create(db);
    stores.set(db, store);
    return store;
  };
}

/** A connection with immediate answers. */
interface HostConnection extends Connection {
  write<T>(write: Write<T>): Result<T, PortFailure>;
}

/** Reads and writes in the open transaction; begins, commits and rolls back none. */
function createHostConnection(prepare: Prepare, hooks: SqliteSettings['hooks']): HostConnection {
  const savepoint = prepare('savepoint dealwright');
  const undo = prepare('rollback to dealwright');
  const release = prepare('release dealwright');
  const beginBatch = createBatches(prepare);
  const isOpen = createProbe(prepare);

  const failed = (cause: unknown, isUndone: boolean): PortFailure => {
    const isLost = isOfOldSnapshot(cause) || !isUndone || !isOpen();
    return failureForHost(cause, isLost ? 'lost' : 'usable');
  };
  const report = (statement: string, since: number, cause?: unknown) => {
    const milliseconds = performance.now() - since;
    const code = codeOf(cause);
    const outcome = cause === undefined ? ('ok' as const) : ('failed' as const);
    const told = { statement, rows: 1, milliseconds, retries: 0, outcome };
    tell(hooks, code === undefined ? told : { ...told, code });
  };
  return {
    write<T>({ name, apply }: Write<T>): Result<T, PortFailure> {
      if (!isOpen()) return err(notBegun());
      const since = performance.now();
      let isBegun = false;
      try {
        savepoint.run();
        isBegun = true;
        const batch = beginBatch();
        const value = apply(batch);
        batch.settle();
        release.run();
        report(name, since);
        return ok(value);
      } catch (cause) {
        report(name, since, cause);
        return err(failed(cause, !isBegun || undoes(undo, release)));
      }
    },
    read<T>(name: string, body: () => T): Result<T, PortFailure> {
      const since = performance.now();
      try {
        const value = body();
        report(name, since);
        return ok(value);
      } catch (cause) {
        report(name, since, cause);
        return err(failed(cause, true));
      }
    },
  };
}

/** After some errors SQLite has rolled the whole transaction back itself, with its savepoints. */
function undoes(...statements: readonly { run(): void }[]): boolean {
  try {
    for (const statement of statements) statement.run();
    return true;
  } catch {
    return false;
  }
}

/** Whether a transaction is open: only then SQLite refuses to begin one. */
function createProbe(prepare: Prepare): () => boolean {
  const begin = prepare('begin');
  const end = prepare('rollback');
  return () => {
    try {
      begin.run();
    } catch (cause) {
      return /within a transaction/.test(String(cause));
    }
    end.run();
    return false;
  };
}

function notBegun(): PortFailure {
  const says = 'the connection is not within a transaction: begin one first';
  const cause = transactionFailure(says, 'lost', undefined, undefined);
  return unavailable({ outcome: 'none', retryable: false, cause }).error;
}

function failureForHost(cause: unknown, transaction: TransactionState): PortFailure {
  const { message } = Object(cause) as { readonly message?: unknown };
  const what = String(message ?? 'the database refused the call');
  const left =
    transaction === 'usable'
      ? 'the transaction is as it was before the call'
      : 'roll the transaction back';
  const told = transactionFailure(`${what}: ${left}`, transaction, cause, codeOf(cause));
  return Object.freeze({ ...failureOf(cause, 'none'), cause: told });
}
