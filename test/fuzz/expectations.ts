import { readFileSync } from 'node:fs';
import { statuses, type WireErrorCode } from '../../adapters/http/wire/problem.js';
import type { Route } from '../../adapters/http/wire/route.js';
import { type RouteName, routes } from '../../adapters/http/wire/routes.js';
import { marker } from './bodies.js';
import type { FuzzRequest } from './requests.js';
import type { World } from './world.js';

/** What came back, through any adapter. */
export interface FuzzAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Every code that the catalogue of errors has. */
const issueCodes = new Set(
  Array.from(
    readFileSync('docs/reference/errors.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm),
    ([, code]) => code,
  ),
);
/** Longer ones name nothing, as `docs/reference/http.md` says. */
const longestTarget = 16 * 1024;
const all: readonly Route[] = Object.values(routes);

/** The rows that a path names, found another way than the router finds them. */
function rowsOf(path: string): readonly Route[] {
  const matching = all.filter((route) => {
    const pattern = route.path.replace(/\./g, '\\.').replace(/\{\w+\}/, '[^/]+');
    return new RegExp(`^${pattern}?$`, 's').test(path);
  });
  const literal = matching.filter((route) => [route.path, route.path.slice(0, -1)].includes(path));
  return literal.length > 0 ? literal : matching;
}

/** The row that a request means, for the figures. */
export function rowOf({ method, target }: FuzzRequest): Route | undefined {
  const [path = ''] = target.split('?', 1);
  return rowsOf(path).find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
}

function check(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

/** Throws if an answer is not one that the interface and its document have for its request. */
export function checkAnswer(world: World, request: FuzzRequest, answer: FuzzAnswer): void {
  const { status, headers, body } = answer;
  check(status < 500, `a ${status}: ${JSON.stringify(world.causes.at(-1))}`);
  const [path = ''] = request.target.split('?', 1);
  checkStatus(world, request, path, answer);

  const id = headers['x-request-id'] ?? '';
  check(/^[A-Za-z0-9._~-]{1,128}$/.test(id), 'a request id');
  const given = request.headers['x-request-id'] ?? '';
  if (/^[A-Za-z0-9._~-]{1,128}$/.test(given)) {
    const credentials = (request.headers['authorization'] ?? '').trim().replace(/^\S+ +/, '');
    const isSecret = credentials !== '' && given.includes(credentials);
    check((id === given) !== isSecret, "the caller's request id, but for one with a token in it");
  }
  const isApi = path.startsWith('/api/');
  check(!isApi || headers['cache-control'] === 'no-store', 'no-store under /api/');
  check(!JSON.stringify(headers).includes(marker), 'a header repeats what was sent');

  if (status === 204) {
    check(body === undefined && headers['content-type'] === undefined, 'a 204 without a body');
    check(/\bOPTIONS\b/.test(headers['allow'] ?? ''), 'Allow of OPTIONS');
    return;
  }
  if (isApi || status >= 400) {
    const faults = world.faultsOf(documentedAs(request, path), answer);
    check(faults.length === 0, `not as the document says: ${faults}`);
  }
  if (request.method === 'HEAD') {
    check(body === undefined, 'no body for HEAD');
    check(/^\d+$/.test(headers['content-length'] ?? ''), 'the length that GET would get');
    return;
  }
  check(body !== undefined, 'a body');
  check(!body.includes(world.token), 'an answer repeats the token');
  if (status >= 400) checkRefusal(request, path, answer, body, id);
  else if (isApi) checkSuccess(path, body);
}

/** The row whose answers the document tells of; what no row has is refused as any row is. */
function documentedAs(request: FuzzRequest, path: string): RouteName {
  const isVersion1 = path.startsWith('/api/1.0/');
  const other = isVersion1 ? routes.listCategories : routes.listCategoryTree;
  return (rowOf(request) ?? rowsOf(path)[0] ?? other).name as RouteName;
}

function checkStatus(
  world: World,
  request: FuzzRequest,
  path: string,
  { status, headers }: FuzzAnswer,
): void {
  const { method } = request;
  const rows = request.target.length > longestTarget ? [] : rowsOf(path);
  const isOne = (...allowed: readonly number[]) =>
    check(allowed.includes(status), `${status} instead of ${allowed.join(' or ')}`);
  if (method === 'OPTIONS') {
    if (path.startsWith('/api/')) isOne(rows.length > 0 ? 204 : 404);
    return;
  }
  if (!path.startsWith('/api/')) return;
  const deals = world.dealsOf(request);
  if (deals === undefined) {
    isOne(401);
    check(headers['www-authenticate'] === 'Token', 'WWW-Authenticate on 401');
    return;
  }
  if (rows.length === 0) {
    isOne(404);
    return;
  }
  const route = rowOf(request);
  if (route === undefined) {
    isOne(405);
    const methods = rows.flatMap((row) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]));
    const allow = (headers['allow'] ?? '').split(', ').sort().join();
    check(allow === [...new Set(methods), 'OPTIONS'].sort().join(), `Allow: ${allow}`);
    return;
  }
  // there is no limiter in the world of this test
  const refusals = route.errors.map((code) => statuses[code]);
  const named = dealNamedBy(route, request.target);
  if (named === undefined || deals.has(named)) isOne(route.status, ...refusals);
  else isOne(404, ...withoutDeal(route.errors));
  if (status === 415) check(/application\/json/.test(headers['accept'] ?? ''), 'Accept on 415');
  const takesBody = route.input !== 'nothing' && route.input !== 'query';
  if (takesBody && request.headers['content-encoding'] !== undefined) isOne(415);
}

/** The refusals that may come before a deal is looked for. */
function withoutDeal(errors: Route['errors']): readonly number[] {
  const ofDeals = ['idempotency_key_reused', 'illegal_transition', 'precondition_failed'];
  return errors.filter((code) => !ofDeals.includes(code)).map((code) => statuses[code]);
}

/** What a path or a query says of a deal, as `World` writes it; nothing where none is asked for. */
function dealNamedBy({ by }: Route, target: string): string | undefined {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const part = path.split('/')[4] ?? '';
  if (by === 'id') return `id ${part}`;
  if (by === 'partner_id_parameter') {
    return `partner_id ${new URLSearchParams(query).getAll('partner_id').at(-1) ?? 'by-id'}`;
  }
  if (by !== 'partner_id') return undefined;
  try {
    return `partner_id ${decodeURIComponent(part)}`;
  } catch {
    return 'no partner_id';
  }
}

const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'];

/** What the document leaves open. */
function checkRefusal(
  request: FuzzRequest,
  path: string,
  { status, headers }: FuzzAnswer,
  body: string,
  id: string,
): void {
  check(!body.includes(marker), 'a refusal repeats what was sent');
  const asksForProblem = /application\/problem\+json/i.test(request.headers['accept'] ?? '');
  const type = headers['content-type'];
  check(asksForProblem || type === 'application/json', `the content type ${type}`);
  check(headers['content-language'] !== undefined, 'a language');
  const problem = JSON.parse(body);
  const code: WireErrorCode = problem.code;
  check(problem.status === status, 'the status of the code');
  const expected = [...(path.startsWith('/api/1.0/') ? ['success'] : []), ...members];
  if (code === 'payload_too_large') expected.push('max_bytes');
  if (code === 'precondition_failed') expected.push('reason');
  if (code === 'illegal_transition') expected.push('deal_status', 'freelancer_status', 'legal');
  if (code === 'validation_failed') expected.push('errors');
  check(Object.keys(problem).join() === expected.join(), `the members ${Object.keys(problem)}`);
  check(problem.type === `urn:dealwright:error:${code}`, 'the type');
  check(problem.request_id === id && problem.instance === `urn:dealwright:request:${id}`, 'the id');
  check(problem.title !== '', 'a title');
  check(problem.detail !== '', 'a detail');
  if (code === 'payload_too_large') check(problem.max_bytes === 64 * 1024, 'max_bytes');
  if (code !== 'validation_failed') return;
  check(problem.errors.length > 0, 'issues');
  for (const issue of problem.errors) {
    check(issueCodes.has(issue.code), `the issue ${issue.code}`);
    check(issue.message !== '', 'a message');
  }
}

function checkSuccess(path: string, body: string): void {
  const { success } = JSON.parse(body);
  check(success === (path.startsWith('/api/1.0/') ? true : undefined), 'success');
}
