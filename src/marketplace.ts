import type { ResultAsync } from 'neverthrow';
import type { FilesSwept } from './api/answers.js';
import type { PartnerApi } from './api/partner-api.js';
import { checkPorts } from './check-ports.js';
import { createDealQueryParser } from './domain/deal-list.js';
import type { ValueSets } from './domain/deal-v2.js';
import type { Unavailable } from './domain/errors.js';
import { knownTenant, type Tenant } from './domain/tenant.js';
import { createWorkFileParser, leastSweptAge } from './domain/work-file.js';
import { type MarketplaceOptions, miswired, readOptions } from './marketplace-options.js';
import { guardPorts } from './ports/guarded-ports.js';
import type { MarketplacePorts } from './ports/marketplace-ports.js';
import { answerCommand, answerQuery, type Context } from './usecases/context.js';
import { createDeal, createDealV2 } from './usecases/create-deal.js';
import { listCategories } from './usecases/list-categories.js';
import { listEmployerDeals } from './usecases/list-employer-deals.js';
import { createQueues } from './usecases/queues.js';
import { registerContractor } from './usecases/register-contractor.js';
import { retrieveDeal, retrieveDealDetails } from './usecases/retrieve-deal.js';
import { sweepFiles } from './usecases/sweep-files.js';
import { uploadFile } from './usecases/upload-file.js';

/** The deals back end, wired: what `createHandler` serves, wherever the deals are kept. */
export interface Marketplace {
  /** What this partner can do. Throws a `TypeError` for a value that is not a tenant. */
  partner(tenant: Tenant): PartnerApi<never>;
  /** The sets of values that input is checked against, defaults filled in. */
  readonly valueSets: ValueSets;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
}

/** A `Marketplace` that keeps its deals and files in ports of its own. */
export interface LocalMarketplace extends Marketplace {
  /**
   * Deletes the contents of a tenant that no work file names: what a crash during an upload left.
   * `minAge`, in milliseconds, is how old they are at least: two hours or more, a day by default,
   * or a `TypeError` is thrown. An upload is recorded within an hour or not at all, so that no
   * upload under way is swept; ids must begin with real time.
   */
  sweepFiles(tenant: Tenant, minAge?: number): ResultAsync<FilesSwept, Unavailable>;
}

/**
 * Wires the use cases to their ports. A mistake in the wiring (a port that is missing, a deadline
 * of 0) throws a `TypeError` here, once, so that it cannot wait for the first request; nothing that
 * comes from `partner` ever throws.
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const marketplace = createMarketplace({
 *   ...createSystemPorts(),
 *   store: createMemoryStore(),
 *   files: createMemoryFileStore(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * });
 * const api = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
 * ```
 */
export function createMarketplace(
  ports: MarketplacePorts,
  options: MarketplaceOptions = {},
): LocalMarketplace {
  if (Object(options) !== options) miswired(`options are an object, not ${options}`);
  checkPorts(ports);
  const { deadline, profile, contractorScope, stagePlanner, fileLimit, valueSets } =
    readOptions(options);
  const context: Context = {
    ports: guardPorts(ports, deadline),
    parseDealQuery: createDealQueryParser(),
    parseWorkFile: createWorkFileParser(),
    fileLimit,
    rules: profile(valueSets),
    contractorScope,
    stagePlanner,
    uploads: createQueues(uploadsAtOnce),
  };
  return {
    partner: (tenant) => createPartnerApi(context, knownTenant(tenant)),
    sweepFiles(tenant, minAge = 24 * 60 * 60 * 1000) {
      if (!(minAge >= leastSweptAge)) {
        throw new TypeError(`sweepFiles: minAge is ${leastSweptAge} milliseconds or more`);
      }
      return answerQuery(knownTenant(tenant), undefined, (call) =>
        sweepFiles(context, call, minAge),
      );
    },
    valueSets,
    fileLimit,
  };
}

/** How many uploads of one deal are under way in a process; the others wait their turn. */
const uploadsAtOnce = 16;

function createPartnerApi(context: Context, tenant: Tenant): PartnerApi<never> {
  return {
    registerContractor: (input, options) =>
      answerCommand(tenant, options, (call) => registerContractor(context, call, input)),
    createDeal: (input, options) =>
      answerCommand(tenant, options, (call) => createDeal(context, call, input)),
    createDealV2: (input, options) =>
      answerCommand(tenant, options, (call) => createDealV2(context, call, input)),
    listCategories: (options) =>
      answerQuery(tenant, options, (call) => listCategories(context, call)),
    retrieveDeal: (id, options) =>
      answerQuery(tenant, options, (call) => retrieveDeal(context, call, id)),
    uploadFile: (id, upload, options) =>
      answerCommand(tenant, options, (call) => uploadFile(context, call, id, upload)),
    listCategoryTree: (options) =>
      answerQuery(tenant, options, (call) => listCategories(context, call)),
    retrieveDealDetails: (partner_id, options) =>
      answerQuery(tenant, options, (call) => retrieveDealDetails(context, call, partner_id)),
    listEmployerDeals: (query, options) =>
      answerQuery(tenant, options, (call) => listEmployerDeals(context, call, query)),
  };
}
