import type { Tenant, Timer } from 'dealwright/ports';
import {
  checkOptions,
  isPause,
  isTimeout,
  isTimer,
  isVisible,
  plainUrl,
  type Rules,
} from '../fetch/options.js';
import { tenantOfPaymentToken } from './token-tenant.js';

/**
 * Where a remote service is, and how long it is given. The defaults end within 9.5 seconds, so
 * that the answer is there before the ten that a marketplace waits for a port by default.
 */
export interface RemoteTokenOptions {
  /** Where tokens are issued: `https:`, or `http:` in a trusted network, as the secret goes there. */
  readonly url: string;
  /** Where tokens are verified, held to the same; nothing is derived from `url`. */
  readonly verifyUrl: string;
  /** Sent as `Authorization: Bearer <secret>`; visible ASCII characters. */
  readonly secret: string;
  readonly timer: Timer;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt, its answer read; default 2,500. */
  readonly timeout?: number;
  /** How often it is asked at most, 1 to 10; default 3. */
  readonly attempts?: number;
  /** The longest pause between two attempts in milliseconds; default 1,000. */
  readonly maxPause?: number;
  /** From 0 to 1, for the length of pauses; default `Math.random`. */
  readonly random?: () => number;
  /**
   * The tenant that a token says it is of, as the service writes it: where to look for its deal. It
   * grants nothing. Default: `tenantOfPaymentToken`, for tokens like those of the other issuers.
   */
  readonly tenantOf?: (payment_token: string) => Tenant | undefined;
}

export type Settings = Required<RemoteTokenOptions>;

export function readOptions(given: RemoteTokenOptions): Settings {
  const {
    url,
    verifyUrl,
    secret,
    timer,
    fetch = globalThis.fetch,
    timeout = 2_500,
    attempts = 3,
    maxPause = 1_000,
    random = Math.random,
    tenantOf = tenantOfPaymentToken,
  } = Object(given) as RemoteTokenOptions;
  const asking = { url, verifyUrl, secret, timer, fetch, timeout, attempts, maxPause };
  const settings = { ...asking, random, tenantOf };
  checkOptions('createRemoteTokenIssuer', settings, rules);
  return settings;
}

const rules: Rules<Settings> = {
  'url is an http: or https: URL without a user name': ({ url }) => plainUrl(url) !== undefined,
  'verifyUrl is an http: or https: URL without a user name': ({ verifyUrl }) =>
    plainUrl(verifyUrl) !== undefined,
  'secret has visible ASCII characters only, and at least one': ({ secret }) => isVisible(secret),
  'timer is missing': ({ timer }) => isTimer(timer),
  'fetch is a function': ({ fetch }) => typeof fetch === 'function',
  'timeout is a number of milliseconds above 0, at most 2147483647': ({ timeout }) =>
    isTimeout(timeout),
  'attempts is an integer from 1 to 10': ({ attempts }) =>
    Number.isInteger(attempts) && attempts >= 1 && attempts <= 10,
  'maxPause is a number of milliseconds from 0 to 2147483647': ({ maxPause }) => isPause(maxPause),
  'random is a function': ({ random }) => typeof random === 'function',
  'tenantOf is a function': ({ tenantOf }) => typeof tenantOf === 'function',
};
