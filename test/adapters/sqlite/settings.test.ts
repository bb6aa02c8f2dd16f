import type { Store } from 'dealwright/ports';
import { createSqliteArchive, createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exercise } from '../sql/exercise.js';
import { createTestFile, type TestFile } from './database.js';

let file: TestFile;
beforeEach(() => {
  file = createTestFile();
});
afterEach(() => file.remove());

const tenantOf = (partner: string) => ({ environment: 'sandbox', partner }) as const;

/** What a host sets on a connection, or on the file, before the store sees it. */
type Set = (db: Database.Database) => void;
const pragmas =
  (...all: readonly string[]): Set =>
  (db) => {
    for (const each of all) db.exec(`pragma ${each}`);
  };

const settings: Readonly<Record<string, Set>> = {
  none: () => undefined,
  'defaultSafeIntegers(true)': (db) => void db.defaultSafeIntegers(true),
  'full names of columns': pragmas('full_column_names = on', 'short_column_names = off'),
  reverse_unordered_selects: pragmas('reverse_unordered_selects = on'),
  'keys, triggers, LIKE': pragmas(
    'foreign_keys = on',
    'recursive_triggers = on',
    'case_sensitive_like = on',
    'ignore_check_constraints = on',
    'defer_foreign_keys = on',
  ),
  'trusted_schema, cell_size_check, automatic_index': pragmas(
    'trusted_schema = off',
    'cell_size_check = on',
    'automatic_index = off',
    'temp_store = memory',
  ),
  'pages and journals': pragmas(
    'page_size = 1024',
    'auto_vacuum = full',
    'secure_delete = on',
    'journal_mode = truncate',
    'wal_autocheckpoint = 0',
    'mmap_size = 1000000',
    'busy_timeout = 0',
  ),
};

async function exerciseBoth(set: Set): Promise<unknown> {
  const [db, other, third] = [file.open(), file.open(), file.open()];
  for (const each of [db, other, third]) set(each);
  migrateSqlite(db)._unsafeUnwrap();
  const store = createSqliteStore(db);
  await exercise(store, tenantOf('first'));
  const own = await exercise(store, tenantOf('own'));
  // within a transaction of the host, on another connection of its own
  other.exec('begin immediate');
  const within: Omit<Store, 'watch'> = store.within(other);
  const ofHost = await exercise(within, tenantOf('host'));
  other.exec('commit');
  const restored = new Database(':memory:');
  set(restored);
  migrateSqlite(restored)._unsafeUnwrap();
  const { dump } = createSqliteArchive(third);
  const count = await createSqliteArchive(restored).restore(dump());
  const again = [];
  for await (const record of createSqliteArchive(restored).dump()) again.push(record);
  restored.close();
  return { own, ofHost, isWhole: again.length === count, count };
}

describe('what a host has set on its connection or its file', () => {
  let sound: unknown;
  it.each(Object.entries(settings))('%s: changes nothing', async (_, set) => {
    const found = await exerciseBoth(set);
    sound ??= found;
    expect(found).toEqual(sound);
    expect(Object(found).ofHost).toEqual(Object(found).own);
  });

  it.each(['UTF-16le', 'UTF-16be'])('a file in %s: a migration is refused in words', (encoding) => {
    const db = file.open();
    db.exec(`pragma encoding = '${encoding}'; create table own (id text)`);
    const failure = migrateSqlite(db)._unsafeUnwrapErr();
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: false });
    expect(Object(Object(failure).cause).message).toBe(
      `the database has the encoding ${encoding}, which orders texts in another way: give the store a file of its own`,
    );
    expect(db.prepare('select count(*) as count from sqlite_schema').get()).toMatchObject({
      count: 1,
    });
  });

  it('query_only: a store is refused in words', () => {
    const db = file.open();
    migrateSqlite(db)._unsafeUnwrap();
    db.exec('pragma query_only = on');
    const message = 'createSqliteStore: db is a connection to a database that can be written to';
    const cause = new TypeError('the connection has query_only on: turn it off');
    expect(() => createSqliteStore(db)).toThrow(new TypeError(message, { cause }));
  });

  it('count_changes: a migration is refused by the driver', () => {
    const db = file.open();
    db.exec('pragma count_changes = on');
    expect(migrateSqlite(db)._unsafeUnwrapErr()).toMatchObject({ outcome: 'none' });
  });
});
