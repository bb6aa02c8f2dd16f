import type { DealState } from '../payments/draft.js';
import { failedRefunds } from '../payments/intents.js';
import { balanceOf } from '../payments/ledger.js';
import { dueNow, fullPriceOf, mostPayments, owedInAll } from '../payments/owed.js';
import type { Row } from '../records/records.js';
import { reviewEnd } from './deadlines.js';
import type { Command, Guard, Judged } from './rules.js';

/** The stages that a resolution concerns. */
export function openStages({ stage }: DealState): readonly Row<'stage'>[] {
  return stage.filter(({ status }) => status !== 'paid' && status !== 'cancelled');
}

/** The payouts that a command sends again. */
export function retriable(
  { contractor_payment }: DealState,
  { payment_id }: Command,
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
  nothingPaid: guard(
    'already_paid',
    'nothing is paid',
    ({ state }) => balanceOf(state.posting).net <= 0n,
  ),
  noWorkDelivered: guard('work_delivered', 'no stage is submitted or approved', ({ state }) =>
    state.stage.every(({ status }) => status !== 'submitted' && status !== 'approved'),
  ),
  paidIfAccepted: guard(
    'not_paid',
    'an accepted deal: something is paid',
    ({ state }) => state.deal.status !== 'accepted' || balanceOf(state.posting).net > 0n,
  ),
  noPayoutProcessing: guard('payout_processing', 'no payout is being processed', ({ state }) =>
    state.contractor_payment.every(({ status }) => status !== 'processing'),
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
  fewPayments: guard(
    'too_many',
    `the deal has less than ${mostPayments} payments of the employer`,
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
    'a prepaid deal: all of it is paid',
    ({ state }) =>
      state.deal.mode !== 'prepaid' || balanceOf(state.posting).net >= owedInAll(state),
  ),
  reviewIsOver: guard('not_due', '7 days have passed since it was submitted', (judged) => {
    const end = judged.stage === undefined ? null : reviewEnd(judged.stage);
    return end !== null && end <= judged.now;
  }),
};
