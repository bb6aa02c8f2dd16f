export {
  type BrokenInput,
  brokenInput,
  contractorFields,
  contractorInput,
  type DealReferences,
  dealFields,
  dealInput,
  dealV2Fields,
  dealV2Input,
  type InputFields,
  validInput,
} from './arbitraries.js';
export type { FieldValues, OutsideValue } from './arbitraries-values.js';
export { idempotencyKey, malformedIdempotencyKey, tenant } from './arbitraries-values.js';
export { storeArchiveContract } from './archive/index.js';
export type { StoreArchiveSubject } from './archive/subject.js';
export type { ContractOptions } from './contract.js';
export { deliveryContract } from './deliveries/index.js';
export type { ContractRunner } from './expectations.js';
export { fileStoreContract } from './files/index.js';
export type { FileStoreSubject } from './files/subject.js';
export { NotApplicable } from './laws.js';
export { partnerApiContract } from './partner-api/index.js';
export { contractTenants, type PartnerApiSubject } from './partner-api/subject.js';
export { paymentTokenIssuerContract } from './payment-tokens/index.js';
export type { PaymentTokenIssuerSubject } from './payment-tokens/subject.js';
export {
  type HammerOptions,
  type HammerReport,
  hammerStore,
  losingAnswers,
} from './store/hammer.js';
export { storeContract } from './store/index.js';
export type { StoreSubject } from './store/subject.js';
