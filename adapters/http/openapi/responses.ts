import type { PreconditionReason, Resource } from 'dealwright';
import { isCategories } from '../wire/deals.js';
import { describeProblem, problemBody, statuses, type WireErrorCode } from '../wire/problem.js';
import { commonErrors, type Route } from '../wire/route.js';
import { dataOf, statusKinds } from './answers.js';
import { enumOf } from './enums.js';
import { schemeOf } from './faces.js';
import type { Example, KnownFacts } from './facts.js';
import { objectOf, refTo, type Schema } from './schema.js';

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const textHeader = (description: string, schema: Schema = { type: 'string' }): Schema => ({
  description,
  schema,
});

/** The headers of responses, by the names that responses refer to. */
export function responseHeaders({ deprecation }: KnownFacts): Readonly<Record<string, Schema>> {
  const ofDeprecation: Readonly<Record<string, Schema>> = {
    deprecation: textHeader('Since when version 1.0 is deprecated (RFC 9745).'),
    sunset: textHeader('When version 1.0 ends (RFC 8594).'),
    link: textHeader('Where to read about the deprecation.'),
  };
  return {
    'X-Request-Id': {
      ...textHeader("The caller's own id of the request if it is sound, or else a new one."),
      required: true,
    },
    'Retry-After': textHeader('Seconds after which it makes sense to come again.', {
      type: 'integer',
      minimum: 0,
    }),
    'Content-Disposition': textHeader(
      'The name of the file (RFC 6266), and its size in bytes (RFC 2183).',
    ),
    ETag: textHeader('The SHA-256 of the content, in hexadecimal digits.'),
    'Accept-Ranges': textHeader('Ranges are of bytes.', { const: 'bytes' }),
    'Content-Range': textHeader('The bytes that follow, where some do, and the size of the file.'),
    'Content-Security-Policy': textHeader('Keeps a browser from running what is in the file.'),
    Allow: textHeader('The methods that the path takes.'),
    Accept: textHeader('The types that the path takes.'),
    'Content-Language': textHeader('The language of the texts.', { enum: ['en', 'pl'] }),
    ...Object.fromEntries(
      Object.entries(deprecation ?? {}).map(([name, value]) => [
        titled(name),
        { ...ofDeprecation[name], example: value },
      ]),
    ),
  };
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function headersOf(
  { version }: Pick<Route, 'version'>,
  { deprecation }: KnownFacts,
  more: readonly string[],
): Schema {
  const ofVersion = version === '1.0' ? Object.keys(deprecation ?? {}).map(titled) : [];
  const names = ['X-Request-Id', ...more, ...ofVersion];
  return Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** The part of a route that a refusal depends on. */
type OfRoute = Pick<Route, 'version' | 'face'>;

const reasons: Readonly<Record<Exclude<PreconditionReason, 'not_due'>, true>> = {
  no_files: true,
  not_paid: true,
  already_paid: true,
  work_delivered: true,
  stage_closed: true,
  payout_processing: true,
  nothing_outstanding: true,
  nothing_to_retry: true,
  no_surplus: true,
  amount_out_of_bounds: true,
  too_many: true,
  not_overdue: true,
  stages_required: true,
  nothing_changed: true,
  terms_changed: true,
  consent_needed: true,
};

const resources: Readonly<Record<Resource, true>> = {
  deal: true,
  proposal: true,
  work_file: true,
  webhook: true,
  delivery: true,
  report: true,
  partner: true,
  operation: true,
};

/** The schemas of error bodies (decision 5.1); that of version 1.0 also has `success`. */
export function problemSchemas(): Readonly<Record<string, Schema>> {
  const text: Schema = { type: 'string' };
  const members: Readonly<Record<string, Schema>> = {
    type: { type: 'string', pattern: '^urn:dealwright:error:[a-z_]+$' },
    title: text,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text,
    instance: { type: 'string', pattern: '^urn:dealwright:request:' },
    code: { type: 'string', enum: Object.keys(statuses) },
    request_id: text,
    outcome: {
      type: 'string',
      enum: ['none', 'unknown'],
      description: 'Whether the call may have had its effect, where that is in doubt.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 0,
      description: 'Bytes that a body may have, where this one has more.',
    },
    reason: {
      type: 'string',
      enum: Object.keys(reasons),
      description: 'Why the deal does not allow it now.',
    },
    deal_status: enumOf('status'),
    freelancer_status: enumOf('freelancer_status'),
    legal: {
      type: 'array',
      items: text,
      description: 'The commands that the caller could give in this state.',
    },
    proposal_status: statusKinds['proposal status'],
    errors: { type: 'array', items: refTo('Issue'), description: 'Every failing field.' },
  };
  const resource: Schema = {
    type: 'string',
    enum: Object.keys(resources),
    description: 'What there is not.',
  };
  const optional = [
    'resource',
    'outcome',
    'max_bytes',
    'reason',
    'deal_status',
    'freelancer_status',
    'legal',
    'proposal_status',
    'errors',
  ];
  return {
    Problem: objectOf<typeof members>({ ...members, resource }, optional),
    ProblemV1: objectOf<typeof members>(
      { success: { type: 'boolean', const: false }, ...members },
      optional,
    ),
  };
}

/** The successes of a route by their statuses. */
export function successesOf(
  route: Route,
  example: Example,
  facts: KnownFacts,
): Readonly<Record<string, Schema>> {
  const { version, status, answer } = route;
  if (answer === 'file') return ofFile(route, facts);
  const data = dataOf(answer);
  const members: Readonly<Record<string, Schema>> = {
    success: { type: 'boolean', default: true },
    data,
  };
  const schema = version === '1.0' ? objectOf(members, ['success']) : objectOf({ data });
  const value = version === '1.0' ? { success: true, data: example.data } : { data: example.data };
  const success = {
    description: status === 201 ? 'Created, or the first answer again under the same key.' : 'OK',
    headers: headersOf(route, facts, isCategories(answer) ? ['Content-Language'] : []),
    content: { 'application/json': { schema, example: value } },
  };
  return { [status]: success };
}

/** The content of a file, the requested range of it, or 304 if it has not changed. */
function ofFile(route: Route, facts: KnownFacts): Readonly<Record<string, Schema>> {
  const more = ['Content-Disposition', 'Content-Security-Policy', 'ETag', 'Accept-Ranges'];
  const headers = headersOf(route, facts, more);
  const content = { '*/*': { schema: {} } };
  return {
    200: { description: 'The content of the file, in its own type.', headers, content },
    206: {
      description: 'The bytes that were asked for.',
      headers: { ...headers, 'Content-Range': header('Content-Range') },
      content,
    },
    304: { description: 'The content has not changed.', headers },
  };
}

/** The refusals of a route: each status with all its codes. */
export function refusalsOf(
  route: Route,
  example: Example,
  facts: KnownFacts,
): Readonly<Record<string, Schema>> {
  const byStatus = new Map<number, WireErrorCode[]>();
  for (const code of [...route.errors, ...commonErrors]) {
    const others = byStatus.get(statuses[code]) ?? [];
    // a common code may also be among the route's own
    if (!others.includes(code)) byStatus.set(statuses[code], [...others, code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      // a status with several codes has examples of its route
      codes.length > 1
        ? refusal(route, codes, example, facts)
        : { $ref: `#/components/responses/${codes.map((code) => refusalName(code, route))}` },
    ]),
  );
}

/** The refusals that routes share, by the names that routes refer to. */
export function sharedRefusals(facts: KnownFacts): Readonly<Record<string, Schema>> {
  const codes = Object.keys(statuses) as WireErrorCode[];
  // version 1.0 has only the partner's
  const kinds: readonly OfRoute[] = [
    { version: '1.0', face: 'partner' },
    ...(['partner', 'freelancer', 'operator'] as const).map(
      (face) => ({ version: '2.0', face }) as const,
    ),
  ];
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      codes.map((code) => [refusalName(code, kind), refusal(kind, [code], {}, facts)]),
    ),
  );
}

/** `deal_exists` of version 1.0 is `DealExistsV1`; `unauthorized` differs by scheme. */
function refusalName(code: WireErrorCode, { version, face }: OfRoute): string {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const scheme = schemeOf({ face });
  const isOther = code === 'unauthorized' && scheme !== 'Token';
  return words.join('') + (isOther ? scheme : `V${version.charAt(0)}`);
}

/** The header that a status requires (decision 5.2). */
const headersOfCode: Partial<Readonly<Record<WireErrorCode, string>>> = {
  method_not_allowed: 'Allow',
  unsupported_media_type: 'Accept',
  range_not_satisfiable: 'Content-Range',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
};

function refusal(
  route: OfRoute,
  codes: readonly WireErrorCode[],
  example: Example,
  facts: KnownFacts,
): Schema {
  const obliged = codes.flatMap((code) => headersOfCode[code] ?? []);
  const schema = {
    allOf: [
      refTo(route.version === '1.0' ? 'ProblemV1' : 'Problem'),
      objectOf({ code: { type: 'string', enum: codes } }),
    ],
  };
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: exampleOf(code, route, example, facts) }]),
  );
  const content = { schema, examples };
  return {
    description: codes.map((code) => describeProblem(code, 'en')).join(' '),
    headers: {
      ...headersOf(route, facts, ['Content-Language', ...obliged]),
      ...(codes.includes('unauthorized') && { 'WWW-Authenticate': schemeHeader(route) }),
    },
    content: { 'application/json': content, 'application/problem+json': content },
  };
}

const schemeHeader = (route: OfRoute): Schema =>
  textHeader('The scheme of the credentials, and whether a session of the host did not count.', {
    pattern: `^${schemeOf(route)}(?: error="foreign_origin")?$`,
  });

/** Further members of a refusal, if the example of its route does not show them. */
const usual: Example['refusals'] = {
  not_found: { resource: 'deal' },
  unavailable: { outcome: 'none' },
  precondition_failed: { reason: 'no_files' },
};

function exampleOf(
  code: WireErrorCode,
  { version }: OfRoute,
  { refusals }: Example,
  { limits }: KnownFacts,
): unknown {
  const known = code === 'payload_too_large' ? { maxBytes: limits.json } : usual?.[code];
  const problem = { code, ...known, ...refusals?.[code] };
  return JSON.parse(problemBody(problem, exampleRequestId, 'en', version === '1.0'));
}

const exampleRequestId = '01KDVHF0800000000000000000';
