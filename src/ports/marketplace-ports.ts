import type { CategoryCatalogue } from './category-catalogue.js';
import type { Clock } from './clock.js';
import type { ContractorRepository } from './contractor-repository.js';
import type { DealIndex } from './deal-index.js';
import type { DealRepository, DealV2Repository } from './deal-repository.js';
import type { Digest } from './digest.js';
import type { FileScanner } from './file-scanner.js';
import type { FileStore } from './file-store.js';
import type { Ids } from './ids.js';
import type { PaymentTokenIssuer } from './payment-token-issuer.js';
import type { Sha256 } from './sha256.js';
import type { UpstreamStorePorts } from './upstream-store.js';

/**
 * The doors of one store. They share `partner_id`s, idempotency keys and contractors, so that each
 * `add` is one atomic decision: take all of them from the same adapter.
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
  readonly dealIndex: DealIndex;
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
  readonly sha256: Sha256;
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
  /** The contents of work files. */
  readonly files: FileStore;
  /** Refuses no file unless given. */
  readonly scanner?: FileScanner;
}

/**
 * Everything that the core needs where the deals of record are another service's: the store says in
 * `upstream` what that service decides, and there are no ports for it here.
 *
 * @example
 * ```ts
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createHttpRepositories } from 'dealwright/http-repositories';
 * import type { UpstreamPorts } from 'dealwright/ports';
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const ports: UpstreamPorts = {
 *   ...createHttpRepositories({ baseUrl: 'http://127.0.0.1:8787', token: ({ partner }) => partner }),
 *   ...createSystemPorts(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 * };
 * ```
 */
export interface UpstreamPorts extends UpstreamStorePorts, SystemPorts {
  readonly categories: CategoryCatalogue;
  readonly paymentTokens?: never;
  readonly files?: never;
  readonly scanner?: never;
  /** A log of one's own would stay empty. */
  readonly events?: never;
}
