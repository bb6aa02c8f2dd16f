import { type FieldType, shapeOf } from 'dealwright/ports';
import { migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds, tables } from '../../../adapters/sql/tables.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';

let server: Postgres;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl });
  (await migratePostgres(pool))._unsafeUnwrap();
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

const types: Readonly<Record<FieldType, string>> = {
  text: 'text C',
  integer: 'bigint',
  money: 'numeric 26 2',
  json: 'json',
};

async function linesOf(sql: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ line: string }>(sql);
  return rows.map(({ line }) => line);
}

it('the migrations give every table the columns of the table of fields', async () => {
  const found = await linesOf(`
    select concat_ws(' ', table_name, column_name, data_type, collation_name,
      case when data_type = 'numeric' then numeric_precision end,
      case when data_type = 'numeric' then numeric_scale end, is_nullable) as line
    from information_schema.columns where table_schema = 'dealwright'
      and table_name not in ('tenants', 'ids', 'store', 'migrations')`);
  const expected = kinds.flatMap((kind) =>
    tables[kind].columns.map(
      ({ name, type, isOptional }) =>
        `${tables[kind].name} ${name} ${types[type]} ${isOptional ? 'YES' : 'NO'}`,
    ),
  );
  // a column of a later migration is the last one: statements name their columns
  expect([...found].sort()).toEqual([...expected].sort());
});

it('the migrations give every table the keys and indexes of the table of fields, and no others', async () => {
  const found = await linesOf(`
    select concat_ws(' ', c.relname,
      case when i.indisprimary then 'primary' when i.indisunique then 'unique' else 'index' end,
      (select string_agg(replace(pg_get_indexdef(i.indexrelid, nth, true), '"', ''), ' ' order by nth)
        from generate_series(1, i.indnatts) nth)) as line
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'dealwright'::regnamespace
      and c.relname not in ('tenants', 'ids', 'store', 'migrations') order by 1`);
  const expected = kinds.flatMap((kind) => {
    const { name, primaryKey, indexes } = tables[kind];
    const others = indexes.map(
      ({ columns, isUnique }) => `${name} ${isUnique ? 'unique' : 'index'} ${columns.join(' ')}`,
    );
    return [`${name} primary ${primaryKey.join(' ')}`, ...others];
  });
  expect(found).toEqual(expected.sort());
  for (const kind of kinds) {
    const { number, key } = shapeOf(kind);
    if (number === undefined) continue;
    const what = number === key ? 'primary' : 'unique';
    expect(found).toContain(`${tables[kind].name} ${what} tenant ${number}`);
  }
});

it('makes the primary key of a table last of the indexes of all rows of a tenant', async () => {
  // of indexes that seem equal, the planner takes the newest; one of all tenants never seems so
  const found = await linesOf(`
    select indrelid::regclass::text as line from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'dealwright'::regnamespace group by indrelid
    having max(indexrelid) filter (where indpred is null and indkey[0] <> 0) <> max(indexrelid) filter (where indisprimary)`);
  expect(found).toEqual([]);
});
