import type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
} from '../domain/values/payment-status.js';
import type { StageStatus } from '../domain/values/status.js';

/** A step from one state to another. */
export interface Move<S extends string = string> {
  readonly from: S;
  readonly to: S;
  /** The commands that can lead to it, and other causes in words. */
  readonly by: readonly string[];
}

/** The same step from each of these states. */
export const each = <S extends string>(
  states: readonly S[],
  to: S,
  ...by: readonly string[]
): readonly Move<S>[] => states.map((from) => ({ from, to, by }));

const theEnd = 'the deal ends';
const open = ['pending', 'submitted', 'changes_requested', 'approved'] as const;

/** Of a stage that costs nothing, or whose fee leaves nothing to pay. */
export const nothingToPay = 'nothing to pay';

/** The moves of stages that no row states: by a resolution, a payout and the end of a deal. */
export const stageMoves: readonly Move<StageStatus>[] = [
  ...each(open, 'approved', 'resolve'),
  ...each(['approved'], 'paid', 'record-contractor-payment', nothingToPay),
  ...each(open, 'cancelled', 'resolve', theEnd),
];

/** The moves of employers' payments without a report, and those by the sums of a paid one. */
export const employerMoves: readonly Move<EmployerPaymentStatus>[] = [
  ...each(['requested', 'processing'], 'expired', 'expire-payment', 'resolve', theEnd),
  ...each(['partially_refunded'], 'refunded', 'record-employer-payment'),
  ...each(['partially_refunded'], 'charged_back', 'record-employer-payment'),
  ...each(['refunded'], 'partially_refunded', 'record-employer-payment'),
  // a failed refund
  ...each(['refunded', 'partially_refunded'], 'paid', 'record-employer-payment'),
];

const waiting = ['scheduled', 'failed', 'returned'] as const;

/** The moves of payouts without a report, and those of a paid payout by one. */
export const contractorMoves: readonly Move<ContractorPaymentStatus>[] = [
  ...each(['paid'], 'returned', 'record-contractor-payment'),
  ...each(['scheduled'], 'processing', 'runEffects'),
  ...each(['failed', 'returned'], 'scheduled', 'retry-payout'),
  ...each(waiting, 'cancelled', 'dispute', theEnd, 'too little is held'),
];
