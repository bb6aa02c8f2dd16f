import type { Limiter, Timer } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { addressKey } from './address-key.js';
import { checkRate, createBuckets, type Rate } from './buckets.js';

/** How many requests a partner, or the token of an operator, may send, and how many others may. */
export interface RateLimiterOptions {
  readonly timer: Pick<Timer, 'now'>;
  /** Requests a second in the long run, above 0. */
  readonly perSecond: number;
  /** Requests at once, at least 1; default `perSecond`, rounded up. */
  readonly burst?: number;
  /** The same of a payment token; default: as many as come. */
  readonly offers?: Rate;
  /** The same of an address whose tokens are not valid; default: as many as come. */
  readonly failedTokens?: Rate;
}

/**
 * A limiter of one process: a token bucket for each partner, token of an operator, payment token and
 * address. A bucket that is full again is forgotten, so that only those of the last moments are kept;
 * of each kind 100,000 at most. IPv6 addresses count by their first 64 bits. Throws a `TypeError` for
 * an option that is not one of its values.
 *
 * @example
 * ```ts
 * import { createRateLimiter } from 'dealwright/auth';
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const limiter = createRateLimiter({
 *   timer: createSystemTimer(),
 *   perSecond: 50,
 *   failedTokens: { perSecond: 10, burst: 100 },
 * });
 * ```
 */
export function createRateLimiter(options: RateLimiterOptions): Limiter {
  const { timer, offers, failedTokens, ...rate } = Object(options) as RateLimiterOptions;
  if (typeof timer?.now !== 'function') throw new TypeError('createRateLimiter: timer is missing');
  checkRate('', rate);
  if (offers !== undefined) checkRate('offers.', Object(offers));
  if (failedTokens !== undefined) checkRate('failedTokens.', Object(failedTokens));
  const partners = createBuckets(rate);
  const others = {
    operator: createBuckets(rate),
    offer: offers && createBuckets(offers),
    failed_token: failedTokens && createBuckets(failedTokens),
  };
  return {
    take: ({ environment, partner }) => ok(partners(`${environment}:${partner}`, timer.now())),
    takeOther({ kind, key }) {
      const own = kind === 'failed_token' ? addressKey(key) : key;
      return ok(others[kind]?.(own, timer.now()) ?? { allowed: true });
    },
  };
}
