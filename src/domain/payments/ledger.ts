import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits, type Money, readDecimal } from '../values/money.js';
import type { LedgerAccount, PostingKind } from '../values/payment-status.js';
import { type Balance, type Books, createBooks } from './books.js';
import type { DealState, Draft } from './draft.js';

export type { Balance } from './books.js';

/** Money of a record, in minor units. */
export function minorUnits(text: string): Money {
  return readDecimal(text);
}

/** The sum of `amountOf` of each. */
export function sum<T>(all: readonly T[], amountOf: (each: T) => bigint): Money {
  return fromMinorUnits(all.reduce((total, each) => total + amountOf(each), 0n));
}

/** The lesser of two amounts, but not below zero. */
export function least(a: bigint, b: bigint): Money {
  return notBelowZero(a < b ? a : b);
}

/** The greater of two amounts. */
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** An amount, or zero if it is less. */
export function notBelowZero(amount: bigint): Money {
  return fromMinorUnits(amount < 0n ? 0n : amount);
}

/**
 * The balance of these postings; `paid + loss = held + released + refunded + fees + charged_back`.
 *
 * @example
 * ```ts
 * import { balanceOf } from 'dealwright/life';
 *
 * balanceOf([]).held; // 0n
 * ```
 */
export function balanceOf(postings: readonly Row<'posting'>[]): Balance {
  return createBooks(postings).balance();
}

/** Posts an amount; nothing if it is zero. */
export function post(
  draft: Draft,
  kind: PostingKind,
  payment_id: string,
  [from_account, to_account]: readonly [LedgerAccount, LedgerAccount],
  amount: bigint,
  retries: number | null = null,
): void {
  if (amount <= 0n) return;
  draft.insert('posting', {
    id: draft.newId(),
    kind,
    payment_id,
    from_account,
    to_account,
    amount: formatMoney(fromMinorUnits(amount)),
    retries,
    at: draft.now,
  });
}

/**
 * Money that has gone out: it is taken from the held money that the provider is not paying out at
 * this moment; the rest is a loss (decision 6.7).
 */
export function spend(
  draft: Draft,
  kind: PostingKind,
  payment_id: string,
  to: LedgerAccount,
  amount: bigint,
  retries: number | null = null,
): void {
  const taken = least(amount, unclaimed(draft));
  post(draft, kind, payment_id, ['held', to], taken, retries);
  post(draft, kind, payment_id, ['loss', to], amount - taken, retries);
}

/** The held money that the provider is not paying out at this moment. */
export function unclaimed({ books, state }: Pick<Draft, 'books' | 'state'>): bigint {
  return books.balance().held - processing(state, books);
}

type Payout = Row<'contractor_payment'>;

/** Whether a payout was made, or may be. */
export const isLive = ({ status }: Payout): boolean => status !== 'cancelled';

/** Whether a contractor had the money of a payout and no longer has it. */
export const cameBack = (books: Pick<Books, 'of'>, { id, status }: Payout): boolean =>
  status !== 'paid' && books.of(id).released > 0n;

/** The sum that a contractor has of a payout: each attempt that arrived and did not come back. */
export const releasedBy = (books: Pick<Books, 'of'>, { id }: Pick<Payout, 'id'>): Money => {
  const { released, returned } = books.of(id);
  return fromMinorUnits(released - returned);
};

/**
 * What contractors have beyond one payout of each stage (decision 10.3): attempts of a payout that
 * both arrived, and two payouts of one stage. Held money makes it up.
 */
export function paidTwice(
  { contractor_payment }: Pick<DealState, 'contractor_payment'>,
  books: Pick<Books, 'of'>,
): Money {
  const largest = new Map<number, bigint>();
  for (const each of contractor_payment) {
    if (releasedBy(books, each) === 0n) continue;
    const [known, amount] = [largest.get(each.stage_id) ?? 0n, minorUnits(each.amount)];
    largest.set(each.stage_id, known > amount ? known : amount);
  }
  const out = sum(contractor_payment, (each) => releasedBy(books, each));
  return fromMinorUnits(out - sum([...largest.values()], (each) => each));
}

/** The name under which the fee of a stage without a payout is posted. */
export const feeOnly = (stage_id: number): string => `stage ${stage_id}`;

/** The fees that a payout was planned with. */
export function feesOf({ employer_fee, contractor_fee }: Payout): bigint {
  return minorUnits(employer_fee) + minorUnits(contractor_fee);
}

type Payouts = Pick<DealState, 'deal' | 'contractor_payment'>;

/**
 * The part of its fee that is posted once a payout is paid: nothing if it was paid before, and no
 * more than the other payouts have left of the fees of the deal (decision 6.7).
 */
export function feesToPost({ deal }: Pick<DealState, 'deal'>, books: Books) {
  const fees = minorUnits(deal.employer_fee) + minorUnits(deal.contractor_fee);
  const left = fees - books.balance().fees;
  return (payout: Payout): bigint =>
    books.of(payout.id).released > 0n ? 0n : least(feesOf(payout), left);
}

/** The held money that a payout needs. */
export function reserves(state: Payouts, books: Books) {
  const feeOf = feesToPost(state, books);
  return (payout: Payout): bigint => minorUnits(payout.amount) + feeOf(payout);
}

/** The sum that the provider may be paying out at this moment: it cannot be used otherwise. */
export function processing(state: Payouts, books: Books): Money {
  const under = state.contractor_payment.filter(({ status }) => status === 'processing');
  return sum(under, reserves(state, books));
}

/** The sum that can still be refunded of an employer's payment. */
export function refundable({ books }: Draft, payment_id: string): Money {
  const { came, refunded, charged_back } = books.of(payment_id);
  return notBelowZero(came - refunded - charged_back);
}
