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
import { createPortGuard } from './ports/guard.js';
import { createContentGuard } from './ports/guard-content.js';
import type { MarketplacePorts, UpstreamPorts } from './ports/marketplace-ports.js';
import { answered, type Context } from './usecases/context.js';
import { createDeal } from './usecases/create-deal.js';
import { createDealV2 } from './usecases/create-deal-v2.js';
import { listCategories } from './usecases/list-categories.js';
import { listEmployerDeals } from './usecases/list-employer-deals.js';
import { registerContractor } from './usecases/register-contractor.js';
import { retrieveDeal, retrieveDealDetails } from './usecases/retrieve-deal.js';
import { sweepFiles } from './usecases/sweep-files.js';
import { uploadFile } from './usecases/upload-file.js';

/**
 * The deals back end, wired: what `createHandler` serves, wherever the deals are kept.
 */
export interface Marketplace {
  /** What this partner can do. Throws a `TypeError` for a value that is not a tenant. */
  partner(tenant: Tenant): PartnerApi<never>;
  /** The sets of values that input is held to, defaults filled in. */
  readonly valueSets: ValueSets;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
}

/**
 * A `Marketplace` that keeps its deals and files in ports of its own.
 */
export interface LocalMarketplace extends Marketplace {
  /**
   * Deletes the contents of a tenant that no work file names: what a crash in the middle of an
   * upload left behind. `minAge`, in milliseconds, is how old they are at least: two hours or more,
   * a day by default, or a `TypeError` is thrown. An upload is recorded within an hour or not at
   * all, so that none is swept while it is under way; ids have to begin with the clock's time.
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
 * import { createMemoryStore } from 'dealwright/memory';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const marketplace = createMarketplace({
 *   ...createMemoryStore(),
 *   ...createSystemPorts(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * });
 * const api = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
 * ```
 */
export function createMarketplace(
  ports: MarketplacePorts | UpstreamPorts,
  options: MarketplaceOptions = {},
): LocalMarketplace {
  if (Object(options) !== options) miswired(`options are an object, not ${options}`);
  checkPorts(ports, options);
  const { deadline, profile, contractorScope, stagePlanner, fileLimit, valueSets } =
    readOptions(options);
  const context: Context = {
    ports,
    guard: createPortGuard(ports.timer, deadline),
    guardContent: createContentGuard(ports.timer, deadline),
    parseDealQuery: createDealQueryParser(),
    parseWorkFile: createWorkFileParser(),
    fileLimit,
    rules: profile(valueSets),
    contractorScope,
    stagePlanner,
    formatTime: createTimeFormat(),
  };
  return {
    partner: (tenant) => createPartnerApi(context, knownTenant(tenant)),
    sweepFiles(tenant, minAge = 24 * 60 * 60 * 1000) {
      if (!(minAge >= leastSweptAge)) {
        throw new TypeError(`sweepFiles: minAge is ${leastSweptAge} milliseconds or more`);
      }
      return answered(sweepFiles(context, knownTenant(tenant), minAge), undefined);
    },
    valueSets,
    fileLimit,
  };
}

function createPartnerApi(context: Context, tenant: Tenant): PartnerApi<never> {
  return {
    registerContractor: (input, options) =>
      answered(registerContractor(context, tenant, input, options), options),
    createDeal: (input, options) => answered(createDeal(context, tenant, input, options), options),
    createDealV2: (input, options) =>
      answered(createDealV2(context, tenant, input, options), options),
    listCategories: (options) => answered(listCategories(context, tenant, options), options),
    retrieveDeal: (id, options) => answered(retrieveDeal(context, tenant, id, options), options),
    uploadFile: (id, upload, options) =>
      answered(uploadFile(context, tenant, id, upload, options), options),
    listCategoryTree: (options) => answered(listCategories(context, tenant, options), options),
    retrieveDealDetails: (partner_id, options) =>
      answered(retrieveDealDetails(context, tenant, partner_id, options), options),
    listEmployerDeals: (query, options) =>
      answered(listEmployerDeals(context, tenant, query, options), options),
  };
}

const rfc3339Length = '2026-01-01T00:00:00.000Z'.length;

/** RFC 3339 in UTC; making the text once a millisecond is enough. */
function createTimeFormat(): (milliseconds: number) => string {
  let last = Number.NaN;
  let text = '';
  return (milliseconds) => {
    if (milliseconds !== last) {
      const made = new Date(milliseconds).toISOString();
      // before the year 0 and after 9999 it is another notation
      if (typeof milliseconds !== 'number' || made.length !== rfc3339Length) {
        throw new RangeError('the clock tells no time that RFC 3339 can write');
      }
      text = made;
      last = milliseconds;
    }
    return text;
  };
}
