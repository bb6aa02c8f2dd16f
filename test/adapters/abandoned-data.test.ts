import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { fromNdjson } from 'dealwright/archive';
import { createMemoryStore } from 'dealwright/memory';
import {
  fromPglite,
  migratePostgres,
  missingMigrations as missingInPostgres,
} from 'dealwright/postgres';
import { migrateSqlite, missingMigrations as missingInSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { abandoned } from '../kit/abandoned-data.js';

const refusal = {
  code: 'changed',
  number: 1,
  message: expect.stringMatching(/cfc147f.* there is no way from it to this version/),
};

describe('what commit cfc147f wrote', () => {
  it('is a database of SQLite from which there is no way', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-abandoned-'));
    const path = join(folder, 'deals.db');
    writeFileSync(path, abandoned('deals.sqlite'));
    const db = new Database(path);
    expect(migrateSqlite(db)._unsafeUnwrapErr()).toEqual(refusal);
    expect(missingInSqlite(db)._unsafeUnwrapErr()).toEqual(refusal);
    db.close();
    rmSync(folder, { recursive: true });
  });

  it('is a database of PostgreSQL from which there is no way', async () => {
    const own = new PGlite();
    // the notes of its migration
    await own.exec(`create schema dealwright;
      create table dealwright.migrations (number bigint primary key, name text not null,
        checksum text not null, attempt text not null, applied_at timestamptz not null default now());
      insert into dealwright.migrations (number, name, checksum, attempt) values
        (1, 'deals', '0044f0de49eb2e73d54e450ab3a18cd8c18be674a6768c7f8549ecbdd429a020', 'x')`);
    const db = fromPglite(own);
    expect((await migratePostgres(db))._unsafeUnwrapErr()).toEqual(refusal);
    expect((await missingInPostgres(db))._unsafeUnwrapErr()).toEqual(refusal);
    await own.close();
  });

  it('is an archive from which there is no way', async () => {
    async function* chunks() {
      yield abandoned('archive.ndjson');
    }
    const { archive } = createMemoryStore();
    await expect(archive.restore(fromNdjson(chunks(), { contents: 'skip' }))).rejects.toThrow(
      /^line 1 of the archive says format 1, .*there is no way from it/,
    );
  });
});

describe('a database that is not of this version', () => {
  it('says which migrations it lacks', async () => {
    const db = new Database(':memory:');
    expect(missingInSqlite(db)._unsafeUnwrap()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    migrateSqlite(db)._unsafeUnwrap();
    expect(missingInSqlite(db)._unsafeUnwrap()).toEqual([]);
    db.close();
    expect(missingInSqlite(db)._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
    const own = new PGlite();
    const postgres = fromPglite(own);
    expect((await missingInPostgres(postgres))._unsafeUnwrap()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    (await migratePostgres(postgres))._unsafeUnwrap();
    expect((await missingInPostgres(postgres))._unsafeUnwrap()).toEqual([]);
    await own.close();
  });
});
