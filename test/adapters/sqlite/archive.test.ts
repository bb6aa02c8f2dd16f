import { createMemoryStore } from 'dealwright/memory';
import type { StoreRecord } from 'dealwright/ports';
import { storeArchiveContract } from 'dealwright/spec';
import { createSqliteArchive, type SqliteLike } from 'dealwright/sqlite';
import { describe, expect, it } from 'vitest';
import { acme, addition, registration } from './additions.js';
import { createHastyStore, createTestFile } from './database.js';

const inSqlite = () => createHastyStore();
const inMemory = () => ({ ...createMemoryStore(), close: async () => undefined });

describe('the archive of SQLite', () => {
  storeArchiveContract({ describe, it }, inSqlite);
});
describe('from SQLite into memory', () => {
  storeArchiveContract({ describe, it }, inSqlite, inMemory);
});
describe('from memory into SQLite', () => {
  storeArchiveContract({ describe, it }, inMemory, inSqlite);
});

describe('the connection of an archive', () => {
  it('is one thing at a time, and none of a store', async () => {
    const store = inSqlite();
    try {
      (await store.contractors.add(acme, registration()))._unsafeUnwrap();
      (await store.deals.add(acme, addition('1')))._unsafeUnwrap();
      const archive = createSqliteArchive(store.file.open());
      const first = archive.dump()[Symbol.asyncIterator]();
      expect((await first.next()).value).toMatchObject({ record: 'contractor' });
      await expect(archive.dump()[Symbol.asyncIterator]().next()).rejects.toThrow('transaction');
      const rest: StoreRecord[] = [];
      for (let next = await first.next(); next.done !== true; next = await first.next()) {
        rest.push(next.value);
      }
      expect(rest.map(({ record }) => record)).toEqual(['deal', 'event', 'event']);
    } finally {
      await store.close();
    }
  });

  it('rejects with what SQLite says where there is no schema', async () => {
    const file = createTestFile();
    const archive = createSqliteArchive(file.open());
    await expect(archive.dump()[Symbol.asyncIterator]().next()).rejects.toThrow('no such table');
    const none = (async function* (): AsyncGenerator<StoreRecord> {})();
    await expect(archive.restore(none)).rejects.toThrow('no such table');
    expect(() => createSqliteArchive(Object('deals.db'))).toThrow(TypeError);
    file.remove();
  });

  it('rejects with what ended a dump, where SQLite has rolled back itself', async () => {
    const store = inSqlite();
    try {
      const db = store.file.open();
      const failing: SqliteLike = {
        prepare(sql) {
          const statement = db.prepare(sql);
          const all = () => {
            db.prepare('rollback').run();
            throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
          };
          return { run: (...v) => statement.run(...v), get: (...v) => statement.get(...v), all };
        },
      };
      const records = createSqliteArchive(failing).dump()[Symbol.asyncIterator]();
      await expect(records.next()).rejects.toThrow('disk I/O error');
    } finally {
      await store.close();
    }
  });

  it.each([
    ['SQLITE_IOERR_FSYNC', /may have been restored, or nothing/],
    ['SQLITE_FULL', /the commit failed/],
  ])('says what became of a restore whose commit fails with %s', async (code, says) => {
    const store = inSqlite();
    try {
      const db = store.file.open();
      const failing: SqliteLike = {
        prepare(sql) {
          if (sql !== 'commit') return db.prepare(sql);
          const run = () => {
            throw Object.assign(new Error('the commit failed'), { code });
          };
          return { run, get: run, all: run };
        },
      };
      const none = (async function* (): AsyncGenerator<StoreRecord> {})();
      await expect(createSqliteArchive(failing).restore(none)).rejects.toThrow(says);
    } finally {
      await store.close();
    }
  });

  it('waits for a lock, to dump as to restore', async () => {
    for (const work of ['dump', 'restore'] as const) {
      const store = inSqlite();
      const db = store.file.open();
      db.prepare('pragma busy_timeout = 0').get();
      const archive = createSqliteArchive(db);
      if (work === 'restore') await archive.restore(inMemory().archive.dump());
      else expect((await archive.dump()[Symbol.asyncIterator]().next()).done).toBe(true);
      expect(db.prepare('pragma busy_timeout').get()).toMatchObject({ timeout: 5_000 });
      await store.close();
    }
  });
});
