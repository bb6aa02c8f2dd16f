import type { Unavailable } from 'dealwright';
import type { Answer, PortGuard } from 'dealwright/ports';
import type { Problem } from '../wire/problem.js';
import type { HttpResponse } from './messages.js';
import type { Deprecation } from './options.js';

/** An answer without the headers that all answers have. */
export interface Reply {
  readonly status: number;
  readonly body: HttpResponse['body'];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem, with the headers of its status and the details for the host alone. */
export interface Refusal extends Problem {
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds, if the port that failed knows. */
  readonly retryAfter?: number | undefined;
  readonly port?: string | undefined;
  readonly cause?: unknown;
}

type FailedPort = Pick<Unavailable, 'port' | 'outcome' | 'retryable' | 'retryAfter' | 'cause'>;

/** The refusal for a failure of a port: 503 if a retry makes sense, or else 500. */
export function portRefusal(failure: FailedPort): Refusal {
  const { port, outcome, retryable, retryAfter, cause } = failure;
  return { code: retryable ? 'unavailable' : 'internal', outcome, port, cause, retryAfter };
}

/** Asks a port. `read` reads its answer once; if it cannot, `flaw` says why. */
export async function askPort<T, R extends object>(
  guard: PortGuard,
  port: string,
  ask: () => Answer<T>,
  read: (answer: T) => R | undefined,
  flaw: string,
): Promise<R | Refusal> {
  const answered = await guard('none', ask);
  if (answered.isErr()) return portRefusal({ ...answered.error, port, outcome: 'none' });
  const broken = portRefusal({ port, outcome: 'none', retryable: false, cause: flaw });
  try {
    return read(answered.value) ?? broken;
  } catch {
    return broken;
  }
}

/** A token is missing, malformed, unknown or of the other environment: no answer says which. */
export const unauthorized = (scheme: Scheme): Refusal => ({
  code: 'unauthorized',
  headers: { 'www-authenticate': scheme },
});

/** The same, and a session of the host was not asked for: the request is from another origin. */
export const foreignRefusal = (scheme: Scheme): Refusal => ({
  code: 'unauthorized',
  isForeign: true,
  headers: { 'www-authenticate': `${scheme} error="foreign_origin"` },
});

/** The scheme of the credentials in a header (decision 6.5). */
export type Scheme = 'Token' | 'Offer' | 'Operator';

/** The path does not exist, or not here. */
export const noOperation: Refusal = { code: 'not_found', resource: 'operation' };

/** The path exists, but not for this method. */
export function wrongMethod(methods: string): Refusal {
  return { code: 'method_not_allowed', headers: { allow: `${methods}, OPTIONS` } };
}

/** The headers of every answer of the interface: it may hold payment tokens, and is no page. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // a page of another origin must not load one with the session of the user who opened the page
  'cross-origin-resource-policy': 'same-origin',
};

/** The headers of every answer of a 1.0 path (RFC 9745, RFC 8594), made once. */
export function deprecationHeaders(
  deprecation: Deprecation | undefined,
): Readonly<Record<string, string>> | undefined {
  if (deprecation === undefined) return undefined;
  const { since, sunset, guide } = deprecation;
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset === undefined ? {} : { sunset: sunset.toUTCString() }),
    ...(guide === undefined ? {} : { link: `<${guide}>; rel="deprecation"; type="text/html"` }),
  };
}

const exposed = [
  ...['X-Request-Id', 'Retry-After', 'Deprecation', 'Sunset', 'Link'],
  // of a file
  ...['Content-Disposition', 'ETag', 'Content-Range', 'Accept-Ranges'],
].join(', ');
const accepted = [
  ...['Authorization', 'Content-Type', 'Accept-Language', 'Idempotency-Key', 'X-Request-Id'],
  // of conditional requests and parts of a file
  ...['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range', 'Range'],
  // of a page that traces its requests (W3C)
  ...['traceparent', 'tracestate', 'baggage'],
];

/** Says whether the pages of an origin may read answers. */
export function allowsOrigin(
  origins: readonly string[] | '*' | undefined,
  origin: string | undefined,
): origin is string {
  if (origins === undefined || origin === undefined) return false;
  return origins === '*' || origins.includes(origin);
}

/** The headers that let a page of an allowed origin read an answer (Fetch standard, CORS). */
export function corsHeaders(
  origins: readonly string[] | '*' | undefined,
  origin: string | undefined,
): Record<string, string> {
  if (origins === undefined) return {};
  // an answer that depends on the origin says so to caches, even if it refuses
  if (!allowsOrigin(origins, origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
  };
}

/** The further headers of the preflight of an allowed origin. */
export function preflightHeaders(
  allow: string,
  more: readonly string[] = [],
): Record<string, string> {
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': [...accepted, ...more].join(', '),
    'access-control-max-age': '600',
  };
}
