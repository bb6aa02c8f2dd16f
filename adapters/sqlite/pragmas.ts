import { kindOf } from './failures.js';
import type { SqliteSettings } from './options.js';
import type { SqliteLike } from './sqlite-like.js';

/** Milliseconds that SQLite itself waits for a lock: the event loop stands still meanwhile. */
const blockingWait = 20;

/**
 * Sets what a connection of a store keeps to, and answers with what makes it ready: it throws while
 * another process holds a lock that the change to WAL meets, and does nothing once it is done.
 */
export function prepareConnection(
  db: SqliteLike,
  { synchronous }: Pick<SqliteSettings, 'synchronous'>,
): () => void {
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
