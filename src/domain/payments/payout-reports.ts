import type { Row } from '../records/records.js';
import { type ContractorPaymentStatus, ranks } from '../values/payment-status.js';
import type { DealState, Draft } from './draft.js';
import { paymentEvent } from './draft.js';
import { accept, endIntents, isInDoubt, mayBeDone } from './intents.js';
import { minorUnits, post, releasedBy } from './ledger.js';
import { payStage, release } from './payouts.js';
import type { PaymentReport, ReportProblem } from './report.js';
import { isFull, otherCurrency, record, unknown } from './reports.js';

type Payout = Row<'contractor_payment'>;
type Told = Pick<DealState, 'payment_report'>;

/**
 * Records a report of a payout (decisions 6.3 and 6.7). Each attempt counts for itself: it arrives
 * once, and comes back once (decision 10.3).
 */
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
  const isOut = hasArrived(draft.state, payment, attempt);
  const comesBack = isOut && (status === 'failed' || status === 'returned');
  const arrives = status === 'paid' && !isTold(draft.state, payment, attempt, 'paid');
  // what came back is told of before its arrival
  const isBack = comesBack || (arrives && isTold(draft.state, payment, attempt, 'returned'));
  const next = nextStatus(draft, payment, status, attempt);
  const isNews = arrives || comesBack || next !== undefined;
  const sent = draft.intentsOf(payment.id).find(isInDoubt);
  // whatever is told of it, it has begun
  if (sent !== undefined && attempt === payment.retries) accept(draft, sent);
  if (isNews || !isFull(draft)) record(draft, report, payment.id, amount, attempt);
  if (attempt === payment.retries && status !== 'processing') {
    endIntents(draft, payment.id, 'done');
  }
  if (arrives) arrive(draft, payment, attempt, reference);
  if (isBack) comeBack(draft, payment, attempt, reference);
  else if (arrives) callOff(draft, payment);
  else if (next !== undefined) change(draft, payment, next, reference);
  return undefined;
}

/**
 * The attempt of a payout that a report is about: how often the payout had been sent again before.
 * An attempt has the names under which it was heard of before the next one; other names are of the
 * last attempt. An answer is of the attempt that was asked for, but what it tells under the name of
 * an earlier one, once it has told that its own has arrived.
 */
function attemptOf(
  draft: Draft,
  payment: Payout,
  { effect, reference }: Pick<PaymentReport, 'effect' | 'reference'>,
): number {
  const { id, retries } = payment;
  const sent = draft.intentsOf(id).filter(({ kind }) => kind === 'pay_out');
  const asked = sent.findIndex((each) => each.id === effect);
  const isOpen = asked >= 0 && !isTold(draft.state, payment, asked, 'paid');
  if (isOpen) return asked;
  const named = sent.findIndex((each) => each.id === reference);
  if (named >= 0) return named;
  const heard = draft.state.payment_report.filter(
    (each) => each.payment_id === id && each.reference === reference,
  );
  return Math.min(asked < 0 ? retries : asked, ...heard.map((each) => each.retries));
}

/** Whether this was told of an attempt. */
const isTold = (
  state: Told,
  { id }: Payout,
  attempt: number,
  status: ContractorPaymentStatus,
): boolean =>
  state.payment_report.some(
    (each) => each.payment_id === id && each.retries === attempt && each.status === status,
  );

/**
 * Whether the contractor has the money of an attempt, the last one unless another is named. What an
 * earlier version posted is of the attempt that was told to be paid.
 */
export function hasArrived(
  state: Told & Pick<DealState, 'posting'>,
  payment: Payout,
  attempt: number = payment.retries,
): boolean {
  let [own, old, isApart] = [0n, 0n, false];
  for (const each of state.posting) {
    if (each.payment_id !== payment.id || each.kind === 'fee') continue;
    const units = minorUnits(each.amount) * (each.to_account === 'contractor' ? 1n : -1n);
    if (each.retries === null) old += units;
    if (each.retries !== attempt) continue;
    own += units;
    isApart = true;
  }
  return own > 0n || (!isApart && old > 0n && isTold(state, payment, attempt, 'paid'));
}

/**
 * The status of a payout after a report that moves no money; `undefined` if the report is older than
 * the known status.
 */
function nextStatus(
  draft: Draft,
  payment: Payout,
  status: ContractorPaymentStatus,
  attempt: number,
): ContractorPaymentStatus | undefined {
  // money that arrived before: a failure of another attempt did not move it
  if (status === 'paid' || payment.status === 'paid' || attempt < payment.retries) return undefined;
  // its call has not ended, so it is told by nobody yet
  const isUntold = draft
    .intentsOf(payment.id)
    .some((each) => each.status === 'pending' && each.outcome === 'calling');
  const known = isUntold && payment.status === 'processing' ? 'scheduled' : payment.status;
  return ranks[status] > ranks[known] ? status : undefined;
}

function change(
  draft: Draft,
  payment: Payout,
  status: ContractorPaymentStatus,
  reference: string,
  attempt = payment.retries,
): void {
  const { id } = payment;
  draft.change('contractor_payment', payment, {
    ...{ status, reason: null, reference, updated_at: draft.now },
  });
  // one that was not paid takes nothing back
  const isNothing = status === 'returned';
  paymentEvent(draft, 'contractor_payment', id, { attempt, ...(isNothing && { amount: 0n }) });
}

/** An attempt has arrived: another one may have before. */
function arrive(draft: Draft, payment: Payout, attempt: number, reference: string): void {
  // until here its money was kept for it
  draft.change('contractor_payment', payment, { status: 'paid' });
  release(draft, payment, attempt);
  change(draft, payment, 'paid', reference, attempt);
  payStage(draft, payment.stage_id);
}

/**
 * An attempt came back, whose fee stays posted. The payout stays `paid` while the contractor has the
 * money of another attempt, and is as the last one is if that may be under way.
 */
function comeBack(draft: Draft, payment: Payout, attempt: number, reference: string): void {
  const { id, status, reason, retries } = payment;
  post(draft, 'return', id, ['contractor', 'held'], minorUnits(payment.amount), attempt);
  const last = draft.intentsOf(id).find((each) => each.status === 'pending');
  const isOver = status === 'paid' ? 'returned' : status;
  const next =
    (releasedBy(draft.books, payment) > 0n && 'paid') ||
    (attempt === retries && 'returned') ||
    (last !== undefined && status === 'paid' ? 'processing' : isOver);
  draft.change('contractor_payment', payment, {
    ...{ status: next, reason: next === status ? reason : null, reference, updated_at: draft.now },
  });
  paymentEvent(draft, 'contractor_payment', id, { what: 'returned', attempt });
  if (next === 'processing' && status === 'paid') paymentEvent(draft, 'contractor_payment', id);
}

/**
 * Another attempt that was not sent is not sent any more; one that may be under way will be told of,
 * but is not asked for again.
 */
function callOff(draft: Draft, { id, status }: Payout): void {
  for (const intent of draft.intentsOf(id)) {
    if (intent.status !== 'pending' || mayBeDone(intent)) continue;
    if (status === 'processing') accept(draft, intent);
    else draft.change('intent', intent, { status: 'cancelled', due_at: null });
  }
}
