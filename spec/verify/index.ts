export type { Law, Level } from '../laws.js';
export type { Promised } from '../wire/promised.js';
export { type Profile, profiles } from './promises.js';
export {
  type CaseResult,
  exitCodeOf,
  type Failure,
  type Outcome,
  type Report,
} from './report.js';
export { type Reporter, reporters } from './reporters.js';
export { serverContract, verifiedLaws, verify } from './verify.js';
export { VerifyError, type VerifyOptions } from './visit.js';
