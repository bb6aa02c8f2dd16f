import { checkOptions, type Limiter, type LimiterDecision, type Timer } from 'dealwright/ports';
import ipaddr from 'ipaddr.js';
import { ok } from 'neverthrow';

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

/** For text that is not an address, this much of it is the key. */
const longestText = 64;

/**
 * The key of an address: an IPv4 address itself, even if written as IPv6; the first 64 bits of an
 * IPv6 address, all of which one customer of a network has. Proxies may append a port.
 */
export function addressKey(text: string): string {
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (!ipaddr.isValid(bare)) return text.slice(0, longestText);
  const address = ipaddr.process(bare);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}

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
