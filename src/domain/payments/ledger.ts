import type { DealState, Draft } from '../life/draft.js';
import { formatMoney, fromMinorUnits, type Money, readDecimal } from '../money.js';
import type { Row } from '../records.js';
import type { LedgerAccount, PostingKind } from './statuses.js';

type Posting = Row<'posting'>;

/** Money of a record, in minor units. */
export function minorUnits(text: string): Money {
  return readDecimal(text);
}

/** The sum of what `amountOf` says of each. */
export function sum<T>(all: readonly T[], amountOf: (each: T) => bigint): Money {
  return fromMinorUnits(all.reduce((total, each) => total + amountOf(each), 0n));
}

/** The lesser of two amounts, and nothing below zero. */
export function least(a: bigint, b: bigint): Money {
  return notBelowZero(a < b ? a : b);
}

/** An amount, or zero where it is less. */
export function notBelowZero(amount: bigint): Money {
  return fromMinorUnits(amount < 0n ? 0n : amount);
}

/** What came to an account, of a payment or of all, for a reason or for any. */
export function moved(
  postings: readonly Posting[],
  to: LedgerAccount,
  kind?: PostingKind,
  payment_id?: string,
): Money {
  return sum(postings, (each) =>
    each.to_account === to &&
    (kind === undefined || each.kind === kind) &&
    (payment_id === undefined || each.payment_id === payment_id)
      ? minorUnits(each.amount)
      : 0n,
  );
}

/** What the postings of a deal come to (decision 6.3). */
export interface Balance {
  readonly paid: Money;
  readonly refunded: Money;
  readonly released: Money;
  readonly fees: Money;
  /** Taken from what was held. */
  readonly charged_back: Money;
  readonly held: Money;
  /** Lost beyond what was held. */
  readonly loss: Money;
  /** What the employer has paid and not got back. */
  readonly net: Money;
}

/**
 * The balance of these postings; `paid = held + released + refunded + fees + charged_back`.
 *
 * @example
 * ```ts
 * import { balanceOf } from 'dealwright/life';
 *
 * balanceOf([]).held; // 0n
 * ```
 */
export function balanceOf(postings: readonly Posting[]): Balance {
  let [paid, refunded, released, fees, taken, recovered, lost] = [0n, 0n, 0n, 0n, 0n, 0n, 0n];
  for (const { kind, from_account, to_account, amount } of postings) {
    const units = minorUnits(amount);
    if (to_account === 'held') paid += units;
    else if (to_account === 'fees') fees += units;
    else if (to_account === 'loss') recovered += units;
    else if (from_account === 'loss') lost += units;
    else if (to_account === 'contractor') released += units;
    else if (kind === 'refund') refunded += units;
    else taken += units;
  }
  const charged_back = taken + recovered;
  return {
    paid: fromMinorUnits(paid),
    refunded: fromMinorUnits(refunded),
    released: fromMinorUnits(released),
    fees: fromMinorUnits(fees),
    charged_back: fromMinorUnits(charged_back),
    held: fromMinorUnits(paid - refunded - released - fees - charged_back),
    loss: fromMinorUnits(lost - recovered),
    net: fromMinorUnits(paid - refunded - charged_back),
  };
}

/** Posts an amount; nothing where it is zero. */
export function post(
  draft: Draft,
  kind: PostingKind,
  payment_id: string,
  [from_account, to_account]: readonly [LedgerAccount, LedgerAccount],
  amount: bigint,
): void {
  if (amount <= 0n) return;
  draft.insert('posting', {
    id: draft.newId(),
    kind,
    payment_id,
    from_account,
    to_account,
    amount: formatMoney(fromMinorUnits(amount)),
    at: draft.now,
  });
}

/** What is posted as fees with a payout. */
export function feesOf({ employer_fee, contractor_fee }: Row<'contractor_payment'>): bigint {
  return minorUnits(employer_fee) + minorUnits(contractor_fee);
}

/** What a payout takes of what is held. */
export function reservedBy(payout: Row<'contractor_payment'>): bigint {
  return minorUnits(payout.amount) + feesOf(payout);
}

/** What the provider may be paying out at this moment: nothing else can be done with it. */
export function processing({ contractor_payment }: DealState): Money {
  return sum(contractor_payment, (each) => (each.status === 'processing' ? reservedBy(each) : 0n));
}

/**
 * What other payouts have of what is held, once this stage is paid: another one of the same stage
 * is not wanted then, unless the provider may be paying it out.
 */
export function promised({ contractor_payment }: DealState, stage_id: number): Money {
  return sum(contractor_payment, (each) =>
    each.status === 'processing' ||
    (each.stage_id !== stage_id && !['paid', 'cancelled'].includes(each.status))
      ? reservedBy(each)
      : 0n,
  );
}

/** What an employer's payment can still give back. */
export function refundable({ posting }: DealState, payment_id: string): Money {
  const came = moved(posting, 'held', 'payment', payment_id);
  return notBelowZero(came - moved(posting, 'employer', undefined, payment_id));
}

/** What of an employer's payment is on its way back. */
export function refunding({ intent }: DealState, payment_id?: string): Money {
  return sum(intent, (each) =>
    each.kind === 'refund' &&
    each.status === 'pending' &&
    (payment_id === undefined || each.payment_id === payment_id)
      ? minorUnits(each.remaining)
      : 0n,
  );
}
