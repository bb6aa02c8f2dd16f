import { type ArchiveRecord, type Kind, shapeOf } from 'dealwright/ports';
import { createRestoredRecords, type RestoredRecords } from '../sql/restored-records.js';
import { kinds, tables } from '../sql/tables.js';
import { turn } from '../sql/turn.js';
import { type IndexAside, listIndexesSql } from './archive-indexes.js';
import { failureOf } from './failures.js';
import { ask, checkIsOne, giveUp, notOne } from './one-connection.js';
import type { PostgresLike } from './postgres-like.js';
import { createTableRows, restoreSql, type TableRows } from './restored-rows.js';

/** How many records are sent at a time, and of how many characters: no text can be endless. */
const most = 4_000;
const mostCharacters = 8 * 1_024 * 1_024;
const tenantsAtATime = 10_000;

/** Writes all records into empty tables, in one transaction. */
export async function restoreAll(
  client: PostgresLike,
  schema: string,
  records: AsyncIterable<ArchiveRecord>,
): Promise<number> {
  let count = 0;
  let transaction: unknown;
  let writing = Promise.resolve();
  await checkIsOne(client);
  await ask(client, 'begin');
  try {
    transaction = await start(client, schema);
    const indexes = await setIndexesAside(client, schema);
    const restored = createRestoredRecords();
    let rows = noRows();
    let sentAt = 0;
    for await (const record of records) {
      const { kind, names, row } = restored.read(record);
      rows[kind].add(names, row);
      count += 1;
      // what is under way goes on between records that are at hand
      if (count % 100 === 0) await turn();
      if (count - sentAt < most && sizeOf(rows) < mostCharacters) continue;
      sentAt = count;
      await writing;
      // the next records are made while the server stores these
      writing = write(client, schema, rows, transaction);
      rows = noRows();
      // heard here for the time being, and thrown where it is waited for
      writing.catch(() => undefined);
    }
    await writing;
    await write(client, schema, rows, transaction);
    for (const { sql } of indexes) await ask(client, sql);
    await refuseOrphans(client, schema);
    await finish(client, schema, restored, transaction);
  } catch (cause) {
    // what it sends behind the rollback would be in no transaction, and stay
    await writing.catch(() => undefined);
    await giveUp(client);
    throw cause;
  }
  await commit(client, transaction);
  return count;
}

/** Commits, and asks what became of it: a driver that connected again has committed nothing. */
async function commit(client: PostgresLike, transaction: unknown): Promise<void> {
  try {
    await client.query({ text: 'commit' });
  } catch (thrown) {
    const { outcome, cause } = failureOf(thrown);
    if (outcome === 'unknown') throw mayBeThere(cause);
    await giveUp(client);
    throw cause;
  }
  let ended: unknown;
  try {
    const text = 'select pg_xact_status($1::text::xid8) as answer';
    ended = (await client.query({ text, values: [transaction] })).rows[0]?.['answer'];
  } catch (thrown) {
    throw mayBeThere(failureOf(thrown).cause);
  }
  if (ended !== 'committed') throw notOne();
}

function mayBeThere(cause: unknown): Error {
  return new Error(
    'everything may have been restored, or nothing: the connection was lost at the end. Look whether deals are there',
    { cause },
  );
}

/** Keeps everybody else out of the tables, sees that they are empty, and names the transaction. */
async function start(client: PostgresLike, schema: string): Promise<unknown> {
  const names = [...kinds.map((kind) => tables[kind].name), 'tenants', 'ids'].map(
    (name) => `"${schema}".${name}`,
  );
  await ask(client, `lock table ${names.join(', ')} in share row exclusive mode`);
  const filled = names.slice(0, -1).map((name) => `exists (select 1 from ${name})`);
  const [found] = await ask(
    client,
    `select (${filled.join(' or ')})::int::text as filled, max(next)::text as next,
      pg_current_xact_id()::text as transaction
    from "${schema}".ids`,
  );
  if (found?.['filled'] !== '0') {
    throw new Error('the store holds something already: an archive is restored into an empty one');
  }
  if (found['next'] !== '1') {
    throw new Error(
      'a server has taken integers of this store already: stop it, and restore into a new schema',
    );
  }
  return found['transaction'];
}

/** Takes the indexes away that are better made behind the rows. */
async function setIndexesAside(
  client: PostgresLike,
  schema: string,
): Promise<readonly IndexAside[]> {
  const rows = await ask(client, listIndexesSql, [schema]);
  const indexes = rows.map(({ answer }) => JSON.parse(String(answer)) as IndexAside);
  for (const { name } of indexes) await ask(client, `drop index ${name}`);
  return indexes;
}

/** Sends the rows that there are, a statement for each table. */
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
    const [written] = await ask(client, restoreSql(schema, kind), values);
    if (Number(written?.['answer']) !== count) throw notOne();
  }
}

/** Sets the counters of events, from which cursors are, and of ids. */
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

/** Rejects where a record is under one that did not come. */
async function refuseOrphans(client: PostgresLike, schema: string): Promise<void> {
  for (const kind of kinds) {
    const { under } = shapeOf(kind);
    const parent = kinds.find((each) => each === under?.kind);
    if (under === undefined || parent === undefined) continue;
    const { owner, key, name } = tables[parent];
    const orphans = await ask(
      client,
      `select 1 from "${schema}".${tables[kind].name} t where not exists (
        select 1 from "${schema}".${name} p where p.${owner} = t.${owner} and p.${key} = t.${under.by})
      limit 1`,
    );
    if (orphans.length > 0) {
      throw new Error(`a ${kind} of the archive is under a ${parent} that did not come`);
    }
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
