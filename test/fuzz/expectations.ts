import { readFileSync } from 'node:fs';
import { type Issue, isTenant } from 'dealwright';
import { type Actor, commandsOf, type Lifecycle, lifecycle } from 'dealwright/life';
import { statuses, type WireErrorCode } from '../../adapters/http/wire/problem.js';
import type { Route } from '../../adapters/http/wire/route.js';
import { marker } from './bodies.js';
import type { FuzzRequest } from './requests.js';
import { type FuzzAnswer, partsOf, pathOf, rowOf, rowsOf, schemeFor, schemeOf } from './rows.js';
import { type Deals, fileText, type World } from './world.js';

/** Without the names of its commands, as requests name any. */
const table: Lifecycle = lifecycle;

/** Every code that the catalogue of errors has. */
const issueCodes = new Set(
  Array.from(
    readFileSync('docs/reference/errors.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm),
    ([, code]) => code,
  ),
);
/** Longer targets mean nothing, as `docs/reference/http.md` says. */
const longestTarget = 16 * 1024;
function check(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

/** Throws if the interface and its document do not have this answer for the request. */
export function checkAnswer(world: World, request: FuzzRequest, answer: FuzzAnswer): void {
  const { status, headers, body } = answer;
  check(status < 500, `a ${status}: ${JSON.stringify(world.causes.at(-1))}`);
  const path = pathOf(request);
  checkStatus(world, request, path, answer);

  const id = headers['x-request-id'] ?? '';
  check(/^[A-Za-z0-9._~-]{1,128}$/.test(id), 'a request id');
  const given = request.headers['x-request-id'] ?? '';
  if (/^[A-Za-z0-9._~-]{1,128}$/.test(given)) {
    const credentials = (request.headers['authorization'] ?? '').trim().replace(/^\S+ +/, '');
    const isSecret = credentials !== '' && given.includes(credentials);
    check((id === given) !== isSecret, "the caller's request id, but for one with a token in it");
  }
  const isApi = isOfInterface(path);
  const isFile = rowOf(request)?.answer === 'file' && status < 400 && status !== 204;
  const caching = isFile ? 'private, no-cache, no-transform' : 'no-store';
  check(!isApi || headers['cache-control'] === caching, `${caching} under ${path}`);
  check(!JSON.stringify(headers).includes(marker), 'a header repeats what was sent');

  if (status === 204) {
    check(body === undefined && headers['content-type'] === undefined, 'a 204 without a body');
    check(/\bOPTIONS\b/.test(headers['allow'] ?? ''), 'Allow of OPTIONS');
    return;
  }
  if (isApi || status >= 400) {
    const shown = isFile ? { ...answer, body: undefined } : answer;
    const faults = world.faultsOf(documentedAs(request, path), shown);
    check(faults.length === 0, `not as the document says: ${faults}`);
  }
  if (status === 304) {
    check(body === undefined && isFile === isApi, 'a 304 of a file, without a body');
    return;
  }
  if (request.method === 'HEAD') {
    check(body === undefined, 'no body for HEAD');
    check(/^\d+$/.test(headers['content-length'] ?? ''), 'the length that GET would get');
    return;
  }
  check(body !== undefined, 'a body');
  for (const secret of [world.token, world.operatorToken]) {
    check(!body.includes(secret), 'an answer repeats the token');
  }
  const isPartner = schemeOf(path) === 'Token';
  for (const token of isPartner ? [] : world.offers) {
    check(!body.includes(token), 'an answer to others than the partner shows a payment token');
  }
  if (isFile) checkFile(answer, body);
  else if (status >= 400) checkRefusal(request, path, answer, body, id);
  else if (isApi) checkSuccess(path, body);
}

/** Says whether a path is below the paths of the interface. */
const isOfInterface = (path: string): boolean =>
  path.startsWith('/api/') || path.startsWith('/operator/');

/** The row that documents the answers; without a row, the refusals are those of any row. */
function documentedAs(request: FuzzRequest, path: string): string {
  const ofScheme = {
    Token: 'listCategoryTree',
    Offer: 'freelancerView',
    Operator: 'operatorListDeals',
  };
  const other = path.startsWith('/api/1.0/') ? 'listCategories' : ofScheme[schemeOf(path)];
  return (rowOf(request) ?? rowsOf(path)[0])?.name ?? other;
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
    if (isOfInterface(path)) isOne(rows.length > 0 ? 204 : 404);
    return;
  }
  if (!isOfInterface(path)) return;
  const route = rows.find((each) => each === rowOf(request));
  const parts = route === undefined ? {} : partsOf(route, request.target);
  const deals = world.dealsOf(request, decoded(parts['partner']));
  const scheme = schemeFor(request);
  const named = headers['www-authenticate'] ?? '';
  if (status === 401)
    check(
      [scheme, schemeOf(path)].some((each) => each === named),
      `${named} on 401`,
    );
  // a payment token is judged only when its deal is looked for
  const isLate = deals === undefined && mayBeOffer(request, scheme);
  if (deals === undefined && !isLate) {
    isOne(401);
    return;
  }
  if (rows.length === 0) {
    isOne(404);
    return;
  }
  if (route === undefined) {
    isOne(405);
    const methods = rows.flatMap((row) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]));
    const allow = (headers['allow'] ?? '').split(', ').sort().join();
    check(allow === [...new Set(methods), 'OPTIONS'].sort().join(), `Allow: ${allow}`);
    return;
  }
  const isPartner = !('partner' in parts) || isName(parts['partner']);
  // unknown parameters are judged before the deal, so an unknown payment token may get them too
  if (isPartner && unknownNames(route, request.target).length > 0) {
    isOne(...(deals === undefined ? [401, 400] : [400]));
    return;
  }
  const expected =
    deals === undefined
      ? [401, ...withoutDeal(route.errors)]
      : expectedOf(route, parts, request.target, deals);
  isOne(...expected);
  if (status === 415) check(/application\/json/.test(headers['accept'] ?? ''), 'Accept on 415');
  const takesBody = route.input !== 'nothing' && route.input !== 'query';
  const isEncoded = request.headers['content-encoding'] !== undefined;
  if (takesBody && isEncoded && expected.includes(415)) isOne(415);
}

/** The query of a target; of two question marks at its beginning, the second is part of a name. */
const parametersOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.split(/(\?.*)/s)[1] ?? '');

/** The unknown parameters of a list of 2.0, as a refusal may repeat them. */
function unknownNames({ by, input, members, version }: Route, target: string): readonly string[] {
  if (input !== 'query' || version === '1.0') return [];
  const known = [...Object.keys(members), ...(by === 'partner_id_parameter' ? ['partner_id'] : [])];
  return [...parametersOf(target).keys()]
    .filter((name) => !known.includes(name))
    .map((name) => Array.from(name).slice(0, 64).join(''));
}

const mayBeOffer = ({ headers }: FuzzRequest, scheme: string): boolean =>
  scheme === 'Offer' && /^offer +[!-~]{1,4096}$/i.test(headers['authorization'] ?? '');

/** The statuses that a known caller may get; there is no limiter in this world. */
function expectedOf(
  route: Route,
  parts: Readonly<Record<string, string>>,
  target: string,
  deals: Deals,
): readonly number[] {
  const named = dealNamedBy(route, parts, target);
  const files = deals.get(named);
  const isThere = named === 'none' || files !== undefined;
  const { actor = '', command = '' } = parts;
  if (!isThere) {
    const isPartner = !('partner' in parts) || isName(parts['partner']);
    // a path without a valid partner is 404 before anything is read
    return isPartner ? [404, ...withoutDeal(route.errors)] : [404];
  }
  const refusals = route.errors.map((code) => statuses[code]);
  // a webhook may have been deleted, and the ids of others are not known
  if (['webhook_id', 'proposal_id', 'report_id'].some((name) => name in parts)) {
    return [route.status, 404, ...refusals];
  }
  if (route.answer === 'file') {
    return files?.includes(decoded(parts['file_id'])) ? [200, 206, 304, ...refusals] : [404];
  }
  const isKnown =
    !('actor' in parts) ||
    (route.operation === 'propose'
      ? ['partner', 'freelancer'].includes(actor)
      : sandboxActors.includes(actor as Actor) &&
        commandsOf(table, actor as Actor).includes(command));
  return isKnown ? [route.status, ...refusals] : [404, ...withoutDeal(route.errors)];
}

const sandboxActors: readonly Actor[] = ['partner', 'freelancer', 'operator', 'payments'];

const isName = (part = ''): boolean => {
  const name = decoded(part);
  return isTenant({ environment: 'sandbox', partner: name });
};

/** The refusals that may come before a deal is looked for. */
function withoutDeal(errors: Route['errors']): readonly number[] {
  const ofDeals = ['idempotency_key_reused', 'illegal_transition', 'precondition_failed'];
  return errors.filter((code) => !ofDeals.includes(code)).map((code) => statuses[code]);
}

/** The deal of a path or a query, as `World` writes it; `none` if the route has none. */
function dealNamedBy(
  { by, face }: Route,
  parts: Readonly<Record<string, string>>,
  target: string,
): string {
  if (face === 'freelancer') return 'offer';
  if ('webhook_id' in parts) return `webhook ${decoded(parts['webhook_id'])}`;
  if (by === 'id') return `id ${parts['id']}`;
  if (by === 'partner_id_parameter') {
    const named = parametersOf(target).getAll('partner_id').at(-1) ?? 'by-id';
    // a query shows bytes that are not UTF-8 as U+FFFD, which a deal may be called
    const text = decoded(target.replace(/%(?![\da-f]{2})/gi, '%25'));
    return `partner_id ${named.includes('\uFFFD') && text === '\0' ? '\0' : named}`;
  }
  return by === 'partner_id' ? `partner_id ${decoded(parts['partner_id'])}` : 'none';
}

/** A part of a path; bytes that are not UTF-8 name nothing. */
function decoded(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '\0';
  }
}

/** A file, or the range of it in its header. */
function checkFile({ status, headers }: FuzzAnswer, body: string): void {
  check(headers['content-length'] === String(body.length), 'the length of the content');
  const [, from, to] = /^bytes (\d)-(\d)\/4$/.exec(headers['content-range'] ?? '') ?? [];
  check((from === undefined) === (status === 200), 'a range in 206 alone');
  const wanted = from === undefined ? fileText : fileText.slice(Number(from), Number(to) + 1);
  check(body === wanted, 'the bytes of the file');
}

const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'];

/** Checks the parts of a refusal that the document leaves open. */
function checkRefusal(
  request: FuzzRequest,
  path: string,
  { status, headers }: FuzzAnswer,
  body: string,
  id: string,
): void {
  const asksForProblem = /application\/problem\+json/i.test(request.headers['accept'] ?? '');
  const type = headers['content-type'];
  check(asksForProblem || type === 'application/json', `the content type ${type}`);
  check(headers['content-language'] !== undefined, 'a language');
  const problem = JSON.parse(body);
  const code: WireErrorCode = problem.code;
  checkSilence(request, problem);
  check(problem.status === status, 'the status of the code');
  const isVersion1 = path.startsWith('/api/1.0/');
  const expected = [...(isVersion1 ? ['success'] : []), ...members];
  if (code === 'payload_too_large') expected.push('max_bytes');
  if (code === 'not_found' && !isVersion1) expected.push('resource');
  if (code === 'precondition_failed') expected.push('reason');
  if (code === 'illegal_transition') expected.push('deal_status', 'freelancer_status', 'legal');
  if ('proposal_status' in problem) expected.push('proposal_status');
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

/** No input is repeated, except for the name of an unknown parameter, as a path. */
function checkSilence(request: FuzzRequest, problem: { readonly errors?: readonly Issue[] }): void {
  const route = rowOf(request);
  const unknown = route === undefined ? [] : unknownNames(route, request.target);
  const told = problem.errors?.map(({ path, ...issue }) => {
    if (issue.code !== 'unknown_parameter') return { path, ...issue };
    const [name = '', ...others] = path;
    // changes have no silent part: the names of unknown members are told
    if (route?.operation === 'propose' && name === 'changes') return issue;
    check(others.length === 0 && unknown.includes(name), `the unknown parameter ${path}`);
    check(name.isWellFormed(), 'a name that is well-formed');
    return issue;
  });
  const text = JSON.stringify({ ...problem, errors: told });
  check(!text.includes(marker), 'a refusal repeats what was sent');
}

function checkSuccess(path: string, body: string): void {
  const { success } = JSON.parse(body);
  check(success === (path.startsWith('/api/1.0/') ? true : undefined), 'success');
}
