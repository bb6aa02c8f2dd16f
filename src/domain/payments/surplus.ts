import type { Row } from '../records/records.js';
import type { Money } from '../values/money.js';
import { isFinal } from '../values/status.js';
import { type Draft, paymentEvent } from './draft.js';
import { isRefund } from './intents.js';
import { least, minorUnits, notBelowZero, post, sum } from './ledger.js';
import { owedInAll } from './owed.js';
import { idle, refundUpTo } from './refunds.js';
import type { PaymentReport } from './report.js';

type Books = Pick<Draft, 'state' | 'books'>;

/**
 * What came too much, and is held for nothing: beyond what is owed in all while a deal goes on, and
 * all of it once the deal has ended (decision 10.12).
 */
export function surplusOf(draft: Books): Money {
  const { state, books } = draft;
  const { net } = books.balance();
  if (isFinal(state.deal.status)) return net > 0n ? notBelowZero(idle(draft)) : notBelowZero(0n);
  const beyond = net - owedInAll(state);
  if (beyond <= 0n) return notBelowZero(0n);
  const back = sum(state.intent, (each) =>
    isRefund(each, 'pending', 'failed') ? minorUnits(each.remaining) : 0n,
  );
  return least(beyond - back, idle(draft));
}

/** Whether a surplus is on its way back, and there is no other one. */
export const isSentBack = (draft: Books): boolean =>
  surplusOf(draft) === 0n && draft.state.intent.some((each) => isRefund(each, 'pending'));

/** Refunds what came too much once the deal has ended, but for what may have come twice. */
export function refundSurplus(draft: Draft): void {
  refundUpTo(draft, idle(draft) - draft.books.balance().doubted);
}

/** Refunds all that came too much: the operator has decided. */
export function sendBack(draft: Draft): undefined {
  const surplus = surplusOf(draft);
  decideDoubt(draft, draft.books.balance().doubted);
  refundUpTo(draft, surplus);
}

/**
 * Money has come with a payment: tells how much of it is too much. One payment under two names looks
 * the same as two, so what a second `paid`, or one of no request, brings beyond what is owed is noted.
 */
export function noteSurplus(draft: Draft, payment_id: string, netBefore: bigint): void {
  const { state, books } = draft;
  const { net, doubted } = books.balance();
  const excess = least(net - netBefore, net - owedInAll(state));
  if (excess === 0n) return;
  const doubt = least(excess, surplusReports(draft) - doubted);
  post(draft, 'doubt', payment_id, ['held', 'held'], doubt);
  // the rest goes back by itself
  const grown = isFinal(state.deal.status) ? doubt : excess;
  if (grown > 0n)
    paymentEvent(draft, 'employer_payment', payment_id, { what: 'overpaid', amount: grown });
}

/**
 * The sum of the reports of `paid` that may be about money of another one: all of payments without a
 * request, and of the others all but the smallest, in whatever order they came.
 */
function surplusReports({ state, find, intentsOf }: Draft): bigint {
  const nameOf = ({ payment_id, reference }: Row<'payment_report'>) => `${payment_id} ${reference}`;
  const voided = new Set(
    state.payment_report.filter(({ status }) => status === 'voided').map(nameOf),
  );
  const paid = state.payment_report.filter(
    (each) =>
      each.status === 'paid' &&
      !voided.has(nameOf(each)) &&
      find('employer_payment', each.payment_id) !== undefined,
  );
  const smallest = new Map<string, bigint>();
  for (const { payment_id, amount } of paid) {
    if (!intentsOf(payment_id).some(({ kind }) => kind === 'request_payment')) continue;
    const known = smallest.get(payment_id);
    const units = minorUnits(amount);
    if (known === undefined || units < known) smallest.set(payment_id, units);
  }
  const all = sum(paid, ({ amount }) => minorUnits(amount));
  return all - sum([...smallest.values()], (each) => each);
}

/** So much of what may have come twice is decided: it did not come, or went back. */
export function decideDoubt(draft: Draft, amount: bigint): void {
  let left: bigint = least(amount, draft.books.balance().doubted);
  for (const { id } of [...draft.state.employer_payment].reverse()) {
    if (left === 0n) return;
    const part = least(left, draft.books.of(id).doubted);
    post(draft, 'decision', id, ['held', 'held'], part);
    left -= part;
  }
}

/** The recorded `paid` that a report says has never come. */
export function wrongReport(
  { state, find }: Draft,
  { payment_id, reference }: PaymentReport,
): Row<'payment_report'> | undefined {
  const told = state.payment_report.filter(
    (each) =>
      each.status === 'paid' &&
      each.reference === reference &&
      each.payment_id === (payment_id ?? each.payment_id) &&
      find('employer_payment', each.payment_id) !== undefined,
  );
  // of two payments the first one
  return told.sort((one, other) => (one.payment_id < other.payment_id ? -1 : 1))[0];
}
