export type {
  CallOptions,
  ContractorInput,
  ContractorRegistered,
  DealCreated,
  DealInput,
  DealV2Created,
  DealV2Input,
  PartnerApi,
  RateLimited,
  TransportError,
  Unauthorized,
  UnexpectedResponse,
} from './api.js';
export type { CategoryTree, MainCategory, Subcategory } from './domain/category.js';
export type { Contractor, ContractorKey, ContractorScope } from './domain/contractor.js';
export { countryCodes } from './domain/country.js';
export { currencyCodes } from './domain/currency.js';
export type { Deal, DealTerms, NewDeal } from './domain/deal.js';
export {
  type DealV2,
  type DealV2Terms,
  defaultValueSets,
  isPaymentToken,
  type ValueSets,
} from './domain/deal-v2.js';
export { emailKey } from './domain/email.js';
export type {
  ContractorExists,
  CreateDealError,
  DealExists,
  ErrorCode,
  IdempotencyKeyReused,
  InvalidIdempotencyKey,
  Outcome,
  RegisterContractorError,
  Unavailable,
  ValidationFailed,
} from './domain/errors.js';
export type { DomainEvent, EventData, EventType } from './domain/events.js';
export { isIdempotencyKey } from './domain/idempotency.js';
export type { Issue, IssueCode } from './domain/issues.js';
export { describeError, type Language } from './domain/messages.js';
export {
  formatMoney,
  fromMinorUnits,
  type Money,
  parseMoney,
  splitMoney,
} from './domain/money.js';
export { interfaceProfile, type Profile, type Rules } from './domain/profile.js';
export type { NewStage, Stage, StagePlan, StagePlanner, StageStatus } from './domain/stage.js';
export type { DealStatus, FreelancerStatus } from './domain/status.js';
export { type Environment, isTenant, type Tenant } from './domain/tenant.js';
export { createMarketplace, type Marketplace } from './marketplace.js';
export type { MarketplaceOptions } from './marketplace-options.js';
