import type { Row } from '../records/records.js';
import { type ContractorPaymentStatus, ranks } from '../values/payment-status.js';
import type { Draft } from './draft.js';
import { paymentEvent } from './draft.js';
import { accept, endIntents, isInDoubt } from './intents.js';
import { minorUnits, post } from './ledger.js';
import { payStage, release } from './payouts.js';
import type { PaymentReport, ReportProblem } from './report.js';
import { isFull, otherCurrency, record, unknown } from './reports.js';

/** Records a report of a payout (decisions 6.3 and 6.7). */
export function reportContractorPayment(
  draft: Draft,
  report: PaymentReport<ContractorPaymentStatus>,
): ReportProblem | undefined {
  const { payment_id, status, reference } = report;
  if (payment_id === undefined) return { member: 'payment_id', code: 'required' };
  const payment = draft.find('contractor_payment', payment_id);
  if (payment === undefined) return unknown;
  const other = otherCurrency(draft, report);
  if (other !== undefined) return other;
  const amount = minorUnits(payment.amount);
  if ((report.amount ?? amount) !== amount) return 'amount_out_of_bounds';
  const attempt = attemptOf(draft, payment, report);
  const next = nextStatus(draft, payment, status, attempt);
  const sent = draft.intentsOf(payment.id).find(isInDoubt);
  // whatever is told of it, it has begun
  if (sent !== undefined && attempt === payment.retries) accept(draft, sent);
  if (next !== undefined || !isFull(draft)) record(draft, report, payment.id, amount, attempt);
  if (next === undefined) return undefined;
  const isReturn = payment.status === 'paid';
  draft.change('contractor_payment', payment, {
    ...{ status: next, reason: null, reference, updated_at: draft.now },
  });
  if (next !== 'processing') endIntents(draft, payment.id, 'done');
  // its fee stays posted
  if (isReturn) post(draft, 'return', payment.id, ['contractor', 'held'], amount);
  if (next === 'paid') release(draft, payment);
  // one that was not paid takes nothing back
  const isNothing = next === 'returned' && !isReturn;
  paymentEvent(draft, 'contractor_payment', payment.id, isNothing ? { amount: 0n } : {});
  if (next === 'paid') payStage(draft, payment.stage_id);
  return undefined;
}

/**
 * The attempt of a payout that a report is about: how often the payout had been sent again before.
 */
function attemptOf(
  draft: Draft,
  { id, retries }: Row<'contractor_payment'>,
  { effect, reference }: { readonly effect?: string; readonly reference: string | null },
): number {
  const sent = draft.intentsOf(id).filter(({ kind }) => kind === 'pay_out');
  const named = sent.findIndex((each) => each.id === (effect ?? reference));
  if (named >= 0) return named;
  const heard = draft.state.payment_report.filter(
    (each) => each.payment_id === id && each.reference === reference,
  );
  return Math.min(retries, ...heard.map((each) => each.retries));
}

/**
 * The status of a payout after a report; `undefined` if the report is older than the known status.
 */
function nextStatus(
  draft: Draft,
  payment: Row<'contractor_payment'>,
  status: ContractorPaymentStatus,
  attempt: number,
): ContractorPaymentStatus | undefined {
  if (payment.status === 'paid') {
    // paid money comes back; a failure of another attempt did not move it
    const isBack = status === 'failed' || status === 'returned';
    const isOfThis = attempt === attemptOf(draft, payment, payment);
    const { released, returned } = draft.books.of(payment.id);
    return isBack && isOfThis && released > returned ? 'returned' : undefined;
  }
  // its call has not ended, so it is told by nobody yet
  const isUntold = draft
    .intentsOf(payment.id)
    .some((each) => each.status === 'pending' && each.outcome === 'calling');
  const known = isUntold && payment.status === 'processing' ? 'scheduled' : payment.status;
  if (ranks[status] <= ranks[known]) return undefined;
  return attempt < payment.retries && status !== 'paid' ? undefined : status;
}
