import type { LimiterDecision } from 'dealwright/ports';

/** How many requests may come. */
export interface Rate {
  /** In the long run, above 0. */
  readonly perSecond: number;
  /** At once, at least 1; default `perSecond`, rounded up. */
  readonly burst?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets that are kept of one kind: the one that was used longest ago goes first. */
const mostBuckets = 100_000;

/** Throws a `TypeError` for what is no rate. */
export function checkRate(name: string, { perSecond, burst = 1 }: Rate): void {
  if (perSecond > 0 && Number.isFinite(perSecond) && burst >= 1) return;
  throw new TypeError(
    `createRateLimiter: ${name}perSecond is above 0 and burst at least 1, not ${perSecond} and ${burst}`,
  );
}

/**
 * A token bucket for each key. One that is full again is forgotten, so that only those of the last
 * moments are kept, and never more than a hundred thousand.
 */
export function createBuckets({ perSecond, burst }: Rate) {
  const size = burst ?? Math.ceil(perSecond);
  const refill = (size / perSecond) * 1000;
  const buckets = new Map<string, Bucket>();

  // buckets stand in the order of their last use: the full ones come first
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
