import type { KeyRange, KeyValueLike, KeyValueOperation } from 'dealwright/key-value';

/** The longest key, in characters: the guide for authors of stores says so, and LMDB has a limit. */
export const longestKey = 3_100;

/**
 * An ordered key-value store in memory that answers at once, and runs transactions one by one. Like
 * LMDB, it refuses long keys, also in a look-up.
 */
export function createSortedMap(): Required<Omit<KeyValueLike, 'values'>> & {
  readonly entries: Map<string, string>;
  values(range: KeyRange): string[];
} {
  const entries = new Map<string, string>();
  const sorted: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  /** The index of the first key that is not before this one. */
  const placeOf = (key: string) => {
    checkKey(key);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const kv = {
    entries,
    get(key: string) {
      checkKey(key);
      return entries.get(key);
    },
    values({ gte, lt, reverse, limit }: KeyRange) {
      const [first, end] = [placeOf(gte), placeOf(lt)];
      const most = Math.min(limit ?? end - first, end - first);
      const keys = reverse
        ? sorted.slice(end - most, end).reverse()
        : sorted.slice(first, first + most);
      return keys.map((key) => entries.get(key) ?? '');
    },
    batch(operations: readonly KeyValueOperation[]) {
      for (const { key } of operations) checkKey(key);
      for (const each of operations) {
        const isNew = !entries.has(each.key);
        if (each.type === 'put') {
          if (isNew) sorted.splice(placeOf(each.key), 0, each.key);
          entries.set(each.key, each.value);
        } else if (entries.delete(each.key)) {
          sorted.splice(placeOf(each.key), 1);
        }
      }
    },
    transaction<T>(run: (within: KeyValueLike) => Promise<T>): Promise<T> {
      const next = last.then(() => run(kv));
      last = next.catch(() => undefined);
      return next;
    },
  };
  return kv;
}

function checkKey(key: string): void {
  if (key.length > longestKey) throw new RangeError(`a key of ${key.length} characters`);
}
