/** A range of keys in ascending order, or in descending order if it is reversed. */
export interface KeyRange {
  /** The first key of the range. */
  readonly gte: string;
  /** The first key after the range. */
  readonly lt: string;
  readonly reverse: boolean;
  /** The most values that are read from the range. */
  readonly limit?: number;
}

/** One change of a batch. */
export type KeyValueOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/**
 * The part of an ordered key-value store that `createKeyValueStore` needs. Keys are printable
 * ASCII, so it does not matter how the store compares text; values are JSON on one line. A method
 * may answer at once or later, and throws or rejects if it fails.
 */
export interface KeyValueLike {
  get(key: string): string | undefined | PromiseLike<string | undefined>;
  /**
   * The values of a range as of one moment. They are read one by one, often not to the end; at most
   * `limit` of them, if the range has one.
   */
  values(range: KeyRange): Iterable<string> | AsyncIterable<string>;
  /** Makes all changes or none, and returns once they are durable. */
  batch(operations: readonly KeyValueOperation[]): unknown;
  /**
   * Runs one serializable transaction over the argument of `run`, and again after a conflict. `run`
   * reads first; if it writes, one `batch` is its last call. Without transactions, writes are made
   * one by one, and no other process may write to the same data.
   */
  transaction?<T>(run: (within: KeyValueLike) => Promise<T>): PromiseLike<T>;
}

/** The first wanted values of a range; without `isWanted`, all are wanted. */
export async function readRange<T>(
  kv: KeyValueLike,
  { gte, lt, reverse = false }: Pick<KeyRange, 'gte' | 'lt'> & Partial<KeyRange>,
  limit?: number,
  isWanted?: (value: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  if (gte >= lt || limit === 0) return found;
  // the number of values to read until enough are wanted is not known before
  const isBounded = limit !== undefined && isWanted === undefined;
  for await (const text of kv.values({ gte, lt, reverse, ...(isBounded && { limit }) })) {
    const value = JSON.parse(text) as T;
    if (isWanted?.(value) !== false) found.push(value);
    if (found.length === limit) break;
  }
  return found;
}
