import type { StoreArchive, StoreRecord } from 'dealwright/ports';
import { turn } from '../sql/turn.js';
import { dumpParts } from './archive-dump.js';
import { type IndexAside, listIndexesSql } from './archive-indexes.js';
import { createRowCollector, type RowCollector } from './archive-rows.js';
import { restoredTables, restoreSql } from './archive-tables.js';
import { failureOf } from './failures.js';
import type { PostgresLike } from './postgres-like.js';
import { schemaName } from './schema-name.js';

/**
 * What an archive may be told.
 */
export interface PostgresArchiveOptions {
  /** As the store's: letters `a-z`, digits and `_`, at most 63. Default `dealwright`. */
  readonly schema?: string;
}

/** How many rows a dump asks for at a time: a deal may have a thousand files, and a long text. */
const batch = 50;
/** How many records a restore sends at a time, and of how many characters: no text can be endless. */
const restoreBatch = 1_000;
const restoreSize = 8 * 1_024 * 1_024;
const tenantsAtATime = 10_000;

/**
 * The archive of a PostgreSQL store: everything but the contents of files. It takes one connection
 * for itself, and no pool: what it does is one transaction of many statements. One thing at a time:
 * what is asked meanwhile rejects.
 *
 * A dump reads all of one moment, and neither waits for writers nor holds them up. A restore needs
 * tables that are empty, and of which no server has taken ids yet: those would go on with numbers
 * that may be the archive's. Whoever writes meanwhile waits until it has ended.
 *
 * What fails rejects with the driver's error, but without the values that hang on it; nothing was
 * restored then. Where the connection is lost behind the commit, everything may have been restored: the
 * message says "may have been restored", and whether it was is to be seen in the tables. The driver's
 * error is its `cause`. Throws a `TypeError` where an option is wrong, for
 * what is no connection, and for a pool of node-postgres.
 *
 * @example
 * ```ts no-run
 * import { createPostgresArchive } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const client = new pg.Client({ connectionString: 'postgres://127.0.0.1/deals' });
 * // a connection that is lost is told here too, and ends the process where nobody listens
 * client.on('error', (error) => console.error(error.message));
 * await client.connect();
 * for await (const record of createPostgresArchive(client).dump()) console.log(record.record);
 * await client.end();
 * ```
 */
export function createPostgresArchive(
  client: PostgresLike,
  options: PostgresArchiveOptions = {},
): StoreArchive {
  const schema = schemaName('createPostgresArchive', options, client ?? null);
  // the pool of node-postgres, which gives whoever asks alone the same connection again and again
  if ('totalCount' in client) {
    throw new TypeError('createPostgresArchive: give one connection of the pool, not the pool');
  }
  let isBusy = false;
  const begin = () => {
    if (isBusy) throw new Error('the archive is at work already, and has one connection');
    isBusy = true;
  };
  return {
    async *dump() {
      begin();
      try {
        yield* dumpAll(client, schema);
      } finally {
        isBusy = false;
      }
    },
    async restore(records) {
      begin();
      try {
        return await restoreAll(client, schema, records);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function* dumpAll(client: PostgresLike, schema: string): AsyncGenerator<StoreRecord> {
  await checkIsOne(client);
  await ask(client, 'begin transaction isolation level repeatable read read only');
  try {
    for (const { sql, recordOf } of dumpParts(schema)) {
      await ask(client, `declare dealwright_dump no scroll cursor for ${sql}`);
      for (;;) {
        const rows = await ask(client, `fetch ${batch} from dealwright_dump`);
        for (const { answer, beside } of rows) yield recordOf(String(answer), String(beside));
        if (rows.length < batch) break;
      }
      await ask(client, 'close dealwright_dump');
    }
  } finally {
    // whether all was read or not, nothing was written
    await giveUp(client);
  }
}

async function restoreAll(
  client: PostgresLike,
  schema: string,
  records: AsyncIterable<StoreRecord>,
): Promise<number> {
  let count = 0;
  let transaction: unknown;
  let writing = Promise.resolve();
  await checkIsOne(client);
  await ask(client, 'begin');
  try {
    transaction = await start(client, schema);
    const indexes = await setIndexesAside(client, schema);
    const rows = createRowCollector();
    let sentAt = 0;
    for await (const record of records) {
      rows.add(record);
      count += 1;
      // what is under way goes on between records that are at hand
      if (count % 100 === 0) await turn();
      if (count - sentAt < restoreBatch && rows.size() < restoreSize) continue;
      sentAt = count;
      await writing;
      // the next records are made while the server stores these
      writing = write(client, schema, rows.take(), transaction);
      // heard here for the time being, and thrown where it is waited for
      writing.catch(() => undefined);
    }
    await writing;
    await write(client, schema, rows.take(), transaction);
    for (const { sql } of indexes) await ask(client, sql);
    await finish(client, schema, rows, transaction);
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

/** Asks several times, which a pool that takes turns would spread: it would wait for its own locks. */
async function checkIsOne(client: PostgresLike): Promise<void> {
  const seen = new Set<unknown>();
  for (let time = 0; time < 3; time += 1) {
    const [row] = await ask(client, 'select pg_backend_pid()::text as answer');
    seen.add(row?.['answer']);
  }
  if (seen.size !== 1) throw notOne();
}

/** Keeps everybody else out of the tables, sees that they are empty, and names the transaction. */
async function start(client: PostgresLike, schema: string): Promise<unknown> {
  const tables = [...restoredTables, 'tenants', 'ids'].map((name) => `"${schema}".${name}`);
  await ask(client, `lock table ${tables.join(', ')} in share row exclusive mode`);
  const filled = tables.slice(0, -1).map((name) => `exists (select from ${name})`);
  const [found] = await ask(
    client,
    `select (${filled.join(' or ')})::int::text as filled, next::text as next,
      pg_current_xact_id()::text as transaction
    from "${schema}".ids`,
  );
  if (found?.['filled'] !== '0') {
    throw new Error('the store holds something already: an archive is restored into an empty one');
  }
  if (found['next'] !== '1') {
    throw new Error(
      'a server has taken ids of this store already: stop it, and restore into a new schema',
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
  rows: ReturnType<RowCollector['take']>,
  transaction: unknown,
): Promise<void> {
  for (const name of restoredTables) {
    const { count, columns } = rows[name];
    if (count === 0) continue;
    const values = [...columns(), transaction];
    const [written] = await ask(client, restoreSql(schema, name), values);
    if (Number(written?.['answer']) !== count) throw notOne();
  }
}

/** Sets the counters of events, from which cursors are, and of ids. */
async function finish(
  client: PostgresLike,
  schema: string,
  rows: Pick<RowCollector, 'positions' | 'highestId'>,
  transaction: unknown,
): Promise<void> {
  const s = `"${schema}"`;
  const positions = [...rows.positions()];
  for (let at = 0; at < positions.length; at += tenantsAtATime) {
    await ask(
      client,
      `insert into ${s}.tenants (tenant, last_position)
      select each ->> 0, (each ->> 1)::bigint from json_array_elements($1::text::json) as each
      where pg_current_xact_id()::text = $2::text`,
      [JSON.stringify(positions.slice(at, at + tenantsAtATime)), transaction],
    );
  }
  await ask(
    client,
    `update ${s}.ids set next = $1::text::bigint where pg_current_xact_id()::text = $2::text`,
    [String(rows.highestId() + 1), transaction],
  );
}

async function ask(
  client: PostgresLike,
  text: string,
  values?: unknown[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const { rows } = await client.query(values === undefined ? { text } : { text, values });
    return rows;
  } catch (error) {
    throw failureOf(error).cause;
  }
}

async function giveUp(client: PostgresLike): Promise<void> {
  try {
    await client.query({ text: 'rollback' });
  } catch {
    // the connection is gone, and the transaction with it
  }
}

function notOne(): Error {
  return new Error(
    'an archive needs one connection, for all of its statements: a pool has several',
  );
}
