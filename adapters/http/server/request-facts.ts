import type { Ids, Timer } from 'dealwright/ports';
import type { HttpRequest } from './messages.js';
import type { Scheme } from './reply.js';

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** The path without the base path; `outside` if it is not below it. */
export function pathWithin(basePath: string, request: HttpRequest): string {
  if (basePath === '') return pathOf(request.target);
  const path = pathOf(request.originalTarget ?? request.target);
  if (path === basePath) return '';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : outside;
}

/** No path of a route: it has no slash at its beginning. */
const outside = 'outside';

/** Node's own limit of a head (`maxHeaderSize`); other hosts have none. */
export const longestTarget = 16 * 1024;

/** The query parameters of these names; of a repeated parameter the last counts. */
export function queryOf<Name extends string>(
  target: string,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const query: Partial<Record<Name, string>> = {};
  const at = target.indexOf('?');
  if (at < 0) return query;
  const given = new URLSearchParams(target.slice(at));
  for (const name of names) {
    const value = given.getAll(name).at(-1);
    if (value === undefined) continue;
    // if it stands for bytes that are not UTF-8, return ill-formed text, which every rule refuses
    query[name] = value.includes('\uFFFD') && !isUtf8(target) ? '\uD800' : value;
  }
  return query;
}

/** How many unknown names an answer lists, and how many characters of each. */
const [mostUnknown, longestName] = [10, 64];

/** The names of the query parameters that are not in `names`. */
export function unknownNames(target: string, names: readonly string[]): readonly string[] {
  const at = target.indexOf('?');
  if (at < 0) return [];
  const given = [...new URLSearchParams(target.slice(at)).keys()];
  const unknown = new Set(given.filter((name) => !names.includes(name)));
  return [...unknown].slice(0, mostUnknown).map((name) => [...name].slice(0, longestName).join(''));
}

function isUtf8(target: string): boolean {
  try {
    // a percent sign that encodes nothing stands for itself (WHATWG URL)
    decodeURIComponent(target.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** The value of a text in a query or a form: a number if it is written as in JSON. */
export function numberOrText(text: string): number | string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The scheme of credentials that a path of the interface takes (decision 6.5). */
export function schemeOf(path: string): Scheme | 'any' | undefined {
  if (path.startsWith('/operator/')) return 'Operator';
  if (!path.startsWith('/api/')) return undefined;
  // decision 11.5
  if (path === '/api/2.0/' || path === '/api/2.0') return 'any';
  return /^\/api\/2\.0\/offer(?:\/|$)/.test(path) ? 'Offer' : 'Token';
}

/** The schemes that the credentials of a request may have, where a path takes every scheme. */
export function schemesIn(request: HttpRequest): readonly Scheme[] {
  const isOffer = /^offer /i.test(request.header('authorization') ?? '');
  return isOffer ? ['Offer'] : ['Token', 'Operator', 'Offer'];
}

/**
 * The address of the client: that of the connection, or the one that the outermost of so many
 * proxies has added. Addresses that the client itself wrote into the header stand before it.
 */
export function addressOf(request: HttpRequest, proxies: number): string | undefined {
  const own = request.address?.();
  if (proxies === 0) return own;
  const noted = (request.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim());
  const hop = noted.at(-proxies) ?? noted[0];
  return hop === undefined || hop === '' ? own : hop;
}

/** Longer tokens are refused unread. */
const longestToken = 4096;
const credentials = /^(token|offer|operator|bearer) +([\x21-\x7e]+)$/i;

/** The token of an Authorization header (interface, Authentication 1), the scheme in any case. */
export function readToken(
  authorization: string | undefined,
  scheme: Scheme,
  acceptBearer: boolean,
): string | undefined {
  const longest = 'operator '.length + longestToken;
  if (authorization === undefined || authorization.length > longest) return undefined;
  const [, given = '', token = ''] = credentials.exec(authorization) ?? [];
  const word = given.toLowerCase();
  const isTaken = word === scheme.toLowerCase() || (acceptBearer && word === 'bearer');
  return isTaken && token.length <= longestToken ? token : undefined;
}

const soundId = /^[A-Za-z0-9._~-]{1,128}$/;

/** The caller's own id of the request; `undefined` if the token is in it: keep it out of logs. */
export function givenIdOf(request: HttpRequest): string | undefined {
  const given = request.header('x-request-id');
  if (given === undefined) return undefined;
  const authorization = request.header('authorization')?.trim() ?? '';
  // with any scheme, or without one
  const token = authorization.slice(authorization.indexOf(' ') + 1).trimStart();
  return token !== '' && given.includes(token) ? undefined : given;
}

/** The caller's own id of the request if it is safe to repeat, or else a new one (decision 5.4). */
export function requestIdOf(given: string | undefined, ids: Ids): string {
  if (given !== undefined && soundId.test(given)) return given;
  try {
    const id: unknown = ids.next();
    return typeof id === 'string' && soundId.test(id) ? id : 'none';
  } catch {
    return 'none'; // a request is answered even without an id
  }
}

/** The time, or 0 if the clock fails: it is only used in reports. */
export function timeOf(timer: Timer): number {
  try {
    return timer.now();
  } catch {
    return 0;
  }
}

/** A whole number of seconds for Retry-After (RFC 9110, 10.2.3), from the value of a port. */
export function wholeSeconds(value: number): string {
  return String(Number.isFinite(value) ? Math.min(Math.max(Math.ceil(value), 0), 86_400) : 1);
}
