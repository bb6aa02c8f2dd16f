import type { Store } from 'dealwright/ports';
import { createWatchers, noting } from '../sql/watch.js';
import { createBatches } from './batch.js';
import { createCommit } from './commit.js';
import { createConnection } from './connection.js';
import { kindOf } from './failures.js';
import { readOptions, type SqliteSettings, type SqliteStoreOptions } from './options.js';
import { createReads } from './reads.js';
import { checkConnection, type Prepare, preparer, type SqliteLike } from './sqlite-like.js';
import { createTransact } from './transactions.js';
import { createIdentity, createPrune, createSqliteReserve } from './upkeep.js';
import { createWithin } from './within.js';

/** A store in a database of SQLite. Put a file store beside it for the contents of work files. */
export interface SqliteStore extends Store {
  /**
   * Writes the rest of the journal (`-wal`) into the file of the database, so that a copy of that
   * file alone is complete. Call it when no call is under way any more, before you close the
   * connection; without it nothing is lost. It does nothing if another process reads or writes: the
   * last one to close does it.
   */
  close(): Promise<void>;
  /**
   * The same store in a transaction of yours, on its connection, which must not be the store's own:
   * its writes are committed with your own rows, or not at all. You begin, commit and roll back,
   * and it sends each statement once. Give it to `marketplace.within`.
   *
   * SQLite has one writer at a time: from the first write until you commit, nothing else can write
   * to the file, for any tenant. Begin with `begin immediate`: a transaction that has read before
   * another one wrote cannot write any more (`SQLITE_BUSY_SNAPSHOT`). A refusal (`deal_exists`)
   * leaves the transaction as it was. A failure is `unavailable`, and `transactionAfter` tells
   * whether you may go on. Ids are reserved in your transaction, and given again if you roll back.
   *
   * Relays are not notified of its events: they find them within a second of your commit. Throws a
   * `TypeError` if the value is not a connection, or is the store's own.
   */
  within(connection: SqliteLike): Omit<Store, 'watch'>;
}

/**
 * Makes a store of a connection whose database `migrateSqlite` has prepared. The connection is the
 * store's alone; several processes may each have their own to the same file, on one machine. An
 * answered write is committed. Throws a `TypeError` if the value is not a connection, if the
 * database is read-only, and for wrong options.
 *
 * `watch` notifies of the writes of this store; a reader finds those of others when it looks.
 *
 * A failure of the database is `unavailable`: with the outcome `none`, or `unknown` if a commit
 * failed and its result cannot be known. A full disk, an I/O error and another writer are worth a
 * retry (`retryable`), and the store recovers by itself once they are over.
 *
 * @example
 * ```ts
 * import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
 * import Database from 'libsql';
 *
 * const db = new Database(':memory:'); // yours: the path of a file
 * migrateSqlite(db)._unsafeUnwrap();
 * const store = createSqliteStore(db);
 * ```
 */
export function createSqliteStore(db: SqliteLike, options: SqliteStoreOptions = {}): SqliteStore {
  checkConnection(db, 'createSqliteStore');
  const settings = readOptions(options);
  const prepare = preparer(db);
  const makeReady = prepareConnection(prepare, settings);
  const transact = createTransact(prepare, createBatches(prepare), makeReady);
  const connection = createConnection(transact, settings);
  const { watch, tell } = createWatchers();
  return {
    commit: noting(createCommit(prepare, connection), tell),
    watch,
    reserve: createSqliteReserve(connection),
    ...createReads(prepare, connection),
    identity: createIdentity(prepare, connection),
    prune: createPrune(prepare, connection),
    within: createWithin(db, settings),
    async close() {
      try {
        prepare('pragma wal_checkpoint(truncate)').all();
      } catch {
        // everything is in the journal, which the next start reads
      }
    },
  };
}

/** Milliseconds that SQLite itself waits for a lock: the event loop is blocked meanwhile. */
const blockingWait = 20;

/**
 * Sets the pragmas of a store's connection, and returns a function that prepares the database: it
 * throws while another process holds a lock against the change to WAL, and does nothing once it is
 * done.
 */
function prepareConnection(prepare: Prepare, { synchronous }: SqliteSettings): () => void {
  let isReady = false;
  const makeReady = () => {
    if (isReady) return;
    prepare(`pragma busy_timeout = ${blockingWait}`).get();
    const { journal_mode } = prepare('pragma journal_mode = wal').get<JournalMode>() ?? {};
    // a database in memory has no journal that another process could read
    if (journal_mode !== 'wal' && journal_mode !== 'memory') {
      throw new TypeError('the database does not take the journal mode WAL');
    }
    if (prepare('pragma query_only').get<QueryOnly>()?.query_only === 1) {
      throw new TypeError('the connection has query_only on: turn it off');
    }
    prepare(`pragma synchronous = ${synchronous}`).run();
    isReady = true;
  };
  try {
    makeReady();
  } catch (cause) {
    if (kindOf(cause) !== 'busy') {
      const message = 'createSqliteStore: db is a connection to a database that can be written to';
      throw new TypeError(message, { cause });
    }
  }
  return makeReady;
}

interface QueryOnly {
  readonly query_only?: unknown;
}

interface JournalMode {
  readonly journal_mode?: unknown;
}
