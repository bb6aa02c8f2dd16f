import type { PartnerApi } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { dealTerms, dealV2Terms } from './answers.js';
import {
  contractorMembers,
  dealListMembers,
  fileMembers,
  remarks,
  stageRemarks,
} from './members.js';
import type { WireErrorCode } from './problem.js';

/** The versions of the interface (interface, Versioning). */
export type ApiVersion = '1.0' | '2.0';

type ErrorOf<Called> = Called extends ResultAsync<unknown, infer E> ? E : never;

export type OperationError = ErrorOf<ReturnType<PartnerApi<never>[keyof PartnerApi]>>;

/** What names the deal that a route is about. */
export type DealName =
  /** The id of a 1.0 deal, in the path. */
  | 'id'
  /** The partner's own id of a deal, percent-encoded in the path. */
  | 'partner_id'
  /** The same as a parameter of the query: paths cannot carry every text. */
  | 'partner_id_parameter';

/** What a route reads of a request besides. */
export type RouteInput =
  | 'nothing'
  | 'body'
  /** A body that may be left out: then it is `{}`. */
  | 'command'
  | 'query'
  /** A file as JSON or as a form. */
  | 'file';

/** The members of a body, or the parameters of a query: what matters is their names. */
export type Members = Readonly<Record<string, unknown>>;

/** One row of the interface: what a method on a path means. */
export interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** With its closing slash; without it the same path is answered the same way. */
  readonly path: string;
  readonly version: ApiVersion;
  readonly operation: keyof PartnerApi;
  readonly by?: DealName;
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

type Row = Pick<Route, 'path' | 'input'> & Partial<Pick<Route, 'by' | 'members' | 'errors'>>;

const ofDeal = '/api/2.0/deal/{partner_id}/';

/** A command of a partner: its name in a path, and what it may say. */
const command = <const N extends string>(name: N, members: Members) =>
  ({
    path: `${ofDeal}${name}/`,
    by: 'partner_id',
    input: 'command',
    members,
    errors: ['illegal_transition', 'precondition_failed'],
  }) as const;

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
  retrieveDeal: { path: '/api/1.0/deal/{id}/', by: 'id', input: 'nothing' },
  uploadFile: {
    path: '/api/1.0/deal/{id}/file/',
    by: 'id',
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
  retrieveDealDetails: { path: ofDeal, by: 'partner_id', input: 'nothing' },
  listEmployerDeals: {
    path: '/api/2.0/deal/',
    input: 'query',
    members: dealListMembers,
    errors: ['validation_failed', 'invalid_cursor'],
  },
  uploadWorkFile: {
    path: `${ofDeal}file/`,
    by: 'partner_id',
    input: 'file',
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  listWorkFiles: { path: `${ofDeal}file/`, by: 'partner_id', input: 'nothing' },
  invite: command('invite', remarks),
  accept: command('accept', remarks),
  decline: command('decline', remarks),
  cancel: command('cancel', remarks),
  deliver: command('deliver', stageRemarks),
  requestChanges: command('request-changes', stageRemarks),
  approve: command('approve', stageRemarks),
  dispute: command('dispute', remarks),
  requestPayment: command('request-payment', remarks),
} as const satisfies { readonly [K in keyof PartnerApi]: Row };

type Rows = typeof rows;

/** The names of the rows: an operation each, and the same by the parameter `partner_id`. */
export type RouteName =
  | keyof Rows
  | {
      [K in keyof Rows]: Rows[K] extends { readonly by: 'partner_id' } ? `${K}ByParameter` : never;
    }[keyof Rows];

function routeOf(
  [name, row]: [string, Row],
  operation = name as keyof PartnerApi,
): [string, Route] {
  const { path, by, input, members = {}, errors = [] } = row;
  const common = {
    name,
    path,
    version: versionOf(path),
    operation,
    input,
    members,
    ...(by && { by }),
  };
  if (input === 'nothing' || input === 'query') {
    return [name, { ...common, method: 'GET', status: 200, errors }];
  }
  const status = input === 'command' ? 200 : 201;
  return [name, { ...common, method: 'POST', status, errors: [...ofBody, ...errors] }];
}

/** Every path of a deal stands for those whose id no path can carry, too (decision 6.7). */
function byParameter([name, row]: [string, Row]): [string, Route][] {
  if (row.by !== 'partner_id') return [];
  const path = row.path.replace('{partner_id}', 'by-id');
  const named = { ...row, path, by: 'partner_id_parameter' } as const;
  return [routeOf([`${name}ByParameter`, named], name as keyof PartnerApi)];
}

function versionOf(path: string): ApiVersion {
  return path.startsWith('/api/1.0/') ? '1.0' : '2.0';
}

/** The one table that the router, the OpenAPI document, the client and the tests are made from. */
export const routes = Object.fromEntries(
  Object.entries<Row>(rows).flatMap((row) => [routeOf(row), ...byParameter(row)]),
) as Readonly<Record<RouteName, Route>>;
