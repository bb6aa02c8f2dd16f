import { checkOptions, onlyNames } from 'dealwright/ports';
import { isInteger, longestWait } from '../shared/options.js';
import { areHooks, type StoreHooks } from '../sql/observe.js';

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
  const { maxBatch = 1, maxQueue = 1 } = Object(gather) as { maxBatch?: number; maxQueue?: number };
  checkOptions('createSqliteStore', {
    ...onlyNames('options', Object(given), ['synchronous', 'gather', 'busyTimeout', 'hooks']),
    "synchronous is 'full' or 'normal'": synchronous === 'full' || synchronous === 'normal',
    ...(typeof gather !== 'boolean' && onlyNames('gather', gather, ['maxBatch', 'maxQueue'])),
    'gather.maxBatch and gather.maxQueue are integers above 0': [maxBatch, maxQueue].every((each) =>
      isInteger(each, 1, Number.MAX_SAFE_INTEGER),
    ),
    'busyTimeout is milliseconds, from 0 to 2147483647':
      typeof busyTimeout === 'number' && busyTimeout >= 0 && busyTimeout <= longestWait,
    'hooks are { onStatement }, a function': areHooks(hooks),
  });
  const limits = { maxBatch: 256, maxQueue: 10_000 };
  return {
    synchronous,
    gather: gather === false ? undefined : { ...limits, ...(gather === true ? {} : gather) },
    busyTimeout,
    hooks,
  };
}
