import type { KeyRange, KeyValueLike, KeyValueOperation } from 'dealwright/key-value';

/** An ordered key-value store in memory that answers at once, and runs transactions one by one. */
export function createSortedMap(): Required<Omit<KeyValueLike, 'values'>> & {
  readonly entries: Map<string, string>;
  values(range: KeyRange): string[];
} {
  const entries = new Map<string, string>();
  const sorted: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  /** The index of the first key that is not before this one. */
  const placeOf = (key: string) => {
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
    get: (key: string) => entries.get(key),
    values({ gte, lt, reverse, limit }: KeyRange) {
      const [first, end] = [placeOf(gte), placeOf(lt)];
      const most = Math.min(limit ?? end - first, end - first);
      const keys = reverse
        ? sorted.slice(end - most, end).reverse()
        : sorted.slice(first, first + most);
      return keys.map((key) => entries.get(key) ?? '');
    },
    batch(operations: readonly KeyValueOperation[]) {
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
