import { answering, askedAs, asking, pathOf, refusal, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];
export type Members = Record<string, unknown>;

const creates = /^\/api\/(1\.0\/contractor|[12]\.0\/deal)\/$/;

export const isCreate = (request: Request) =>
  request.method === 'POST' && creates.test(pathOf(request));

/** Reads of one deal, in either version. */
export const isRead = (request: Request) =>
  request.method === 'GET' && /^\/api\/[12]\.0\/deal\/[^/]+\/$/.test(pathOf(request));

export const isList = (request: Request) =>
  request.method === 'GET' && pathOf(request) === '/api/2.0/deal/';

export const isVersion1 = (request: Request) => pathOf(request).startsWith('/api/1.0/');

export const keyOf = ({ headers }: Request) => headers.get('idempotency-key');

/** Whether the other partner sends it. */
export const isOther = ({ headers }: Request) =>
  headers.get('authorization')?.includes('globex') === true;

/** The members of a body that is a JSON object; none of any other. */
export async function bodyOf(request: Request | Response): Promise<Members> {
  try {
    return Object(JSON.parse(await request.clone().text()));
  } catch {
    return {};
  }
}

/** What names the record that a create makes. */
export function nameIn(body: Members): string {
  return String(body['partner_id'] ?? body['email']).toLowerCase();
}

/** Changes the bodies of creates that are JSON objects. */
export function inBodies(change: (body: Members, request: Request) => Members): Fetch {
  return asking(async (request) => {
    const body = await bodyOf(request);
    if (!isCreate(request) || Object.keys(body).length === 0) return request;
    return askedAs(request, () => JSON.stringify(change(body, request)));
  });
}

/** Changes a field in the bodies of creates, if it is a text. */
export function inField(names: readonly string[], change: (text: string) => string): Fetch {
  return inBodies((body) => ({
    ...body,
    ...Object.fromEntries(
      names
        .filter((name) => typeof body[name] === 'string')
        .map((name) => [name, change(String(body[name]))]),
    ),
  }));
}

/** Changes `data` of successes. */
export function inData(
  fits: (request: Request) => boolean,
  change: (data: Members, request: Request) => unknown,
): Fetch {
  return answering((response, request) =>
    response.ok && fits(request)
      ? withMembers(response, (members) => ({
          ...members,
          data: change(Object(members['data']), request),
        }))
      : response,
  );
}

/** Gives answers with another status. */
export function inStatus(
  fits: (request: Request, status: number) => boolean,
  status: number,
): Fetch {
  return answering((response, request) =>
    fits(request, response.status)
      ? new Response(response.body, { status, headers: response.headers })
      : response,
  );
}

/** A validation error with these issues. */
export function invalid(...issues: readonly (readonly [name: string, code: string])[]): Response {
  const errors = issues.map(([name, code]) => ({ path: [name], code, message: code, params: {} }));
  const members = { code: 'validation_failed', status: 400, errors };
  return Response.json(members, { status: 400 });
}

/** Answers as a server does that remembers what it saw. */
export function remembering<State>(
  start: () => State,
  answer: (
    state: State,
    request: Request,
    forward: (request: Request) => Promise<Response>,
  ) => Promise<Response>,
): Fetch {
  return (forward) => {
    const state = start();
    return (request) => answer(state, request, forward);
  };
}

export const conflictFor = (request: Request) =>
  refusal(409, pathOf(request).includes('contractor') ? 'contractor_exists' : 'deal_exists');
