import { createMemoryStore } from 'dealwright/memory';
import type { ArchiveRecord, Store, StoreArchive } from 'dealwright/ports';
import { createSqliteArchive, type SqliteLike } from 'dealwright/sqlite';
import { describe, expect, it } from 'vitest';
import { acme, addition, committed, registration } from '../sql/writes.js';
import { createHastyStore, createTestFile } from './database.js';

type Archived = Store & { readonly archive: StoreArchive };
const live = { environment: 'production', partner: 'acme' } as const;

/** Records of every kind, for two tenants. */
async function fill(store: Archived): Promise<void> {
  for (const tenant of [acme, live]) {
    const writes = [registration()];
    for (const nth of Array(25).keys()) {
      const key = nth % 5 === 0 ? { key: `${nth}` } : {};
      writes.push(await addition(store, `deal-${nth}`, key, tenant));
    }
    for (const write of writes) {
      expect((await store.commit(tenant, write))._unsafeUnwrap()).toEqual(committed);
    }
    const stage_id = (await store.deals.byPartnerId(tenant, 'deal-1', ['stage']))._unsafeUnwrap()
      ?.stage[0]?.id as number;
    const file = { id: `file-of-${tenant.environment}`, partner_id: 'deal-1', stage_id };
    const kept = { name: 'a.txt', size: 1, sha256: 'f', content_type: 'text/plain' };
    const uploaded_at = '2026-01-02T00:00:00.000Z';
    const row = { ...file, ...kept, uploaded_at, status: 'stored', uploaded_by: null } as const;
    const write = registration();
    const stored = await store.commit(tenant, {
      ...write,
      expect: [{ absent: 'work_file', key: row.id }],
      insert: [{ kind: 'work_file', row }],
      subject: { kind: 'deal', key: 'deal-1' },
    });
    expect(stored._unsafeUnwrap()).toEqual(committed);
  }
}

async function recordsOf(archive: StoreArchive): Promise<ArchiveRecord[]> {
  const records: ArchiveRecord[] = [];
  for await (const record of archive.dump()) records.push(record);
  return records;
}

async function* streamed(records: readonly unknown[]): AsyncGenerator<ArchiveRecord> {
  yield* records as readonly ArchiveRecord[];
}

const inSqlite = () => createHastyStore();
const inMemory = () => ({ ...createMemoryStore(), close: async () => undefined });
const sorted = (records: readonly ArchiveRecord[]) =>
  records.map((record) => JSON.stringify([record.kind, record.tenant, sortedRow(record)])).sort();
const sortedRow = ({ row }: ArchiveRecord) =>
  Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));

describe.each([
  ['from SQLite into SQLite', inSqlite, inSqlite],
  ['from SQLite into memory', inSqlite, inMemory],
  ['from memory into SQLite', inMemory, inSqlite],
])('%s', (_, makeFrom, makeInto) => {
  it('moves every record, cursors stay, and integers go on above those that came', async () => {
    const [from, into] = [makeFrom(), makeInto()];
    try {
      await fill(from);
      const records = await recordsOf(from.archive);
      const count = 2 * (1 + 25 + 25 + 5 + 1 + 27);
      expect(records.length).toBe(count);
      expect(await into.archive.restore(streamed(records))).toBe(count);
      expect(sorted(await recordsOf(into.archive))).toEqual(sorted(records));
      const kinds = [...new Set(records.map(({ kind }) => kind))];
      expect(kinds).toEqual(['contractor', 'deal', 'stage', 'work_file', 'answer', 'event']);
      for (const tenant of [acme, live]) {
        const page = (await from.events.after(tenant, undefined, 10))._unsafeUnwrap();
        const cursor = page === 'invalid_cursor' ? '' : page.cursor;
        for (const limit of [1, 30]) {
          const [a, b] = await Promise.all(
            [from, into].map((store) => store.events.after(tenant, cursor, limit)),
          );
          expect(b?._unsafeUnwrap()).toEqual(a?._unsafeUnwrap());
        }
        expect((await into.reserve(tenant.environment, 1))._unsafeUnwrap()).toBeGreaterThan(50);
      }
    } finally {
      for (const store of [from, into]) await store.close();
    }
  });
});

describe('a restore', () => {
  it('leaves nothing if it is refused, and can be tried again', async () => {
    const [from, into] = [inSqlite(), inSqlite()];
    try {
      await fill(from);
      const records = await recordsOf(from.archive);
      const one = (kind: string) => records.find((each) => each.kind === kind) as ArchiveRecord;
      const other = { environment: 'production', partner: 'other' } as const;
      const deal = one('deal');
      const withRow = (record: ArchiveRecord, row: object) => ({
        ...record,
        row: { ...record.row, ...row },
      });
      const strange: Readonly<Record<string, readonly unknown[]>> = {
        nothing: [undefined],
        'not a record': [{}],
        'not of a tenant': [{ ...deal, tenant: { environment: 'staging', partner: 'acme' } }],
        'of an unknown kind': [{ ...deal, kind: 'other' }],
        'without a field': [withRow(deal, { title: undefined })],
        'a contractor twice': [one('contractor')],
        'a deal twice': [withRow(deal, { id: 1_000 })],
        'the integer of a deal twice': [withRow(deal, { partner_id: 'new' })],
        'the integer of a deal of another partner': [{ ...deal, tenant: other }],
        'the integer of a stage of another partner': [
          { ...withRow(deal, { id: 1_000 }), tenant: other },
          { ...one('stage'), tenant: other },
        ],
        'under a deal that did not come': [
          withRow(one('work_file'), { id: 'x', partner_id: 'no' }),
        ],
        'an answer twice': [one('answer')],
        'an event twice': [one('event')],
      };
      for (const [what, added] of Object.entries(strange)) {
        const given = into.archive.restore(streamed([...records, ...added]));
        await expect(given, what).rejects.toThrow(/./);
        expect(await recordsOf(into.archive)).toEqual([]);
      }
      expect(await into.archive.restore(streamed(records))).toBe(records.length);
      await expect(into.archive.restore(streamed([]))).rejects.toThrow('holds something already');
    } finally {
      for (const store of [from, into]) await store.close();
    }
  });

  it('is refused if a store may still hold integers of the database', async () => {
    const into = inSqlite();
    (await into.reserve('sandbox', 1))._unsafeUnwrap();
    await expect(into.archive.restore(streamed([]))).rejects.toThrow('has taken integers');
    await into.close();
  });
});

describe('the connection of an archive', () => {
  it('does one thing at a time, beside what its store does', async () => {
    const store = inSqlite();
    try {
      (await store.commit(acme, registration()))._unsafeUnwrap();
      const archive = createSqliteArchive(store.file.open());
      const first = archive.dump()[Symbol.asyncIterator]();
      expect((await first.next()).value).toMatchObject({ kind: 'contractor' });
      // later writes are not in it
      (await store.commit(acme, registration({ contractor_key: 'later' })))._unsafeUnwrap();
      await expect(archive.dump()[Symbol.asyncIterator]().next()).rejects.toThrow('transaction');
      const rest: ArchiveRecord[] = [];
      for (let next = await first.next(); next.done !== true; next = await first.next()) {
        rest.push(next.value);
      }
      expect(rest.map(({ kind }) => kind)).toEqual(['event']);
    } finally {
      await store.close();
    }
  });

  it('rejects with what SQLite says if there is no schema', async () => {
    const file = createTestFile();
    const archive = createSqliteArchive(file.open());
    await expect(archive.dump()[Symbol.asyncIterator]().next()).rejects.toThrow('no such table');
    await expect(archive.restore(streamed([]))).rejects.toThrow('no such table');
    expect(() => createSqliteArchive(Object('deals.db'))).toThrow(TypeError);
    file.remove();
  });

  it('rejects with what ended a dump, if SQLite has rolled back itself', async () => {
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
      await expect(createSqliteArchive(failing).restore(streamed([]))).rejects.toThrow(says);
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
