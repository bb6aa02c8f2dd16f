import { createPostgresStore, fromPostgresJs, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../../../kit/postgres.js';
import { exercise } from '../../sql/exercise.js';

let server: Postgres;
let pool: pg.Pool;
let sound: unknown;

const tenantOf = (partner: string) => ({ environment: 'sandbox', partner }) as const;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl });
  (await migratePostgres(pool))._unsafeUnwrap();
  await exercise(createPostgresStore(pool), tenantOf('first'));
  sound = await exercise(createPostgresStore(pool), tenantOf('sound'));
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Does something over a pool whose sessions have these settings. */
async function withSettings<T>(
  settings: Readonly<Record<string, string>>,
  work: (pool: pg.Pool) => Promise<T>,
  url = server.url,
): Promise<T> {
  const escaped = (value: string) => value.replace(/[\\ ]/g, '\\$&');
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${escaped(value)}`);
  const own = new pg.Pool({ connectionString: url, max: 2, options: options.join(' ') });
  try {
    return await work(own);
  } finally {
    await own.end();
  }
}

/** Settings of a session, a role, a database or a server that could change statements. */
const harmless: readonly Readonly<Record<string, string>>[] = [
  { array_nulls: 'off' },
  { standard_conforming_strings: 'off' },
  { backslash_quote: 'off' },
  { quote_all_identifiers: 'on' },
  { transform_null_equals: 'on' },
  { bytea_output: 'escape' },
  { DateStyle: 'German, YMD', IntervalStyle: 'iso_8601', TimeZone: 'Asia/Kathmandu' },
  { extra_float_digits: '-15', xmloption: 'document', xmlbinary: 'hex' },
  { search_path: '' },
  { search_path: 'public, pg_catalog' },
  { default_transaction_isolation: 'serializable', default_transaction_deferrable: 'on' },
  { default_transaction_isolation: 'repeatable read' },
  { row_security: 'off', session_replication_role: 'replica' },
  { 'plpgsql.variable_conflict': 'use_column' },
  { 'plpgsql.variable_conflict': 'use_variable' },
  { 'plpgsql.extra_errors': 'all', 'plpgsql.extra_warnings': 'all' },
  { check_function_bodies: 'off', client_min_messages: 'debug1' },
  { plan_cache_mode: 'force_custom_plan', jit: 'on', jit_above_cost: '0' },
  { enable_indexscan: 'off', enable_bitmapscan: 'off', enable_indexonlyscan: 'off' },
  { synchronous_commit: 'off', default_tablespace: 'pg_default' },
  { escape_string_warning: 'on', constraint_exclusion: 'on' },
];
const nameOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map((each) => each.join(' = '))
    .join(', ');

describe('what is set on the server, the database or the session', () => {
  it.each(harmless.map((each) => [nameOf(each), each] as const))(
    '%s: changes nothing',
    async (name, settings) => {
      const found = await withSettings(settings, async (own) => {
        // a write alone and gathered ones, statements with and without names
        const alone = createPostgresStore(own, { gather: false, prepare: false });
        const answers = [await exercise(alone, tenantOf(`${name}, alone`))];
        answers.push(await exercise(createPostgresStore(own), tenantOf(name)));
        // and a database that is migrated so
        const schema = 'other';
        (await migratePostgres(own, { schema }))._unsafeUnwrap();
        const other = createPostgresStore(own, { schema });
        await exercise(other, tenantOf('first'));
        answers.push(await exercise(other, tenantOf(name)));
        return answers;
      });
      await pool.query('drop schema other cascade');
      expect(found).toEqual([sound, sound, sound]);
      const { rows } = await pool.query(
        `select count(*)::int as count from dealwright.deals
        where tenant like $1 || '%' and (payment_token is not null or copyright_transfer is not null)`,
        [`sandbox:${name}`],
      );
      expect(rows).toEqual([{ count: 0 }]);
    },
  );

  const readOnly = { default_transaction_read_only: 'on' };

  it('default_transaction_read_only: a migration and a write are refused in words', async () => {
    const [migrated, wrote] = await withSettings(readOnly, async (own) => [
      (await migratePostgres(own, { schema: 'other' }))._unsafeUnwrapErr(),
      (
        await createPostgresStore(own, { statementTimeout: 500 }).reserve('sandbox', 1)
      )._unsafeUnwrapErr(),
    ]);
    for (const failure of [migrated, wrote]) {
      expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none' });
      expect(Object(Object(failure).cause).message).toBe(
        'the server accepts no write (25006): the transaction is read-only, the server is a standby, or default_transaction_read_only is on for the database, the role or the session: turn it off for Dealwright',
      );
    }
  });

  it.each(['LATIN2', 'SQL_ASCII', 'EUC_JP'])(
    'a database in %s: a migration is refused in words',
    async (encoding) => {
      const name = encoding.toLowerCase();
      await pool.query(
        `create database ${name} encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`,
      );
      const url = server.url.replace(/\/postgres$/, `/${name}`);
      const [failure, left] = await withSettings(
        {},
        async (own) => [
          (await migratePostgres(own))._unsafeUnwrapErr(),
          (await own.query("select 1 from pg_namespace where nspname = 'dealwright'")).rows,
        ],
        url,
      );
      expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: false });
      expect(Object(Object(failure).cause).message).toBe(
        `dealwright: the database has the encoding ${encoding}, which cannot keep every text: create one with "encoding 'UTF8' template template0", and migrate that`,
      );
      expect(left).toEqual([]);
    },
  );

  it('another client_encoding: a migration is refused in words', async () => {
    const sql = postgres(server.url, { connection: { client_encoding: 'LATIN1' } });
    try {
      const failure = (await migratePostgres(fromPostgresJs(sql)))._unsafeUnwrapErr();
      expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: false });
      expect(Object(Object(failure).cause).message).toBe(
        'the connection has the client_encoding LATIN1, and its texts are UTF-8: leave the setting out',
      );
    } finally {
      await sql.end();
    }
  });
});
