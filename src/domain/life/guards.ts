import { mostStages, mostStagesInAll } from '../deals/proposal-input.js';
import { createBooks } from '../payments/books.js';
import type { DealState } from '../payments/draft.js';
import { failedRefunds } from '../payments/intents.js';
import { balanceOf, minorUnits } from '../payments/ledger.js';
import {
  dueNow,
  fullPriceOf,
  isWholePaid,
  mostPayments,
  outstanding,
  remainingStages,
} from '../payments/owed.js';
import { surplusOf } from '../payments/surplus.js';
import type { Row } from '../records/records.js';
import { largestAmount } from '../values/money.js';
import { daysAfter, isOverdue, reviewEnd } from './deadlines.js';
import type { Command, Guard, Judged } from './rules.js';

/** The stages that a resolution concerns. */
export function openStages({ stage }: DealState): readonly Row<'stage'>[] {
  return stage.filter(({ status }) => status !== 'paid' && status !== 'cancelled');
}

/** The payouts that a command sends again. */
export function retriable(
  { contractor_payment }: DealState,
  { payment_id }: Pick<Command, 'payment_id'>,
): readonly Row<'contractor_payment'>[] {
  return contractor_payment.filter(
    ({ id, status }) => (status === 'failed' || status === 'returned') && (payment_id ?? id) === id,
  );
}

const guard = (
  reason: Guard['reason'],
  says: string,
  holds: (judged: Judged) => boolean,
): Guard => ({ reason, says, holds });

/** Days after a due date from which the partner may cancel (decision 9.13). */
const daysToCancel = 7;

const isSentBack = ({ state }: Judged): boolean => state.deal.status === 'changes_requested';

/** Whether the partner may cancel without a reason: there is no money, and no work. */
const isUnbegun = (judged: Judged): boolean =>
  !isSentBack(judged) && balanceOf(judged.state.posting).net <= 0n;

/** Whether work that was not delivered is this many days past its due date. */
const isLate = ({ state, now }: Judged, days: number): boolean =>
  state.stage.some((each) => isOverdue(each, daysAfter(now, -days)));

function hasNoPayoutProcessing({ state }: Judged): boolean {
  return state.contractor_payment.every(({ status }) => status !== 'processing');
}

/**
 * The guards of decision 6.
 *
 * @example
 * ```ts
 * import { guards } from 'dealwright/life';
 *
 * guards.hasFiles.reason; // 'no_files'
 * ```
 */
export const guards = {
  unpaidOrLate: guard(
    'already_paid',
    'nothing is paid, changes are requested, or work is past its due date',
    (judged) => isUnbegun(judged) || isLate(judged, 0) || isSentBack(judged),
  ),
  unbegunOrOverdue: guard(
    'not_overdue',
    `nothing is paid and no changes are requested, or work is ${daysToCancel} days past its due date`,
    (judged) => isUnbegun(judged) || isLate(judged, daysToCancel),
  ),
  /** A cancelled payout may be paid all the same; of a deal without money there is none. */
  noPayoutOfBegun: guard(
    'payout_processing',
    'work is overdue: no payout is being processed',
    (judged) => isUnbegun(judged) || hasNoPayoutProcessing(judged),
  ),
  noWorkDelivered: guard('work_delivered', 'no stage is submitted or approved', ({ state }) =>
    state.stage.every(
      ({ status, kind }) => kind === 'bonus' || (status !== 'submitted' && status !== 'approved'),
    ),
  ),
  termsAgreed: guard(
    'terms_changed',
    'the hash is that of the terms; it may be left out if they were never changed',
    ({ state, command, termsNow }) =>
      command.isBlind === true ||
      state.deal.status !== 'created' ||
      (command.terms_sha256 === undefined
        ? state.deal.terms_version === null
        : command.terms_sha256 === termsNow?.()),
  ),
  fewStages: guard(
    'too_many',
    `the deal has fewer than ${mostStages} stages that are not cancelled, and fewer than ${mostStagesInAll} in all`,
    ({ state }) =>
      remainingStages(state).length < mostStages && state.stage.length < mostStagesInAll,
  ),
  sumWithinBounds: guard(
    'amount_out_of_bounds',
    'the amount of the deal keeps to 18 digits',
    ({ state, command }) => minorUnits(state.deal.amount) + (command.amount ?? 0n) <= largestAmount,
  ),
  paidIfAccepted: guard(
    'not_paid',
    'an accepted deal: something is paid',
    ({ state }) => state.deal.status !== 'accepted' || balanceOf(state.posting).net > 0n,
  ),
  noPayoutProcessing: guard(
    'payout_processing',
    'no payout is being processed',
    hasNoPayoutProcessing,
  ),
  agreedWithinBounds: guard(
    'amount_out_of_bounds',
    'the agreed amount is at most that of the open stages',
    ({ state, command }) =>
      openStages(state).reduce((sum, stage) => sum + fullPriceOf(stage), 0n) >=
      (command.agreed_amount ?? 0n),
  ),
  somethingDue: guard(
    'nothing_outstanding',
    'something that is due was not asked for',
    ({ state }) => dueNow(state) > 0n,
  ),
  somethingOutstanding: guard(
    'nothing_outstanding',
    'something is outstanding',
    ({ state }) => outstanding(state, balanceOf(state.posting)) > 0n,
  ),
  withinOutstanding: guard(
    'amount_out_of_bounds',
    'the amount is at most what is outstanding',
    ({ state, command }) => (command.amount ?? 0n) <= outstanding(state, balanceOf(state.posting)),
  ),
  surplusToRefund: guard(
    'no_surplus',
    'more came than is owed',
    ({ state }) => surplusOf({ state, books: createBooks(state.posting) }) > 0n,
  ),
  fewPayments: guard(
    'too_many',
    `the deal has fewer than ${mostPayments} payments of the employer`,
    ({ state }) => state.employer_payment.length < mostPayments,
  ),
  refundToRetry: guard(
    'nothing_to_retry',
    'a refund has failed',
    ({ state, command }) => failedRefunds(state.intent, command.payment_id).length > 0,
  ),
  payoutToRetry: guard(
    'nothing_to_retry',
    'a payout has failed or was returned',
    ({ state, command }) => retriable(state, command).length > 0,
  ),
  hasFiles: guard(
    'no_files',
    'a file was uploaded for the stage since it was last sent back',
    ({ state, stage }) =>
      state.work_file.some((file) => file.stage_id === stage?.id && file.status === 'stored'),
  ),
  paidIfPrepaid: guard(
    'not_paid',
    'a prepaid deal: all of it is paid, without bonuses',
    ({ state }) => state.deal.mode !== 'prepaid' || isWholePaid(state),
  ),
  reviewIsOver: guard('not_due', '7 days have passed since it was submitted', (judged) => {
    const end = judged.stage === undefined ? null : reviewEnd(judged.stage);
    return end !== null && end <= judged.now;
  }),
};
