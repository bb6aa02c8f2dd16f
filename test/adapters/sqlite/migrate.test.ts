import { createSqliteStore, migrateSqlite, sqliteMigrations } from 'dealwright/sqlite';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { acme, committed, registration } from '../sql/writes.js';

/** The tables and indexes of a database, as they were created. */
function schemaOf(db: Database.Database): unknown[] {
  return db
    .prepare("select name, sql from sqlite_schema where name like 'dealwright%' order by name")
    .all();
}

describe('a migration', () => {
  it('takes each step once', async () => {
    const db = new Database(':memory:');
    expect(migrateSqlite(db)._unsafeUnwrap()).toEqual({
      applied: [1, 2, 3, 4, 5, 6, 7],
      latest: 7,
    });
    const store = createSqliteStore(db);
    const given = registration();
    (await store.commit(acme, given))._unsafeUnwrap();
    const before = schemaOf(db);
    expect(before.length).toBeGreaterThan(10);
    expect(migrateSqlite(db)._unsafeUnwrap()).toEqual({ applied: [], latest: 7 });
    expect(schemaOf(db)).toEqual(before);
    expect((await store.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
    expect((await store.tenants(undefined, 2))._unsafeUnwrap()).toEqual([
      { tenant: acme, end: '1' },
    ]);
    db.close();
  });

  it('finds what a tool of the host has run', () => {
    const [db, own] = [new Database(':memory:'), new Database(':memory:')];
    for (const { sql } of sqliteMigrations) db.exec(sql);
    expect(migrateSqlite(db)._unsafeUnwrap()).toEqual({ applied: [], latest: 7 });
    migrateSqlite(own)._unsafeUnwrap();
    expect(schemaOf(db).length).toBe(schemaOf(own).length);
    const notes = 'select * from dealwright_migrations';
    expect(db.prepare(notes).all()).toMatchObject([
      { number: 1, name: 'records' },
      { number: 2, name: 'fairness' },
      { number: 3, name: 'terms' },
      { number: 4, name: 'alerts' },
      { number: 5, name: 'across' },
      { number: 6, name: 'reports' },
      { number: 7, name: 'outcomes' },
    ]);
    db.close();
    own.close();
  });

  it.each([
    ['newer', "insert into dealwright_migrations values (8, 'more', 'x')", 8],
    ['changed', "update dealwright_migrations set checksum = 'x'", 1],
  ])('refuses a database that is %s, and leaves it as it is', (code, sql, number) => {
    const db = new Database(':memory:');
    migrateSqlite(db)._unsafeUnwrap();
    db.prepare(sql).run();
    const before = schemaOf(db);
    expect(migrateSqlite(db)._unsafeUnwrapErr()).toMatchObject({ code, number });
    expect(schemaOf(db)).toEqual(before);
    // no transaction is left open
    db.prepare('begin').run();
    db.close();
  });

  it('takes all steps or none, and says why', () => {
    const db = new Database(':memory:');
    // the objects of the last statements of the step exist already
    db.prepare('create table dealwright_events (id text)').run();
    const failure = migrateSqlite(db)._unsafeUnwrapErr();
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: false });
    expect(String('cause' in failure && failure.cause)).toMatch(/already exists/);
    expect(schemaOf(db)).toMatchObject([{ name: 'dealwright_events' }]);
    db.prepare('drop table dealwright_events').run();
    expect(migrateSqlite(db)._unsafeUnwrap()).toEqual({
      applied: [1, 2, 3, 4, 5, 6, 7],
      latest: 7,
    });
    db.close();
  });

  it('refuses what is no connection', () => {
    for (const db of [undefined, {}, 'deals.db']) {
      expect(() => migrateSqlite(Object(db))).toThrow(TypeError);
    }
  });
});
