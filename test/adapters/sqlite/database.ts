import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreArchive } from 'dealwright/ports';
import {
  createSqliteArchive,
  createSqliteStore,
  migrateSqlite,
  type SqliteStore,
  type SqliteStoreOptions,
} from 'dealwright/sqlite';
import Database from 'libsql';

/** A file of its own, and connections to it. */
export interface TestFile {
  readonly path: string;
  open(): Database.Database;
  /** Closes all connections, and deletes the file. */
  remove(): void;
}

/** A file for a database, on the disk, in a folder of its own. */
export function createTestFile(): TestFile {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-sqlite-'));
  const path = join(folder, 'deals.db');
  const opened: Database.Database[] = [];
  return {
    path,
    open() {
      const db = new Database(path);
      opened.push(db);
      return db;
    },
    remove() {
      for (const db of opened) db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A store in a file of its own. */
export interface TestStore extends SqliteStore {
  readonly db: Database.Database;
  readonly file: TestFile;
  /** The archive, on a connection of its own. */
  readonly archive: StoreArchive;
  /** Closes all connections, and deletes the file. */
  close(): Promise<void>;
  /** The checkpoint of the store itself. */
  checkpoint(): Promise<void>;
}

/** A store in a file of its own; the file is deleted with it. */
export function createTestStore(options: SqliteStoreOptions = {}): TestStore {
  const file = createTestFile();
  const db = file.open();
  hurry(db);
  migrateSqlite(db)._unsafeUnwrap();
  const store = createSqliteStore(db, options);
  return {
    ...store,
    checkpoint: store.close,
    db,
    file,
    archive: createSqliteArchive(file.open()),
    close: async () => file.remove(),
  };
}

/** A store that does not wait for the disk, for many cases: its answers are the same. */
export function createHastyStore(options: SqliteStoreOptions = {}): TestStore {
  const store = createTestStore(options);
  const other = store.file.open();
  for (const db of [store.db, other]) hurry(db);
  return { ...store, archive: createSqliteArchive(other) };
}

function hurry(db: Database.Database): void {
  db.prepare('pragma synchronous = off').run();
}
