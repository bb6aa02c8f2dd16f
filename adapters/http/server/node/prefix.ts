import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from 'dealwright/http';
import { pathOf } from '../request-facts.js';

/** A request from which a framework has taken a prefix, as Connect and Express keep its target. */
type Mounted = IncomingMessage & { readonly originalUrl?: string };

/**
 * Under a prefix that is asked for without its closing slash, the links of the page at `/` would
 * lead out of the prefix: then the browser is sent to the same page with the slash.
 */
export function withClosingSlash(request: Mounted, answered: HttpResponse): HttpResponse {
  const { url = '', originalUrl } = request;
  // a comparison is all that this costs everybody else
  if ((url.length > 1 && url[1] !== '?') || originalUrl === undefined) return answered;
  const path = pathOf(originalUrl);
  if (answered.status !== 200 || path.endsWith('/')) return answered;
  const segment = path.slice(path.lastIndexOf('/') + 1);
  const location = `./${segment}/${originalUrl.slice(path.length)}`;
  const requestId = answered.headers['x-request-id'] ?? 'none';
  return { status: 308, headers: { 'x-request-id': requestId, location }, body: undefined };
}
