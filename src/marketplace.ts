import { ResultAsync } from 'neverthrow';
import type { PartnerApi } from './api.js';
import type { ContractorScope } from './domain/contractor.js';
import { defaultValueSets, type ValueSets } from './domain/deal-v2.js';
import { interfaceProfile, type Profile } from './domain/profile.js';
import { planOneStage, type StagePlanner } from './domain/stage.js';
import { isTenant, type Tenant } from './domain/tenant.js';
import { createPortGuard } from './ports/guard.js';
import type { MarketplacePorts } from './ports/marketplace-ports.js';
import type { Context } from './usecases/context.js';
import { createDeal } from './usecases/create-deal.js';
import { createDealV2 } from './usecases/create-deal-v2.js';
import { registerContractor } from './usecases/register-contractor.js';

/**
 * What a host may want otherwise; every default is the value that the decisions give.
 *
 * @example
 * ```ts
 * import type { MarketplaceOptions } from 'dealwright';
 * import { strictProfile } from 'dealwright/strict';
 *
 * const options: MarketplaceOptions = { profile: strictProfile, deadline: 2_000 };
 * ```
 */
export interface MarketplaceOptions {
  /** The rules of input; default `interfaceProfile`. */
  readonly profile?: Profile;
  /** Within what a contractor is known; default `'environment'` (decision 2.3). */
  readonly contractorScope?: ContractorScope;
  /** How a deal of version 1.0 is split; default: one stage (decision 2.6). */
  readonly stagePlanner?: StagePlanner;
  /** Milliseconds that a port has to answer, more than 0; default 10,000 (decision 8). */
  readonly deadline?: number;
  /** The sets of values that the interface does not show (decision 3). */
  readonly valueSets?: Partial<ValueSets>;
}

/**
 * The deals back end, wired.
 *
 * @example
 * ```ts
 * import type { Marketplace, PartnerApi } from 'dealwright';
 *
 * const acme = (marketplace: Marketplace): PartnerApi<never> =>
 *   marketplace.partner({ environment: 'production', partner: 'acme' });
 * ```
 */
export interface Marketplace {
  /** What this partner can do. Throws a `TypeError` for what is no tenant. */
  partner(tenant: Tenant): PartnerApi<never>;
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
  ports: MarketplacePorts,
  options: MarketplaceOptions = {},
): Marketplace {
  const deadline = options.deadline ?? 10_000;
  checkWiring(ports, deadline);
  const profile = options.profile ?? interfaceProfile;
  const context: Context = {
    ports,
    guard: createPortGuard(ports.clock, deadline),
    rules: profile({ ...defaultValueSets, ...options.valueSets }),
    contractorScope: options.contractorScope ?? 'environment',
    stagePlanner: options.stagePlanner ?? planOneStage,
    formatTime: createTimeFormat(),
  };
  return { partner: (tenant) => createPartnerApi(context, tenant) };
}

function createPartnerApi(context: Context, { environment, partner }: Tenant): PartnerApi<never> {
  const tenant = Object.freeze({ environment, partner });
  if (!isTenant(tenant)) {
    throw new TypeError(
      "a tenant is { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }",
    );
  }
  return {
    registerContractor: (input, options) =>
      new ResultAsync(registerContractor(context, tenant, input, options)),
    createDeal: (input, options) => new ResultAsync(createDeal(context, tenant, input, options)),
    createDealV2: (input, options) =>
      new ResultAsync(createDealV2(context, tenant, input, options)),
  };
}

const portMethods = {
  contractors: ['add', 'byKey'],
  deals: ['add', 'byId', 'byPartnerId', 'save'],
  dealsV2: ['add', 'byPartnerId', 'save'],
  categories: ['tree', 'subcategory'],
  paymentTokens: ['issue'],
  clock: ['now', 'sleep'],
  ids: ['next'],
} satisfies {
  readonly [P in Exclude<keyof MarketplacePorts, 'digest'>]: (keyof MarketplacePorts[P])[];
};

function checkWiring(ports: MarketplacePorts, deadline: number): void {
  const missing = Object.entries(portMethods).flatMap(([name, methods]) => {
    const port = ports[name as keyof typeof portMethods] as object | undefined;
    return methods
      .filter((method) => typeof Reflect.get(port ?? {}, method) !== 'function')
      .map((method) => `${name}.${method}`);
  });
  if (typeof ports.digest !== 'function') missing.push('digest');
  if (missing.length > 0) {
    throw new TypeError(`createMarketplace: these port methods are missing: ${missing.join(', ')}`);
  }
  if (!(deadline > 0)) {
    throw new TypeError('createMarketplace: deadline is a number of milliseconds above 0');
  }
}

/** RFC 3339 in UTC; making the text once a millisecond is enough. */
function createTimeFormat(): (milliseconds: number) => string {
  let last = Number.NaN;
  let text = '';
  return (milliseconds) => {
    if (milliseconds !== last) {
      text = new Date(milliseconds).toISOString();
      last = milliseconds;
    }
    return text;
  };
}
