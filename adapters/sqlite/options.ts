import type { StoreHooks } from '../sql/observe.js';
import {
  broken,
  type Given,
  isObject,
  type Rules,
  refuseMistakes,
  unknownNames,
} from '../sql/options.js';

/** The options of a store of SQLite. */
export interface SqliteStoreOptions {
  /**
   * `full`: answered writes are on the disk. `normal`: the last writes may be lost after a loss of
   * power, never after a crash of the process, and the database stays intact. Default `full`.
   */
  readonly synchronous?: 'full' | 'normal';
  /**
   * Whether writes of one turn of the event loop are committed together. Default true: at most 256
   * together, and 10,000 that wait.
   */
  readonly gather?: boolean | { readonly maxBatch?: number; readonly maxQueue?: number };
  /** Milliseconds that a call waits for another process to release its lock; default 5,000. */
  readonly busyTimeout?: number;
  /** Called for every transaction and every read. */
  readonly hooks?: StoreHooks;
}

/** The options, checked, with their defaults. */
export interface SqliteSettings {
  readonly synchronous: 'full' | 'normal';
  readonly gather: { readonly maxBatch: number; readonly maxQueue: number } | undefined;
  readonly busyTimeout: number;
  readonly hooks: StoreHooks;
}

/** Throws a `TypeError` with every mistake. */
export function readOptions(given: SqliteStoreOptions): SqliteSettings {
  const {
    synchronous = 'full',
    gather = true,
    busyTimeout = 5_000,
    hooks = {},
  }: SqliteStoreOptions = Object(given);
  refuseMistakes('createSqliteStore', [
    ...broken(rules, { synchronous, gather, busyTimeout, hooks }),
    ...[
      ...unknownNames(given, ['synchronous', 'gather', 'busyTimeout', 'hooks']),
      ...unknownNames(gather, ['maxBatch', 'maxQueue']).map((name) => `gather.${name}`),
    ].map((name) => `there is no option ${name}`),
  ]);
  const limits = { maxBatch: 256, maxQueue: 10_000 };
  return {
    synchronous,
    gather: gather === false ? undefined : { ...limits, ...(gather === true ? {} : gather) },
    busyTimeout,
    hooks,
  };
}

const isCount = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1);

const rules: Rules<Given> = {
  "synchronous is 'full' or 'normal'": ({ synchronous }) =>
    synchronous === 'full' || synchronous === 'normal',
  'gather is true, false or { maxBatch, maxQueue }, which are integers above 0': ({ gather }) =>
    typeof gather === 'boolean' ||
    (isObject(gather) && isCount(gather['maxBatch']) && isCount(gather['maxQueue'])),
  'busyTimeout is milliseconds, from 0 to 2147483647': ({ busyTimeout: ms }) =>
    typeof ms === 'number' && ms >= 0 && ms < 2 ** 31,
  'hooks are { onStatement }, a function': ({ hooks }) =>
    isObject(hooks) && /^(function|undefined)$/.test(typeof hooks['onStatement']),
};
