import type { Clock, Digest } from 'dealwright/ports';

interface Entry<T> {
  readonly value: T;
  readonly expires: number;
}

/** What tokens were found to mean, under their digests: bounded, and forgotten in time. */
export interface TokenCache<T> {
  get(token: string): T | undefined;
  set(token: string, value: T): void;
}

/** A cache of at most `size` answers, each at most `age` milliseconds old. */
export function createTokenCache<T>(
  clock: Clock,
  digest: Digest,
  size: number,
  age: number,
): TokenCache<T> {
  const entries = new Map<string, Entry<T>>();
  return {
    get(token) {
      const key = digest(token);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const now = clock.now();
      // a clock that was set back makes no answer younger
      if (now < entry.expires && now >= entry.expires - age) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(token, value) {
      if (size === 0) return;
      const key = digest(token);
      entries.delete(key);
      if (entries.size >= size) {
        // a map keeps the order of insertion: the first is the oldest
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      }
      entries.set(key, { value, expires: clock.now() + age });
    },
  };
}
