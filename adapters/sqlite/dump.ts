import type { ArchiveRecord } from 'dealwright/ports';
import { kinds, type Table, tables } from '../sql/tables.js';
import { tenantOf } from '../sql/tenant.js';
import { rollBack } from './roll-back.js';
import { type Prepare, preparer, type SqliteLike, type SqliteValue } from './sqlite-like.js';
import { nameOf, storedJson } from './statements.js';

/** Rows that are read together: a description alone may have a mebibyte. */
const pageSize = 20;

/** Milliseconds that an archive waits for a lock, before its first record. */
export const longestWait = 5_000;

/** All records of a database as of the moment when the first is asked for. */
export async function* dump(db: SqliteLike): AsyncGenerator<ArchiveRecord, void, undefined> {
  const prepare = preparer(db);
  // most locks let readers by, not all: whoever recovers or leaves WAL keeps everybody out
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
  const select = `select ${storedJson(kind, 't')} as json, t.tenant, ${keys.map((key, at) => `${key} as key${at}`).join(', ')} from ${nameOf(table)} t`;
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
