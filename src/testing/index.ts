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
  idempotencyKey,
  malformedIdempotencyKey,
  tenant,
  validInput,
} from './arbitraries.js';
export type { FieldValues, OutsideValue } from './arbitraries-values.js';
