import type { StoreHooks } from '../../sql/observe.js';
import { broken, isObject, type Rules, refuseMistakes, unknownNames } from '../../sql/options.js';
import type { NotificationsLike } from './notifications-like.js';
import type { PostgresLike } from './postgres-like.js';

/** The gathering of simultaneous calls: writes, and reads of deals. */
export interface GatherOptions {
  /** The most calls in one statement, 1 to 1,000; default 128. Of reads, 64 at most. */
  readonly maxBatch?: number;
  /**
   * The most calls that wait, 1 to 100,000, of writes and of each kind of read; further ones are
   * `unavailable`. Default 2,000.
   */
  readonly maxQueue?: number;
  /**
   * `node`, for a cluster of Citus: each statement contains writes, or reads, for one of its nodes,
   * and calls for a failed node delay no others; `maxQueue` is for each node. Default `all`.
   */
  readonly by?: 'all' | 'node';
}

/** The options of a PostgreSQL store. */
export interface PostgresStoreOptions {
  /** The schema of the tables: letters `a-z`, digits and `_`, at most 63. Default `dealwright`. */
  readonly schema?: string;
  /**
   * Whether statements have names, and are parsed once for each connection. A pooler in transaction
   * mode may not keep them: `false` there. Default `true`.
   */
  readonly prepare?: boolean;
  /**
   * Calls that come while two batches are under way are sent in the next one, each with its own
   * answer. `false`: each alone. Default on.
   */
  readonly gather?: false | GatherOptions;
  /**
   * Integer ids that the process reserves at a time, 1 to 10,000; default 1,000. It has two blocks
   * at most. If a server is replaced by an older copy of itself, no id is given twice as long as at
   * most 1,000,000 were reserved since that copy: with 10,000, two blocks of each of up to 50
   * processes.
   */
  readonly idBlock?: number;
  /**
   * The longest wait for a statement in milliseconds, 1 to 2^31-1. After that it counts as lost: it
   * may have been carried out. With a `Pool` of node-postgres the next one uses another connection;
   * a `Client` has none. Below the marketplace's `deadline`. Default 8,000.
   */
  readonly statementTimeout?: number;
  /**
   * The source of notifications of other processes' writes, for `watch`: `fromPgNotifications`
   * makes one. It uses a connection for as long as there is a watcher.
   */
  readonly notifications?: NotificationsLike;
  /**
   * Whether other processes are notified of writes with events: one more statement, at most every
   * 5 ms, after they are answered. Default: if there are `notifications`.
   */
  readonly notify?: boolean;
  /**
   * Milliseconds that a write in a transaction of the host (`within`) waits for a lock, below
   * `statementTimeout`. Default 4,000, or half of `statementTimeout` if that is less.
   */
  readonly lockTimeout?: number;
  readonly hooks?: StoreHooks;
}

/** The limits of gathering, and of waiting. */
export type GatherSettings = Required<GatherOptions>;

/** The options with their defaults. */
export interface Settings {
  readonly schema: string;
  readonly prepare: boolean;
  readonly gather: GatherSettings | undefined;
  readonly idBlock: number;
  readonly statementTimeout: number;
  readonly notifications: NotificationsLike | undefined;
  readonly notify: boolean;
  readonly lockTimeout: number;
  readonly hooks: StoreHooks;
}

const known = [
  ...['schema', 'prepare', 'gather', 'idBlock', 'statementTimeout', 'hooks'],
  ...['notifications', 'notify', 'lockTimeout'],
];
const gatherDefaults: GatherSettings = { maxBatch: 128, maxQueue: 2_000, by: 'all' };

/** Reads the options, or throws a `TypeError` that names every mistake. */
export function readSettings(db: PostgresLike, given: PostgresStoreOptions): Settings {
  const options = Object(given) as PostgresStoreOptions;
  const { gather = {}, statementTimeout = 8_000 } = options;
  const settings: Settings = {
    schema: options.schema ?? 'dealwright',
    prepare: options.prepare ?? true,
    gather: gather === false ? undefined : { ...gatherDefaults, ...Object(gather) },
    idBlock: options.idBlock ?? 1_000,
    statementTimeout,
    notifications: options.notifications,
    notify: options.notify ?? options.notifications !== undefined,
    lockTimeout: options.lockTimeout ?? Math.max(1, Math.min(4_000, statementTimeout >> 1)),
    hooks: options.hooks === undefined ? {} : options.hooks,
  };
  refuseMistakes('createPostgresStore', [
    ...broken(isDatabase, db),
    ...strangers(options, known),
    ...(gather === false || isObject(gather) ? [] : ['gather is false or its options']),
    ...strangers(gather, ['maxBatch', 'maxQueue', 'by']).map((says) => `gather: ${says}`),
    ...broken(rules, settings),
  ]);
  return settings;
}

function strangers(given: unknown, known: readonly string[]): string[] {
  const names = unknownNames(given, known);
  return names.map((name) => `there is no option ${JSON.stringify(name)}`);
}

const isDatabase: Rules<unknown> = {
  'the database has no query()': (db) => typeof Object(db).query === 'function',
};

const isSchemaName: Rules<SchemaChoice> = {
  'schema has letters a-z, digits and _ only, 1 to 63, and begins with no digit': ({ schema }) =>
    typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema),
};

const rules: Rules<Settings> = {
  ...isSchemaName,
  'prepare is true or false': ({ prepare }) => typeof prepare === 'boolean',
  'gather.maxBatch is an integer from 1 to 1000': ({ gather }) =>
    gather === undefined || isWithin(gather.maxBatch, 1_000),
  'gather.maxQueue is an integer from 1 to 100000': ({ gather }) =>
    gather === undefined || isWithin(gather.maxQueue, 100_000),
  "gather.by is 'all' or 'node'": ({ gather }) =>
    gather === undefined || ['all', 'node'].includes(gather.by),
  'idBlock is an integer from 1 to 10000': ({ idBlock }) => isWithin(idBlock, 10_000),
  'statementTimeout is an integer from 1 to 2147483647': ({ statementTimeout }) =>
    isWithin(statementTimeout, 2_147_483_647),
  'lockTimeout is an integer from 1 to 2147483647': ({ lockTimeout }) =>
    isWithin(lockTimeout, 2_147_483_647),
  'lockTimeout is below statementTimeout': ({ lockTimeout, statementTimeout }) =>
    !(lockTimeout >= statementTimeout && statementTimeout > 1),
  'notifications.listen is a function': ({ notifications }) =>
    notifications === undefined || typeof Object(notifications).listen === 'function',
  'notify is true or false': ({ notify }) => typeof notify === 'boolean',
  'hooks.onStatement is a function': ({ hooks }) =>
    isObject(hooks) && /^(?:function|undefined)$/.test(typeof hooks['onStatement']),
};

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/** The choice of a schema. */
export interface SchemaChoice {
  /** Letters `a-z`, digits and `_`, at most 63, no digit first. Default `dealwright`. */
  readonly schema?: string;
}

/**
 * The schema of the options; throws a `TypeError` of the called function if it or the database is
 * invalid.
 */
export function schemaName(asked: string, options: SchemaChoice, db?: PostgresLike | null): string {
  const { schema = 'dealwright' }: SchemaChoice = Object(options);
  refuseMistakes(asked, [
    ...(db === undefined ? [] : broken(isDatabase, db)),
    ...strangers(options, ['schema']),
    ...broken(isSchemaName, { schema }),
  ]);
  return schema;
}
