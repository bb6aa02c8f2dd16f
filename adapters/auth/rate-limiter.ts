import type { Tenant } from 'dealwright';
import {
  checkOptions,
  type LimitedCaller,
  type Limiter,
  type LimiterDecision,
  type Timer,
  type Usage,
} from 'dealwright/ports';
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
  /**
   * Bytes that a request has for its JSON and for the records that a store reads or writes for it: a
   * quarter more counts as a request more. What comes at once and is sixteen times as long counts
   * twice, since it holds up others. Above 0; default 16,384; `Infinity` counts requests only.
   */
  readonly bytesPerRequest?: number;
  /** Bytes of files that count as a request; default 262,144. */
  readonly fileBytesPerRequest?: number;
}

/**
 * A limiter of one process: a token bucket for each partner, operator's token, payment token and
 * address. A request that needs much counts as several: what it needs is taken from the bucket as it
 * becomes known, and a caller that owes something waits until that has come back. A bucket that is
 * full again is dropped, so only recently used ones are kept; of each kind 100,000 at most. IPv6
 * addresses count by their first 64 bits. Throws a `TypeError` for an invalid option.
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
  const { timer, offers, failedTokens, ...given } = Object(options) as RateLimiterOptions;
  const { bytesPerRequest = 16_384, fileBytesPerRequest = 262_144, ...rate } = given;
  const is = 'perSecond above 0 and burst, if it is given, at least 1';
  checkOptions('createRateLimiter', {
    'timer.now is a function': typeof timer?.now === 'function',
    [`the rate is ${is}`]: isRate(rate),
    [`offers is ${is}`]: offers === undefined || isRate(Object(offers)),
    [`failedTokens is ${is}`]: failedTokens === undefined || isRate(Object(failedTokens)),
    'bytesPerRequest and fileBytesPerRequest are above 0':
      bytesPerRequest > 0 && fileBytesPerRequest > 0,
  });
  const partners = createBuckets(rate);
  const others = {
    operator: createBuckets(rate),
    offer: offers && createBuckets(offers),
    failed_token: failedTokens && createBuckets(failedTokens),
  };
  const costOf = ({ of, size }: Usage) => {
    if (of === 'file') return size / fileBytesPerRequest;
    const short = size / bytesPerRequest;
    return short * (1 + short / longInShort);
  };
  const weightOf = ({ of }: Usage) => (of === 'file' ? 1 : weightOfMore);
  const nameOf = ({ environment, partner }: Tenant) => `${environment}:${partner}`;
  const keyOf = ({ kind, key }: LimitedCaller) => (kind === 'failed_token' ? addressKey(key) : key);
  return {
    take: (tenant) => ok(partners.take(nameOf(tenant), timer.now())),
    takeOther: (other) =>
      ok(others[other.kind]?.take(keyOf(other), timer.now()) ?? { allowed: true }),
    spend: (tenant, usage) =>
      partners.spend(nameOf(tenant), timer.now(), costOf(usage), weightOf(usage)),
    spendOther: (other, usage) =>
      others[other.kind]?.spend(keyOf(other), timer.now(), costOf(usage), weightOf(usage)),
  };
}

/**
 * JSON or records of this many times `bytesPerRequest` count twice: nothing else is done while they
 * are, so the wait of others grows with the square of their length.
 */
const longInShort = 16;

/** JSON and records beyond what a request has count so many times: a quarter of it as one more. */
const weightOfMore = 4;

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
  readonly tokens: number;
  readonly at: number;
  /** What the requests so far have paid for, and not needed. */
  readonly paid: number;
}

/** The requests at once whose payments are kept apart: with more, some pay a little too much. */
const mostPaid = 64;

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
  const buckets = new Map<string, Bucket>();

  const refilled = ({ tokens, at, paid }: Bucket, now: number): Bucket => {
    const elapsed = Math.max(now - at, 0) / 1000;
    return { tokens: Math.min(size, tokens + elapsed * perSecond), at: now, paid };
  };

  // buckets are in the order of their last use: most of the full ones come first
  function forget(now: number): void {
    for (const [key, bucket] of buckets) {
      if (refilled(bucket, now).tokens < size && buckets.size < mostBuckets) return;
      buckets.delete(key);
    }
  }

  function bucketOf(key: string, now: number): Bucket {
    const last = buckets.get(key) ?? { tokens: size, at: now, paid: 0 };
    buckets.delete(key);
    forget(now);
    return refilled(last, now);
  }

  return {
    /** Takes a token, if there is a whole one. */
    take(key: string, now: number): LimiterDecision {
      const { tokens, paid } = bucketOf(key, now);
      const allowed = tokens >= 1;
      const after = allowed
        ? { tokens: tokens - 1, at: now, paid: Math.min(paid + 1, mostPaid) }
        : { tokens, at: now, paid };
      buckets.set(key, after);
      return allowed ? { allowed } : { allowed, retryAfter: Math.ceil((1 - tokens) / perSecond) };
    },
    /** Takes what is not paid for yet, even if it is not there. */
    spend(key: string, now: number, cost: number, weight: number): void {
      const { tokens, paid } = bucketOf(key, now);
      const owed = weight * Math.max(0, cost - paid);
      buckets.set(key, { tokens: tokens - owed, at: now, paid: Math.max(0, paid - cost) });
    },
  };
}
