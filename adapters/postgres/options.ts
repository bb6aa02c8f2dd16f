import type { StoreHooks } from '../sql/observe.js';
import type { PostgresLike } from './postgres-like.js';

/** How creates that come at the same time are gathered. */
export interface GatherOptions {
  /** Deals that go out in one statement at most, 1 to 1,000; default 128. */
  readonly maxBatch?: number;
  /** Creates that wait at most, 1 to 100,000; what comes then is `unavailable`. Default 2,000. */
  readonly maxQueue?: number;
  /**
   * `tenant`: each statement holds deals of one tenant alone and has it as a parameter, which a
   * sharded cluster asks for. Default `all`.
   */
  readonly by?: 'all' | 'tenant';
}

/** What a PostgreSQL store may be told. */
export interface PostgresStoreOptions {
  /** Where the tables are: letters `a-z`, digits and `_`, at most 63. Default `dealwright`. */
  readonly schema?: string;
  /**
   * Whether statements have names, and are parsed once for each connection. A pooler in transaction
   * mode may not keep them: `false` there. Default `true`.
   */
  readonly prepare?: boolean;
  /**
   * What comes while two batches are under way goes out in the next one, each create with its own
   * answer. `false`: each alone. Default on.
   */
  readonly gather?: false | GatherOptions;
  /**
   * Integer ids that the process takes at a time, 1 to 10,000; default 1,000. It holds two blocks at
   * most. Where a server stands in for another as an older copy of it, no id is given twice as long as
   * at most 1,000,000 were taken since that copy: with 10,000, two blocks of each of up to 50
   * processes.
   */
  readonly idBlock?: number;
  /**
   * Milliseconds that a statement is waited for, 1 to 2^31-1. After that it counts as lost: it may
   * have been carried out. With a `Pool` of node-postgres the next one goes by another connection; a
   * `Client` has none. Below the marketplace's `deadline`. Default 8,000.
   */
  readonly statementTimeout?: number;
  readonly hooks?: StoreHooks;
}

/** The options as the store goes by them. */
export interface Settings {
  readonly schema: string;
  readonly prepare: boolean;
  readonly gather: Required<GatherOptions> | undefined;
  readonly idBlock: number;
  readonly statementTimeout: number;
  readonly hooks: StoreHooks;
}

const known = ['schema', 'prepare', 'gather', 'idBlock', 'statementTimeout', 'hooks'];
const gatherDefaults: Required<GatherOptions> = { maxBatch: 128, maxQueue: 2_000, by: 'all' };

/** Reads the options, or throws a `TypeError` that names every mistake. */
export function readSettings(db: PostgresLike, given: PostgresStoreOptions): Settings {
  const options = Object(given) as PostgresStoreOptions;
  const { gather = {} } = options;
  const settings: Settings = {
    schema: options.schema ?? 'dealwright',
    prepare: options.prepare ?? true,
    gather: gather === false ? undefined : { ...gatherDefaults, ...Object(gather) },
    idBlock: options.idBlock ?? 1_000,
    statementTimeout: options.statementTimeout ?? 8_000,
    hooks: options.hooks === undefined ? {} : options.hooks,
  };
  const wrong = [
    ...(typeof Object(db).query === 'function' ? [] : ['the database has no query()']),
    ...unknownNames(options, known),
    ...(gather === false || isObject(gather) ? [] : ['gather is false or its options']),
    ...unknownNames(gather, ['maxBatch', 'maxQueue', 'by']).map((says) => `gather: ${says}`),
    ...Object.entries(mistakes).flatMap(([says, holds]) => (holds(settings) ? [] : [says])),
  ];
  if (wrong.length > 0) throw new TypeError(`createPostgresStore: ${wrong.join('; ')}`);
  return settings;
}

function unknownNames(given: unknown, known: readonly string[]): string[] {
  const names = Object.keys(Object(given)).filter((name) => !known.includes(name));
  return names.map((name) => `there is no option ${JSON.stringify(name)}`);
}

const mistakes: Readonly<Record<string, (settings: Settings) => boolean>> = {
  'schema has letters a-z, digits and _ only, 1 to 63, and begins with no digit': ({ schema }) =>
    isSchemaName(schema),
  'prepare is true or false': ({ prepare }) => typeof prepare === 'boolean',
  'gather.maxBatch is an integer from 1 to 1000': ({ gather }) =>
    gather === undefined || isWithin(gather.maxBatch, 1_000),
  'gather.maxQueue is an integer from 1 to 100000': ({ gather }) =>
    gather === undefined || isWithin(gather.maxQueue, 100_000),
  "gather.by is 'all' or 'tenant'": ({ gather }) =>
    gather === undefined || gather.by === 'all' || gather.by === 'tenant',
  'idBlock is an integer from 1 to 10000': ({ idBlock }) => isWithin(idBlock, 10_000),
  'statementTimeout is an integer from 1 to 2147483647': ({ statementTimeout }) =>
    isWithin(statementTimeout, 2_147_483_647),
  'hooks.onStatement is a function': ({ hooks }) =>
    isObject(hooks) && (hooks.onStatement === undefined || typeof hooks.onStatement === 'function'),
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says whether a text can name a schema here: quoted or not, it is then the same. */
export function isSchemaName(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(name);
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}
