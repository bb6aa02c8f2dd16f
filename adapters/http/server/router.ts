import { type ApiVersion, type Route, routes } from '../wire/routes.js';

/** What a path names: the rows of the table that have it, and the part of it that is a parameter. */
export interface Resource {
  /** By their methods; all of one version. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly version: ApiVersion;
  /** As it stands in the path, undecoded. */
  readonly parameter: string | undefined;
}

const allRoutes: readonly Route[] = Object.values(routes);
const parameter = /\{\w+\}/;
const blank = '?';
/** The part of a path that is a parameter in some rows comes after this many slashes. */
const slashesBefore = 4;

const resources: Readonly<Record<string, Resource>> = collect();

/** By their paths, parameters as a `?`, which no path has, with the closing slash and without (decision 4). */
function collect(): Record<string, Resource> {
  const found: Record<string, Resource> = Object.create(null);
  for (const route of allRoutes) {
    const path = route.path.replace(parameter, blank);
    for (const each of [path, path.slice(0, -1)]) {
      const routes = Object.assign(Object.create(null), found[each]?.routes);
      routes[route.method] = route;
      found[each] = { version: route.version, routes, parameter: undefined };
    }
  }
  return found;
}

/** The resource that a path names; paths are split before anything in them is decoded. */
export function findResource(path: string): Resource | undefined {
  const known = resources[path];
  if (known !== undefined) return known;
  let from = 0;
  for (let slashes = 0; slashes < slashesBefore; slashes += 1) {
    from = path.indexOf('/', from) + 1;
    if (from === 0) return undefined;
  }
  const end = path.indexOf('/', from);
  const to = end < 0 ? path.length : end;
  const resource = resources[`${path.slice(0, from)}${blank}${path.slice(to)}`];
  const part = path.slice(from, to);
  return resource === undefined || part === '' ? undefined : { ...resource, parameter: part };
}

/** The row that a method means; HEAD asks for the head of what GET would get (RFC 9110, 9.3.2). */
export function routeFor(resource: Resource | undefined, method: string): Route | undefined {
  return resource?.routes[method === 'HEAD' ? 'GET' : method];
}

/** The methods of a resource, as `Allow` lists them. */
export function methodsOf(resource: Resource): string {
  return Object.values(resource.routes)
    .map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method))
    .sort()
    .join(', ');
}
