/** A range of keys in ascending order, or in descending order where it is reversed. */
export interface KeyRange {
  /** The first key of the range. */
  readonly gte: string;
  /** The first key after the range. */
  readonly lt: string;
  readonly reverse: boolean;
  /** At most so many values are taken from the range: a store need read no more of it. */
  readonly limit?: number;
}

/** One change of a batch. */
export type KeyValueOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/**
 * As much of an ordered key-value store as `createKeyValueStore` needs. Keys are printable ASCII, so
 * that it does not matter how the store compares text; values are JSON. A method may answer at once
 * or later, and it throws or rejects where it fails.
 */
export interface KeyValueLike {
  get(key: string): string | undefined | PromiseLike<string | undefined>;
  /**
   * The values of a range as of one moment. They are read one by one, often not to the end; no more
   * than `limit` are where the range has one.
   */
  values(range: KeyRange): Iterable<string> | AsyncIterable<string>;
  /** Makes all changes or none, and returns once they are durable. */
  batch(operations: readonly KeyValueOperation[]): unknown;
  /**
   * Runs one serializable transaction over what it passes on, again where there was a conflict.
   * Without it writes are made one by one, and no other process may write to the same data.
   */
  transaction?<T>(run: (within: KeyValueLike) => Promise<T>): PromiseLike<T>;
}

/** The first values of a range that are wanted: all are, unless `isWanted` is given. */
export async function readRange<T>(
  kv: KeyValueLike,
  { gte, lt, reverse = false }: Pick<KeyRange, 'gte' | 'lt'> & Partial<KeyRange>,
  limit?: number,
  isWanted?: (value: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  if (gte >= lt || limit === 0) return found;
  // nobody knows before how many values are read until enough are wanted
  const isBounded = limit !== undefined && isWanted === undefined;
  for await (const text of kv.values({ gte, lt, reverse, ...(isBounded && { limit }) })) {
    const value = JSON.parse(text) as T;
    if (isWanted?.(value) !== false) found.push(value);
    if (found.length === limit) break;
  }
  return found;
}
