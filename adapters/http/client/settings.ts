import type { Language } from 'dealwright';
import type { FetchLike } from './fetch-like.js';

/**
 * How a client reaches its service.
 *
 * @example
 * ```ts
 * import type { ClientOptions } from 'dealwright/client';
 *
 * const options: ClientOptions = {
 *   baseUrl: 'https://deals.example.com/v',
 *   token: 'the-API-token-of-the-partner',
 *   timeout: 5_000,
 * };
 * ```
 */
export interface ClientOptions {
  /** Where the service is: `http` or `https`, with the path that `/api/` stands under, if any. */
  readonly baseUrl: string;
  /** The API token. It is sent in the header `Authorization`, and appears in no error. */
  readonly token: string;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike;
  /** Milliseconds that an attempt has until the last byte of its answer; default 30,000. */
  readonly timeout?: number;
  /** The language of messages where a call does not say; default English. */
  readonly language?: Language;
  /** More headers for each request; those that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options that were checked. */
export interface Settings {
  /** Without a slash at its end. */
  readonly base: string;
  readonly token: string;
  readonly fetch: FetchLike;
  readonly timeout: number;
  readonly language: Language;
  readonly headers: Readonly<Record<string, string>>;
}

const reserved = new Set([
  'authorization',
  'content-type',
  'content-length',
  'accept',
  'accept-language',
  'idempotency-key',
]);
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\x20-\x7e\x80-\xff]*$/;
const visibleAscii = /^[\x21-\x7e]+$/;
/** More does not fit the 32 bits of a timer, which would fire at once. */
const maxTimeout = 2 ** 31 - 1;

/** Checks options once; what is wrong with one is said without its value, which may be a secret. */
export function readSettings(options: ClientOptions): Settings {
  const { token, timeout = 30_000, headers = {} } = options;
  if (typeof token !== 'string' || !visibleAscii.test(token)) {
    throw new TypeError('createClient: token is text of visible ASCII characters');
  }
  if (!(timeout > 0 && timeout <= maxTimeout)) {
    throw new TypeError(`createClient: timeout is a number of milliseconds, up to ${maxTimeout}`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || typeof value !== 'string' || !headerValue.test(value)) {
      throw new TypeError('createClient: headers have names and values that HTTP can carry');
    }
    if (reserved.has(name.toLowerCase())) {
      throw new TypeError(`createClient: the header ${name} is set by the client itself`);
    }
  }
  const base = readBase(options.baseUrl);
  const language = readLanguage(options.language);
  return { base, token, timeout, language, headers: { ...headers }, fetch: readFetch(options) };
}

function readFetch({ fetch }: ClientOptions): FetchLike {
  if (typeof (fetch ?? globalThis.fetch) !== 'function') {
    throw new TypeError('createClient: fetch is a function; this runtime has none of its own');
  }
  // looked up with each call and called on its owner, as some runtimes insist
  return fetch ?? ((url, request) => globalThis.fetch(url, request));
}

function readBase(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError('createClient: baseUrl is an absolute http or https URL');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('createClient: baseUrl has no user, password, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

/** Anything else than Polish is English, in process too. */
export function readLanguage(language: unknown): Language {
  return language === 'pl' ? 'pl' : 'en';
}
