import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import type { Route } from '../../adapters/http/wire/route.js';
import type { FuzzRequest } from './requests.js';

/** The answer, from any adapter. */
export interface FuzzAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export const all: readonly Route[] = allRoutes();
/** The rows with the fewest parameters first. */
const patterns = all
  .map((route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const text = route.path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '([^/]+)');
    return { route, names, pattern: new RegExp(`^${text}?$`, 's') };
  })
  .sort((a, b) => a.names.length - b.names.length);

export function pathOf({ target }: Pick<FuzzRequest, 'target'>): string {
  return target.split('?', 1)[0] ?? '';
}

type Scheme = 'Token' | 'Offer' | 'Operator';
const schemes: readonly Scheme[] = ['Token', 'Offer', 'Operator'];

/** The scheme that a request must have: one path takes them all (decision 11.5). */
export function schemeFor(request: FuzzRequest): Scheme {
  const path = pathOf(request);
  const [given = ''] = (request.headers['authorization'] ?? '').toLowerCase().split(' ');
  const own = schemes.find((each) => each.toLowerCase() === given);
  return /^\/api\/2\.0\/?$/.test(path) && own !== undefined ? own : schemeOf(path);
}

/** The scheme of the credentials of a path. */
export function schemeOf(path: string): Scheme {
  if (path.startsWith('/operator/')) return 'Operator';
  return /^\/api\/2\.0\/offer(\/|$)/.test(path) ? 'Offer' : 'Token';
}

/** The rows of a path, found in another way than in the router. */
export function rowsOf(path: string): readonly Route[] {
  const [first] = patterns.filter(({ pattern }) => pattern.test(path));
  return first === undefined ? [] : all.filter((route) => route.path === first.route.path);
}

/** The row of a request, for the figures. */
export function rowOf(request: FuzzRequest): Route | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return rowsOf(pathOf(request)).find((route) => route.method === method);
}

/** The parameters of a row in a path, undecoded. */
export function partsOf({ path }: Route, target: string): Readonly<Record<string, string>> {
  const known = patterns.find(({ route }) => route.path === path);
  const values = known?.pattern.exec(pathOf({ target })) ?? [];
  return Object.fromEntries((known?.names ?? []).map((name, at) => [name, values[at + 1] ?? '']));
}
