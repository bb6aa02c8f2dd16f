import type { ArchiveRecord, ArchiveRecords, StoreArchive } from 'dealwright/ports';
import { turn } from '../sql/gather.js';
import { identityOf } from '../sql/identity.js';
import { archiveChecks, createRestoredRecords } from '../sql/restored-records.js';
import { kinds, type Table, tables } from '../sql/tables.js';
import { tenantOf } from '../sql/tenant.js';
import { codeOf } from './failures.js';
import { sinceSql } from './schema.js';
import {
  checkConnection,
  type Prepare,
  preparer,
  rollBack,
  type SqliteLike,
  type SqliteValue,
} from './sqlite-like.js';
import { createInsert, nameOf, storedJson } from './statements.js';
import { readIdentity } from './upkeep.js';

/**
 * Makes the archive of a database that `migrateSqlite` has prepared, on its own connection: a dump
 * is a reading transaction, from its first record to its end, and a restore is a writing one. So
 * the connection does one thing at a time, and a store needs another one.
 *
 * A dump and a restore reject with the driver's error; a restore into a database that is not empty
 * rejects with an `Error` that says so. Throws a `TypeError` if the value is not a connection.
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
  return {
    dump: () => Object.assign(dump(db), { identity: async () => readIdentity(preparer(db)) }),
    restore: (records) => restore(db, records),
  };
}

/** Rows that are read together: one description may have a mebibyte. */
const pageSize = 20;

/** Milliseconds that an archive waits for a lock, before its first record. */
const longestWait = 5_000;

/** All records of a database as of the moment when the first is read. */
async function* dump(db: SqliteLike): AsyncGenerator<ArchiveRecord, void, undefined> {
  const prepare = preparer(db);
  // most locks let readers pass, but not all: recovering or leaving WAL blocks every access
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin').run();
  try {
    for (const kind of kinds) yield* recordsOf(prepare, tables[kind]);
  } finally {
    rollBack(prepare);
  }
}

/** The records of a kind, page by page, each page after the key of the last record before it. */
function* recordsOf(prepare: Prepare, table: Table): Generator<ArchiveRecord, void, undefined> {
  const { kind, owner, order } = table;
  const keys = [owner, ...order].map((column) => `t.${column}`);
  const select = `select ${storedJson(kind, 't')} as json, t.tenant as tenant, ${keys.map((key, at) => `${key} as key${at}`).join(', ')} from ${nameOf(table)} t`;
  const end = `order by ${keys.join(', ')} limit ${pageSize}`;
  const first = prepare(`${select} ${end}`);
  const next = prepare(
    `${select} where (${keys.join(', ')}) > (${keys.map(() => '?').join(', ')}) ${end}`,
  );
  for (let rows = first.all<Row>(); ; ) {
    for (const { json, tenant } of rows) {
      yield { kind, tenant: tenantOf(tenant), row: JSON.parse(json) } as ArchiveRecord;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    rows = next.all<Row>(...keys.map((_, at) => last[`key${at}`] ?? null));
  }
}

type Row = Readonly<Record<string, SqliteValue>> & {
  readonly json: string;
  readonly tenant: string;
};

/** Writes all records into an empty database, in one transaction. */
async function restore(db: SqliteLike, records: ArchiveRecords): Promise<number> {
  const prepare = preparer(db);
  const insert = createInsert(prepare);
  const restored = createRestoredRecords();
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin immediate').run();
  try {
    refuseUnlessEmpty(prepare);
    const identity = await identityOf(records);
    let count = 0;
    for await (const record of records) {
      const { kind, names, row } = restored.read(record);
      insert(kind, row, names);
      count += 1;
      // records that are read at once would leave no turn to other work
      if (count % 1_000 === 0) await turn();
    }
    if (await records.lacks?.('deal', 'status_since')) prepare(sinceSql).run();
    for (const { sql, says } of archiveChecks(nameOf)) {
      if (prepare(sql).get() !== undefined) throw new Error(says);
    }
    const setPosition = prepare(
      'insert into dealwright_tenants (tenant, last_position) values (?, ?)',
    );
    for (const [tenant, position] of restored.positions()) setPosition.run(tenant, position);
    const setNumber = prepare('update dealwright_numbers set last = ? where environment = ?');
    for (const environment of ['production', 'sandbox'] as const) {
      setNumber.run(restored.highest(environment), environment);
    }
    if (identity !== undefined) {
      prepare(
        'insert into dealwright_store (only, id) values (1, ?) on conflict (only) do update set id = excluded.id',
      ).run(identity);
    }
    commit(prepare);
    return count;
  } catch (cause) {
    rollBack(prepare);
    throw cause;
  }
}

/** A process that has reserved integers would go on with them, beside the restored ones. */
function refuseUnlessEmpty(prepare: Prepare): void {
  const full = kinds.map((kind) => `exists (select 1 from ${nameOf(tables[kind])})`);
  const found = prepare(`select ${full.join(' or ')} as records,
    exists (select 1 from dealwright_numbers where last > 0) as numbers`).get<{
    records: number;
    numbers: number;
  }>();
  if (found?.records !== 0) {
    throw new Error(
      'the database holds something already: an archive is restored into an empty one',
    );
  }
  if (found.numbers !== 0) {
    throw new Error(
      'a store has taken integers of this database already: stop it, and restore into a new file',
    );
  }
}

/** A failing disk may have written the mark of the commit, and show it after the next start. */
function commit(prepare: Prepare): void {
  try {
    prepare('commit').run();
  } catch (cause) {
    if (codeOf(cause) !== 'SQLITE_IOERR') throw cause;
    throw new Error(
      'everything may have been restored, or nothing: the disk failed at the end. Look whether deals are there',
      { cause },
    );
  }
}
