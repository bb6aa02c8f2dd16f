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
import { least, minorUnits, most, notBelowZero, post, spend, sum } from './ledger.js';
import { owedInAll } from './owed.js';
import { endRefunds, type Meant, meantRefunds, noteFailed } from './refunds.js';
import type { PaymentReport, ReportProblem } from './report.js';

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

/** Whether a report is of another currency than the deal (decision 10.4). */
export function otherCurrency(
  { state }: Draft,
  { currency }: PaymentReport,
): ReportProblem | undefined {
  const isOther = currency !== undefined && lower(currency) !== lower(state.deal.currency);
  return isOther ? { member: 'currency', code: 'currency_mismatch' } : undefined;
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (each) => each.toLowerCase());

/** The report does not say how much, and nothing else does. */
const noAmount = { member: 'amount', code: 'required' } as const;

/** Records a report of an employer's payment (decisions 6.3, 6.7 and 10.4 to 10.7). */
export function reportEmployerPayment(
  draft: Draft,
  report: PaymentReport<EmployerReportStatus>,
): ReportProblem | undefined {
  const { payment_id, status, reference, amount } = report;
  const known = payment_id === undefined ? undefined : draft.find('employer_payment', payment_id);
  if (known === undefined && payment_id !== undefined) return unknown;
  if (known === undefined && status !== 'paid') return { member: 'payment_id', code: 'required' };
  // money that was not asked for: only the report can give its amount
  const isUnasked = known === undefined || requestOf(draft, known) === undefined;
  if (isUnasked && status === 'paid' && amount === undefined) return noAmount;
  const other = otherCurrency(draft, report);
  if (other !== undefined) return other;
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
  switch (report.status) {
    case 'paid':
      record(draft, report, payment.id, report.amount ?? askedFor(draft, payment));
      receive(draft, payment.id, report.reference, 0n);
      return undefined;
    case 'refund_failed':
      return giveBack(draft, report, payment);
    case 'charge_back_reversed':
      return winBack(draft, report, payment);
    default:
      return takeBack(draft, report, payment);
  }
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
 * Posts the money that has come with a payment, by all that is known of it: the sum of its `paid`
 * reports, and never less than what went back of it, which implies it (decision 10.5).
 */
function receive(draft: Draft, id: string, reference: string, back: bigint): void {
  const paid = told(draft, id, ['paid']);
  const added = most(paid, back) - draft.books.of(id).came;
  if (added <= 0n) return;
  post(draft, 'payment', id, ['employer', 'held'], added);
  conclude(draft, id, reference, 'paid', added);
}

/** A refund or a charge-back; one that comes before its payment implies it. */
function takeBack(
  draft: Draft,
  report: PaymentReport<EmployerReportStatus>,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { id } = payment;
  const { reference } = report;
  const isRefund = report.status !== 'charged_back';
  const isImplied = ranks[payment.status] < ranks.paid;
  const { came, refunded, charged_back } = draft.books.of(id);
  const gone = isRefund ? refunded : charged_back;
  const meant = isRefund ? meantRefunds(draft, id, report) : undefined;
  const amount = report.amount ?? usual(draft, report, payment, meant);
  if (amount === undefined) return noAmount;
  const moved = isRefund
    ? arrivedOf(draft, id, reference, amount)
    : amount - least(amount, wonOf(draft, id, reference));
  // the employer's bank may take back money that the provider refunds at the same time
  if (moved > came - gone && !isImplied) return 'amount_out_of_bounds';
  const isNothing = moved === 0n && (amount === 0n || !isImplied);
  if (!isNothing || !isFull(draft)) record(draft, report, id, amount);
  if (isNothing) return undefined;
  receive(draft, id, reference, most(gone + moved, amount));
  if (moved > 0n) {
    spend(draft, isRefund ? 'refund' : 'charge_back', id, 'employer', moved);
    if (meant !== undefined) endRefunds(draft, meant, moved);
    conclude(draft, id, reference, isRefund ? 'refunded' : 'charged_back', moved);
  }
  return undefined;
}

/**
 * The amount of a report that gives none (decision 10.4): the refunds that it can be about, else all
 * that is left of the payment; `undefined` if that is nothing.
 */
function usual(
  draft: Draft,
  { status, effect }: PaymentReport,
  payment: Row<'employer_payment'>,
  meant: Meant | undefined,
): bigint | undefined {
  if (meant !== undefined && (meant.isNamed || meant.expected > 0n)) return meant.expected;
  if (status === 'partially_refunded') return undefined;
  const { came, refunded, charged_back } = draft.books.of(payment.id);
  // what the gateway was asked for has come, and went back at once
  const left = came === 0n && effect !== undefined ? askedFor(draft, payment) : came;
  return left > refunded + charged_back ? left - refunded - charged_back : undefined;
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

/** The recorded amount of a failed refund whose report gave none, of an earlier version. */
const wholeOfIt = 0n;

/**
 * Records a failed refund: its money is held again until the operator asks for the refund again. One
 * that no report has told of takes nothing back: it waits no longer. If nothing waits for it, the
 * refund is implied (decision 10.5).
 */
function giveBack(
  draft: Draft,
  report: PaymentReport,
  payment: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { id } = payment;
  const { reference } = report;
  const { came, refunded } = draft.books.of(id);
  const gone = told(draft, id, refundsTold, reference);
  if (gone > 0n) {
    const amount = report.amount ?? gone;
    if (amount > gone || amount > refunded) return 'amount_out_of_bounds';
    record(draft, report, id, amount);
    comeBack(draft, id, reference, amount);
    return undefined;
  }
  const meant = meantRefunds(draft, id, report);
  const amount = report.amount ?? meant.expected;
  if (amount === 0n) return noAmount;
  const waited = endRefunds(draft, meant, amount);
  const isImplied = ranks[payment.status] < ranks.paid;
  // no more than can have gone: another report may have told of it
  const implied = isImplied ? amount - waited : least(amount - waited, came - refunded);
  if (waited + implied > 0n || !isFull(draft)) record(draft, report, id, amount);
  if (waited + implied === 0n) return undefined;
  noteFailed(draft, id, waited);
  if (implied === 0n) {
    const said = { what: 'refund_failed', amount: 0n, asked: waited, reference } as const;
    paymentEvent(draft, 'employer_payment', id, said);
    return undefined;
  }
  receive(draft, id, reference, refunded + implied);
  spend(draft, 'refund', id, 'employer', implied);
  conclude(draft, id, reference, 'refunded', implied);
  comeBack(draft, id, reference, implied);
  return undefined;
}

/** Refunded money is held again, and is to be refunded again. */
function comeBack(draft: Draft, id: string, reference: string, amount: bigint): void {
  post(draft, 'return', id, ['employer', 'held'], amount);
  noteFailed(draft, id, amount);
  conclude(draft, id, reference, 'refund_failed', amount);
}

/**
 * Records a charge-back that was won: its money is held again (decision 10.6). One that comes before
 * its charge-back waits for it.
 */
function winBack(
  draft: Draft,
  report: PaymentReport,
  { id }: Row<'employer_payment'>,
): ReportProblem | undefined {
  const { reference } = report;
  const { charged_back } = draft.books.of(id);
  const amount = report.amount ?? charged_back;
  if (amount === 0n) return noAmount;
  if (charged_back === 0n) {
    if (isFull(draft)) return 'too_many';
    record(draft, report, id, amount);
    const said = { what: 'charge_back_reversed', amount: 0n, asked: amount, reference } as const;
    paymentEvent(draft, 'employer_payment', id, said);
    return undefined;
  }
  if (amount > charged_back) return 'amount_out_of_bounds';
  record(draft, report, id, amount);
  post(draft, 'charge_back', id, ['employer', 'held'], amount);
  conclude(draft, id, reference, 'charge_back_reversed', amount);
  return undefined;
}

/** The part of the charge-back of this reference that was won before it was reported. */
function wonOf(draft: Draft, id: string, reference: string): bigint {
  const won = told(draft, id, ['charge_back_reversed']);
  if (won === 0n) return won;
  const { charged_back } = draft.books.of(id);
  // what was won, and did not lessen a charge-back when it came
  const waiting = won - (told(draft, id, ['charged_back']) - charged_back);
  return least(waiting, told(draft, id, ['charge_back_reversed'], reference));
}

/** The status and the amount of an employer's payment, from its postings, and what has happened. */
function conclude(
  draft: Draft,
  id: string,
  reference: string,
  what: EmployerReportStatus,
  amount: bigint,
): void {
  const payment = draft.find('employer_payment', id) as Row<'employer_payment'>;
  const { came, refunded, charged_back } = draft.books.of(id);
  const status =
    (charged_back > 0n && 'charged_back') ||
    (refunded === 0n && 'paid') ||
    (refunded < came ? 'partially_refunded' : 'refunded');
  draft.change('employer_payment', payment, {
    status,
    reference,
    amount: formatMoney(fromMinorUnits(came)),
    updated_at: draft.now,
  });
  endIntents(draft, id, 'done');
  paymentEvent(draft, 'employer_payment', id, { what, amount });
}
