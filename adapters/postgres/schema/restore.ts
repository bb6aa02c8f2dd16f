import type { ArchiveRecords, Kind } from 'dealwright/ports';
import { turn } from '../../sql/gather.js';
import { identityOf } from '../../sql/identity.js';
import {
  archiveChecks,
  createRestoredRecords,
  type RestoredRecords,
} from '../../sql/restored-records.js';
import { type AnyMembers, columnValue, kinds, tables } from '../../sql/tables.js';
import type { TenantNames } from '../../sql/tenant.js';
import { failureOf } from '../connection/failures.js';
import type { PostgresLike } from '../connection/postgres-like.js';
import { ask, checkIsOne, elementText, giveUp, notOne, quoted } from '../connection/send.js';
import { sqlTypes } from '../functions/columns.js';
import { sinceSql } from './steps.js';

/** The most records and characters in one statement: the length of a text is limited. */
const most = 4_000;
const mostCharacters = 8 * 1_024 * 1_024;
const tenantsAtATime = 10_000;

/** Writes all records into empty tables, in one transaction. */
export async function restoreAll(
  client: PostgresLike,
  schema: string,
  records: ArchiveRecords,
): Promise<number> {
  let count = 0;
  let transaction: unknown;
  let writing = Promise.resolve();
  await checkIsOne(client);
  await ask(client, 'begin');
  try {
    // else each null would be stored as the text NULL
    await ask(client, 'set local array_nulls = on');
    transaction = await start(client, schema);
    const identity = await identityOf(records);
    const indexes = await setIndexesAside(client, schema);
    const restored = createRestoredRecords();
    let rows = noRows();
    let sentAt = 0;
    for await (const record of records) {
      const { kind, names, row } = restored.read(record);
      rows[kind].add(names, row);
      count += 1;
      // gives a turn to other work between records that are read at once
      if (count % 100 === 0) await turn();
      if (count - sentAt < most && sizeOf(rows) < mostCharacters) continue;
      sentAt = count;
      await writing;
      // the next records are made while the server stores these
      writing = write(client, schema, rows, transaction);
      rows = noRows();
      // handled here for now, and thrown where it is awaited
      writing.catch(() => undefined);
    }
    await writing;
    await write(client, schema, rows, transaction);
    for (const { sql } of indexes) await ask(client, sql);
    if (await records.lacks?.('deal', 'status_since')) {
      await ask(client, sinceSql.replaceAll('$schema', schema));
    }
    for (const { sql, says } of archiveChecks(({ name }) => `${quoted(schema)}.${name}`)) {
      if ((await ask(client, sql)).length > 0) throw new Error(says);
    }
    if (identity !== undefined) {
      await ask(
        client,
        `insert into ${quoted(schema)}.store (number, id)
        select 1, $1::text where pg_current_xact_id()::text = $2::text
        on conflict (number) do update set id = excluded.id`,
        [identity, transaction],
      );
    }
    await finish(client, schema, restored, transaction);
  } catch (cause) {
    // a statement after the rollback would be in no transaction, and stay
    await writing.catch(() => undefined);
    await giveUp(client);
    throw cause;
  }
  await commit(client, transaction);
  return count;
}

/** Commits, and checks the result: a driver that connected again has committed nothing. */
async function commit(client: PostgresLike, transaction: unknown): Promise<void> {
  try {
    await client.query({ text: 'commit' });
  } catch (thrown) {
    const { outcome, cause } = failureOf(thrown);
    if (outcome === 'unknown') throw mayBeThere(cause);
    await giveUp(client);
    throw cause;
  }
  let ended: string | null | undefined;
  try {
    [ended] = await ask(client, 'select pg_xact_status($1::text::xid8) as answer', [transaction]);
  } catch (cause) {
    throw mayBeThere(cause);
  }
  if (ended !== 'committed') throw notOne();
}

function mayBeThere(cause: unknown): Error {
  return new Error(
    'everything may have been restored, or nothing: the connection was lost at the end. Look whether deals are there',
    { cause },
  );
}

/** Locks the tables, checks that they are empty, and returns the id of the transaction. */
async function start(client: PostgresLike, schema: string): Promise<unknown> {
  const names = [...kinds.map((kind) => tables[kind].name), 'tenants', 'ids'].map(
    (name) => `"${schema}".${name}`,
  );
  await ask(client, `lock table ${names.join(', ')} in share row exclusive mode`);
  let isFilled = false;
  for (const name of names.slice(0, -1)) {
    // one by one: in a larger query a cluster would read a whole table
    isFilled ||= (await ask(client, `select 1 as answer from ${name} limit 1`)).length > 0;
  }
  if (isFilled) {
    throw new Error('the store holds something already: an archive is restored into an empty one');
  }
  const [found] = await ask(
    client,
    `select json_build_array(max(next)::text, pg_current_xact_id()::text)::text as answer from "${schema}".ids`,
  );
  const [next, transaction] = JSON.parse(found ?? '[]') as readonly (string | undefined)[];
  if (next !== '1') {
    throw new Error(
      'a server has taken integers of this store already: stop it, and restore into a new schema',
    );
  }
  return transaction;
}

/** An index that a restore drops and makes again. */
interface IndexAside {
  /** With its schema, quoted for a statement. */
  readonly name: string;
  readonly sql: string;
}

/**
 * Lists the indexes that only serve to find rows, one JSON text each: building one after all rows
 * takes a fraction of the time of updating it with each row. None if this role may not make them
 * again, or if a cluster or partitions are involved. Its parameter is the schema.
 */
const listIndexesSql = `select json_build_object('name', format('%I.%I', n.nspname, c.relname),
    'sql', pg_get_indexdef(c.oid))::text as answer
  from pg_index x join pg_class c on c.oid = x.indexrelid
  join pg_namespace n on n.oid = c.relnamespace join pg_class t on t.oid = x.indrelid
  where n.nspname = $1::text and t.relname in (${kinds.map((kind) => `'${tables[kind].name}'`).join(', ')})
    and not x.indisunique and c.relkind = 'i' and not c.relispartition
    and pg_has_role(t.relowner, 'usage') and has_schema_privilege(n.oid, 'create')
    and to_regclass('pg_dist_partition') is null`;

/** Drops the indexes that are better made after the rows. */
async function setIndexesAside(
  client: PostgresLike,
  schema: string,
): Promise<readonly IndexAside[]> {
  const texts = await ask(client, listIndexesSql, [schema]);
  const indexes = texts.map((text) => JSON.parse(text ?? '') as IndexAside);
  for (const { name } of indexes) await ask(client, `drop index ${name}`);
  return indexes;
}

/** Sends the gathered rows, a statement for each table. */
async function write(
  client: PostgresLike,
  schema: string,
  rows: Rows,
  transaction: unknown,
): Promise<void> {
  for (const kind of kinds) {
    const { count, columns } = rows[kind];
    if (count === 0) continue;
    const values = [...columns(), transaction];
    const written = await ask(client, restoreSql(schema, kind), values);
    if (written.length !== count) throw notOne();
  }
}

/** Sets the counters of events, which cursors rely on, and of ids. */
async function finish(
  client: PostgresLike,
  schema: string,
  restored: Pick<RestoredRecords, 'positions' | 'highest'>,
  transaction: unknown,
): Promise<void> {
  const s = `"${schema}"`;
  const positions = [...restored.positions()];
  for (let at = 0; at < positions.length; at += tenantsAtATime) {
    await ask(
      client,
      `insert into ${s}.tenants (tenant, last_position)
      select each ->> 0, (each ->> 1)::bigint from json_array_elements($1::text::json) as each
      where pg_current_xact_id()::text = $2::text`,
      [JSON.stringify(positions.slice(at, at + tenantsAtATime)), transaction],
    );
  }
  for (const environment of ['production', 'sandbox'] as const) {
    await ask(
      client,
      `update ${s}.ids set next = $1::text::bigint
      where environment = $2::text and pg_current_xact_id()::text = $3::text`,
      [String(restored.highest(environment) + 1), environment, transaction],
    );
  }
}

type Rows = Readonly<Record<Kind, TableRows>>;

function noRows(): Rows {
  const rows = kinds.map((kind) => [kind, createTableRows(kind)]);
  return Object.fromEntries(rows) as Rows;
}

function sizeOf(rows: Rows): number {
  return Object.values(rows).reduce((sum, { size }) => sum + size, 0);
}

/** Rows on their way into a table, kept column by column. */
interface TableRows {
  readonly count: number;
  /** The size of all its values, in characters. */
  readonly size: number;
  add(names: TenantNames, row: AnyMembers): void;
  /** Each column as the text of an array, which every driver sends unchanged. */
  columns(): readonly string[];
}

/** No rows of a kind. */
function createTableRows(kind: Kind): TableRows {
  const columns = tables[kind].columns.map(({ name }) => ({ name, texts: [] as string[] }));
  let count = 0;
  let size = 0;
  return {
    get count() {
      return count;
    },
    get size() {
      return size;
    },
    add(names, row) {
      count += 1;
      for (const { name, texts } of columns) {
        const isName = name === 'tenant' || name === 'environment';
        const text = elementText(isName ? names[name] : columnValue(row[name]));
        size += text.length;
        texts.push(text);
      }
    },
    columns: () => columns.map(({ texts }) => `{${texts.join(',')}}`),
  };
}

/**
 * Stores rows, and returns a row for each. The last parameter is the id of the transaction: a
 * driver that connected again, or a pool, is in another one, and then nothing is written.
 */
function restoreSql(schema: string, kind: Kind): string {
  const { name, columns } = tables[kind];
  const arrays = columns.map(({ type }, at) => `$${at + 1}::text::${sqlTypes[type]}[]`);
  // a cluster refuses to count what another part of the statement inserts
  return `insert into ${quoted(schema)}.${name} (${columns.map((column) => column.name).join(', ')})
    select * from unnest(${arrays.join(', ')})
    where pg_current_xact_id()::text = $${columns.length + 1}::text returning 1 as answer`;
}
