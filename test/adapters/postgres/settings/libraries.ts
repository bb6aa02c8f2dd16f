import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPostgresJs,
  fromTypeOrm,
  type PostgresLike,
} from 'dealwright/postgres';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import createKnex, { type Knex } from 'knex';
import {
  CamelCasePlugin,
  CompiledQuery,
  Kysely,
  type KyselyPlugin,
  ParseJSONResultsPlugin,
  PostgresDialect,
} from 'kysely';
import pg from 'pg';
import postgres, { type Options, type PostgresType } from 'postgres';
import { DataSource } from 'typeorm';

/** Does something in a transaction of a library, or on its pool, and closes all. */
export type Over = (url: string, work: (db: PostgresLike) => Promise<unknown>) => Promise<unknown>;

/** A setting of a library: `refused` if our statements cannot do without. */
export interface LibrarySetting {
  readonly library: string;
  readonly setting: string;
  readonly over: Over;
  readonly isRefused?: true;
  /** Whether it is a pool of a store, and not only a connection within a transaction. */
  readonly isPool?: true;
}

const quiet = () => undefined;
/** Finds JSON in any text, as hosts do. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{"\dnt]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
/** Changes the names of a row, or its values. */
const eachOf = (change: (name: string, value: unknown) => [string, unknown]) => (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => change(name, value)));
const renamed = eachOf((name, value) => [name.toUpperCase(), value]);
const parsedIn = eachOf((name, value) => [name, parsed(value)]);
/** Takes bytes for an object, too. */
const renamedDeep = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? eachOf((name, each) => [name.toUpperCase(), renamedDeep(each)])(value)
    : value;

/** An option that the types of the library lack. */
const binary: pg.PoolConfig = Object.assign({ max: 2 }, { binary: true });

/** Every type as something else, also texts. */
const otherTypes: pg.CustomTypesConfig = {
  getTypeParser: () => (text: string | Buffer) => ({ parsed: String(text) }),
};

const poolOf =
  (options: pg.PoolConfig): Over =>
  async (url, work) => {
    const pool = new pg.Pool({ connectionString: url, ...options });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  };

/** While the work is done, all of node-postgres in this process has another parser of a type. */
const withParser =
  (type: number, parse: (text: string) => unknown, over: Over): Over =>
  async (url, work) => {
    const before = pg.types.getTypeParser(type);
    pg.types.setTypeParser(type, parse);
    try {
      return await over(url, work);
    } finally {
      pg.types.setTypeParser(type, before);
    }
  };

const jsOf =
  (options: Options<Record<string, PostgresType>>): Over =>
  async (url, work) => {
    const sql = postgres(url, { onnotice: quiet, max: 2, ...options });
    try {
      return await work(fromPostgresJs(sql));
    } finally {
      await sql.end();
    }
  };

/** The same within a transaction. */
const jsTransactionOf =
  (options: Options<Record<string, PostgresType>>): Over =>
  async (url, work) => {
    const sql = postgres(url, { onnotice: quiet, max: 2, ...options });
    try {
      return await sql.begin((tx) => work(fromPostgresJs(tx)));
    } finally {
      await sql.end();
    }
  };

const kyselyOf =
  (plugins: KyselyPlugin[], pool: pg.PoolConfig = {}): Over =>
  async (url, work) => {
    const own = new pg.Pool({ connectionString: url, ...pool });
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: own }), plugins });
    try {
      return await db.transaction().execute((trx) => work(fromKysely(trx, CompiledQuery)));
    } finally {
      await db.destroy();
    }
  };

const knexOf =
  (config: Knex.Config): Over =>
  async (url, work) => {
    const db = createKnex({ client: 'pg', connection: url, pool: { min: 0 }, ...config });
    try {
      return await db.transaction((trx) => work(fromKnex(trx)));
    } finally {
      await db.destroy();
    }
  };

const drizzleOf =
  (pool: pg.PoolConfig, config: object = {}): Over =>
  async (url, work) => {
    const client = new pg.Pool({ connectionString: url, ...pool });
    try {
      return await drizzle({ client, ...config }).transaction((tx) =>
        work(fromDrizzle(tx, drizzleSql)),
      );
    } finally {
      await client.end();
    }
  };

const drizzleJsOf =
  (options: Options<Record<string, PostgresType>>): Over =>
  async (url, work) => {
    const client = postgres(url, { onnotice: quiet, max: 2, ...options });
    try {
      return await drizzleOverPostgresJs({ client }).transaction((tx) =>
        work(fromDrizzle(tx, drizzleSql)),
      );
    } finally {
      await client.end();
    }
  };

const typeOrmOf =
  (options: object): Over =>
  async (url, work) => {
    const source = new DataSource({ type: 'postgres', url, ...options });
    await source.initialize();
    try {
      return await source.manager.transaction((manager) => work(fromTypeOrm(manager)));
    } finally {
      await source.destroy();
    }
  };

/** Types of postgres.js that change every text and number, on both ways. */
const jsTypes = {
  text: {
    to: 25,
    from: [25],
    serialize: (value: unknown) => `sent ${value}`,
    parse: (text: string) => ({ parsed: text }),
  },
  bigint: {
    to: 20,
    from: [20],
    serialize: (value: unknown) => `1${value}`,
    parse: (text: string) => BigInt(text),
  },
};

const jsSettings: Readonly<Record<string, Options<Record<string, PostgresType>>>> = {
  'transform: postgres.camel': { transform: postgres.camel },
  'transform: postgres.toPascal': { transform: postgres.toPascal },
  'transform.value.from parses JSON': { transform: { value: { from: parsed } } },
  'transform.row.from renames': {
    transform: { row: { from: renamed as (row: object) => object } },
  },
  'transform.row.from parses JSON': { transform: { row: { from: parsedIn } } },
  'transform.undefined: null': { transform: { undefined: null } },
  'types of text and bigint': { types: jsTypes },
  'fetch_types: false': { fetch_types: false },
  'prepare: false': { prepare: false },
};

const poolSettings: Readonly<Record<string, Over>> = {
  types: poolOf({ types: otherTypes }),
  'setTypeParser of text': withParser(25, parsed, poolOf({})),
  'setTypeParser of bigint': withParser(20, BigInt, poolOf({})),
  'binary: true': poolOf(binary),
};

const rows = (over: Readonly<Record<string, Over>>, library: string, more: object = {}) =>
  Object.entries(over).map(
    ([setting, each]): LibrarySetting => ({ library, setting, over: each, ...more }),
  );

const mapped = (of: (options: Options<Record<string, PostgresType>>) => Over) =>
  Object.fromEntries(Object.entries(jsSettings).map(([name, options]) => [name, of(options)]));

/** The settings of each library that change what its statements send or get. */
export const librarySettings: readonly LibrarySetting[] = [
  ...rows(poolSettings, 'node-postgres', { isPool: true }),
  ...rows(mapped(jsOf), 'postgres.js', { isPool: true }),
  ...rows(mapped(jsTransactionOf), 'a transaction of postgres.js'),
  ...rows(
    {
      ParseJSONResultsPlugin: kyselyOf([new ParseJSONResultsPlugin()]),
      CamelCasePlugin: kyselyOf([new CamelCasePlugin({ maintainNestedObjectKeys: false })]),
      'setTypeParser of bigint': withParser(20, BigInt, kyselyOf([])),
      'binary: true': kyselyOf([], binary),
    },
    'Kysely',
  ),
  ...rows(
    {
      'postProcessResponse renames': knexOf({
        postProcessResponse: (result) => ({ ...result, rows: result.rows?.map(renamed) }),
      }),
      'postProcessResponse parses JSON': knexOf({
        postProcessResponse: (result) => ({ ...result, rows: result.rows?.map(parsedIn) }),
      }),
      'postProcessResponse gives rows alone': knexOf({
        postProcessResponse: (result) => result.rows ?? result,
      }),
      wrapIdentifier: knexOf({ wrapIdentifier: (name, wrap) => wrap(name.toUpperCase()) }),
      'setTypeParser of text': withParser(25, parsed, knexOf({})),
      'setTypeParser of bigint': withParser(20, BigInt, knexOf({})),
      asyncStackTraces: knexOf({ asyncStackTraces: true }),
    },
    'Knex',
  ),
  ...rows(
    {
      casing: drizzleOf({}, { casing: 'snake_case' }),
      types: drizzleOf({ types: otherTypes }),
      'setTypeParser of bigint': withParser(20, BigInt, drizzleOf({})),
      'binary: true': drizzleOf(binary),
    },
    'Drizzle over node-postgres',
  ),
  ...rows(
    {
      'transform: postgres.camel': drizzleJsOf({ transform: postgres.camel }),
      'transform: postgres.toPascal': drizzleJsOf({ transform: postgres.toPascal }),
      'types of bigint': drizzleJsOf({ types: { bigint: postgres.BigInt } }),
    },
    'Drizzle over postgres.js',
  ),
  ...rows(
    {
      parseInt8: typeOrmOf({ parseInt8: true }),
      'setTypeParser of bigint': withParser(20, BigInt, typeOrmOf({})),
    },
    'TypeORM',
  ),
  // what a library gives no way to undo
  ...rows(
    {
      'Kysely, setTypeParser of text': withParser(25, parsed, kyselyOf([])),
      'Kysely, types': kyselyOf([], { types: otherTypes }),
      'Drizzle over node-postgres, setTypeParser of text': withParser(25, parsed, drizzleOf({})),
      'Drizzle over postgres.js, transform.value.from parses JSON': drizzleJsOf({
        transform: { value: { from: parsed } },
      }),
      'Drizzle over postgres.js, types of text': drizzleJsOf({
        types: { text: { ...jsTypes.text, serialize: String } },
      }),
      'TypeORM, setTypeParser of text': withParser(25, parsed, typeOrmOf({})),
      'TypeORM, extra.types': typeOrmOf({ extra: { types: { getTypeParser: () => parsed } } }),
      'Knex, postProcessResponse renames the rows': knexOf({ postProcessResponse: renamedDeep }),
    },
    'refused',
    { isRefused: true },
  ),
  ...rows(
    {
      'postgres.js, transform.row.from leaves out': jsOf({
        transform: { row: { from: () => ({}) } },
      }),
      'postgres.js, transform.row.from takes bytes apart': jsOf({
        transform: { row: { from: (row) => Object(renamedDeep(row)) } },
      }),
    },
    'refused',
    { isRefused: true, isPool: true },
  ),
];
