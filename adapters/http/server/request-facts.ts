import type { Ids, Timer } from 'dealwright/ports';
import type { HttpRequest } from './messages.js';
import type { Scheme } from './reply.js';

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** The path below which the handler is mounted taken away; of what is not below it nothing is left. */
export function pathWithin(basePath: string, request: HttpRequest): string {
  if (basePath === '') return pathOf(request.target);
  const path = pathOf(request.originalTarget ?? request.target);
  if (path === basePath) return '';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : outside;
}

/** Without a slash at its beginning, so that nothing is found by it. */
const outside = 'outside';

/** As Node's own limit of a head (`maxHeaderSize`), which other hosts do not have. */
export const longestTarget = 16 * 1024;

/** The parameters of a request target's query that are named here; of one that is repeated the last counts. */
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
    // where it stands for bytes that are no UTF-8, the text is ill-formed, and no rule lets it pass
    query[name] = value.includes('\uFFFD') && !isUtf8(target) ? '\uD800' : value;
  }
  return query;
}

/** So many names that are not known are told of, and so many characters of each. */
const [mostUnknown, longestName] = [10, 64];

/** The parameters of a request target's query that are not named here. */
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

/** What a text of a query or a form says: a number, where it is written as JSON writes one. */
export function numberOrText(text: string): number | string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Whose credentials the paths of the interface take (decision 6.5). */
export function schemeOf(path: string): Scheme | undefined {
  if (path.startsWith('/operator/')) return 'Operator';
  if (!path.startsWith('/api/')) return undefined;
  return /^\/api\/2\.0\/offer(?:\/|$)/.test(path) ? 'Offer' : 'Token';
}

/**
 * The address of the client: that of the connection, or the one that the outermost of so many proxies
 * has noted. What a client itself writes into the header stands before that.
 */
export function addressOf(request: HttpRequest, proxies: number): string | undefined {
  const own = request.address?.();
  if (proxies === 0) return own;
  const noted = (request.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim());
  const hop = noted.at(-proxies) ?? noted[0];
  return hop === undefined || hop === '' ? own : hop;
}

/** Longer ones are refused unread. */
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

/** What the caller calls the request; nothing where their token stands in it, which no log should get. */
export function givenIdOf(request: HttpRequest): string | undefined {
  const given = request.header('x-request-id');
  if (given === undefined) return undefined;
  const authorization = request.header('authorization')?.trim() ?? '';
  // with any scheme, or none
  const token = authorization.slice(authorization.indexOf(' ') + 1).trimStart();
  return token !== '' && given.includes(token) ? undefined : given;
}

/** The caller's own id of the request, if it is fit to be repeated, or a new one (decision 5.4). */
export function requestIdOf(given: string | undefined, ids: Ids): string {
  if (given !== undefined && soundId.test(given)) return given;
  try {
    const id: unknown = ids.next();
    return typeof id === 'string' && soundId.test(id) ? id : 'none';
  } catch {
    return 'none'; // a request is answered also where nothing can name it
  }
}

/** The time, or 0 where the clock fails: it is only reported. */
export function timeOf(timer: Timer): number {
  try {
    return timer.now();
  } catch {
    return 0;
  }
}

/** A whole number of seconds for Retry-After (RFC 9110, 10.2.3), from what a port said. */
export function wholeSeconds(value: number): string {
  return String(Number.isFinite(value) ? Math.min(Math.max(Math.ceil(value), 0), 86_400) : 1);
}
