export type {
  CategoryListEntry,
  ContractorRegistered,
  DealCreated,
  DealDeliveriesPage,
  DealListItem,
  DealListPage,
  DealMatch,
  DealRetrieved,
  DealsFound,
  DealV2Created,
  DeliveriesPage,
  Delivery,
  DeliveryAttempt,
  DownloadedFile,
  EventsPage,
  FailedDeliveriesPage,
  FailingConsumer,
  FailingConsumersPage,
  FilesOwner,
  FilesSwept,
  FreelancerEvent,
  FreelancerEventsPage,
  FreelancerView,
  OperatorDealItem,
  OperatorDealPage,
  OperatorDetails,
  OperatorView,
  PartnerItem,
  PartnersPage,
  Pruned,
  Redelivered,
  RunFailure,
  RunReport,
  SandboxTime,
  ServicePromises,
  Summary,
  SummaryLine,
  UnmatchedReport,
  UnmatchedReportsPage,
  Webhook,
  WebhookCreated,
  WebhookDelivery,
} from './api/answers.js';
export type {
  Bonus,
  ContractorPaymentReport,
  EmployerPaymentReport,
  OfferAcceptance,
  OfStage,
  OperatorCommands,
  PartnerCommands,
  PayoutRetry,
  Reasoned,
  RefundRetry,
  Remarks,
  Resolution,
  WriteOff,
} from './api/commands.js';
export type { FreelancerApi, FreelancerError } from './api/freelancer-api.js';
export type {
  CallOptions,
  ContractorInput,
  DealInput,
  DealListQuery,
  DealReference,
  DealSearch,
  DealV2Input,
  DeliveryListQuery,
  EventPageQuery,
  EventQuery,
  FileContent,
  FileUpload,
  OperatorDealQuery,
  ReadOptions,
  RedeliveryInput,
  WebhookInput,
} from './api/inputs.js';
export type { OperatorApi, OperatorDeals, OperatorWebhooks } from './api/operator-api.js';
export type { PartnerApi } from './api/partner-api.js';
export type { PartnerEvents } from './api/partner-events.js';
export type {
  ClockAdvance,
  ProposingActor,
  SandboxActor,
  SandboxApi,
} from './api/sandbox-api.js';
export type {
  Acceptance,
  ListTermsError,
  PartnerTerms,
  ProposalRemark,
  ProposalsPage,
  TermsPage,
  TermsPageQuery,
  TermsReads,
} from './api/terms-api.js';
export type {
  Aborted,
  RateLimited,
  TransportError,
  Unauthorized,
  UnexpectedResponse,
} from './api/transport-errors.js';
export type { CategoryTree, MainCategory, Subcategory } from './domain/deals/category.js';
export type { Contractor, ContractorScope } from './domain/deals/contractor.js';
export type { DealTerms } from './domain/deals/deal.js';
export { type DealV2Terms, isPaymentToken } from './domain/deals/deal-v2.js';
export type { PartnerNaming } from './domain/deals/partner-name.js';
export { interfaceProfile, type Profile, type Rules } from './domain/deals/profile.js';
export type {
  AmendmentInput,
  ProposalInput,
  SettlementInput,
  StageInput,
} from './domain/deals/proposal-input.js';
export type { PlannedDeal, StagePlan, StagePlanner } from './domain/deals/stage.js';
export type { WorkFile } from './domain/deals/work-file.js';
export type {
  DealChanged,
  DomainEvent,
  EventData,
  EventType,
  PaymentChanged,
  ProposalChanged,
  WebhookChanged,
} from './domain/events/events.js';
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
  ListTokensError,
  NotFound,
  Outcome,
  PayloadTooLarge,
  PreconditionFailed,
  PreconditionReason,
  RedeliverAllError,
  RegisterContractorError,
  Resource,
  RetrieveDealError,
  SearchDealsError,
  TimeLineError,
  Unavailable,
  UploadFileError,
  ValidationFailed,
  WebhookError,
} from './domain/input/errors.js';
export { describeError, describeIssue, type Language } from './domain/input/messages.js';
export type { DealDetails, Outlook, ShownStage } from './domain/life/details.js';
export type {
  Attention,
  Billing,
  ContractorPayment,
  EmployerPayment,
  OperatorBilling,
  WaitingEffect,
} from './domain/payments/billing.js';
export type { FeePolicy, Fees, FeeTerms } from './domain/payments/fees.js';
export type { FreelancerProposal, Proposal } from './domain/terms/proposal.js';
export type { Terms, TermsStage, TermsVersion } from './domain/terms/terms.js';
export type { Alert } from './domain/values/alert.js';
export type { ApiToken } from './domain/values/api-token.js';
export { countryCodes, currencyCodes } from './domain/values/codes.js';
export { currencyDecimals } from './domain/values/currency-unit.js';
export { emailKey } from './domain/values/email.js';
export { isIdempotencyKey } from './domain/values/idempotency.js';
export type { Finding, Issue, IssueCode } from './domain/values/issues.js';
export {
  formatMoney,
  fromMinorUnits,
  type Money,
  parseMoney,
  parseSum,
  splitMoney,
} from './domain/values/money.js';
export type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
  EmployerReportStatus,
  RefusalReason,
  ShownReason,
  UnmatchedReason,
  WaitReason,
} from './domain/values/payment-status.js';
export type { ProposalKind, ProposalStatus, TermsKind } from './domain/values/proposal-status.js';
export type {
  DealStatus,
  DeliveryStatus,
  DisabledReason,
  FreelancerStatus,
  StageStatus,
  WorkFileStatus,
} from './domain/values/status.js';
export type { Actor } from './domain/values/tenant.js';
export { type Environment, isTenant, type Tenant } from './domain/values/tenant.js';
export {
  type CopyrightTransfer,
  defaultValueSets,
  type FreelancerLanguage,
  type ValueSets,
} from './domain/values/value-sets.js';
export { createMarketplace, type LocalMarketplace, type Marketplace } from './marketplace.js';
export type { MarketplaceOptions } from './marketplace-options.js';
export type { Meter } from './usecases/metered.js';
