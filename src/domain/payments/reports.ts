import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits, isWithinSums } from '../values/money.js';
import {
  type EmployerPaymentStatus,
  type EmployerReportStatus,
  ranks,
} from '../values/payment-status.js';
import type { DealState, Draft } from './draft.js';
import { paymentEvent } from './draft.js';
import { accept, endIntents, isInDoubt } from './intents.js';
import { minorUnits, notBelowZero, post, spend, sum } from './ledger.js';
import { owedInAll } from './owed.js';
import { endRefunds, meantRefunds, noteFailed } from './refunds.js';
import type { PaymentReport, ReportProblem } from './report.js';
import { decideDoubt, noteSurplus, wrongReport } from './surplus.js';
import { tolerate } from './write-off.js';

/** The most reports of a deal, not counting reports of money that moved. */
const mostReports = 1000;

/** Says whether a deal has the most reports that it may have. */
export const isFull = ({ state }: Draft): boolean => state.payment_report.length >= mostReports;

/**
 * Says whether this report was recorded before; an employer's without a payment, for any payment.
 */
export function isRecorded(
  state: DealState,
  kind: 'employer_payment' | 'contractor_payment',
  { payment_id, status, reference }: PaymentReport,
): boolean {
  if (payment_id === undefined && kind === 'contractor_payment') return false;
  const payments = new Set(state[kind].map(({ id }) => id));
  return state.payment_report.some(
    (each) =>
      each.status === status &&
      each.reference === reference &&
      each.payment_id === (payment_id ?? each.payment_id) &&
      payments.has(each.payment_id),
  );
}

/** Records a report, so that it counts once. */
export function record(
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

/** The report names no payment of this deal. */
export const unknown = { member: 'payment_id', code: 'unknown_payment' } as const;

/** Records a report of an employer's payment (decisions 6.3 and 6.7). */
export function reportEmployerPayment(
  draft: Draft,
  report: PaymentReport<EmployerReportStatus>,
): ReportProblem | undefined {
  const { status, reference, amount } = report;
  const wrong = status === 'voided' ? wrongReport(draft, report) : undefined;
  const payment_id = report.payment_id ?? wrong?.payment_id;
  const known = payment_id === undefined ? undefined : draft.find('employer_payment', payment_id);
  if (known === undefined && payment_id !== undefined) return unknown;
  if (status === 'voided' && wrong === undefined) return { ...unknown, member: 'reference' };
  if (known === undefined && status !== 'paid') return { member: 'payment_id', code: 'required' };
  // money that was not asked for: only the report can give its amount
  const isUnasked = known === undefined || requestOf(draft, known) === undefined;
  if (isUnasked && status === 'paid' && amount === undefined) {
    return { member: 'amount', code: 'required' };
  }
  const payment = known ?? newPayment(draft);
  if (ranks[status] >= ranks.paid) {
    const problem = recordMoney(draft, report, payment);
    const balance = draft.books.balance();
    const outstanding = fromMinorUnits(owedInAll(draft.state) - balance.net);
    const isWithin = Object.values({ ...balance, outstanding }).every(isWithinSums);
    return problem ?? (isWithin ? undefined : 'amount_out_of_bounds');
  }
  const isNews = ranks[status] > ranks[payment.status];
  if (isFull(draft)) return isNews ? 'too_many' : undefined;
  record(draft, report, payment.id, amount ?? askedFor(draft, payment));
  const asked = requestOf(draft, payment);
  if (asked !== undefined && isInDoubt(asked)) accept(draft, asked);
  if (!isNews) return undefined;
  // of a higher rank than `requested`, and lower than `paid`
  const to = status as EmployerPaymentStatus;
  draft.change('employer_payment', payment, { status: to, reference, updated_at: draft.now });
  if (status !== 'processing') endIntents(draft, payment.id, 'done');
  paymentEvent(draft, 'employer_payment', payment.id);
  return undefined;
}

/** Records moved money, however many reports are recorded already. */
function recordMoney(
  draft: Draft,
  report: PaymentReport<EmployerReportStatus>,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  if (report.status === 'paid') {
    const asked = askedFor(draft, payment);
    const { net } = draft.books.balance();
    record(draft, report, payment.id, report.amount ?? asked);
    if (!receive(draft, payment.id, asked)) return undefined;
    conclude(draft, payment.id, report.reference);
    noteSurplus(draft, payment.id, net);
    tolerate(draft);
    return undefined;
  }
  if (report.status === 'voided') return takeOut(draft, report, payment);
  return report.status === 'refund_failed'
    ? giveBack(draft, report, payment)
    : takeBack(draft, report, payment);
}

function newPayment(draft: Draft): Row<'employer_payment'> {
  return draft.insert('employer_payment', {
    id: draft.newId(),
    // the report gives the amount
    amount: '0.00',
    status: 'requested',
    reason: null,
    reference: null,
    requested_at: draft.now,
    updated_at: draft.now,
  });
}

function requestOf(draft: Draft, { id }: Row<'employer_payment'>) {
  return draft.intentsOf(id).find(({ kind }) => kind === 'request_payment');
}

function askedFor(draft: Draft, payment: Row<'employer_payment'>): bigint {
  return minorUnits(requestOf(draft, payment)?.amount ?? payment.amount);
}

/** The sum of the reports of these statuses about a payment, of any reference or one. */
function told(
  { state }: Draft,
  payment_id: string,
  statuses: readonly PaymentReport['status'][],
  reference?: string,
): bigint {
  return sum(state.payment_report, (each) =>
    each.payment_id === payment_id &&
    statuses.includes(each.status) &&
    each.reference === (reference ?? each.reference)
      ? minorUnits(each.amount)
      : 0n,
  );
}

/**
 * Posts the money that came with a payment, by all that is known of it: the sum of its `paid`
 * reports, or the amount asked for if there is none yet, and never less than the amount that went
 * back.
 */
function receive(draft: Draft, id: string, asked: bigint, back = 0n): boolean {
  const { came, refunded, charged_back } = draft.books.of(id);
  // a refund and a charge-back may be of the same money
  const isTold = draft.state.payment_report.some(
    (each) => each.payment_id === id && each.status === 'paid',
  );
  const known = isTold ? told(draft, id, ['paid']) : asked;
  const all = [known, refunded, charged_back, back];
  const most = all.reduce((one, other) => (other > one ? other : one));
  // what never came is less, whatever went back
  const added = most - told(draft, id, ['voided']) - came;
  post(draft, 'payment', id, ['employer', 'held'], added);
  spend(draft, 'payment', id, 'employer', -added);
  return added !== 0n;
}

/** A refund or a charge-back; one that comes before its payment implies it. */
function takeBack(
  draft: Draft,
  report: PaymentReport,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { id } = payment;
  const { status, reference } = report;
  const asked = askedFor(draft, payment);
  const isRefund = status !== 'charged_back';
  const isImplied = ranks[payment.status] < ranks.paid;
  const { came, refunded, charged_back } = draft.books.of(id);
  const gone = isRefund ? refunded : charged_back;
  // the employer's bank may take back money that the provider refunds at the same time
  const left = (isImplied ? asked : came) - gone;
  const meant = isRefund ? meantRefunds(draft, id, report) : undefined;
  const isOfRefunds = meant !== undefined && (meant.isNamed || meant.expected > 0n);
  const amount = report.amount ?? (isOfRefunds ? meant.expected : notBelowZero(left));
  const moved = isRefund ? arrivedOf(draft, id, reference, amount) : amount;
  if (moved > left && !isImplied) return 'amount_out_of_bounds';
  const isNothing = moved === 0n && (amount === 0n || !isImplied);
  if (!isNothing || !isFull(draft)) record(draft, report, id, amount);
  if (isNothing) return undefined;
  receive(draft, id, asked, gone + moved);
  spend(draft, isRefund ? 'refund' : 'charge_back', id, 'employer', moved);
  // what was sent back by hand is what came twice
  if (meant !== undefined) decideDoubt(draft, moved - endRefunds(draft, meant, moved));
  conclude(draft, id, reference);
  return undefined;
}

/** The part of a refund that arrives with this report: part of it may be known to have failed. */
function arrivedOf(draft: Draft, id: string, reference: string, amount: bigint): bigint {
  const failures = draft.state.payment_report.filter(
    (each) =>
      each.payment_id === id && each.status === 'refund_failed' && each.reference === reference,
  );
  if (failures.some((each) => minorUnits(each.amount) === wholeOfIt)) return 0n;
  const failed = sum(failures, (each) => minorUnits(each.amount));
  const before = told(draft, id, refundsTold, reference);
  return notBelowZero(before + amount - failed) - notBelowZero(before - failed);
}

const refundsTold = ['refunded', 'partially_refunded'] as const;

/** The recorded amount of a failed refund whose report gives none. */
const wholeOfIt = 0n;

/**
 * Records a failed refund: its money is held again until the operator asks for the refund again. If
 * this report comes before the refund of its reference, that one moves only the part that
 * succeeded.
 */
function giveBack(
  draft: Draft,
  report: PaymentReport,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { id } = payment;
  const { reference } = report;
  const gone = told(draft, id, refundsTold, reference);
  if (gone === 0n) {
    const meant = meantRefunds(draft, id, report);
    const failed = endRefunds(draft, meant, report.amount ?? meant.expected);
    if (failed > 0n || !isFull(draft)) record(draft, report, id, report.amount ?? wholeOfIt);
    noteFailed(draft, id, failed);
    if (failed > 0n) paymentEvent(draft, 'employer_payment', id, 'refund_failed');
    return undefined;
  }
  const amount = report.amount ?? gone;
  if (amount > gone || amount > draft.books.of(id).refunded) return 'amount_out_of_bounds';
  record(draft, report, id, report.amount ?? wholeOfIt);
  post(draft, 'return', id, ['employer', 'held'], amount);
  receive(draft, id, askedFor(draft, payment));
  noteFailed(draft, id, amount);
  conclude(draft, id, reference, 'refund_failed');
  return undefined;
}

/** A `paid` that never came: its payment has so much less, which held money bears, or the host. */
function takeOut(
  draft: Draft,
  report: PaymentReport,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { id } = payment;
  const { reference } = report;
  const amount = told(draft, id, ['paid'], reference);
  if ((report.amount ?? amount) !== amount) return 'amount_out_of_bounds';
  record(draft, report, id, amount);
  receive(draft, id, askedFor(draft, payment));
  decideDoubt(draft, amount);
  conclude(draft, id, reference, 'voided', amount);
  return undefined;
}

/** The status and the amount of an employer's payment, from its postings. */
function conclude(
  draft: Draft,
  id: string,
  reference: string,
  what?: 'refund_failed' | 'voided',
  moved?: bigint,
): void {
  const payment = draft.find('employer_payment', id) as Row<'employer_payment'>;
  const { came, refunded, charged_back } = draft.books.of(id);
  const { amount: asked = '0.00' } = requestOf(draft, payment) ?? {};
  const status =
    (charged_back > 0n && 'charged_back') ||
    (came === 0n && refunded === 0n && 'failed') ||
    (refunded === 0n && 'paid') ||
    (refunded < came ? 'partially_refunded' : 'refunded');
  draft.change('employer_payment', payment, {
    status,
    reference,
    // nothing has come any more
    amount: status === 'failed' ? asked : formatMoney(fromMinorUnits(came)),
    updated_at: draft.now,
  });
  endIntents(draft, id, 'done');
  paymentEvent(draft, 'employer_payment', id, what, moved);
}
