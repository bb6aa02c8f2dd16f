import type { ApiVersion, Face, Route } from '../wire/route.js';

/** The resource of a path: its routes, and the values of its parameters. */
export interface Resource {
  readonly face: Face;
  /** The routes by their methods; all of one version. */
  readonly routes: Readonly<Record<string, Route>>;
  /** The version with which it is served; `undefined` means either (decision 6.7). */
  readonly version: ApiVersion | undefined;
  /** The values by their names, undecoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A part of a path: the parts that can follow, and the resource that ends here. */
interface Part {
  readonly next: Map<string, Part>;
  /** The next part, if it is a parameter. */
  parameter?: { readonly name: string; readonly part: Part };
  resource?: Resource;
}

const newPart = (): Part => ({ next: new Map() });
const noParameters = {};

/** The version that a route needs to be served; `undefined` means either (decision 6.7). */
export function servedWith({ isOfEither, version }: Route): ApiVersion | undefined {
  return isOfEither ? undefined : version;
}

/** Finds the resources of paths among these routes. */
export function createRouter(routes: readonly Route[]) {
  const root = newPart();
  // most requests create a record, and their paths have no parameter
  const plain = new Map<string, Resource>();
  for (const route of routes) {
    let part = root;
    for (const text of route.path.split('/').slice(1, -1)) part = stepInto(part, text);
    const resource = {
      face: route.face,
      version: servedWith(route),
      routes: { ...part.resource?.routes, [route.method]: route },
      parameters: noParameters,
    };
    part.resource = resource;
    if (route.path.includes('{')) continue;
    plain.set(route.path, resource);
    plain.set(route.path.slice(0, -1), resource);
  }
  return {
    /**
     * The resource of a path, with its closing slash or without (decision 4). Paths are split
     * before their parts are decoded.
     */
    find(path: string): Resource | undefined {
      const known = plain.get(path);
      if (known !== undefined) return known;
      const parts = path.split('/');
      if (parts.at(-1) === '') parts.pop();
      return parts.length > longest ? undefined : search(root, parts, 1, noParameters);
    },
  };
}

/** No path has more parts. */
const longest = 10;

function stepInto(part: Part, text: string): Part {
  if (text.startsWith('{')) {
    part.parameter ??= { name: text.slice(1, -1), part: newPart() };
    return part.parameter.part;
  }
  const next = part.next.get(text) ?? newPart();
  part.next.set(text, next);
  return next;
}

/** A word of a path comes before a parameter in the same place, which may be the same text. */
function search(
  part: Part,
  parts: readonly string[],
  at: number,
  parameters: Resource['parameters'],
): Resource | undefined {
  const text = parts[at];
  if (text === undefined) return part.resource && { ...part.resource, parameters };
  const next = part.next.get(text);
  const found = next && search(next, parts, at + 1, parameters);
  if (found !== undefined || part.parameter === undefined || text === '') return found;
  const { name, part: behind } = part.parameter;
  return search(behind, parts, at + 1, { ...parameters, [name]: text });
}

/** The route of a method; HEAD gets the head of the answer to GET (RFC 9110, 9.3.2). */
export function routeFor(resource: Resource | undefined, method: string): Route | undefined {
  const name = method === 'HEAD' ? 'GET' : method;
  return resource !== undefined && Object.hasOwn(resource.routes, name)
    ? resource.routes[name]
    : undefined;
}

/** The methods of a resource, as `Allow` lists them. */
export function methodsOf(resource: Resource): string {
  return Object.values(resource.routes)
    .map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method))
    .sort()
    .join(', ');
}
