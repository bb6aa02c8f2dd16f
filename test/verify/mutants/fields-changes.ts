import { answering, askedAs, askedAt, asking, pathOf, refusal } from './changes.js';
import type { Mutant } from './mutant.js';

type Members = Record<string, unknown>;
type Fetch = Mutant['fetch'];

export const contractorPath = '/api/1.0/contractor/';
export const dealPath = '/api/1.0/deal/';
export const dealV2Path = '/api/2.0/deal/';

/** Says whether a request has a JSON body for this path, or for one that ends so. */
const isFor = (path: string) => (request: Request) =>
  request.method === 'POST' && pathOf(request).endsWith(path);

/** Reads another text than the one that came. */
export const readsText = (path: string, change: (text: string) => string): Fetch =>
  asking((request) => (isFor(path)(request) ? askedAs(request, change) : request));

/** Forgets a rule: members that break it are mended. */
export const mends = (path: string, change: (members: Members) => Members): Fetch =>
  readsText(path, (text) => {
    const members = membersIn(text);
    return members === undefined ? text : JSON.stringify({ ...members, ...change(members) });
  });

/** The same for one member, if it is a text. */
export const mendsText = (path: string, name: string, change: (value: string) => string): Fetch =>
  mends(path, (members) => {
    const value = members[name];
    return typeof value === 'string' ? { [name]: change(value) } : {};
  });

/** Has a rule too many: refuses the bodies that fit, if nothing else is wrong with them. */
export const refuses = (
  path: string,
  name: string,
  code: string,
  fits: (value: unknown) => boolean,
): Fetch =>
  asking(async (request) => {
    if (!isFor(path)(request)) return request;
    const members = membersIn(await request.clone().text());
    return members !== undefined && fits(members[name]) ? issue(name, code) : request;
  });

/** The same for one member, if it is a text. */
export const refusesText = (
  path: string,
  name: string,
  code: string,
  fits: (value: string) => boolean,
): Fetch => refuses(path, name, code, (value) => typeof value === 'string' && fits(value));

/** A validation error with one issue. */
export async function issue(name: string, code: string): Promise<Response> {
  const response = refusal(400, 'validation_failed');
  const errors = [{ path: [name], code, message: code, params: {} }];
  return Response.json({ ...(await response.json()), errors }, { status: 400 });
}

/** Changes the issues of validation errors. */
export const inIssues = (
  change: (issue: Members, request: Request) => Members | Promise<Members>,
): Fetch =>
  answering(async (response, request) => {
    if (response.status !== 400) return response;
    const error = await response.json();
    const { errors } = error;
    if (!Array.isArray(errors)) return Response.json(error, { status: 400 });
    const changed = await Promise.all(errors.map((each) => change(each, request.clone())));
    return Response.json({ ...error, errors: changed }, { status: 400 });
  });

/** Changes the text of answers. */
export const says = (change: (text: string, request: Request) => string): Fetch =>
  answering(async (response, request) => {
    const { status, headers } = response;
    const text = change(await response.text(), request);
    return new Response(text === '' ? null : text, { status, headers });
  });

/** Reads another query than the one that came. */
export const asksFor = (path: string, change: (query: string) => string): Fetch =>
  asking((request) =>
    request.method === 'GET' && pathOf(request) === path
      ? askedAt(request, (whole) => {
          const [pathname = '', query = ''] = whole.split('?');
          return `${pathname}?${change(query)}`;
        })
      : request,
  );

export const codePoints = (text: string) => [...text].length;

function membersIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}
