import type { Deprecation } from './options.js';

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

// a client reads the last two of a file
const exposed = 'X-Request-Id, Retry-After, Deprecation, Sunset, Link, Content-Disposition, ETag';
const accepted = 'Authorization, Content-Type, Accept-Language, Idempotency-Key, X-Request-Id';

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
export function preflightHeaders(allow: string): Record<string, string> {
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': accepted,
    'access-control-max-age': '600',
  };
}
