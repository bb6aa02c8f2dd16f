import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createPostgresStore, migratePostgres, type PostgresStore } from 'dealwright/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayText } from '../../../adapters/postgres/connection/send.js';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { migrations } from '../../../adapters/postgres/schema/steps.js';
import { checksumOf } from '../../../adapters/sql/migrations.js';
import { acme, nextId } from '../../../spec/store/subject.js';
import { type DatabaseAddress, type Postgres, startPostgres } from '../../kit/postgres.js';
import { createDeal, dealOf } from './new-deals.js';
import { gapsSql } from './tally.js';

const dump = gunzipSync(readFileSync('test/fixtures/9b39a2e/postgres.sql.gz')).toString();
const oldNames = ['commit_1', 'commit_node_1', 'commit_one_1'];
const newNames = Object.values(functions).map(({ name }) => name);

let postgres: Postgres;
const pools: Pool[] = [];
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await postgres?.stop();
});

function poolOf({ socketUrl }: DatabaseAddress): Pool {
  const pool = new Pool({ connectionString: socketUrl, max: 20 });
  pools.push(pool);
  return pool;
}

/** The database as that commit left it. */
async function oldDatabase(): Promise<Pool> {
  const address = await postgres.createDatabase();
  await postgres.psql(dump, address);
  return poolOf(address);
}

async function linesOf(pool: Pool, sql: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ line: string }>(sql);
  return rows.map(({ line }) => line);
}

const functionsSql = `select proname as line from pg_proc
  where pronamespace = 'dealwright'::regnamespace and proname ~ '^(commit|read)_' order by 1`;

/** Every row of every table, as the columns of that commit have it. */
async function rowsOf(pool: Pool, columns: readonly string[]): Promise<readonly string[]> {
  const all = columns.map((each) => each.split(' ') as [string, string]);
  const names = [...new Set(all.map(([table]) => table))];
  const rows = names.map((table) => {
    const own = all.filter(([name]) => name === table).map(([, column]) => `"${column}"`);
    return linesOf(
      pool,
      `select concat_ws(' ', '${table}', row(${own.join(', ')})::text) as line from dealwright.${table} order by 1`,
    );
  });
  return (await Promise.all(rows)).flat();
}

const columnsSql = `select table_name || ' ' || column_name as line from information_schema.columns
  where table_schema = 'dealwright' and table_name not in ('migrations', 'ids') order by 1`;

/** The files of the rows and the indexes of each table: another file if one was rewritten. */
const filesSql = `select relname || ' ' || pg_relation_filenode(oid) as line from pg_class
  where relnamespace = 'dealwright'::regnamespace and relkind in ('r', 'i') order by 1`;

const pictureSql = `select concat_ws(' ', table_name, ordinal_position, column_name, data_type,
    collation_name, numeric_precision, numeric_scale, is_nullable, column_default) as line
  from information_schema.columns where table_schema = 'dealwright'
  union all select indexdef from pg_indexes where schemaname = 'dealwright'
  union all select concat_ws(' ', c.conrelid::regclass::text, pg_get_constraintdef(c.oid))
  from pg_constraint c where connamespace = 'dealwright'::regnamespace
  union all select concat_ws(' ', number, name, checksum) from dealwright.migrations order by 1`;

/** How a process of that commit sends writes: some arguments of a function, the others null. */
async function oldProcess(pool: Pool) {
  const lines = await linesOf(
    pool,
    `select concat_ws(' ', proname, array_to_string(proargnames, ' ')) as line from pg_proc
     where pronamespace = 'dealwright'::regnamespace and proname ~ '_1$'`,
  );
  const parameters = new Map(
    lines.map((line) => line.split(' ')).map(([name, ...all]) => [name, all]),
  );
  return async (name: string, values: Readonly<Record<string, unknown>>): Promise<string> => {
    const all = parameters.get(name) ?? [];
    const numbers = all.map((_, at) => `$${at + 1}`).join(', ');
    const { rows } = await pool.query<{ answer: string }>({
      name,
      text: `select dealwright.${name}(${numbers}) as answer`,
      values: all.map((each) => values[each] ?? null),
    });
    return rows[0]?.answer ?? '';
  };
}

const tenant = 'sandbox:acme';
const told = { type: 't', subject: 'deal:d', at: '2026-01-01T00:00:00.000Z', actor: 'partner' };

/** The words of a write of that commit: an answer and an event. */
const oldWords = (key: string, event: string) => [
  ...['absent answer', key],
  ...['insert answer', key, 'f', '{}'],
  ...['event', event, ...Object.values(told), null, '{}'],
];

/** The same as rows, of several writes. */
function oldRows(keys: readonly string[]): Readonly<Record<string, string>> {
  const rows = (row: (key: string) => object) =>
    JSON.stringify(keys.map((key, at) => ({ n: at + 1, ...row(key) })));
  return {
    p_owners: arrayText(keys.map(() => tenant)),
    p_attempts: arrayText(keys.map(() => nextId())),
    p_counts: arrayText(keys.map(() => 1)),
    p_answer_expected: rows((key) => ({ i: 0, absent: true, key })),
    p_answer_inserted: rows((key) => ({ answer_key: key, fingerprint: 'f', answer: '{}' })),
    p_events: rows(() => ({ id: nextId(), ...told, sequence: 1, cause: null, data: {} })),
  };
}

describe('a database of 9b39a2e', () => {
  it('is migrated with its data, of which nothing is written anew, and becomes as a new one', async () => {
    const pool = await oldDatabase();
    // deals that are accepted become due: test/adapters/kept-data.test.ts
    const all = await linesOf(pool, columnsSql);
    const columns = all.filter((column) => column !== 'deals due_at');
    expect(columns.length).toBe(all.length - 1);
    const before = await rowsOf(pool, columns);
    const files = await linesOf(pool, filesSql);
    expect(before.length).toBeGreaterThan(1_000);
    const done = (await migratePostgres(pool))._unsafeUnwrap();
    expect(done).toEqual({
      applied: [2, 3, 4, 5, 6, 7],
      latest: 7,
      created: newNames,
      dropped: [],
    });
    expect(await rowsOf(pool, columns)).toEqual(before);
    expect(await linesOf(pool, filesSql)).toEqual(expect.arrayContaining([...files]));
    const empty = poolOf(await postgres.createDatabase());
    (await migratePostgres(empty))._unsafeUnwrap();
    expect(await linesOf(pool, pictureSql)).toEqual(await linesOf(empty, pictureSql));
    expect(await linesOf(empty, functionsSql)).toEqual([...newNames].sort());
  });

  it('is written by processes of both versions at once, until the old functions are dropped', async () => {
    const pool = await oldDatabase();
    (await migratePostgres(pool))._unsafeUnwrap();
    expect(await linesOf(pool, functionsSql)).toEqual([...oldNames, ...newNames].sort());
    const callOld = await oldProcess(pool);
    const stores: readonly PostgresStore[] = [
      createPostgresStore(pool, { gather: false }),
      createPostgresStore(pool),
    ];
    const count = 40;
    const all = Array.from({ length: count }, async (_, n) => {
      const write = arrayText(oldWords(`old ${n}`, nextId()));
      const values = { p_tenant: tenant, p_attempt: nextId(), p_events: 1, p_write: write };
      expect(await callOld('commit_one_1', values)).toBe('null');
      const many = oldRows([`many ${n}`, `more ${n}`]);
      expect(await callOld('commit_1', many)).toBe('[]');
      const node = oldRows([`node ${n}`]);
      expect(await callOld('commit_node_1', { p_tenant: tenant, ...node })).toBe('[]');
      const store = stores[n % 2] ?? expect.fail();
      const committed = await store.commit(acme, dealOf(`new ${n}`));
      expect(committed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
    });
    await Promise.all(all);
    expect(
      await linesOf(pool, gapsSql.replace('select t.tenant', 'select t.tenant as line')),
    ).toEqual([]);
    const [answers] = await linesOf(
      pool,
      `select count(*) as line from dealwright.answers
       where tenant = '${tenant}' and answer_key ~ '^(old|many|more|node) '`,
    );
    expect(Number(answers)).toBe(4 * count);
    // a write of one version conflicts with a write of the other
    const again = oldRows(['old 1']);
    expect(await callOld('commit_1', again)).toContain('"expectation" : 0');

    const pruned = (await migratePostgres(pool, { prune: true }))._unsafeUnwrap();
    expect(pruned).toEqual({ applied: [], latest: 7, created: [], dropped: oldNames });
    const refused = callOld('commit_1', again);
    await expect(refused).rejects.toMatchObject({ code: '42883' });
    const [first = expect.fail()] = stores;
    expect((await createDeal(first, acme, 'last'))._unsafeUnwrap().outcome.outcome).toBe(
      'committed',
    );
  });
});

it('leaves the steps of 9b39a2e as they were, but for their functions', () => {
  expect(migrations.map(({ sql }) => checksumOf(sql))[0]).toBe(
    'e3338a45d1bf4dbe749e89d653cd9cc95ceca0eaf047e356e276b64271088be8',
  );
});
