import { checkOptions, type Tenant, type Timer } from 'dealwright/ports';
import { isInteger, isPause, isTimeout, isTimer, isVisible, plainUrl } from '../shared/options.js';
import { tenantOfPaymentToken } from './token-tenant.js';

/**
 * The address of a remote service, and its limits. The defaults end within 9.5 seconds, so that the
 * answer comes before the ten that a marketplace waits for a port by default.
 */
export interface RemoteTokenOptions {
  /**
   * The address that issues tokens: `https:`, or `http:` in a trusted network, as the secret goes
   * there.
   */
  readonly url: string;
  /** The address that verifies tokens, with the same rules; it is not derived from `url`. */
  readonly verifyUrl: string;
  /** Sent as `Authorization: Bearer <secret>`; visible ASCII characters. */
  readonly secret: string;
  readonly timer: Timer;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt, reading its answer included; default 2,500. */
  readonly timeout?: number;
  /** The most attempts, 1 to 10; default 3. */
  readonly attempts?: number;
  /** The longest pause between two attempts in milliseconds; default 1,000. */
  readonly maxPause?: number;
  /** From 0 to 1, for the length of pauses; default `Math.random`. */
  readonly random?: () => number;
  /**
   * The tenant that a token names, in the service's own form: the place to look for its deal. It
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
  checkOptions('createRemoteTokenIssuer', {
    'url is an http: or https: URL without a user name': plainUrl(url) !== undefined,
    'verifyUrl is an http: or https: URL without a user name': plainUrl(verifyUrl) !== undefined,
    'secret has visible ASCII characters only, and at least one': isVisible(secret),
    'timer has now and sleep': isTimer(timer),
    'fetch is a function': typeof fetch === 'function',
    'timeout is a number of milliseconds above 0, at most 2147483647': isTimeout(timeout),
    'attempts is an integer from 1 to 10': isInteger(attempts, 1, 10),
    'maxPause is a number of milliseconds from 0 to 2147483647': isPause(maxPause),
    'random is a function': typeof random === 'function',
    'tenantOf is a function': typeof tenantOf === 'function',
  });
  return settings;
}
