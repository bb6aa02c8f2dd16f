import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';

/** Opens the store: deals in the database of `DATABASE_URL`, work files in a folder. */
export async function openStore() {
  const connectionString = process.env.DATABASE_URL;
  if (!connectionString) throw new Error('set DATABASE_URL=postgres://user:password@host/database');
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 5_000 });
  // without a listener, an idle connection that is lost ends the process
  pool.on('error', (error) => console.error('a connection was lost:', error.message));
  const migrated = await migratePostgres(pool);
  if (migrated.isErr()) throw new Error('not migrated', { cause: migrated.error });
  const files = join(process.env.DEALS_FOLDER ?? '.deals', 'files');
  // it holds personal data: only this user may read it
  mkdirSync(files, { recursive: true, mode: 0o700 });
  return {
    store: createPostgresStore(pool),
    files: createFolderFileStore({ folder: files }),
  };
}
