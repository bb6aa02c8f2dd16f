import type { PreconditionReason } from '../errors.js';
import type { DealState, Draft } from '../life/draft.js';
import { formatMoney, fromMinorUnits, type Money } from '../money.js';
import type { Row } from '../records.js';
import { paymentEvent } from './emit.js';
import {
  balanceOf,
  feesOf,
  least,
  minorUnits,
  moved,
  post,
  processing,
  promised,
  refundable,
  sum,
} from './ledger.js';
import { endIntents, payStage } from './settle.js';
import { type ContractorPaymentStatus, type EmployerPaymentStatus, ranks } from './statuses.js';

/** What a payment provider, or an operator, says of a payment. */
export interface PaymentReport<S = EmployerPaymentStatus | ContractorPaymentStatus> {
  /** Without it, a `paid` makes an employer's payment of its own. */
  readonly payment_id?: string;
  readonly status: S;
  /** By default what was asked for. */
  readonly amount?: Money;
  /** The provider's own name for it; a report of the same status and reference comes once. */
  readonly reference: string;
}

/** Why a report is refused: nothing of it is recorded. */
export type ReportProblem =
  | PreconditionReason
  | { readonly member: string; readonly code: 'unknown_payment' | 'required' };

/** Says whether this report was recorded before; of an employer's without a payment, for any. */
export function isRecorded(
  state: DealState,
  kind: 'employer_payment' | 'contractor_payment',
  { payment_id, status, reference }: PaymentReport,
): boolean {
  if (payment_id === undefined && kind === 'contractor_payment') return false;
  const payments = state[kind].filter(({ id }) => (payment_id ?? id) === id);
  return state.payment_report.some(
    (each) =>
      each.status === status &&
      each.reference === reference &&
      payments.some(({ id }) => id === each.payment_id),
  );
}

function record(
  draft: Draft,
  { status, reference }: PaymentReport,
  payment_id: string,
  amount: bigint,
  retries = 0,
): void {
  draft.insert('payment_report', {
    report_key: JSON.stringify([payment_id, status, reference]),
    payment_id,
    status,
    reference,
    amount: formatMoney(fromMinorUnits(amount)),
    retries,
    at: draft.now,
  });
}

const unknown = { member: 'payment_id', code: 'unknown_payment' } as const;

/** Records what is said of an employer's payment (decisions 6.3 and 6.7). */
export function reportEmployerPayment(
  draft: Draft,
  report: PaymentReport<EmployerPaymentStatus>,
): ReportProblem | undefined {
  const { payment_id, status, reference, amount } = report;
  const known = draft.state.employer_payment.find(({ id }) => id === payment_id);
  if (known === undefined && payment_id !== undefined) return unknown;
  if (known === undefined && status !== 'paid') return { member: 'payment_id', code: 'required' };
  // nobody has asked for it, so that only the report can say how much it is
  const isUnasked = known === undefined || requestOf(draft, known) === undefined;
  if (isUnasked && status === 'paid' && amount === undefined) {
    return { member: 'amount', code: 'required' };
  }
  const payment = known ?? newPayment(draft);
  const asked = askedFor(draft, payment);
  if (ranks[status] > ranks.paid) return takeBack(draft, report, payment, asked);
  record(draft, report, payment.id, amount ?? asked);
  if (status === 'paid') {
    if (receive(draft, payment.id)) conclude(draft, payment.id, reference);
  } else if (ranks[status] > ranks[payment.status]) {
    draft.change('employer_payment', payment, { status, reference, updated_at: draft.now });
    if (status !== 'processing') endIntents(draft, payment.id, 'done');
    paymentEvent(draft, 'employer_payment', payment.id);
  }
  return undefined;
}

function newPayment(draft: Draft): Row<'employer_payment'> {
  return draft.insert('employer_payment', {
    id: draft.newId(),
    // the report says how much has come
    amount: '0.00',
    status: 'requested',
    reference: null,
    requested_at: draft.now,
    updated_at: draft.now,
  });
}

function requestOf({ state }: Draft, { id }: Row<'employer_payment'>) {
  return state.intent.find((each) => each.kind === 'request_payment' && each.payment_id === id);
}

function askedFor(draft: Draft, payment: Row<'employer_payment'>): bigint {
  return minorUnits(requestOf(draft, payment)?.amount ?? payment.amount);
}

/** Each new reference of `paid` adds, once what an earlier refund implied has come. */
function receive(draft: Draft, id: string): boolean {
  const { posting, payment_report } = draft.state;
  const told = sum(payment_report, (each) =>
    each.payment_id === id && each.status === 'paid' ? minorUnits(each.amount) : 0n,
  );
  const added = told - moved(posting, 'held', 'payment', id);
  post(draft, 'payment', id, ['employer', 'held'], added);
  return added > 0n;
}

/** A refund or a charge-back: from what is held, and what goes beyond that is lost. */
function takeBack(
  draft: Draft,
  report: PaymentReport<EmployerPaymentStatus>,
  payment: Row<'employer_payment'>,
  asked: bigint,
): ReportProblem | undefined {
  const isRefund = report.status !== 'charged_back';
  const kind = isRefund ? 'refund' : 'charge_back';
  const isImplied = ranks[payment.status] < ranks.paid;
  const left = isImplied ? asked : refundable(draft.state, payment.id);
  const waiting = draft.state.intent.filter(
    (each) => each.kind === 'refund' && each.status === 'pending' && each.payment_id === payment.id,
  );
  const expected = sum(waiting, ({ remaining }) => minorUnits(remaining));
  const amount = report.amount ?? (isRefund && expected > 0n ? expected : left);
  // the employer's bank may take back what the provider gives back at the same time
  const before = moved(draft.state.posting, 'employer', kind, payment.id);
  const came = moved(draft.state.posting, 'held', 'payment', payment.id);
  if (amount > came - before && !isImplied) return 'amount_out_of_bounds';
  record(draft, report, payment.id, amount);
  if (amount === 0n) return undefined;
  const implied = amount > asked ? amount : asked;
  if (isImplied) post(draft, 'payment', payment.id, ['employer', 'held'], implied);
  const { held } = balanceOf(draft.state.posting);
  const taken = least(amount, held - processing(draft.state));
  post(draft, kind, payment.id, ['held', 'employer'], taken);
  post(draft, kind, payment.id, ['loss', 'employer'], amount - taken);
  let open: bigint = isRefund ? amount : 0n;
  for (const intent of waiting) {
    const part = least(open, minorUnits(intent.remaining));
    open -= part;
    const left = minorUnits(intent.remaining) - part;
    const isDone = left === 0n;
    // what was asked for once is asked for again as it was, and other refunds by a new intent
    const isAnew = part > 0n && !isDone && intent.attempts === 0;
    draft.change('intent', intent, {
      remaining: formatMoney(fromMinorUnits(left)),
      ...((isDone || isAnew) && { status: isDone ? 'done' : 'cancelled', due_at: null }),
    });
  }
  conclude(draft, payment.id, report.reference);
  return undefined;
}

/** The status and the amount of an employer's payment, from what came and went. */
function conclude(draft: Draft, id: string, reference: string): void {
  const { posting, employer_payment } = draft.state;
  const payment = employer_payment.find((each) => each.id === id) as Row<'employer_payment'>;
  const came = moved(posting, 'held', 'payment', id);
  const refunded = moved(posting, 'employer', 'refund', id);
  const isChargedBack = moved(posting, 'employer', 'charge_back', id) > 0n;
  const status =
    (isChargedBack && 'charged_back') ||
    (refunded === 0n && 'paid') ||
    (refunded < came ? 'partially_refunded' : 'refunded');
  draft.change('employer_payment', payment, {
    status,
    reference,
    amount: formatMoney(came),
    updated_at: draft.now,
  });
  endIntents(draft, id, 'done');
  paymentEvent(draft, 'employer_payment', id);
}

/** Records what is said of a payout (decisions 6.3 and 6.7). */
export function reportContractorPayment(
  draft: Draft,
  report: PaymentReport<ContractorPaymentStatus>,
): ReportProblem | undefined {
  const { payment_id, status, reference } = report;
  const payment = draft.state.contractor_payment.find(({ id }) => id === payment_id);
  if (payment_id === undefined) return { member: 'payment_id', code: 'required' };
  if (payment === undefined) return unknown;
  const amount = minorUnits(payment.amount);
  if ((report.amount ?? amount) !== amount) return 'amount_out_of_bounds';
  const isPaid = status === 'paid';
  // of an attempt before it was sent again
  const isStale = draft.state.payment_report.some(
    (each) =>
      each.payment_id === payment_id &&
      each.reference === reference &&
      each.retries < payment.retries,
  );
  record(draft, report, payment.id, amount, payment.retries);
  if (ranks[status] <= ranks[payment.status] || (isStale && !isPaid)) return undefined;
  draft.change('contractor_payment', payment, { status, reference, updated_at: draft.now });
  if (status !== 'processing') endIntents(draft, payment.id, 'done');
  if (isPaid) release(draft, payment);
  paymentEvent(draft, 'contractor_payment', payment.id);
  if (isPaid) payStage(draft, payment.stage_id);
  return undefined;
}

/** The money is gone: from what is held, or, where that was promised to others meanwhile, lost. */
function release(draft: Draft, payout: Row<'contractor_payment'>): void {
  const { id, amount, stage_id } = payout;
  const free = balanceOf(draft.state.posting).held - promised(draft.state, stage_id);
  const paid = least(minorUnits(amount), free);
  post(draft, 'payout', id, ['held', 'contractor'], paid);
  post(draft, 'payout', id, ['loss', 'contractor'], minorUnits(amount) - paid);
  post(draft, 'fee', id, ['held', 'fees'], least(feesOf(payout), free - paid));
}
