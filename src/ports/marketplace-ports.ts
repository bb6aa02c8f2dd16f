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
import type { Timer } from './timer.js';
import type { UpstreamStorePorts } from './upstream-store.js';

/**
 * The doors of one store. They share `partner_id`s, idempotency keys and contractors, so that each
 * `add` is one atomic decision: take all of them from the same adapter.
 */
export interface StorePorts {
  readonly contractors: ContractorRepository;
  readonly deals: DealRepository;
  readonly dealsV2: DealV2Repository;
  readonly dealIndex: DealIndex;
}

/**
 * Time, identifiers and digests: what a runtime gives.
 */
export interface SystemPorts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly sha256: Sha256;
}

/**
 * Everything that the core needs from outside.
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
 */
export interface UpstreamPorts extends UpstreamStorePorts, SystemPorts {
  readonly categories: CategoryCatalogue;
  readonly paymentTokens?: never;
  readonly files?: never;
  readonly scanner?: never;
  /** A log of one's own would stay empty. */
  readonly events?: never;
}
