interface Entry<T> {
  readonly value: T;
  /** When it was asked for. */
  readonly at: number;
}

/** What tokens were found to mean, by their digests: bounded, and forgotten in time. */
export interface TokenCache<T> {
  get(key: string, now: number): T | undefined;
  set(key: string, value: T, now: number): void;
  delete(key: string): void;
}

/** A cache of at most `size` answers, each at most `age` milliseconds old. */
export function createTokenCache<T>(size: number, age: number): TokenCache<T> {
  const entries = new Map<string, Entry<T>>();
  return {
    get(key, now) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // a clock that was set back makes no answer younger
      if (now >= entry.at && now - entry.at < age) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, now) {
      if (size === 0) return;
      entries.delete(key);
      // a map keeps the order of insertion: the first is the oldest
      const [oldest] = entries.keys();
      if (oldest !== undefined && entries.size >= size) entries.delete(oldest);
      entries.set(key, { value, at: now });
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
