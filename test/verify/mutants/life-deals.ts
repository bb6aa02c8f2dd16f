import { answering, pathOf, refusal, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];
type Forward = Parameters<Fetch>[0];

/** The members of an answer. */
export type Tree = Record<string, unknown>;

/** The elements of a member that is an array. */
export const listOf = (tree: Tree, name: string): readonly Tree[] => {
  const value = tree[name];
  return Array.isArray(value) ? value : [];
};

/** Method and path, as the patterns of requests see them. */
export const nameOf = (request: Request) => `${request.method} ${pathOf(request)}`;

export const details = /^GET \/api\/2\.0\/deal\/[^/]+\/$/;
export const offer = /^GET \/api\/2\.0\/offer\/$/;
export const timeLine = /^GET \/api\/2\.0\/deal\/[^/]+\/event\/$/;
export const ofPartner = (name: string) => new RegExp(`^POST /api/2\\.0/deal/[^/]+/(${name})/$`);
export const ofFreelancer = (name: string) => new RegExp(`^POST /api/2\\.0/offer/(${name})/$`);
export const ofOperator = (name: string) =>
  new RegExp(`^POST /operator/[^/]+/deal/[^/]+/(${name})/$`);
export const ofSandbox = (actor: string, name: string) =>
  new RegExp(`^POST /api/2\\.0/sandbox/deal/[^/]+/(${actor})/(${name})/$`);
/** A command of any face. */
export const command = (name: string) => new RegExp(`^POST /.*/(${name})/$`);

/** Plays the server for each request. */
export function playing(
  play: (request: Request, forward: Forward) => Response | Promise<Response>,
): Fetch {
  return (forward) => (request) => Promise.resolve(play(request, forward));
}

/** The same for the requests that fit. */
export function playingAt(
  fits: RegExp,
  play: (request: Request, forward: Forward) => Response | Promise<Response>,
): Fetch {
  return playing((request, forward) =>
    fits.test(nameOf(request)) ? play(request, forward) : forward(request),
  );
}

/** Changes the data of successes. */
export function editing(fits: RegExp, change: (data: Tree, request: Request) => void): Fetch {
  return answering((response, request) =>
    response.ok && fits.test(nameOf(request))
      ? withMembers(response, (members) => {
          change(Object(members['data']), request);
          return members;
        })
      : response,
  );
}

/** Puts another value in place of the members of this name, however deep. */
export const saying = (fits: RegExp, name: string, change: (value: unknown) => unknown): Fetch =>
  editing(fits, (data) => putAll(data, name, change));

/** The same for one value. */
export const swapping = (fits: RegExp, name: string, from: unknown, to: unknown): Fetch =>
  saying(fits, name, (value) => (value === from ? to : value));

function putAll(tree: unknown, name: string, change: (value: unknown) => unknown): void {
  if (typeof tree !== 'object' || tree === null) return;
  for (const [each, value] of Object.entries(tree)) {
    if (each === name) Reflect.set(tree, each, change(value));
    else putAll(value, name, change);
  }
}

/** Refuses what is a success, or turns one refusal into another. */
export const refusing = (
  fits: RegExp,
  from: number,
  status: number,
  code: string,
  members: object = {},
): Fetch =>
  answering((response, request) =>
    response.status === from && fits.test(nameOf(request))
      ? withMembers(refusal(status, code), (error) => ({ ...error, ...members }))
      : response,
  );

/** Changes the members of a refusal. */
export const erring = (fits: RegExp, change: (error: Tree) => unknown): Fetch =>
  answering((response, request) =>
    response.status >= 400 && fits.test(nameOf(request))
      ? withMembers(response, (error) => {
          change(error);
          return error;
        })
      : response,
  );

/** Answers a refusal with the deal as it is. */
export const succeeding = (fits: RegExp, from = 409): Fetch =>
  playingAt(fits, async (request, forward) => {
    const response = await forward(request.clone());
    return response.status === from ? await shown(request, forward) : response;
  });

/** Answers without doing anything. */
export const ignoring = (fits: RegExp): Fetch => playingAt(fits, shown);

/** The deal, as the face of a command shows it. */
export async function shown(request: Request, forward: Forward): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const [, ofFace = pathname, id] =
    /^(\/api\/2\.0\/offer\/|\/operator\/[^/]+\/deal\/[^/]+\/|\/api\/2\.0\/(?:sandbox\/)?deal\/([^/]+)\/)/.exec(
      pathname,
    ) ?? [];
  const path = id === undefined ? ofFace : `/api/2.0/deal/${id}/`;
  const authorization = request.headers.get('authorization') ?? '';
  return forward(new Request(origin + path, { headers: { authorization } }));
}

/** The data of the deal, as the face of a command shows it. */
export async function dataOf(request: Request, forward: Forward): Promise<Tree> {
  const members = await (await shown(request, forward)).json();
  return Object(members.data);
}

/** Sends a request of its own to the server. */
export function send(
  forward: Forward,
  like: Request,
  path: string,
  body: object,
  authorization = 'Token sandbox-acme',
): Promise<Response> {
  return forward(
    new Request(new URL(path, like.url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

/** The same request with other members in its body, which may be missing. */
export async function withBody(request: Request, change: (body: Tree) => object): Promise<Request> {
  const { url, method } = request;
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  const text = await request.clone().text();
  let body: Tree;
  try {
    body = JSON.parse(text === '' ? '{}' : text);
  } catch {
    return request;
  }
  return new Request(url, { method, headers, body: JSON.stringify(change(body)) });
}

/** Changes the members of the body of the commands that fit. */
export const bodied = (fits: RegExp, change: (body: Tree) => object): Fetch =>
  playingAt(fits, async (request, forward) => forward(await withBody(request, change)));

/** Does something more after the answer. */
export const doing = (
  fits: RegExp,
  then: (response: Response, request: Request, forward: Forward) => unknown,
): Fetch =>
  playingAt(fits, async (request, forward) => {
    const response = await forward(request.clone());
    await then(response.clone(), request, forward);
    return response;
  });

/** The id of the deal in a path. */
export const dealIn = (request: Request): string =>
  /\/deal\/([^/]+)\//.exec(pathOf(request))?.[1] ?? '';

/** Changes the events of a time line, all at once. */
export const retelling = (change: (events: readonly Tree[]) => readonly Tree[]): Fetch =>
  editing(timeLine, (data) => {
    data['results'] = change(listOf(data, 'results'));
  });

/** Changes each event of a time line; it is left out for `undefined`. */
export const inEvents = (change: (event: Tree) => Tree | undefined): Fetch =>
  retelling((events) => events.map(change).filter((each) => each !== undefined));
