import type { PartnerApi } from 'dealwright';
import { dealTerms, dealV2Terms } from './answers.js';
import { contractorMembers, dealListMembers, fileMembers } from './members.js';
import type { WireErrorCode } from './problem.js';

/**
 * The versions of the interface (interface, Versioning).
 */
export type ApiVersion = '1.0' | '2.0';

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
  readonly members?: Members;
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

/** The one table that the router, the OpenAPI document, the client and the tests are made from. */
export const routes = {
  registerContractor: {
    name: 'registerContractor',
    method: 'POST',
    path: '/api/1.0/contractor/',
    version: '1.0',
    operation: 'registerContractor',
    input: 'body',
    members: contractorMembers,
    status: 201,
    errors: [...ofBody, 'contractor_exists'],
  },
  createDeal: {
    name: 'createDeal',
    method: 'POST',
    path: '/api/1.0/deal/',
    version: '1.0',
    operation: 'createDeal',
    input: 'body',
    members: dealTerms,
    status: 201,
    errors: [...ofBody, 'deal_exists'],
  },
  listCategories: {
    name: 'listCategories',
    method: 'GET',
    path: '/api/1.0/category/',
    version: '1.0',
    operation: 'listCategories',
    input: 'nothing',
    status: 200,
    errors: [],
  },
  retrieveDeal: {
    name: 'retrieveDeal',
    method: 'GET',
    path: '/api/1.0/deal/{id}/',
    version: '1.0',
    operation: 'retrieveDeal',
    input: 'id',
    status: 200,
    errors: [],
  },
  uploadFile: {
    name: 'uploadFile',
    method: 'POST',
    path: '/api/1.0/deal/{id}/file/',
    version: '1.0',
    operation: 'uploadFile',
    input: 'file',
    members: fileMembers,
    status: 201,
    errors: [...ofBody, 'precondition_failed'],
  },
  createDealV2: {
    name: 'createDealV2',
    method: 'POST',
    path: '/api/2.0/deal/',
    version: '2.0',
    operation: 'createDealV2',
    input: 'body',
    members: dealV2Terms,
    status: 201,
    errors: [...ofBody, 'deal_exists'],
  },
  listCategoryTree: {
    name: 'listCategoryTree',
    method: 'GET',
    path: '/api/2.0/category/',
    version: '2.0',
    operation: 'listCategoryTree',
    input: 'nothing',
    status: 200,
    errors: [],
  },
  retrieveDealDetails: {
    name: 'retrieveDealDetails',
    method: 'GET',
    path: '/api/2.0/deal/{partner_id}/',
    version: '2.0',
    operation: 'retrieveDealDetails',
    input: 'partner_id',
    status: 200,
    errors: [],
  },
  retrieveDealDetailsByParameter: {
    name: 'retrieveDealDetailsByParameter',
    method: 'GET',
    path: '/api/2.0/deal/by-id/',
    version: '2.0',
    operation: 'retrieveDealDetails',
    input: 'partner_id_parameter',
    status: 200,
    errors: [],
  },
  listEmployerDeals: {
    name: 'listEmployerDeals',
    method: 'GET',
    path: '/api/2.0/deal/',
    version: '2.0',
    operation: 'listEmployerDeals',
    input: 'query',
    members: dealListMembers,
    status: 200,
    errors: ['validation_failed', 'invalid_cursor'],
  },
} as const satisfies Readonly<Record<string, Route>>;

/** The name of a row of the table. */
export type RouteName = keyof typeof routes;
