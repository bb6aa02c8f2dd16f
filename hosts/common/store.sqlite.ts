import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';

/** Opens the store: deals in a file of SQLite, work files in a folder beside it. */
export async function openStore() {
  const folder = process.env.DEALS_FOLDER ?? '.deals';
  const files = join(folder, 'files');
  // it holds personal data: only this user may read it
  mkdirSync(files, { recursive: true, mode: 0o700 });
  const db = new Database(join(folder, 'deals.db'));
  const migrated = migrateSqlite(db);
  if (migrated.isErr()) throw new Error('not migrated', { cause: migrated.error });
  return {
    store: createSqliteStore(db),
    files: createFolderFileStore({ folder: files }),
  };
}
