import type { StoreArchive } from 'dealwright/ports';
import { dump } from './dump.js';
import { restore } from './restore.js';
import { checkConnection, type SqliteLike } from './sqlite-like.js';

/**
 * Makes the archive of a database that `migrateSqlite` has prepared, on a connection that is its
 * own: a dump is a transaction that reads, from its first record to its end, and a restore is one
 * that writes. So the connection does one thing at a time, and a store has another.
 *
 * A dump and a restore reject with what the driver threw; a restore into a database that holds
 * something already rejects with an `Error` that says so. Throws a `TypeError` for what is no
 * connection.
 *
 * @example
 * ```ts
 * import type { ArchiveRecord } from 'dealwright/ports';
 * import { createSqliteArchive, type SqliteLike } from 'dealwright/sqlite';
 *
 * export async function linesOf(db: SqliteLike): Promise<ArchiveRecord[]> {
 *   const records: ArchiveRecord[] = [];
 *   for await (const record of createSqliteArchive(db).dump()) records.push(record);
 *   return records;
 * }
 * ```
 */
export function createSqliteArchive(db: SqliteLike): StoreArchive {
  checkConnection(db, 'createSqliteArchive');
  return { dump: () => dump(db), restore: (records) => restore(db, records) };
}
