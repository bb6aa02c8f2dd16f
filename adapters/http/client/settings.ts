import type { Language } from 'dealwright';
import { checkOptions, type Timer } from 'dealwright/ports';
import { isInteger, isTimeout, isTimer, isVisible } from '../../shared/options.js';
import { systemTimer } from '../../shared/timer.js';
import type { Route } from '../wire/route.js';
import type { ClientUploadOptions, ExchangeReport } from './client-api.js';
import type { AbortSignalLike, FetchLike, ResponseLike } from './fetch-like.js';

/** How a client reaches its service, and how it retries. */
export interface ClientOptions {
  /** The URL of the service: `http` or `https`, with the path before `/api/`, if any. */
  readonly baseUrl: string;
  /** The API token. It is sent in the header `Authorization`; no error shows it. */
  readonly token: string;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike;
  /** Milliseconds until the last byte of an answer; default 30,000, for an upload 300,000. */
  readonly timeout?: number;
  /** The language of messages if a call does not say; default English. */
  readonly language?: Language;
  /** More headers for each request; those that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most attempts of a call; default 3. With 0 or 1 there are no retries. */
  readonly attempts?: number;
  /**
   * Milliseconds. The pause before attempt n + 1 is drawn from 0 to `retryBase * 2 ** (n - 1)`, and
   * no more than `retryCap`; default 200 and 10,000. `Retry-After` is added to it.
   */
  readonly retryBase?: number;
  readonly retryCap?: number;
  /** Seconds; default 30. With a longer `Retry-After`, the call is not sent again. */
  readonly maxRetryAfter?: number;
  /**
   * Whether the client makes a key for a create or an upload without an `idempotencyKey`; default
   * true. Without a key, a call that may have had its effect is not sent again.
   */
  readonly makeKeys?: boolean;
  /** Called for each attempt once it is over. If it throws, the call goes on. */
  readonly onExchange?: (report: ExchangeReport) => unknown;
  /** Draws numbers from 0 up to 1, for the pauses; default `Math.random`. */
  readonly random?: () => number;
  /** Default: the runtime's own time and timers. */
  readonly timer?: Timer;
}

/** The scheme of the credentials: of a partner, a freelancer or an operator. */
type Scheme = 'Token' | 'Offer' | 'Operator';

/** Options that were checked. */
export interface Settings extends Required<Omit<ClientOptions, 'baseUrl' | 'onExchange'>> {
  /** The scheme of the token (decision 6.5). */
  readonly scheme: Scheme;
  /** Without a slash at its end. */
  readonly base: string;
  /** Learned from the service, and shared by all calls of a client. */
  readonly closing: ClosingSlash;
  /** The `timeout` of an upload. */
  readonly uploadTimeout: number;
  readonly onExchange: ClientOptions['onExchange'];
}

const reserved =
  /^(?:authorization|content-(?:type|length)|accept(?:-language)?|idempotency-key)$/i;
/** The name of a header and its value. */
const header = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\x20-\x7e\x80-\xff]*$/;
/** The address of a service, as `URL` writes it. */
const address = /^https?:\/\/[^/?#@]+\/[^?#]*$/;
const isFigure = (value: number) => isInteger(value, 0, 1e6);

/** Checks options once and names all mistakes, without the values, which may be secret. */
export function readSettings(
  options: ClientOptions,
  maker = 'createClient',
  scheme: Scheme = 'Token',
): Settings {
  const given: Partial<ClientOptions> = Object(options);
  const { baseUrl, token = '', timeout = 30_000, headers = {}, fetch, onExchange } = given;
  const { timer = systemTimer, random = Math.random, makeKeys = true, language = 'en' } = given;
  const { attempts = 3, retryBase = 200, retryCap = 10_000, maxRetryAfter = 30 } = given;
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).href : '';
  checkOptions(maker, {
    'baseUrl is an http(s) URL without user, password, query or fragment': address.test(url),
    'token is text of visible ASCII': isVisible(token),
    'timeout is a number of milliseconds above 0, at most 2147483647': isTimeout(timeout),
    'attempts is an integer from 0 to 1000000': isFigure(attempts),
    'retryBase is an integer from 0 to 1000000': isFigure(retryBase),
    'retryCap is an integer from 0 to 1000000': isFigure(retryCap),
    'maxRetryAfter is an integer from 0 to 1000000': isFigure(maxRetryAfter),
    'language is en or pl': language === readLanguage(language),
    'headers fit HTTP, and the client sets none of them itself': Object.entries(
      Object(headers),
    ).every(
      ([name, value]) =>
        typeof value === 'string' && header.test(`${name}:${value}`) && !reserved.test(name),
    ),
    'random, onExchange and those of timer are functions':
      isTimer(timer) &&
      typeof random === 'function' &&
      typeof (onExchange ?? random) === 'function',
    'fetch is a function: the runtime has none': typeof (fetch ?? globalThis.fetch) === 'function',
  });
  return {
    scheme,
    base: url.replace(/\/+$/, ''),
    closing: { isSent: true },
    token,
    // looked up with each call and called on its owner, as some runtimes insist
    fetch: fetch ?? ((url, request) => globalThis.fetch(url, request)),
    timeout,
    uploadTimeout: given.timeout ?? 300_000,
    language,
    headers: { ...headers },
    attempts,
    retryBase,
    retryCap,
    maxRetryAfter,
    makeKeys,
    onExchange,
    random,
    timer,
  };
}

/** Every value but Polish means English, in process too. */
export function readLanguage(language: unknown): Language {
  return language === 'pl' ? 'pl' : 'en';
}

/** A call with its options, each read once. */
export interface Call {
  readonly settings: Settings;
  readonly route: Route;
  readonly language: Language;
  /** The caller's key, not checked. */
  readonly key: unknown;
  readonly signal: AbortSignalLike | undefined;
  readonly timeout: number;
  readonly onProgress: ClientUploadOptions['onProgress'];
}

/** Reads the options of a call; if they cannot be read, its key is not valid. */
export function readCall(
  settings: Settings,
  route: Route,
  given: ClientUploadOptions | undefined,
): Call {
  const unread: Call = {
    settings,
    route,
    language: settings.language,
    key: route.keyed ? null : undefined,
    signal: undefined,
    timeout: route.input === 'file' ? settings.uploadTimeout : settings.timeout,
    onProgress: undefined,
  };
  try {
    const { language, idempotencyKey, signal, timeout, onProgress } = given ?? {};
    return {
      ...unread,
      language: readLanguage(language ?? settings.language),
      key: route.keyed ? idempotencyKey : undefined,
      signal,
      timeout: isTimeout(timeout) ? timeout : unread.timeout,
      onProgress: typeof onProgress === 'function' ? onProgress : undefined,
    };
  } catch {
    return unread;
  }
}

/**
 * Whether paths are sent with their closing slash, as the interface writes them. Some hosts answer
 * only one form, and redirect to it. A client remembers the form that it was redirected to.
 */
export interface ClosingSlash {
  isSent: boolean;
}

/** A path, with its query if it has one, in the form that is sent. */
export function withClosingSlash(path: string, { isSent }: ClosingSlash): string {
  return path.replace(/\/?(?=\?|$)/, isSent ? '/' : '');
}

/**
 * Says whether a response redirects to the same address, except for the closing slash of its path.
 * Only 307 and 308 ask for the same method and body. Escapes in the query may differ.
 */
export function isToOtherSlash(
  { status, type, headers }: ResponseLike,
  sent: string,
  closing: ClosingSlash,
  isRepeatable: boolean,
): boolean {
  // a browser hides the status of a redirect and its target
  if (type === 'opaqueredirect') return isRepeatable;
  const location = headers.get('location');
  if ((status !== 307 && status !== 308) || location === null) return false;
  const other = withClosingSlash(sent, { isSent: !closing.isSent });
  return URL.canParse(location, sent) && plain(new URL(location, sent)) === plain(new URL(other));
}

function plain(url: URL): string {
  const query = String(url.searchParams);
  url.search = '';
  return `${url.href} ${query}`;
}
