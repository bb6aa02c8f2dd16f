import type { StoreHooks } from '../../sql/observe.js';
import { broken, isObject, type Rules, refuseMistakes, unknownNames } from '../../sql/options.js';
import type { NotificationsLike } from './notifications-like.js';
import type { PostgresLike } from './postgres-like.js';

/** How calls that come at the same time are gathered: writes, and deals that are read. */
export interface GatherOptions {
  /** Calls that go out in one statement at most, 1 to 1,000; default 128. Of reads, 64 at most. */
  readonly maxBatch?: number;
  /**
   * Calls that wait at most, 1 to 100,000, of writes and of each kind of read; what comes then is
   * `unavailable`. Default 2,000.
   */
  readonly maxQueue?: number;
  /**
   * `node`, for a cluster of Citus: each statement holds writes, or reads, for one of its nodes, and
   * what waits for a node that is down holds up no other; `maxQueue` is for each node. Default `all`.
   */
  readonly by?: 'all' | 'node';
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
   * What comes while two batches are under way goes out in the next one, each call with its own
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
  /**
   * How `watch` hears of the writes of other processes: `fromPgNotifications` makes one. It takes a
   * connection for as long as somebody watches.
   */
  readonly notifications?: NotificationsLike;
  /**
   * Whether other processes are notified of writes with events: one more statement, at most every
   * 5 ms, after they are answered. Default: where there are `notifications`.
   */
  readonly notify?: boolean;
  /**
   * Milliseconds that a write in a transaction of the host (`within`) waits for a lock, below
   * `statementTimeout`. Default 4,000, or half of `statementTimeout` where that is less.
   */
  readonly lockTimeout?: number;
  readonly hooks?: StoreHooks;
}

/** How much is gathered, and how much may wait. */
export type GatherSettings = Required<GatherOptions>;

/** The options as the store goes by them. */
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

/** Which schema of a database is meant. */
export interface SchemaChoice {
  /** Letters `a-z`, digits and `_`, at most 63, no digit first. Default `dealwright`. */
  readonly schema?: string;
}

/** The schema that a host asked for, or a `TypeError` of the function that was called, as for what is no database. */
export function schemaName(asked: string, options: SchemaChoice, db?: PostgresLike | null): string {
  const { schema = 'dealwright' }: SchemaChoice = Object(options);
  refuseMistakes(asked, [
    ...(db === undefined ? [] : broken(isDatabase, db)),
    ...strangers(options, ['schema']),
    ...broken(isSchemaName, { schema }),
  ]);
  return schema;
}
