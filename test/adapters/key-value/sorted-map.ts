import type { KeyRange, KeyValueLike, KeyValueOperation } from 'dealwright/key-value';

/** An ordered key-value store in memory that answers at once, with transactions one by one. */
export function createSortedMap(): Required<Omit<KeyValueLike, 'values'>> & {
  readonly entries: Map<string, string>;
  values(range: KeyRange): string[];
} {
  const entries = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();
  const kv = {
    entries,
    get: (key: string) => entries.get(key),
    values({ gte, lt, reverse, limit }: KeyRange) {
      const keys = [...entries.keys()].filter((key) => key >= gte && key < lt).sort();
      return (reverse ? keys.reverse() : keys).slice(0, limit).map((key) => entries.get(key) ?? '');
    },
    batch(operations: readonly KeyValueOperation[]) {
      for (const each of operations) {
        if (each.type === 'put') entries.set(each.key, each.value);
        else entries.delete(each.key);
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
