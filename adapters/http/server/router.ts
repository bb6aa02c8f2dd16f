import type { ApiVersion, Face, Route } from '../wire/route.js';

/** What a path names: the rows of the table that have it, and the parts of it that are parameters. */
export interface Resource {
  readonly face: Face;
  /** By their methods; all of one version. */
  readonly routes: Readonly<Record<string, Route>>;
  /** With which it is served; without one, with either (decision 6.7). */
  readonly version: ApiVersion | undefined;
  /** By their names, as they stand in the path, undecoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A part of a path: what can follow it, and what ends with it. */
interface Part {
  readonly next: Map<string, Part>;
  /** What follows where the next part is a parameter. */
  parameter?: { readonly name: string; readonly part: Part };
  resource?: Resource;
}

const newPart = (): Part => ({ next: new Map() });
const noParameters = {};

/** The version that a route needs to be served; nothing where either will do (decision 6.7). */
export function servedWith({ isOfEither, version }: Route): ApiVersion | undefined {
  return isOfEither ? undefined : version;
}

/** Finds what paths name, of these routes. */
export function createRouter(routes: readonly Route[]) {
  const root = newPart();
  // most requests create something, and their paths have no parameter
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
     * The resource that a path names, with its closing slash or without (decision 4); paths are
     * split before anything in them is decoded.
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

/** More parts than any path has. */
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

/** A word of a path comes before a parameter in its place, which may be the same text. */
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

/** The row that a method means; HEAD asks for the head of what GET would get (RFC 9110, 9.3.2). */
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
