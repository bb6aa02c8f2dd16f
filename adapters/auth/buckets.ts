import type { LimiterDecision } from 'dealwright/ports';

/** A rate of requests. */
export interface Rate {
  /** Requests a second in the long run, above 0. */
  readonly perSecond: number;
  /** Requests at once, at least 1; default `perSecond`, rounded up. */
  readonly burst?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** The most buckets of one kind: the least recently used one is dropped first. */
const mostBuckets = 100_000;

export function isRate({ perSecond, burst = 1 }: Rate): boolean {
  return perSecond > 0 && Number.isFinite(perSecond) && burst >= 1;
}

/**
 * A token bucket for each key. One that is full again is dropped, so only recently used ones are
 * kept, and never more than a hundred thousand.
 */
export function createBuckets({ perSecond, burst }: Rate) {
  const size = burst ?? Math.ceil(perSecond);
  const refill = (size / perSecond) * 1000;
  const buckets = new Map<string, Bucket>();

  // buckets are in the order of their last use: the full ones come first
  function forget(now: number): void {
    for (const [key, { at }] of buckets) {
      if (now - at < refill && buckets.size < mostBuckets) return;
      buckets.delete(key);
    }
  }

  return (key: string, now: number): LimiterDecision => {
    const last = buckets.get(key) ?? { tokens: size, at: now };
    buckets.delete(key);
    forget(now);
    const elapsed = Math.max(now - last.at, 0) / 1000;
    const tokens = Math.min(size, last.tokens + elapsed * perSecond);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    return allowed ? { allowed } : { allowed, retryAfter: Math.ceil((1 - tokens) / perSecond) };
  };
}
