import {
  fromPostgresJs,
  migratePostgres,
  type PostgresLike,
  printPostgresMigrations,
} from 'dealwright/postgres';
import { Pool } from 'pg';
import postgresJs from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { applyMigrations } from '../../../adapters/postgres/schema/migrate.js';
import { migrations } from '../../../adapters/postgres/schema/steps.js';
import type { Migration } from '../../../adapters/sql/migrations.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';

const all = migrations.map(({ number }) => number);
const latest = migrations.length;
const names = Object.values(functions).map(({ name }) => name);
/** The report of a migration from nothing, and of one that has nothing to do. */
const everything = { applied: all, latest, created: names, dropped: [] };
const nothing = { applied: [], latest, created: [], dropped: [] };

let postgres: Postgres;
let pool: Pool;
let schemas = 0;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: postgres.socketUrl, max: 10 });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

function freshSchema(): string {
  schemas += 1;
  return `schema_${schemas}`;
}

async function valuesOf(text: string): Promise<readonly unknown[]> {
  const { rows } = await pool.query<Record<string, unknown>>(text);
  return rows.flatMap((row) => Object.values(row));
}

/** Every column, index and constraint of a schema, as the server describes it. */
async function pictureOf(schema: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', table_name, column_name, data_type, collation_name, numeric_precision,
       numeric_scale, is_nullable, column_default) line
     from information_schema.columns where table_schema = $1
     union all select indexdef from pg_indexes where schemaname = $1
     union all select concat_ws(' ', c.conrelid::regclass::text, pg_get_constraintdef(c.oid))
     from pg_constraint c where connamespace = to_regnamespace(quote_ident($1))
     union all select pg_get_functiondef(p.oid) from pg_proc p
     where pronamespace = to_regnamespace(quote_ident($1))`,
    [schema],
  );
  return rows.map(({ line }) => line.replace(new RegExp(`"?${schema}"?\\.`, 'g'), '')).sort();
}

const steps: readonly Migration[] = [
  { number: 1, name: 'one', sql: 'create table "$schema".one (); create table "$schema".two ();' },
  { number: 2, name: 'three', sql: `create table "$schema".three as select '$1 100%' as text;` },
];

describe('migratePostgres', () => {
  it('makes everything from nothing, and then finds nothing to do', async () => {
    const schema = freshSchema();
    expect((await migratePostgres(pool, { schema }))._unsafeUnwrap()).toEqual(everything);
    const picture = await pictureOf(schema);
    expect(picture.filter((line) => line.startsWith('deals '))).not.toEqual([]);
    expect((await migratePostgres(pool, { schema }))._unsafeUnwrap()).toEqual(nothing);
    expect(await pictureOf(schema)).toEqual(picture);
    // without a name it migrates another schema
    expect((await migratePostgres(pool))._unsafeUnwrap().applied).toEqual(all);
    expect(await pictureOf('dealwright')).toEqual(picture);
  });

  it.each(['read committed', 'serializable'])(
    'lets one of eight that start at once migrate, under %s',
    async (isolation) => {
      const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      const pools = Array.from({ length: 8 }, () => {
        return new Pool({ connectionString: postgres.socketUrl, options, max: 1 });
      });
      await Promise.all(pools.map((each) => each.query('select')));
      const schema = freshSchema();
      let failures = 0;
      const reports = await Promise.all(
        pools.map((each) => {
          const query: PostgresLike['query'] = async ({ text }) => {
            failures += 1;
            const answer = await each.query(text);
            failures -= 1;
            return answer;
          };
          return applyMigrations({ query }, schema, steps);
        }),
      );
      await Promise.all(pools.map((each) => each.end()));
      const applied = reports.map((each) => each._unsafeUnwrap());
      // a waiting migration sees the result of the other, unless its transaction has an older view
      if (isolation === 'read committed') expect(failures).toBe(0);
      expect(applied.every((each) => each.latest === 2)).toBe(true);
      expect(applied.flatMap((each) => each.applied).sort()).toEqual([1, 2]);
      expect(await valuesOf(`select text from "${schema}".three`)).toEqual(['$1 100%']);
    },
  );

  it('goes on from where a database is', async () => {
    const schema = freshSchema();
    const first = await applyMigrations(pool, schema, steps.slice(0, 1));
    expect(first._unsafeUnwrap()).toEqual({ applied: [1], latest: 1 });
    const second = await applyMigrations(pool, schema, steps);
    expect(second._unsafeUnwrap()).toEqual({ applied: [2], latest: 2 });
    const names = `select name from "${schema}".migrations order by number`;
    expect(await valuesOf(names)).toEqual(['one', 'three']);
  });

  it('refuses a database that a newer version migrated, and one that is another', async () => {
    const schema = freshSchema();
    await applyMigrations(pool, schema, steps);
    const before = await pictureOf(schema);
    const older = (await applyMigrations(pool, schema, steps.slice(0, 1)))._unsafeUnwrapErr();
    expect(older).toMatchObject({ code: 'newer', number: 2 });
    const changed = steps.map((step) => ({ ...step, sql: `${step.sql} ` }));
    const other = (await applyMigrations(pool, schema, changed))._unsafeUnwrapErr();
    expect(other).toMatchObject({ code: 'changed', number: 1 });
    expect(await pictureOf(schema)).toEqual(before);
  });

  it('sees what others did while it waited for the lock', async () => {
    const schema = freshSchema();
    // this process reads "nothing", and sends its first step after the other has applied two
    const late: PostgresLike = {
      query: async (statement) => {
        if (statement.text.startsWith('do ')) await applyMigrations(pool, schema, steps);
        return pool.query(statement.text);
      },
    };
    const refused = (await applyMigrations(late, schema, steps.slice(0, 1)))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ code: 'newer', number: 2 });
    const changed = freshSchema();
    const other: PostgresLike = {
      query: async (statement) => {
        if (statement.text.startsWith('do ')) {
          await applyMigrations(pool, changed, [{ number: 1, name: 'x', sql: 'select 1' }]);
        }
        return pool.query(statement.text);
      },
    };
    const refusal = (await applyMigrations(other, changed, steps))._unsafeUnwrapErr();
    expect(refusal).toMatchObject({ code: 'changed', number: 1 });
    expect(await valuesOf(`select to_regclass('"${changed}".one')`)).toEqual([null]);
  });

  it('leaves nothing of a step that fails, and all of those before it', async () => {
    const schema = freshSchema();
    const broken = {
      number: 3,
      name: 'broken',
      sql: 'create table "$schema".four (); select 1/0;',
    };
    const failed = (await applyMigrations(pool, schema, [...steps, broken]))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ code: 'unavailable', cause: { code: '22012' } });
    expect(await valuesOf(`select to_regclass('"${schema}".four')`)).toEqual([null]);
    expect(await valuesOf(`select max(number)::int from "${schema}".migrations`)).toEqual([2]);
    const mended = { ...broken, sql: 'create table "$schema".four ();' };
    const again = (await applyMigrations(pool, schema, [...steps, mended]))._unsafeUnwrap();
    expect(again).toEqual({ applied: [3], latest: 3 });
  });

  it('knows a step as its own whose answer was lost', async () => {
    const schema = freshSchema();
    const deaf: PostgresLike = {
      query: async (statement) => {
        const answer = await pool.query(statement.text);
        if (statement.text.startsWith('do ')) throw new Error('connection lost');
        return answer;
      },
    };
    const report = (await applyMigrations(deaf, schema, steps))._unsafeUnwrap();
    expect(report).toEqual({ applied: [1, 2], latest: 2 });
  });

  it('is unavailable if there is no database, and throws if there is no such name', async () => {
    const nowhere = new Pool({ host: '127.0.0.1', port: 1 });
    const failure = (await migratePostgres(nowhere))._unsafeUnwrapErr();
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: true });
    for (const schema of ['', '1a', 'A', 'a"b', 'a b', 'x'.repeat(64)]) {
      expect(() => migratePostgres(pool, { schema })).toThrow(TypeError);
      expect(() => printPostgresMigrations({ schema })).toThrow(TypeError);
    }
    const pruning = JSON.parse('{"prune":"yes"}');
    expect(() => migratePostgres(pool, pruning)).toThrow('prune is true or false');
    expect(() => printPostgresMigrations(pruning)).toThrow(TypeError);
  });

  it('needs no right to change anything if nothing is missing', async () => {
    const schema = freshSchema();
    await applyMigrations(pool, schema, steps);
    await pool.query(
      `create role reader login; grant usage on schema "${schema}" to reader;
       grant select on "${schema}".migrations to reader`,
    );
    const reader = new Pool({
      connectionString: postgres.socketUrl.replace('user=postgres', 'user=reader'),
    });
    const report = await applyMigrations(reader, schema, steps);
    const refused = await applyMigrations(reader, freshSchema(), steps);
    await reader.end();
    expect(report._unsafeUnwrap()).toEqual({ applied: [], latest: 2 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ cause: { code: '42501' } });
  });
});

describe('printPostgresMigrations', () => {
  it('is what migratePostgres does, by psql, once and again', async () => {
    const [printed, migrated] = [freshSchema(), freshSchema()];
    await postgres.psql(printPostgresMigrations({ schema: printed }));
    await postgres.psql(printPostgresMigrations({ schema: printed }));
    const report = (await migratePostgres(pool, { schema: printed }))._unsafeUnwrap();
    expect(report).toEqual(nothing);
    await migratePostgres(pool, { schema: migrated });
    expect(await pictureOf(printed)).toEqual(await pictureOf(migrated));
  });

  it('refuses what is newer or another, too', async () => {
    const schema = freshSchema();
    const printed = printPostgresMigrations({ schema });
    await postgres.psql(printed);
    const set = `update "${schema}".migrations set`;
    await pool.query(`${set} checksum = 'x' where number = 1`);
    await expect(postgres.psql(printed)).rejects.toThrow('is another than this one');
    await pool.query(`${set} number = ${latest + 1} where number = ${latest}`);
    await expect(postgres.psql(printed)).rejects.toThrow('use a newer version');
  });
});

describe('other drivers', () => {
  it('migrate by postgres.js', async () => {
    const sql = postgresJs(postgres.url, { onnotice: () => {}, max: 1 });
    const report = await migratePostgres(fromPostgresJs(sql), { schema: freshSchema() });
    await sql.end();
    expect(report._unsafeUnwrap()).toEqual(everything);
  });

  it('migrate if no more than one statement can be sent at once', async () => {
    // a named statement is prepared, and takes only one command; so do PGlite and poolers
    let sent = 0;
    const db: PostgresLike = {
      query({ text }) {
        sent += 1;
        return pool.query({ name: `statement ${sent}`, text, values: [] });
      },
    };
    const report = await migratePostgres(db, { schema: freshSchema() });
    expect(report._unsafeUnwrap()).toEqual(everything);
    expect(sent).toBeGreaterThan(latest);
  });
});
