import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import type { Draft } from './draft.js';
import { intend, isRefund, isTaken, leftOf, mayBeDone, toRefund } from './intents.js';
import {
  balanceOf,
  least,
  minorUnits,
  notBelowZero,
  refundable,
  sum,
  unclaimed,
} from './ledger.js';
import { owedInAll } from './owed.js';
import { promised } from './payouts.js';
import type { PaymentReport } from './report.js';

type Intent = Row<'intent'>;

/** Whether a report tells of a refund; another report may have the same reference. */
const isOfRefund = ({ status }: Pick<Row<'payment_report'>, 'status'>): boolean =>
  status === 'refunded' || status === 'partially_refunded';

/** The refunds that a report can be about, the likeliest first, and its amount by default. */
export interface Meant {
  readonly refunds: readonly Intent[];
  /** The refunds that the gateway is known to have made, or to be about to make. */
  readonly certain: ReadonlySet<Intent>;
  readonly isNamed: boolean;
  readonly expected: bigint;
}

/**
 * The gateway names the refund that it made; another report may name one by its reference.
 * Otherwise a report is about the refunds that the gateway was asked for, those it accepted first,
 * and about others only if there are none of these.
 */
export function meantRefunds(
  draft: Draft,
  payment_id: string,
  { effect, reference, amount }: Pick<PaymentReport, 'effect' | 'reference' | 'amount'>,
): Meant {
  const all = draft.intentsOf(payment_id);
  const name = effect ?? reference;
  // also one that is over: another refund may have ended it
  const named = all.filter((each) => each.id === name && isRefund(each, 'pending', 'done'));
  const others = all.filter((each) => each.id !== name && isRefund(each, 'pending'));
  // those of this very amount first
  const isAlike = (each: Intent) => Number(leftOf(each) !== amount);
  const inOrder = (those: readonly Intent[]) =>
    [...those].sort((one, other) => isAlike(one) - isAlike(other));
  const taken = inOrder(others.filter(isTaken));
  const unsure = inOrder(others.filter((each) => mayBeDone(each) && !isTaken(each)));
  const unasked = inOrder(others.filter((each) => !mayBeDone(each)));
  const asked = [...taken, ...unsure];
  const likeliest = [named, asked, unasked].find((those) => those.length > 0) ?? [];
  // other reports may have used it up for another refund, so its name stands for its whole amount
  const ofName = ({ id, amount: whole }: Intent) => {
    const known = draft.state.payment_report.filter(
      (each) => each.payment_id === payment_id && each.reference === id && isOfRefund(each),
    );
    return minorUnits(whole) - sum(known, (each) => minorUnits(each.amount));
  };
  const isNamed = effect !== undefined || named.length > 0;
  return {
    isNamed,
    refunds: [...named, ...asked, ...unasked],
    certain: new Set([...named, ...taken, ...(asked.length === 1 ? asked : [])]),
    expected: isNamed ? sum(named, ofName) : sum(likeliest, leftOf),
  };
}

/**
 * Ends refunds by the amount that went back, and returns how much of it they covered. A refund that
 * the gateway was asked for stays as asked while something is left of it, or while another one may
 * have been made instead. The rest of one that was not asked for becomes a new refund.
 */
export function endRefunds(
  draft: Draft,
  { refunds, certain }: Pick<Meant, 'refunds' | 'certain'>,
  amount: bigint,
): bigint {
  let open = amount;
  for (const intent of refunds) {
    const part = least(open, leftOf(intent));
    if (part === 0n) continue;
    open -= part;
    const rest = leftOf(intent) - part;
    const isAsked = mayBeDone(intent);
    const isOver = isAsked ? rest === 0n && certain.has(intent) : true;
    draft.change('intent', intent, {
      remaining: formatMoney(fromMinorUnits(rest)),
      ...(isOver && { status: isAsked ? 'done' : 'cancelled', due_at: null }),
    });
    if (isOver && rest > 0n)
      intend(draft, 'refund', intent.payment_id, formatMoney(fromMinorUnits(rest)));
  }
  return amount - open;
}

/** Records that this much of a payment was to go back, until the operator asks for it again. */
export function noteFailed(
  draft: Draft,
  payment_id: string,
  amount: bigint,
  reason: Intent['reason'] = null,
): void {
  if (amount === 0n) return;
  intend(draft, 'refund', payment_id, formatMoney(fromMinorUnits(amount)), 'failed', reason);
}

/** By payment, the sum that is on its way back, or was to go back. */
function refunding({ state }: Pick<Draft, 'state'>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const each of state.intent) {
    if (!isRefund(each, 'pending', 'failed')) continue;
    sums.set(each.payment_id, (sums.get(each.payment_id) ?? 0n) + leftOf(each));
  }
  return sums;
}

/**
 * Cancels refunds that held money no longer covers, unless they may be on their way. A failed one
 * keeps the part that is covered.
 */
export function cancelRefunds(draft: Draft): void {
  const waiting = draft.state.intent.filter((each) => isRefund(each, 'pending', 'failed'));
  if (waiting.length === 0) return;
  let free = unclaimed(draft) - promised(draft);
  const ofPayment = new Map<string, bigint>();
  const rank = (each: Intent) => (each.status === 'failed' ? 2 : Number(!mayBeDone(each)));
  for (const intent of [...waiting].sort((one, other) => rank(one) - rank(other))) {
    const { payment_id, status } = intent;
    const ofThis = ofPayment.get(payment_id) ?? refundable(draft, payment_id);
    const most = least(free, ofThis);
    let amount: bigint = leftOf(intent);
    if (amount > most && (status === 'failed' || !mayBeDone(intent))) {
      const rest = status === 'failed' ? most : 0n;
      draft.change('intent', intent, {
        ...(rest > 0n && { remaining: formatMoney(fromMinorUnits(rest)) }),
        ...(rest === 0n && { status: 'cancelled', due_at: null }),
      });
      amount = rest;
    }
    free -= amount;
    ofPayment.set(payment_id, ofThis - amount);
  }
}

/**
 * Lessens refunds that were not sent by what new terms want more (decision 9.7), and by what was taken
 * back otherwise: it may have been the same money.
 */
export function lessenRefunds(draft: Draft): void {
  const { state, before, books } = draft;
  if (!before.intent.some((each) => isRefund(each, 'pending'))) return;
  const owed = owedInAll(state);
  const { net } = books.balance();
  const covered = sum(before.intent, (each) =>
    isRefund(each, 'pending') ? leftOf(each) - leftOf(draft.find('intent', each.id) ?? each) : 0n,
  );
  const lost = balanceOf(before.posting).net - net - covered;
  const missing = owed - net + sum(state.intent, pendingOf);
  let short: bigint = least(owed - owedInAll(before) + lost, missing);
  const isUnsent = (each: Intent) => isRefund(each, 'pending') && !mayBeDone(each);
  for (const intent of state.intent.filter(isUnsent).reverse()) {
    const part = least(short, leftOf(intent));
    if (part === 0n) continue;
    short -= part;
    draft.change('intent', intent, { status: 'cancelled', due_at: null });
    const rest = formatMoney(fromMinorUnits(leftOf(intent) - part));
    if (part < leftOf(intent)) intend(draft, 'refund', intent.payment_id, rest);
  }
}

const pendingOf = (each: Intent): bigint => (isRefund(each, 'pending') ? leftOf(each) : 0n);

/**
 * Refunds what came beyond what is owed while the deal goes on (decision 9.7): in `prepaid` once an
 * amendment lowers it, and money that came too much for a request whose terms changed meanwhile.
 */
export function refundExcess(draft: Draft, isAmended: boolean): void {
  const { state, before, books } = draft;
  if (state.deal.mode !== 'prepaid' || state.deal.status === 'disputed') return;
  const isFall = isAmended && owedInAll(state) < owedInAll(before);
  const isTooMuch = ({ kind, amount, remaining }: Intent) =>
    kind === 'request_payment' && amount !== remaining;
  const known = refunding(draft);
  const late = new Map<string, bigint>();
  for (const { payment_id, remaining } of state.intent.filter(isTooMuch)) {
    const gone = books.of(payment_id).refunded + (known.get(payment_id) ?? 0n);
    late.set(payment_id, notBelowZero(books.of(payment_id).came - minorUnits(remaining) - gone));
  }
  const most = isFall ? undefined : late;
  const { net, doubted } = books.balance();
  if (most?.size !== 0) refundUpTo(draft, net - toRefund(state) - owedInAll(state) - doubted, most);
}

/** The held money that is meant for nothing: no payout, and no refund. */
export function idle(draft: Pick<Draft, 'state' | 'books'>): bigint {
  const back = [...refunding(draft).values()].reduce((total, each) => total + each, 0n);
  return unclaimed(draft) - promised(draft) - back;
}

/**
 * Refunds this much, if as much is held and meant for nothing, and of payments in `most` no more. What
 * may have come twice stays with its payment, unless all of that is decided.
 */
export function refundUpTo(draft: Draft, sum: bigint, most?: ReadonlyMap<string, bigint>): void {
  const known = refunding(draft);
  let surplus: bigint = least(sum, idle(draft));
  // the latest first: it is the one in excess of the others
  for (const { id } of [...draft.state.employer_payment].reverse()) {
    if (surplus <= 0n) return;
    const kept = (known.get(id) ?? 0n) + draft.books.of(id).doubted;
    const open = least(surplus, refundable(draft, id) - kept);
    const amount = most === undefined ? open : least(open, most.get(id) ?? 0n);
    if (amount === 0n) continue;
    surplus -= amount;
    intend(draft, 'refund', id, formatMoney(amount));
  }
}
