import { paid } from './model-plan.js';
import { endRefunds } from './model-refunds.js';
import {
  arrivals,
  available,
  came,
  due,
  feesOf,
  type Incoming,
  isAskable,
  isFinal,
  isOpen,
  least,
  type Model,
  most,
  net,
  outstanding,
  type Payout,
  refundedOf,
  sum,
} from './model-state.js';
import { clear, noteMoney } from './model-surplus.js';

/** A report of a payment; payments are named by their index in the order of creation. */
export interface Report {
  readonly payment?: number;
  readonly status: string;
  readonly amount?: bigint;
  readonly reference: string;
  /** How much of refunds to come this report of a failed one ends: the intents have it. */
  readonly fails?: bigint;
  /** The effect that it answers. */
  readonly effect?: string;
  /** The attempt for a payout, if its reference is the id of one. */
  readonly attempt?: number;
}

/** 6.7 (c). */
const ranks: Readonly<Record<string, number>> = {
  requested: 0,
  scheduled: 0,
  processing: 1,
  failed: 2,
  expired: 2,
  returned: 2,
  cancelled: 2,
  paid: 3,
  partially_refunded: 4,
  refunded: 4,
  charged_back: 4,
  refund_failed: 4,
  charge_back_reversed: 4,
  voided: 4,
};
const rank = (status: string): number => ranks[status] ?? 0;
const nameOf = ({ status, reference }: Report) => `${status} ${reference}`;

/** Each report is recorded once, by payment, reference and status (6.3). */
export function isKnown(
  payments: readonly { readonly reports: ReadonlySet<string> }[],
  report: Report,
): boolean {
  const those =
    report.payment === undefined ? payments : payments.slice(report.payment).slice(0, 1);
  return those.some(({ reports }) => reports.has(nameOf(report)));
}

export function ask(model: Model, asked: bigint, now: number): Incoming {
  const payment: Incoming = {
    asked,
    since: now,
    status: 'requested',
    reference: null,
    told: 0n,
    implied: 0n,
    known: 0n,
    refunds: new Map(),
    chargedBack: 0n,
    disputes: new Map(),
    ...{ voided: 0n, doubt: 0n },
    askedBack: 0n,
    wanted: null,
    reports: new Set(),
  };
  model.incoming.push(payment);
  return payment;
}

export function expireRequests(
  model: Model,
  events: string[],
  which: (payment: Incoming) => boolean = () => true,
): void {
  for (const each of model.incoming.filter((one) => isOpen(one) && which(one))) {
    each.status = 'expired';
    events.push('employer_payment.expired');
  }
}

/** 6.7 (g) and 9.16 (m): ends the open requests of a deal that ended, or no longer needs them. */
export function endRequests(model: Model, before: string, events: string[]): void {
  if (!isFinal(model)) return;
  const isStill = model.status === 'completed' && before === 'completed';
  if (!isStill || outstanding(model) === 0n) expireRequests(model, events);
}

/** Records a report of an employer's payment; returns the reason of a refusal. */
export function reportIncoming(
  model: Model,
  report: Report,
  now: number,
  events: string[],
): string | undefined {
  const named = report.payment === undefined ? undefined : model.incoming[report.payment];
  if (report.payment !== undefined && named === undefined) return 'unknown_payment';
  if (report.status === 'voided') return neverCame(model, report, named, events);
  const known = named;
  if (known === undefined && (report.status !== 'paid' || report.amount === undefined)) {
    return 'required';
  }
  // for a payment that was not requested, there is no default
  if (report.status === 'paid' && report.amount === undefined && known?.asked === 0n) {
    return 'required';
  }
  const payment = known ?? ask(model, 0n, now);
  const { status, reference } = report;
  if (rank(status) < rank('paid')) {
    payment.reports.add(nameOf(report));
    if (rank(status) <= rank(payment.status)) return undefined;
    payment.status = status;
    payment.reference = reference;
    events.push(`employer_payment.${status}`);
    return undefined;
  }
  const step: Step = { model, payment, reference, events };
  if (status === 'refund_failed') return refundFailed(step, report);
  if (status === 'charge_back_reversed') return won(step, report);
  if (status !== 'paid') return wentBack(step, report);
  const netBefore = net(model);
  payment.reports.add(nameOf(report));
  payment.told += report.amount ?? payment.asked;
  model.paids.push({ payment, reference, amount: report.amount ?? payment.asked });
  // what was implied is known already
  if (arrived(step, 0n)) noteMoney(model, payment, netBefore, events);
  return undefined;
}

/** What a report is about. */
interface Step {
  readonly model: Model;
  readonly payment: Incoming;
  readonly reference: string;
  readonly events: string[];
}

/** 10.7: an event by what has happened; the status follows from the sums. */
function tell({ payment, reference, events }: Step, what: string): void {
  payment.status = bySums(payment);
  payment.reference = reference;
  events.push(`employer_payment.${what}`);
}

/** 10.5 and 10.7: what must have come has come, and is told first. */
function arrived(step: Step, implied: bigint): boolean {
  const { payment } = step;
  payment.implied = most(payment.implied, implied === 0n ? 0n : implied + payment.voided);
  if (came(payment) === payment.known) return false;
  payment.known = came(payment);
  tell(step, 'paid');
  return true;
}

/** 10.12: an operator says that a `paid` was wrong. */
function neverCame(
  model: Model,
  report: Report,
  named: Incoming | undefined,
  events: string[],
): string | undefined {
  const { reference } = report;
  const [wrong] = (named === undefined ? model.incoming : [named]).flatMap((payment) =>
    model.paids.filter((each) => each.payment === payment && each.reference === reference),
  );
  if (wrong === undefined) return 'unknown_payment';
  const { payment, amount } = wrong;
  if ((report.amount ?? amount) !== amount) return 'amount_out_of_bounds';
  model.paids.splice(model.paids.indexOf(wrong), 1);
  payment.reports.add(nameOf(report));
  payment.voided += amount;
  clear(model, amount);
  payment.known = came(payment);
  tell({ model, payment, reference, events }, 'voided');
  return undefined;
}

/** A refund or a charge-back; 6.7 (d): the same money may go both ways. */
function wentBack(step: Step, report: Report): string | undefined {
  const { model, payment, reference } = step;
  const isRefund = report.status !== 'charged_back';
  const isFirst = rank(payment.status) < rank('paid');
  const before = isRefund ? refundedOf(payment) : payment.chargedBack;
  const left = came(payment) - refundedOf(payment) - payment.chargedBack;
  // 10.23 (c): the world has looked which refunds wait for it
  const isPart = report.status === 'partially_refunded';
  const amount = report.amount ?? (left > 0n && !isPart ? left : undefined);
  if (amount === undefined) return 'required';
  const { gone, failed } = payment.refunds.get(reference) ?? { gone: 0n, failed: 0n };
  const told = { ...payment, refunds: new Map(payment.refunds) };
  if (isRefund) told.refunds.set(reference, { gone: gone + amount, failed });
  const moved = isRefund
    ? refundedOf(told) - before
    : amount - least(amount, least(waiting(payment), disputeOf(payment, reference).won));
  if (moved > came(payment) - before && !isFirst) return 'amount_out_of_bounds';
  payment.reports.add(nameOf(report));
  if (isRefund) payment.refunds.set(reference, { gone: gone + amount, failed });
  else lose(payment, reference, amount);
  if (moved === 0n && !isFirst) return undefined;
  // it is told before the money goes back
  const { refunds, chargedBack } = payment;
  const known = new Map(refunds);
  if (isRefund) refunds.set(reference, { gone, failed });
  arrived(step, most(before + moved, amount));
  if (isRefund) refunds.set(reference, known.get(reference) ?? { gone, failed });
  if (moved === 0n) return undefined;
  if (isRefund) {
    payment.askedBack = most(0n, payment.askedBack - moved);
    // what was refunded by hand is what came twice
    const { effect } = report;
    const covered = endRefunds(model, payment, moved, effect ?? reference);
    // of a deal that has just ended the intents alone know the refunds
    const isNew = effect !== undefined && model.refunds.every(({ name }) => name !== effect);
    clear(model, isNew ? 0n : moved - covered);
  } else payment.chargedBack = chargedBack + moved;
  tell(step, isRefund ? 'refunded' : 'charged_back');
  return undefined;
}

const disputeOf = ({ disputes }: Incoming, reference: string) =>
  disputes.get(reference) ?? { lost: 0n, won: 0n };

function lose(payment: Incoming, reference: string, amount: bigint): void {
  const { lost, won } = disputeOf(payment, reference);
  payment.disputes.set(reference, { lost: lost + amount, won });
}

/** 10.23 (d): what was won before its charge-back was reported, and waits for that. */
function waiting({ disputes, chargedBack }: Incoming): bigint {
  const all = [...disputes.values()];
  return sum(all, (each) => each.won) - sum(all, (each) => each.lost) + chargedBack;
}

/** 10.6: the money of a charge-back is back. */
function won(step: Step, report: Report): string | undefined {
  const { payment, reference, events } = step;
  const amount = report.amount ?? payment.chargedBack;
  if (amount === 0n) return 'required';
  if (payment.chargedBack > 0n && amount > payment.chargedBack) return 'amount_out_of_bounds';
  payment.reports.add(nameOf(report));
  const { lost, won: before } = disputeOf(payment, reference);
  payment.disputes.set(reference, { lost, won: before + amount });
  if (payment.chargedBack === 0n) {
    events.push('employer_payment.charge_back_reversed');
    return undefined;
  }
  payment.chargedBack -= amount;
  tell(step, 'charge_back_reversed');
  return undefined;
}

/** A refund came back, or never went (6.7 c and 10.5). */
function refundFailed(step: Step, report: Report): string | undefined {
  const { model, payment, reference, events } = step;
  const { gone } = payment.refunds.get(reference) ?? { gone: 0n };
  // it waits for the operator, and its money is held
  const wait = (left: bigint) =>
    model.failed.push({ payment, left, name: reference, isSent: true });
  if (gone > 0n) {
    const failed = report.amount ?? gone;
    if (failed > gone || failed > refundedOf(payment)) return 'amount_out_of_bounds';
    payment.reports.add(nameOf(report));
    payment.refunds.set(reference, { gone, failed });
    wait(failed);
    tell(step, 'refund_failed');
    return undefined;
  }
  // the refunds that wait for it took nothing that could come back; the rest must have gone
  const waited = report.fails ?? 0n;
  const amount = report.amount ?? waited;
  if (amount === 0n) return 'required';
  const isFirst = rank(payment.status) < rank('paid');
  const left = came(payment) - refundedOf(payment);
  const implied = isFirst ? amount - waited : least(amount - waited, left);
  payment.reports.add(nameOf(report));
  payment.askedBack = most(0n, payment.askedBack - amount);
  wait(endRefunds(model, payment, waited, reference));
  if (implied > 0n) {
    arrived(step, refundedOf(payment) + implied);
    tell(step, 'refunded');
    wait(implied);
    payment.refunds.set(reference, { gone, failed: amount });
    tell(step, 'refund_failed');
  } else {
    payment.refunds.set(reference, { gone, failed: amount });
    if (waited > 0n) events.push('employer_payment.refund_failed');
  }
  return undefined;
}

/** 6.7 (d): the status follows from the sums. */
function bySums(payment: Incoming): string {
  if (payment.chargedBack > 0n) return 'charged_back';
  const refunded = refundedOf(payment);
  if (refunded === 0n) return came(payment) === 0n ? 'failed' : 'paid';
  return refunded < came(payment) ? 'partially_refunded' : 'refunded';
}

/** 9.7: after an amendment, requests for more than is wanted end, and one is made for the rest. */
export function askForLess(
  model: Model,
  now: number,
  events: string[],
  isWrittenOff = false,
): void {
  // in invoice a request for too much stays: what comes too much goes back at the end
  if (!isAskable(model) || (model.shape.mode !== 'prepaid' && !isWrittenOff)) return;
  const askedAs = (status: string) =>
    sum(model.incoming, (each) => (each.status === status ? each.asked : 0n));
  const wanted = most(0n, due(model) - available(model) - model.writtenOff);
  const underWay = askedAs('processing');
  let left = wanted;
  for (const each of model.incoming.filter(({ status }) => status === 'processing')) {
    const part = least(each.asked, left);
    // what comes beyond it lessens what is written off
    if (!isWrittenOff && (part < each.asked || each.wanted !== null)) each.wanted = part;
    left -= part;
  }
  if (askedAs('requested') + underWay <= wanted) return;
  expireRequests(model, events, ({ status }) => status === 'requested');
  if (underWay >= wanted) return;
  ask(model, wanted - underWay, now);
  events.push('employer_payment.requested');
}

/** Records a report of a payout; returns the reason of a refusal. */
export function reportPayout(model: Model, report: Report, events: string[]): string | undefined {
  if (report.payment === undefined) return 'required';
  const payout = model.payouts[report.payment];
  if (payout === undefined) return 'unknown_payment';
  const { status, reference, amount } = report;
  if (amount !== undefined && amount !== payout.amount) return 'amount_out_of_bounds';
  payout.reports.add(nameOf(report));
  const number = report.attempt ?? payout.heard.get(reference) ?? payout.retries;
  if (!payout.heard.has(reference)) payout.heard.set(reference, number);
  const attempt = payout.attempts.get(number) ?? { isPaid: false, isBack: false };
  payout.attempts.set(number, attempt);
  const before = { status: payout.status, count: arrivals(payout), ...attempt };
  const isLast = number === payout.retries;
  // 10.5: the one pair whose order counts is `failed` and then `paid`
  attempt.isPaid ||= status === 'paid';
  attempt.isBack ||= status === 'returned' || (status === 'failed' && before.isPaid);
  if (isLast && status !== 'processing') payout.isLastUnderWay = false;
  const isNew = attempt.isPaid && !before.isPaid;
  const hasMoved = isNew || (attempt.isPaid && attempt.isBack && !before.isBack);
  if (!hasMoved) {
    // nothing that moves no money changes a payout that another attempt has paid
    const isStale = before.count > 0 || !isLast || status === 'paid';
    if (isStale || rank(status) <= rank(payout.status)) return undefined;
    payout.status = status;
    payout.reference = reference;
    events.push(`contractor_payment.${status}`);
    return undefined;
  }
  payout.reference = reference;
  if (isNew) {
    events.push('contractor_payment.paid');
    if (!payout.isFeePosted) model.fees += feesOf(model, payout);
    payout.isFeePosted = true;
    paid(payout.stage, events);
  }
  if (attempt.isBack) events.push('contractor_payment.returned');
  const count = arrivals(payout);
  model.released += BigInt(count - before.count) * payout.amount;
  payout.status = statusOf(payout, before, isLast);
  const isUnderWay = payout.status === 'processing' && before.status === 'paid';
  if (isUnderWay) events.push('contractor_payment.processing');
  // the last attempt is not sent any more, unless it was
  if (payout.status === 'paid' && before.status === 'processing' && !isLast) {
    payout.isLastUnderWay = true;
  }
  return undefined;
}

/** 10.3: a payout is paid while an attempt of it is; what may be under way is, after it. */
function statusOf(payout: Payout, before: { readonly status: string }, isLast: boolean): string {
  if (arrivals(payout) > 0) return 'paid';
  if (isLast) return 'returned';
  if (before.status !== 'paid') return before.status;
  return payout.isLastUnderWay ? 'processing' : 'returned';
}

/** Requests money that became due by a decision, or all due money, less paid and requested money. */
export function askForMore(
  model: Model,
  dueBefore: bigint | undefined,
  now: number,
  events: string[],
): void {
  const dueNow = due(model);
  const asked = sum(model.incoming, (each) => (isOpen(each) ? each.asked : 0n));
  const all = dueNow - available(model) - model.writtenOff - asked;
  const more = dueBefore === undefined ? all : least(dueNow - dueBefore, all);
  if (more <= 0n) return;
  ask(model, more, now);
  events.push('employer_payment.requested');
}
