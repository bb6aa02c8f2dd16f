import type { StoreHooks } from '../sql/observe.js';

/** How a store of SQLite keeps deals. */
export interface SqliteStoreOptions {
  /**
   * `full`: what was answered is on the disk. `normal`: the last writes may be gone after a loss of
   * power, never after a crash of the process, and the database is whole. Default `full`.
   */
  readonly synchronous?: 'full' | 'normal';
  /**
   * Whether writes of one turn of the event loop are committed together. Default true: 256 at most
   * together, and 10,000 that wait.
   */
  readonly gather?: boolean | { readonly maxBatch?: number; readonly maxQueue?: number };
  /** Milliseconds that a call waits for another process to release its lock; default 5,000. */
  readonly busyTimeout?: number;
  /** Told of every transaction and every read. */
  readonly hooks?: StoreHooks;
}

/** The options, checked, with their defaults. */
export interface SqliteSettings {
  readonly synchronous: 'full' | 'normal';
  readonly gather: { readonly maxBatch: number; readonly maxQueue: number } | undefined;
  readonly busyTimeout: number;
  readonly hooks: StoreHooks;
}

type Given = Readonly<Record<string, unknown>>;

/** Throws a `TypeError` that says every mistake. */
export function readOptions(given: SqliteStoreOptions): SqliteSettings {
  const options: Given = Object(given);
  const wrong = [
    ...Object.entries(mistakes).flatMap(([says, holds]) => (holds(options) ? [] : [says])),
    ...strangers(options, ['synchronous', 'gather', 'busyTimeout', 'hooks'], ''),
    ...strangers(options['gather'], ['maxBatch', 'maxQueue'], 'gather.'),
  ];
  if (wrong.length > 0) throw new TypeError(`createSqliteStore: ${wrong.join('; ')}`);
  const {
    synchronous = 'full',
    gather = true,
    busyTimeout = 5_000,
    hooks = {},
  }: SqliteStoreOptions = Object(given);
  const limits = { maxBatch: 256, maxQueue: 10_000 };
  return {
    synchronous,
    gather: gather === false ? undefined : { ...limits, ...(gather === true ? {} : gather) },
    busyTimeout,
    hooks,
  };
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1);

const mistakes: Readonly<Record<string, (options: Given) => boolean>> = {
  "synchronous is 'full' or 'normal'": ({ synchronous }) =>
    synchronous === undefined || synchronous === 'full' || synchronous === 'normal',
  'gather is true, false or { maxBatch, maxQueue }, which are integers above 0': ({ gather }) =>
    gather === undefined ||
    typeof gather === 'boolean' ||
    (isObject(gather) && isCount(gather['maxBatch']) && isCount(gather['maxQueue'])),
  'busyTimeout is milliseconds, from 0 to 2147483647': ({ busyTimeout: ms }) =>
    ms === undefined || (typeof ms === 'number' && ms >= 0 && ms < 2 ** 31),
  'hooks are { onStatement }, a function': ({ hooks }) =>
    hooks === undefined ||
    (isObject(hooks) && /^(function|undefined)$/.test(typeof hooks['onStatement'])),
};

function strangers(given: unknown, known: readonly string[], where: string): string[] {
  if (!isObject(given)) return [];
  const names = Object.keys(given).filter((name) => !known.includes(name));
  return names.map((name) => `there is no option ${where}${name}`);
}
