import type { PartnerApi } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { dealTerms, dealV2Terms } from './answers.js';
import { contractorMembers, dealListMembers, fileMembers } from './members.js';
import type { WireErrorCode } from './problem.js';

/** The versions of the interface (interface, Versioning). */
export type ApiVersion = '1.0' | '2.0';

type ErrorOf<Called> = Called extends ResultAsync<unknown, infer E> ? E : never;

/** The errors of the operations themselves. */
export type OperationError = ErrorOf<ReturnType<PartnerApi<never>[keyof PartnerApi]>>;

/** What a route reads of a request, and in what form. */
export type RouteInput =
  | 'nothing'
  /** A JSON object. */
  | 'body'
  /** The id of a 1.0 deal, in the path. */
  | 'id'
  /** The partner's own id of a deal, percent-encoded in the path. */
  | 'partner_id'
  /** The same as a parameter of the query: paths cannot carry every text. */
  | 'partner_id_parameter'
  /** The parameters of a list. */
  | 'query'
  /** The id of a 1.0 deal in the path, and a file as JSON or as a form. */
  | 'file';

/** The members of a body, or the parameters of a query: what matters is their names. */
export type Members = Readonly<Record<string, unknown>>;

/** One row of the interface: what a method on a path means. */
export interface Route {
  /** The name of the row. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** With its closing slash; without it the same path is answered the same way. */
  readonly path: string;
  readonly version: ApiVersion;
  readonly operation: keyof PartnerApi;
  readonly input: RouteInput;
  /** What is read of the body or the query, by its names. */
  readonly members: Members;
  /** Of a success. */
  readonly status: 200 | 201;
  /** Its own errors; every route of the interface has the common ones besides. */
  readonly errors: readonly WireErrorCode[];
}

/** What a route that takes a body can answer besides. */
const ofBody = [
  'invalid_json',
  'validation_failed',
  'invalid_idempotency_key',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const;

/** What every route of the interface can answer. */
export const commonErrors = [
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly WireErrorCode[];

/** What a row says; the rest follows from it. */
type Row = Pick<Route, 'path' | 'input'> &
  Partial<Pick<Route, 'members' | 'errors'>> & {
    /** Where it is not the name of the row. */
    readonly operation?: keyof PartnerApi;
  };

const rows = {
  registerContractor: {
    path: '/api/1.0/contractor/',
    input: 'body',
    members: contractorMembers,
    errors: ['contractor_exists'],
  },
  createDeal: {
    path: '/api/1.0/deal/',
    input: 'body',
    members: dealTerms,
    errors: ['deal_exists'],
  },
  listCategories: { path: '/api/1.0/category/', input: 'nothing' },
  retrieveDeal: { path: '/api/1.0/deal/{id}/', input: 'id' },
  uploadFile: {
    path: '/api/1.0/deal/{id}/file/',
    input: 'file',
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  createDealV2: {
    path: '/api/2.0/deal/',
    input: 'body',
    members: dealV2Terms,
    errors: ['deal_exists'],
  },
  listCategoryTree: { path: '/api/2.0/category/', input: 'nothing' },
  retrieveDealDetails: { path: '/api/2.0/deal/{partner_id}/', input: 'partner_id' },
  retrieveDealDetailsByParameter: {
    path: '/api/2.0/deal/by-id/',
    input: 'partner_id_parameter',
    operation: 'retrieveDealDetails',
  },
  listEmployerDeals: {
    path: '/api/2.0/deal/',
    input: 'query',
    members: dealListMembers,
    errors: ['validation_failed', 'invalid_cursor'],
  },
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a row of the table. */
export type RouteName = keyof typeof rows;

function routeOf([name, row]: [string, Row]): [string, Route] {
  const { path, input, members = {}, errors = [] } = row;
  // without another one, the name of the row is that of its operation
  const operation = row.operation ?? (name as keyof PartnerApi);
  const common = { name, path, version: versionOf(path), operation, input, members };
  return input === 'body' || input === 'file'
    ? [name, { ...common, method: 'POST', status: 201, errors: [...ofBody, ...errors] }]
    : [name, { ...common, method: 'GET', status: 200, errors }];
}

function versionOf(path: string): ApiVersion {
  return path.startsWith('/api/1.0/') ? '1.0' : '2.0';
}

/** The one table that the router, the OpenAPI document, the client and the tests are made from. */
export const routes = Object.fromEntries(Object.entries(rows).map(routeOf)) as Readonly<
  Record<RouteName, Route>
>;
