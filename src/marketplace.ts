import type { PartnerApi } from './api.js';
import { checkPorts } from './check-ports.js';
import { defaultValueSets } from './domain/deal-v2.js';
import { interfaceProfile } from './domain/profile.js';
import { planOneStage } from './domain/stage.js';
import { isTenant, type Tenant } from './domain/tenant.js';
import { checkOptions, type MarketplaceOptions } from './marketplace-options.js';
import { createPortGuard } from './ports/guard.js';
import type { MarketplacePorts } from './ports/marketplace-ports.js';
import { answered, type Context } from './usecases/context.js';
import { createDeal } from './usecases/create-deal.js';
import { createDealV2 } from './usecases/create-deal-v2.js';
import { registerContractor } from './usecases/register-contractor.js';

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
  const {
    deadline = 10_000,
    profile = interfaceProfile,
    contractorScope = 'environment',
    stagePlanner = planOneStage,
  } = options;
  const valueSets = { ...defaultValueSets, ...options.valueSets };
  checkPorts(ports);
  checkOptions({ deadline, profile, contractorScope, stagePlanner, valueSets });
  const context: Context = {
    ports,
    guard: createPortGuard(ports.clock, deadline),
    rules: profile(valueSets),
    contractorScope,
    stagePlanner,
    formatTime: createTimeFormat(),
  };
  return { partner: (tenant) => createPartnerApi(context, tenant) };
}

function createPartnerApi(context: Context, whom: Tenant): PartnerApi<never> {
  const { environment, partner } = Object(whom) as Tenant;
  const tenant = Object.freeze({ environment, partner });
  if (!isTenant(tenant)) {
    throw new TypeError(
      "a tenant is { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }",
    );
  }
  return {
    registerContractor: (input, options) =>
      answered(registerContractor(context, tenant, input, options), options),
    createDeal: (input, options) => answered(createDeal(context, tenant, input, options), options),
    createDealV2: (input, options) =>
      answered(createDealV2(context, tenant, input, options), options),
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
