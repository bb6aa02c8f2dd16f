import type { Timer } from 'dealwright/ports';

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
}

export type Settings = Required<RemoteTokenOptions>;

export function readOptions(given: RemoteTokenOptions): Settings {
  const options = Object(given) as RemoteTokenOptions;
  const settings: Settings = {
    url: options.url,
    verifyUrl: options.verifyUrl,
    secret: options.secret,
    timer: options.timer,
    fetch: options.fetch ?? globalThis.fetch,
    timeout: options.timeout ?? 2_500,
    attempts: options.attempts ?? 3,
    maxPause: options.maxPause ?? 1_000,
    random: options.random ?? Math.random,
  };
  const wrong = Object.entries(mistakes).flatMap(([says, holds]) =>
    holds(settings) ? [] : [says],
  );
  // neither a URL nor the secret is repeated: a URL may hold a secret too
  if (wrong.length > 0) throw new TypeError(`createRemoteTokenIssuer: ${wrong.join('; ')}`);
  return settings;
}

/** What a timer of a runtime can wait for: one with more to wait fires at once. */
const longestWait = 2 ** 31 - 1;

const mistakes: Readonly<Record<string, (settings: Settings) => boolean>> = {
  'url is an http: or https: URL without a user name': ({ url }) => isPlainUrl(url),
  'verifyUrl is an http: or https: URL without a user name': ({ verifyUrl }) =>
    isPlainUrl(verifyUrl),
  'secret has visible ASCII characters only, and at least one': ({ secret }) =>
    typeof secret === 'string' && /^[\x21-\x7e]+$/.test(secret),
  'timer is missing': ({ timer }) =>
    typeof timer?.now === 'function' && typeof timer.sleep === 'function',
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
