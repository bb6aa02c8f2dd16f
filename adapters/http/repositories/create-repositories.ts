import type { UpstreamDecision, UpstreamStorePorts } from 'dealwright/ports';
import { createContractors } from './contractors.js';
import { createDealIndex } from './deal-index.js';
import { createDeals } from './deals.js';
import { createDealsV2 } from './deals-v2.js';
import type { HttpRepositoriesOptions } from './options.js';
import { createUpstream, defaultTimeout } from './upstream.js';
import { createWorkFiles } from './work-files.js';

/** All that a service behind the interface decides by itself. */
const upstreamDecisions: readonly UpstreamDecision[] = Object.freeze([
  'contractor_scope',
  'created_at',
  'cursors',
  'events',
  'idempotency',
  'ids',
  'payment_tokens',
  'stages',
  'versions',
  'work_files',
]);

/**
 * Keeps contractors and deals of record in another service that speaks the interface, so that a
 * marketplace can run its own rules (a strict profile, its own catalogue) where it is. The service
 * decides what `upstream` lists; a stage planner, a token issuer or a file store of one's own beside
 * it is refused by `createMarketplace`.
 *
 * Each `add` is one request, never repeated, with the idempotency key of the addition where it has
 * one. Its answers become the port's:
 *
 * - 201: `created`, with the ids or the payment token of the answer, or `stored`;
 * - 409: `exists`, by e-mail or `partner_id`;
 * - 422: `exists`, by the idempotency key, with another input;
 * - 400 of nothing but an unknown contractor: `contractor_missing`;
 * - of an upload, 404, 413, and 400 of the stage or of the scanner: its own outcomes;
 * - 429, 502 to 504, and a connection that fails: `unavailable`, to be tried again after
 *   `retryAfter`; with the outcome `none` where nothing can have left or been done, and otherwise, as
 *   after a time-out, `unknown`;
 * - every other answer: `unavailable`, not retryable. The cause (`UpstreamFailure`) names codes and
 *   fields, never a value or a token.
 *
 * The interface cannot save, read a contractor, or read events: `save`, `contractors.byKey`,
 * `addWorkFile` and `recordedWorkFiles` are `unavailable`, not retryable. A 1.0 deal is read by two
 * requests, a 2.0 deal and a page of a list by one. A mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createHttpRepositories } from 'dealwright/http-repositories';
 * import { strictProfile } from 'dealwright/strict';
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const tokens = new Map([['sandbox acme', 'the-token-of-acme-upstream']]);
 * const marketplace = createMarketplace(
 *   {
 *     ...createHttpRepositories({
 *       baseUrl: 'https://deals.example.com',
 *       token: ({ environment, partner }) => tokens.get(`${environment} ${partner}`),
 *     }),
 *     ...createSystemPorts(),
 *     categories: createCategoryCatalogue(defaultCategoryTree),
 *   },
 *   { profile: strictProfile },
 * );
 * ```
 */
export function createHttpRepositories(options: HttpRepositoriesOptions): UpstreamStorePorts {
  const upstream = createUpstream(options);
  return {
    contractors: createContractors(upstream),
    deals: createDeals(upstream),
    dealsV2: createDealsV2(upstream),
    dealIndex: createDealIndex(upstream),
    workFiles: createWorkFiles(upstream, options.timeout ?? defaultTimeout),
    upstream: upstreamDecisions,
  };
}
