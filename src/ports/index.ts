export type { CategoryTree, MainCategory, Subcategory } from '../domain/category.js';
export type { Contractor, ContractorKey } from '../domain/contractor.js';
export type { DealPosition } from '../domain/cursor.js';
export type { Deal, NewDeal } from '../domain/deal.js';
export {
  type DealFilter,
  type DealListEntry,
  entryOfDeal,
  entryOfDealV2,
  passes,
} from '../domain/deal-list.js';
export type { DealV2 } from '../domain/deal-v2.js';
export type { DomainEvent } from '../domain/events.js';
export type { Idempotency } from '../domain/idempotency.js';
export type { NewStage, Stage } from '../domain/stage.js';
export type { Environment, Tenant } from '../domain/tenant.js';
export { formatTimestamp, parseTimestamp } from '../domain/timestamp.js';
export type { WorkFile } from '../domain/work-file.js';
export { type Answer, type PortFailure, unavailable } from './answer.js';
export type { Authenticator } from './authenticator.js';
export type { CategoryCatalogue } from './category-catalogue.js';
export type { Clock } from './clock.js';
export type {
  AddContractorOutcome,
  ContractorRegistration,
  ContractorRepository,
} from './contractor-repository.js';
export type { DealIndex, DealStretch, ListedDeal, StoredDeal } from './deal-index.js';
export type {
  AddDealOutcome,
  AddDealV2Outcome,
  AddWorkFileOutcome,
  DealAddition,
  DealChange,
  DealExistsAlready,
  DealIds,
  DealRepository,
  DealV2Addition,
  DealV2Change,
  DealV2Repository,
  FirstDeal,
  WorkFileAddition,
} from './deal-repository.js';
export type { Digest } from './digest.js';
export type { EventLog, EventPage } from './event-log.js';
export type { FileScanner, ReceivedFile } from './file-scanner.js';
export type { FileStore } from './file-store.js';
export { createPortGuard, type PortGuard } from './guard.js';
export type { Ids } from './ids.js';
export type { Limiter, LimiterDecision } from './limiter.js';
export type {
  MarketplacePorts,
  StorePorts,
  SystemPorts,
  UpstreamPorts,
} from './marketplace-ports.js';
export type {
  IssuedPaymentToken,
  PaymentTokenClaims,
  PaymentTokenIssuer,
  PaymentTokenVerdict,
} from './payment-token-issuer.js';
export type { RunningSha256, Sha256 } from './sha256.js';
export type { StoreArchive, StoreRecord } from './store-archive.js';
export type { Timer } from './timer.js';
export type {
  UpstreamDealIndex,
  UpstreamDealPage,
  UpstreamDecision,
  UpstreamPageQuery,
  UpstreamStorePorts,
  UpstreamUpload,
  UpstreamUploadOutcome,
  UpstreamWorkFiles,
} from './upstream-store.js';
export type { SaveOutcome, Versioned } from './versioned.js';
