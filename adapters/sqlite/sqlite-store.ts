import type { EventLog, StorePorts } from 'dealwright/ports';
import { createConnection } from './connection.js';
import { createContractors } from './contractors.js';
import { createDealIndex } from './deal-index.js';
import { createDeals, createDealsV2 } from './deals.js';
import { createEventLog } from './event-log.js';
import { createInserts } from './inserts.js';
import { createJudge } from './judge-deal.js';
import { createLedgers } from './ledger.js';
import { readOptions, type SqliteStoreOptions } from './options.js';
import { prepareConnection } from './pragmas.js';
import { checkConnection, preparer, type SqliteLike } from './sqlite-like.js';
import { createTransact } from './transactions.js';
import { createWorkFiles } from './work-files.js';

/**
 * A store in a database of SQLite. Put a file store beside it for the contents of work files.
 */
export interface SqliteStore extends StorePorts {
  readonly events: EventLog;
}

/**
 * Makes a store of a connection whose database `migrateSqlite` has prepared. The connection is the
 * store's alone; several processes may each have one of their own to the same file, on one machine.
 * What a write answers is committed. Throws a `TypeError` for what is no connection, for a database
 * that nothing can be written to, and for options that are wrong.
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
 * const { contractors, deals, dealsV2, dealIndex, events } = createSqliteStore(db);
 * ```
 */
export function createSqliteStore(db: SqliteLike, options: SqliteStoreOptions = {}): SqliteStore {
  checkConnection(db, 'createSqliteStore');
  const settings = readOptions(options);
  const prepare = preparer(db);
  const isReady = prepareConnection(db, settings);
  const inserts = createInserts(prepare);
  const transact = createTransact(prepare, createLedgers(prepare, inserts), isReady);
  const connection = createConnection(transact, settings);
  const judge = createJudge(prepare);
  return {
    contractors: createContractors(prepare, inserts, connection),
    deals: {
      ...createDeals(prepare, inserts, judge, connection),
      ...createWorkFiles(prepare, inserts, connection),
    },
    dealsV2: createDealsV2(prepare, inserts, judge, connection),
    dealIndex: createDealIndex(prepare, connection),
    events: createEventLog(prepare, connection),
  };
}
