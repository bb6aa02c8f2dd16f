import {
  type Clock,
  type PaymentTokenClaims,
  type PaymentTokenIssuer,
  type Tenant,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createRandomText } from './random-text.js';
import {
  type Exchange,
  type ExchangeFailure,
  type RemoteFailureReason,
  readAnswer,
} from './remote-exchange.js';

/**
 * Where a remote service is, and how long it is given. The defaults end within 9.5 seconds, so
 * that the answer is there before the ten that a marketplace waits for a port by default.
 *
 * @example
 * ```ts
 * import { createSystemClock } from 'dealwright/system';
 * import type { RemoteTokenOptions } from 'dealwright/tokens';
 *
 * const options: RemoteTokenOptions = {
 *   url: 'https://payments.example.com/tokens',
 *   secret: 'a-secret-from-the-environment',
 *   clock: createSystemClock(),
 * };
 * ```
 */
export interface RemoteTokenOptions {
  /** `https:`, or `http:` within a network that is trusted: the secret goes there. */
  readonly url: string;
  /** Sent as `Authorization: Bearer <secret>`; visible ASCII characters. */
  readonly secret: string;
  readonly clock: Clock;
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
}

/**
 * The `cause` of an issuer that got no token. It holds no secret, no token and no address.
 *
 * @example
 * ```ts
 * import type { RemoteFailure } from 'dealwright/tokens';
 *
 * const failure: RemoteFailure = { reason: 'status', status: 503, attempts: 3 };
 * ```
 */
export interface RemoteFailure {
  readonly reason: RemoteFailureReason;
  /** The HTTP status of the last answer, where there was one. */
  readonly status?: number;
  /** How often the service was asked. */
  readonly attempts: number;
}

/** The longest pause before the second attempt; it doubles with each. */
const firstPause = 100;

/**
 * Has tokens issued by another service, over this little protocol:
 *
 * - Request: `POST` to the URL with `Authorization: Bearer <secret>`, `Content-Type:
 *   application/json`, `Accept: application/json` and `Idempotency-Key`, and the body
 *   `{"environment":"sandbox","partner":"acme","partner_id":"order-2","amount":"500.00","currency":"PLN"}`.
 * - Answer: 200 or 201 with `{"payment_token":"..."}`, 22 to 2048 characters of `A-Za-z0-9._~-` with
 *   at least 128 bits that nobody can guess, in a body of at most 16 KiB. Other members are ignored.
 * - All attempts of one call carry the same `Idempotency-Key`: the service answers each with the
 *   same token, or with another and forgets the first; a token that no deal holds is nothing.
 *
 * An attempt that meets no answer within the time-out, a network error, 429 or 5xx is made again
 * after a random pause (full jitter, from 100 ms doubling up to `maxPause`) or after the time that
 * `Retry-After` asks for. Where that is longer than `maxPause`, and for every other answer, the
 * call ends as `unavailable`, with a `RemoteFailure` for its cause. Redirects are not followed, so
 * that the secret goes nowhere else. A call ends within `attempts * timeout + (attempts - 1) *
 * maxPause` milliseconds.
 *
 * @example
 * ```ts
 * import { createSystemClock } from 'dealwright/system';
 * import { createRemoteTokenIssuer } from 'dealwright/tokens';
 *
 * const paymentTokens = createRemoteTokenIssuer({
 *   url: 'https://payments.example.com/tokens',
 *   secret: 'a-secret-from-the-environment',
 *   clock: createSystemClock(),
 * });
 * ```
 */
export function createRemoteTokenIssuer(options: RemoteTokenOptions): PaymentTokenIssuer {
  const settings = readOptions(options);
  const randomText = createRandomText();
  return {
    async issue(tenant, claims) {
      try {
        return await askUntilAnswered(settings, requestFor(settings, tenant, claims, randomText));
      } catch (cause) {
        // of the clock or of `random`: nothing else throws, and neither knows what we send
        return unavailable({ outcome: 'none', cause });
      }
    },
  };
}

type Settings = Required<RemoteTokenOptions>;

function readOptions(options: RemoteTokenOptions): Settings {
  const settings: Settings = {
    url: options.url,
    secret: options.secret,
    clock: options.clock,
    fetch: options.fetch ?? globalThis.fetch,
    timeout: options.timeout ?? 2_500,
    attempts: options.attempts ?? 3,
    maxPause: options.maxPause ?? 1_000,
    random: options.random ?? Math.random,
  };
  const wrong = Object.entries(mistakes).flatMap(([says, holds]) =>
    holds(settings) ? [] : [says],
  );
  // neither the URL nor the secret is repeated: the URL may hold a secret too
  if (wrong.length > 0) throw new TypeError(`createRemoteTokenIssuer: ${wrong.join('; ')}`);
  return settings;
}

/** What a timer of a runtime can wait for: one with more to wait fires at once. */
const longestWait = 2 ** 31 - 1;

const mistakes: Readonly<Record<string, (settings: Settings) => boolean>> = {
  'url is an http: or https: URL without a user name': ({ url }) => isPlainUrl(url),
  'secret has visible ASCII characters only, and at least one': ({ secret }) =>
    typeof secret === 'string' && /^[\x21-\x7e]+$/.test(secret),
  'clock is missing': ({ clock }) =>
    typeof clock?.now === 'function' && typeof clock.sleep === 'function',
  'fetch is a function': (settings) => typeof settings.fetch === 'function',
  'timeout is a number of milliseconds above 0, at most 2147483647': ({ timeout }) =>
    timeout > 0 && timeout <= longestWait,
  'attempts is an integer from 1 to 10': ({ attempts }) =>
    Number.isInteger(attempts) && attempts >= 1 && attempts <= 10,
  'maxPause is a number of milliseconds from 0 to 2147483647': ({ maxPause }) =>
    maxPause >= 0 && maxPause <= longestWait,
  'random is a function': ({ random }) => typeof random === 'function',
};

function isPlainUrl(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  } catch {
    return false;
  }
}

function requestFor(
  { secret }: Settings,
  { environment, partner }: Tenant,
  { partner_id, amount, currency }: PaymentTokenClaims,
  randomText: (bytes: number) => string,
) {
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': randomText(16),
    },
    body: JSON.stringify({ environment, partner, partner_id, amount, currency }),
    redirect: 'manual',
  } as const satisfies RequestInit;
}

type TokenRequest = ReturnType<typeof requestFor>;

async function askUntilAnswered(settings: Settings, request: TokenRequest) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(settings, request);
    if ('token' in answer) return ok(answer.token);
    const pause = pauseAfter(settings, attempt, answer);
    if (pause === undefined) return failed(answer, attempt);
    await new Promise<void>((wake) => settings.clock.sleep(pause, wake));
  }
}

/** Milliseconds, or `undefined` where there is no further attempt. */
function pauseAfter(
  { attempts, maxPause, random }: Settings,
  attempt: number,
  { again, retryAfter }: ExchangeFailure,
): number | undefined {
  if (!again || attempt === attempts) return undefined;
  if (retryAfter !== undefined && retryAfter * 1000 > maxPause) return undefined;
  const longest = Math.min(maxPause, firstPause * 2 ** (attempt - 1));
  return Math.max(random() * longest, (retryAfter ?? 0) * 1000);
}

/** One attempt: it is settled when its time is over, whatever `fetch` makes of the signal. */
function askOnce({ fetch, url, clock, timeout }: Settings, request: TokenRequest) {
  return new Promise<Exchange>((resolve) => {
    const control = new AbortController();
    const callOff = clock.sleep(timeout, () => {
      resolve({ reason: 'timed_out', again: true });
      control.abort();
    });
    const finish = (answer: Exchange) => {
      resolve(answer);
      callOff();
    };
    const ask = async () =>
      readAnswer(await fetch(url, { ...request, signal: control.signal }), clock);
    // the error of a fetch may name the address and the headers: it is not passed on
    ask()
      .then(finish, () => finish({ reason: 'network', again: true }))
      // a clock that cannot call off wakes a promise that is settled: no harm
      .catch(() => {});
  });
}

function failed({ reason, status, again, retryAfter }: ExchangeFailure, attempts: number) {
  const cause: RemoteFailure = Object.freeze({
    reason,
    ...(status === undefined ? {} : { status }),
    attempts,
  });
  return unavailable({
    outcome: 'none',
    retryable: again,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  });
}
