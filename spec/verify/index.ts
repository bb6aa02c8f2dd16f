export type { Law, Level } from '../laws.js';
export type { Profile } from './promises.js';
export { type CaseResult, exitCodeOf, type Failure, type Outcome, type Report } from './report.js';
export { VerifyError, type VerifyOptions, verifiedLaws, verify } from './verify.js';
