export type {
  CategoryListEntry,
  ContractorRegistered,
  DealCreated,
  DealListItem,
  DealListPage,
  DealRetrieved,
  DealV2Created,
  DeliveriesPage,
  Delivery,
  DeliveryAttempt,
  DownloadedFile,
  EventsPage,
  FilesOwner,
  FilesSwept,
  OfferEvent,
  OfferEventsPage,
  OfferView,
  OperatorView,
  Pruned,
  RunFailure,
  RunReport,
  SandboxTime,
  Webhook,
  WebhookCreated,
} from './api/answers.js';
export type {
  ContractorPaymentReport,
  EmployerPaymentReport,
  OfStage,
  OperatorCommands,
  PartnerCommands,
  PayoutRetry,
  Reasoned,
  RefundRetry,
  Remarks,
  Resolution,
} from './api/commands.js';
export type { FreelancerApi, OfferError } from './api/freelancer-api.js';
export type {
  CallOptions,
  ContractorInput,
  DealInput,
  DealListQuery,
  DealV2Input,
  DeliveryListQuery,
  EventPageQuery,
  EventQuery,
  FileContent,
  FileUpload,
  ReadOptions,
  WebhookInput,
} from './api/inputs.js';
export type { OperatorApi, OperatorDeals } from './api/operator-api.js';
export type { PartnerApi } from './api/partner-api.js';
export type { PartnerEvents } from './api/partner-events.js';
export type { ClockAdvance, SandboxActor, SandboxApi } from './api/sandbox-api.js';
export type {
  Aborted,
  RateLimited,
  TransportError,
  Unauthorized,
  UnexpectedResponse,
} from './api/transport-errors.js';
export type { Billing, ContractorPayment, EmployerPayment } from './domain/billing.js';
export type { CategoryTree, MainCategory, Subcategory } from './domain/category.js';
export type { Contractor, ContractorScope } from './domain/contractor.js';
export { countryCodes } from './domain/country.js';
export { currencyCodes } from './domain/currency.js';
export type { DealTerms } from './domain/deal.js';
export {
  type CopyrightTransfer,
  type DealV2Terms,
  defaultValueSets,
  type FreelancerLanguage,
  isPaymentToken,
  type ValueSets,
} from './domain/deal-v2.js';
export { emailKey } from './domain/email.js';
export type {
  CommandError,
  ContractorExists,
  CreateDealError,
  CreateWebhookError,
  DealExists,
  ErrorCode,
  IdempotencyKeyReused,
  IllegalTransition,
  InvalidCursor,
  InvalidIdempotencyKey,
  ListDealsError,
  ListDeliveriesError,
  ListEventsError,
  NotFound,
  Outcome,
  PayloadTooLarge,
  PreconditionFailed,
  PreconditionReason,
  RegisterContractorError,
  Resource,
  RetrieveDealError,
  TimeLineError,
  Unavailable,
  UploadFileError,
  ValidationFailed,
  WebhookError,
} from './domain/errors.js';
export type {
  DealChanged,
  DomainEvent,
  EventData,
  EventType,
  PaymentChanged,
  WebhookChanged,
} from './domain/events.js';
export { isIdempotencyKey } from './domain/idempotency.js';
export type { Finding, Issue, IssueCode } from './domain/issues.js';
export type { Actor } from './domain/life/actors.js';
export type { DealDetails, ShownStage } from './domain/life/details.js';
export { describeError, describeIssue, type Language } from './domain/messages.js';
export {
  formatMoney,
  fromMinorUnits,
  type Money,
  parseMoney,
  parseSum,
  splitMoney,
} from './domain/money.js';
export type { Attention } from './domain/payments/attention.js';
export type { FeePolicy, Fees, FeeTerms } from './domain/payments/fees.js';
export type { ContractorPaymentStatus, EmployerPaymentStatus } from './domain/payments/statuses.js';
export { interfaceProfile, type Profile, type Rules } from './domain/profile.js';
export type { StagePlan, StagePlanner, StageStatus } from './domain/stage.js';
export type { DealStatus, FreelancerStatus } from './domain/status.js';
export { type Environment, isTenant, type Tenant } from './domain/tenant.js';
export type { DeliveryStatus, DisabledReason } from './domain/webhook.js';
export type { WorkFile, WorkFileStatus } from './domain/work-file.js';
export type { DueFailure, DueOptions } from './due/start-due.js';
export { createMarketplace, type LocalMarketplace, type Marketplace } from './marketplace.js';
export type { MarketplaceOptions } from './marketplace-options.js';
export type { RelayFailure, WebhookRelayOptions } from './relay/relay-options.js';
export type { Running } from './relay/start-relay.js';
export type { EventHandler, SubscriptionOptions } from './relay/subscribe.js';
