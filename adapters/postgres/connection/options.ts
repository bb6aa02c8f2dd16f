import { checkOptions, type OptionRules, onlyNames } from 'dealwright/ports';
import { isInteger, longestWait } from '../../shared/options.js';
import { areHooks, type StoreHooks } from '../../sql/observe.js';
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
  const { schema, prepare, notifications, notify, lockTimeout, hooks } = settings;
  const { maxBatch, maxQueue, by } = settings.gather ?? gatherDefaults;
  checkOptions('createPostgresStore', {
    ...isDatabase(db),
    ...isSchema(schema),
    ...onlyNames('options', options, known),
    ...(gather !== false && onlyNames('gather', gather, Object.keys(gatherDefaults))),
    'prepare is true or false': typeof prepare === 'boolean',
    'gather.maxBatch is an integer from 1 to 1000': isInteger(maxBatch, 1, 1_000),
    'gather.maxQueue is an integer from 1 to 100000': isInteger(maxQueue, 1, 100_000),
    "gather.by is 'all' or 'node'": by === 'all' || by === 'node',
    'idBlock is an integer from 1 to 10000': isInteger(settings.idBlock, 1, 10_000),
    'statementTimeout is an integer from 1 to 2147483647': isInteger(
      statementTimeout,
      1,
      longestWait,
    ),
    'lockTimeout is an integer from 1 to 2147483647': isInteger(lockTimeout, 1, longestWait),
    'lockTimeout is below statementTimeout': !(
      lockTimeout >= statementTimeout && statementTimeout > 1
    ),
    'notifications.listen is a function':
      notifications === undefined || typeof Object(notifications).listen === 'function',
    'notify is true or false': typeof notify === 'boolean',
    'hooks.onStatement is a function': areHooks(hooks),
  });
  return settings;
}

const isDatabase = (db: unknown): OptionRules => ({
  'the database has no query()': typeof Object(db).query === 'function',
});

const isSchema = (schema: unknown): OptionRules => ({
  'schema has letters a-z, digits and _ only, 1 to 63, and begins with no digit':
    typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema),
});

/** The choice of a schema. */
export interface SchemaChoice {
  /** Letters `a-z`, digits and `_`, at most 63, no digit first. Default `dealwright`. */
  readonly schema?: string;
}

/**
 * The schema of the options; throws a `TypeError` of the called function if it or the database is
 * invalid.
 */
export function schemaName(
  asked: string,
  options: SchemaChoice,
  db?: PostgresLike | null,
  names: readonly string[] = ['schema'],
  rules: OptionRules = {},
): string {
  const { schema = 'dealwright' }: SchemaChoice = Object(options);
  checkOptions(asked, {
    ...(db !== undefined && isDatabase(db)),
    ...isSchema(schema),
    ...onlyNames('options', Object(options), names),
    ...rules,
  });
  return schema;
}
