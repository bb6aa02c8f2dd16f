/** A range of keys in ascending order, or in descending order where it is reversed. */
export interface KeyRange {
  /** The first key of the range. */
  readonly gte: string;
  /** The first key after the range. */
  readonly lt: string;
  readonly reverse: boolean;
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
  /** The values of a range as of one moment. They are read one by one, often not to the end. */
  values(range: KeyRange): Iterable<string> | AsyncIterable<string>;
  /** Makes all changes or none, and returns once they are durable. */
  batch(operations: readonly KeyValueOperation[]): unknown;
  /**
   * Runs one serializable transaction over what it passes on, again where there was a conflict.
   * Without it writes are made one by one, and no other process may write to the same data.
   */
  transaction?<T>(run: (within: KeyValueLike) => Promise<T>): PromiseLike<T>;
}

/** The first values of a range that are wanted. */
export async function readRange<T>(
  kv: KeyValueLike,
  { gte, lt, reverse = false }: Omit<KeyRange, 'reverse'> & Partial<KeyRange>,
  limit = Number.POSITIVE_INFINITY,
  isWanted: (value: T) => boolean = () => true,
): Promise<T[]> {
  const found: T[] = [];
  if (gte >= lt) return found;
  for await (const text of kv.values({ gte, lt, reverse })) {
    const value = JSON.parse(text) as T;
    if (isWanted(value)) found.push(value);
    if (found.length === limit) break;
  }
  return found;
}
