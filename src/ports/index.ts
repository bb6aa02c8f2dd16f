export type { CategoryTree, MainCategory, Subcategory } from '../domain/deals/category.js';
export type { DealPosition } from '../domain/deals/cursor.js';
export {
  type DealFilter,
  type IndexedDeal,
  indexedFields,
  type ListedDeal,
  listedFields,
  passes,
} from '../domain/deals/deal-list.js';
export { type DomainEvent, readEvent } from '../domain/events/events.js';
export {
  type AnyRow,
  type DealPart,
  dealParts,
  type EndingKind,
  type Field,
  type FieldType,
  type Json,
  type KeyOf,
  type Kind,
  type ListedKind,
  type RecordKind,
  type RecordShape,
  type Row,
  records,
  type Stored,
  type SubjectKind,
  shapeOf,
  type TimedKind,
  type Value,
} from '../domain/records/records.js';
export { isJson, isStored, membersOf } from '../domain/records/stored.js';
export type { ApiToken } from '../domain/values/api-token.js';
export { type Environment, isTenant, type Tenant } from '../domain/values/tenant.js';
export { formatTimestamp, parseTimestamp } from '../domain/values/timestamp.js';
export { isUlid, ulidOf } from '../domain/values/ulid.js';
export { type Answer, type PortFailure, unavailable } from './answer.js';
export type {
  Authenticator,
  LimitedCaller,
  Limiter,
  LimiterDecision,
  OperatorAuthenticator,
  Usage,
} from './callers.js';
export type {
  FileOwner,
  FileOwnership,
  FileScanner,
  FileStore,
  FileTrash,
  ReceivedFile,
  TrashedFile,
} from './file-store.js';
export { createPortGuard, type PortGuard } from './guard.js';
export { isIndexRange } from './index-range.js';
export { fits, type JudgedStore, type Judgement, judge, type Where } from './judge.js';
export { isDeal, isIndexed } from './kept-promises.js';
export { longestIndexed } from './longest-indexed.js';
export { type LongestKey, longestKeys } from './longest-keys.js';
export type { CategoryCatalogue, MarketplacePorts, SystemPorts } from './marketplace-ports.js';
export { checkOptions, type OptionRules, onlyNames } from './options.js';
export type {
  GatewayAnswer,
  GatewayRefusal,
  GatewayReport,
  PaymentEffect,
  PaymentGateway,
} from './payment-gateway.js';
export type {
  IssuedPaymentToken,
  PaymentTokenClaims,
  PaymentTokenIssuer,
  PaymentTokenVerdict,
} from './payment-token-issuer.js';
export {
  type CountReference,
  type RecordReference,
  type References,
  referencesOf,
} from './references.js';
export type { Clock, Digest, Ids, RunningSha256, Sha256, Timer } from './runtime.js';
export type {
  DealRange,
  DealWith,
  EventPage,
  Indexed,
  IndexOwner,
  IndexRange,
  RecordRange,
  Store,
  TenantLog,
} from './store.js';
export type { ArchiveRecord, ArchiveRecords, StoreArchive } from './store-archive.js';
export type {
  SecretKeeper,
  WebhookMessage,
  WebhookReply,
  WebhookSender,
  WebhookUrlVerdict,
} from './webhooks.js';
export type { CommitOutcome, Expectation, NewEvent, WriteSet } from './write-set.js';
