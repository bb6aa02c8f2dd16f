import type { KeyRange, KeyValueLike } from './key-value-like.js';

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
