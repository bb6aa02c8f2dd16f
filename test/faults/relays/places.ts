import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import pg from 'pg';
import { startPostgres } from '../../kit/postgres.js';
import type { RelayPlace } from './run.js';

/** A store that relays share, and a function that removes it. */
export interface OpenPlace extends RelayPlace {
  close(): Promise<void>;
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'dealwright-relays-'));

/** A file of SQLite in a folder of its own. */
export function sqlitePlace(): OpenPlace {
  const folder = newFolder();
  const place = join(folder, 'deals.db');
  const db = new Database(place);
  migrateSqlite(db)._unsafeUnwrap();
  return {
    folder,
    place,
    store: createSqliteStore(db),
    async close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL of its own. */
export async function postgresPlace(): Promise<OpenPlace> {
  const folder = newFolder();
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
  pool.on('error', () => undefined);
  (await migratePostgres(pool))._unsafeUnwrap();
  return {
    folder,
    url: postgres.url,
    store: createPostgresStore(pool),
    async close() {
      await pool.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
