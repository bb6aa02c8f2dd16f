import type { CategoryCatalogue } from './category-catalogue.js';
import type { Clock } from './clock.js';
import type { ContractorRepository } from './contractor-repository.js';
import type { DealRepository, DealV2Repository } from './deal-repository.js';
import type { Digest } from './digest.js';
import type { Ids } from './ids.js';
import type { PaymentTokenIssuer } from './payment-token-issuer.js';

/**
 * The three repositories of one store. They share `partner_id`s, idempotency keys and contractors,
 * so that each `add` is one atomic decision: take all of them from the same adapter.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import type { StorePorts } from 'dealwright/ports';
 *
 * const store: StorePorts = createMemoryStore();
 * ```
 */
export interface StorePorts {
  readonly contractors: ContractorRepository;
  readonly deals: DealRepository;
  readonly dealsV2: DealV2Repository;
}

/**
 * Time, identifiers and digests: what a runtime gives.
 *
 * @example
 * ```ts
 * import type { SystemPorts } from 'dealwright/ports';
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const system: SystemPorts = createSystemPorts();
 * ```
 */
export interface SystemPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
}

/**
 * Everything that the core needs from outside.
 *
 * @example
 * ```ts
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createMemoryStore } from 'dealwright/memory';
 * import type { MarketplacePorts } from 'dealwright/ports';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const ports: MarketplacePorts = {
 *   ...createMemoryStore(),
 *   ...createSystemPorts(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * };
 * ```
 */
export interface MarketplacePorts extends StorePorts, SystemPorts {
  readonly categories: CategoryCatalogue;
  readonly paymentTokens: PaymentTokenIssuer;
}
