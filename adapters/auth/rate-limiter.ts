import type { Limiter, Timer } from 'dealwright/ports';
import { ok } from 'neverthrow';

/** How many requests a tenant may send. */
export interface RateLimiterOptions {
  readonly timer: Timer;
  /** Requests a second in the long run, above 0. */
  readonly perSecond: number;
  /** Requests at once, at least 1; default `perSecond`, rounded up. */
  readonly burst?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A limiter of one process: a token bucket for each tenant. A bucket that is full again is
 * forgotten, so that only tenants of the last moments are kept. Throws a `TypeError` for an option
 * that is not one of its values.
 *
 * @example
 * ```ts
 * import { createRateLimiter } from 'dealwright/auth';
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const limiter = createRateLimiter({ timer: createSystemTimer(), perSecond: 50 });
 * ```
 */
export function createRateLimiter(options: RateLimiterOptions): Limiter {
  const { timer, perSecond, burst } = Object(options) as RateLimiterOptions;
  const size = burst ?? Math.ceil(perSecond);
  if (typeof timer?.now !== 'function') throw new TypeError('createRateLimiter: timer is missing');
  if (!(perSecond > 0) || !Number.isFinite(perSecond) || !(size >= 1)) {
    throw new TypeError(
      `createRateLimiter: perSecond is above 0 and burst at least 1, not ${perSecond} and ${size}`,
    );
  }
  const refill = (size / perSecond) * 1000;
  const buckets = new Map<string, Bucket>();

  // buckets stand in the order of their last use: the full ones come first
  function forgetFull(now: number): void {
    for (const [key, { at }] of buckets) {
      if (now - at < refill) return;
      buckets.delete(key);
    }
  }

  return {
    take({ environment, partner }) {
      const now = timer.now();
      forgetFull(now);
      const key = `${environment}:${partner}`;
      const last = buckets.get(key) ?? { tokens: size, at: now };
      const elapsed = Math.max(now - last.at, 0) / 1000;
      const tokens = Math.min(size, last.tokens + elapsed * perSecond);
      const allowed = tokens >= 1;
      buckets.delete(key);
      buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
      return ok(
        allowed ? { allowed } : { allowed, retryAfter: Math.ceil((1 - tokens) / perSecond) },
      );
    },
  };
}
