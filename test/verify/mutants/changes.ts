import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];
type Members = Record<string, unknown>;

/** Changes what goes out. */
export function answering(
  change: (response: Response, request: Request) => Response | Promise<Response>,
): Fetch {
  return (forward) => async (request) => {
    const kept = request.clone();
    return change(await forward(request), kept);
  };
}

/** Changes what comes in, or answers it. */
export function asking(
  change: (request: Request) => Request | Response | Promise<Request | Response>,
): Fetch {
  return (forward) => async (request) => {
    const changed = await change(request);
    return changed instanceof Response ? changed : forward(changed);
  };
}

/** The answer with other headers; one that is `undefined` is taken away. */
export function withHeaders(
  response: Response,
  changes: Readonly<Record<string, string | undefined>>,
): Response {
  return new Response(response.body, {
    status: response.status,
    headers: changed(response.headers, changes),
  });
}

/** The answer with other members, if it is a JSON object. */
export async function withMembers(
  response: Response,
  change: (members: Members) => Members,
): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  const members = text.startsWith('{') ? JSON.stringify(change(JSON.parse(text))) : text;
  return new Response(members === '' ? null : members, { status, headers });
}

/** Changes the members of errors. */
export function inErrors(
  change: (error: Members, response: Response, request: Request) => Members,
): Fetch {
  return answering((response, request) =>
    response.status < 400
      ? response
      : withMembers(response, (error) => change(error, response, request)),
  );
}

/** The request with other headers; one that is `undefined` is taken away. */
export function askedWith(
  request: Request,
  changes: Readonly<Record<string, string | undefined>>,
): Request {
  return new Request(request, { headers: changed(request.headers, changes) });
}

/** The request of another path; the query stays, unless the new path has one. */
export function askedAt(request: Request, change: (path: string) => string): Request {
  const { origin, pathname, search } = new URL(request.url);
  return new Request(origin + change(pathname + search), request);
}

/** The request with another body, if it has one. */
export async function askedAs(
  request: Request,
  change: (text: string) => string,
): Promise<Request> {
  if (request.body === null) return request;
  const { url, method, headers } = request;
  const body = change(await request.text());
  const own = changed(headers, { 'content-length': undefined });
  return new Request(url, { method, headers: own, body: new TextEncoder().encode(body) });
}

/** An error of the interface. */
export function refusal(status: number, code: string): Response {
  const members = { type: `urn:dealwright:error:${code}`, title: code, status, detail: code, code };
  return Response.json(members, { status });
}

export const pathOf = ({ url }: Pick<Request, 'url'>) => new URL(url).pathname;

export const hasToken = ({ headers }: Pick<Request, 'headers'>) => headers.has('authorization');

function changed(headers: Headers, changes: Readonly<Record<string, string | undefined>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) all.delete(name);
    else all.set(name, value);
  }
  return all;
}
