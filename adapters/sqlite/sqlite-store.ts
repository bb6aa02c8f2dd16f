import type { Store } from 'dealwright/ports';
import { createWatchers, noting } from '../sql/watch.js';
import { createBatches } from './batch.js';
import { createCommit } from './commit.js';
import { createConnection } from './connection.js';
import { kindOf } from './failures.js';
import { createIdentity } from './identity.js';
import { readOptions, type SqliteSettings, type SqliteStoreOptions } from './options.js';
import { createPrune } from './prune.js';
import { createReads } from './reads.js';
import { createReserve } from './reserve.js';
import { checkConnection, preparer, type SqliteLike } from './sqlite-like.js';
import { createTransact } from './transactions.js';
import { createWithin } from './within.js';

/** A store in a database of SQLite. Put a file store beside it for the contents of work files. */
export interface SqliteStore extends Store {
  /**
   * Writes what is still in the journal (`-wal`) into the file of the database, so that a copy of
   * that file alone holds everything. Call it when no call is under way any more, before you close
   * the connection; nothing is lost without it. It does nothing where another process reads or
   * writes: the last one to close does it.
   */
  close(): Promise<void>;
  /**
   * The same store in a transaction of yours, on the connection that it is on, which is another one
   * than that of the store: what it writes is committed with your own rows, or not at all. You begin,
   * commit and roll back, and it sends each statement once. Give it to `marketplace.within`.
   *
   * SQLite has one writer at a time: from the first write until you commit, nobody else writes to the
   * file, of any tenant. Begin with `begin immediate`: a transaction that has read before somebody else
   * wrote cannot write any more (`SQLITE_BUSY_SNAPSHOT`). What is refused (`deal_exists`) leaves the
   * transaction as it was. What fails is `unavailable`, and `transactionAfter` says whether you may go
   * on. Ids are taken in your transaction, and given again where you roll back.
   *
   * Nobody is told of its events: a relay finds them within a second of your commit. Throws a
   * `TypeError` for what is no connection, and for the one of the store itself.
   */
  within(connection: SqliteLike): Omit<Store, 'watch'>;
}

/**
 * Makes a store of a connection whose database `migrateSqlite` has prepared. The connection is the
 * store's alone; several processes may each have one of their own to the same file, on one machine.
 * What a write answers is committed. Throws a `TypeError` for what is no connection, for a database
 * that nothing can be written to, and for options that are wrong.
 *
 * `watch` tells of the writes of this store; those of others a reader finds when it looks.
 *
 * What the database cannot do is `unavailable`: with the outcome `none`, except where a commit
 * failed and nobody can say whether it is there (`unknown`). A full disk, an I/O error and another
 * writer are worth trying again (`retryable`), and the store goes on by itself once they are over.
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
  const makeReady = prepareConnection(db, settings);
  const transact = createTransact(prepare, createBatches(prepare), makeReady);
  const connection = createConnection(transact, settings);
  const { watch, tell } = createWatchers();
  return {
    commit: noting(createCommit(prepare, connection), tell),
    watch,
    reserve: createReserve(connection),
    ...createReads(prepare, connection),
    identity: createIdentity(prepare, connection),
    prune: createPrune(prepare, connection),
    within: createWithin(db, settings),
    async close() {
      try {
        prepare('pragma wal_checkpoint(truncate)').all();
      } catch {
        // it is all in the journal, which the next start reads
      }
    },
  };
}

/** Milliseconds that SQLite itself waits for a lock: the event loop stands still meanwhile. */
const blockingWait = 20;

/**
 * Sets what a connection of a store keeps to, and answers with what makes it ready: it throws while
 * another process holds a lock that the change to WAL meets, and does nothing once it is done.
 */
function prepareConnection(db: SqliteLike, { synchronous }: SqliteSettings): () => void {
  let isReady = false;
  const makeReady = () => {
    if (isReady) return;
    db.prepare(`pragma busy_timeout = ${blockingWait}`).get();
    const mode = Object(db.prepare('pragma journal_mode = wal').get()) as JournalMode;
    // a database in memory has no journal that another process could read
    if (mode.journal_mode !== 'wal' && mode.journal_mode !== 'memory') {
      throw new TypeError('the database does not take the journal mode WAL');
    }
    db.prepare(`pragma synchronous = ${synchronous}`).run();
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

interface JournalMode {
  readonly journal_mode?: unknown;
}
