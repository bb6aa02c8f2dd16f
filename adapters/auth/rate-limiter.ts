import { checkOptions, type Limiter, type Timer } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { addressKey } from './address-key.js';
import { createBuckets, isRate, type Rate } from './buckets.js';

/** The rates of partners and operators' tokens, and those of other callers. */
export interface RateLimiterOptions {
  readonly timer: Pick<Timer, 'now'>;
  /** Requests a second in the long run, above 0. */
  readonly perSecond: number;
  /** Requests at once, at least 1; default `perSecond`, rounded up. */
  readonly burst?: number;
  /** The same for a payment token; default: no limit. */
  readonly offers?: Rate;
  /** The same for an address with invalid tokens; default: no limit. */
  readonly failedTokens?: Rate;
}

/**
 * A limiter of one process: a token bucket for each partner, operator's token, payment token and
 * address. A bucket that is full again is dropped, so only recently used ones are kept; of each
 * kind 100,000 at most. IPv6 addresses count by their first 64 bits. Throws a `TypeError` for an
 * invalid option.
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
  const is = 'perSecond above 0 and burst, if it is given, at least 1';
  checkOptions('createRateLimiter', {
    'timer.now is a function': typeof timer?.now === 'function',
    [`the rate is ${is}`]: isRate(rate),
    [`offers is ${is}`]: offers === undefined || isRate(Object(offers)),
    [`failedTokens is ${is}`]: failedTokens === undefined || isRate(Object(failedTokens)),
  });
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
