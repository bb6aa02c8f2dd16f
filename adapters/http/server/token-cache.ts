/**
 * The answers about tokens, by the digests of the tokens: at most `size` answers, each at most
 * `age` milliseconds old.
 */
export function createTokenCache<T>(size: number, age: number) {
  const entries = new Map<string, { readonly value: T; readonly at: number }>();
  return {
    get(key: string, now: number): T | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // a clock that was set back must not make an answer younger
      if (now >= entry.at && now - entry.at < age) return entry.value;
      entries.delete(key);
      return undefined;
    },
    /** `now` is the time of the question. */
    set(key: string, value: T, now: number): void {
      if (size === 0) return;
      entries.delete(key);
      // a map keeps the order of insertion: the first is the oldest
      const [oldest] = entries.keys();
      if (oldest !== undefined && entries.size >= size) entries.delete(oldest);
      entries.set(key, { value, at: now });
    },
    delete(key: string): void {
      entries.delete(key);
    },
  };
}
