export { decide, dueCommand, legalCommands, type Refusal, tick } from '../domain/life/decide.js';
export { guards } from '../domain/life/guards.js';
export { type CommandName, type CommandOf, lifecycle } from '../domain/life/lifecycle.js';
export {
  type Command,
  type CommandBy,
  commandsOf,
  type Guard,
  type Judged,
  type Lifecycle,
  type MethodOf,
  methodOf,
  type Rule,
} from '../domain/life/rules.js';
export {
  applyChanges,
  type Changes,
  type DealState,
  type Draft,
  type Emitted,
  type Moment,
} from '../domain/payments/draft.js';
export { type Balance, balanceOf } from '../domain/payments/ledger.js';
export type { PaymentReport, ReportProblem } from '../domain/payments/report.js';
export type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
  IntentKind,
  IntentStatus,
  LedgerAccount,
  PostingKind,
} from '../domain/values/payment-status.js';
export { type Actor, actors } from '../domain/values/tenant.js';
export { type CommandDescription, type CommandInput, describeCommands } from './commands.js';
export { drawStates } from './diagrams.js';
export type { Move } from './moves.js';
export { describeStates, type LifeStates, type States } from './states.js';
