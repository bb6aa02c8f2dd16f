import type { Row } from '../records/records.js';
import { fromMinorUnits, type Money, readDecimal } from '../values/money.js';

type Posting = Row<'posting'>;

/** The sums of the postings of a deal (decision 6.3); every figure is complete, in any order. */
export interface Balance {
  /** All that employers paid. */
  readonly paid: Money;
  /** All that was refunded, less the refunds that failed. */
  readonly refunded: Money;
  /** All that was paid out, less what came back. */
  readonly released: Money;
  readonly fees: Money;
  /** All that was charged back, less what was won back. */
  readonly charged_back: Money;
  readonly held: Money;
  /** The money that went out without being covered by `held`, and was not made up since. */
  readonly loss: Money;
  /** The sum that the employer has paid and not got back. */
  readonly net: Money;
  /** All that was written off, also what has come since. */
  readonly written_off: Money;
  /** What may have come twice, under two names, as long as nobody has decided. */
  readonly doubted: Money;
}

/** The sums posted with one payment, in minor units. */
export interface Moved {
  /** Of an employer's payment: the sum that came, less corrections. */
  readonly came: bigint;
  /** The sum that went back to the employer, less the part of it that came back. */
  readonly refunded: bigint;
  readonly charged_back: bigint;
  /** Of a payout: all that was ever paid out with it, and the part of that which came back. */
  readonly released: bigint;
  readonly returned: bigint;
  readonly fees: bigint;
  readonly written_off: bigint;
  readonly doubted: bigint;
}

/** The sums of postings, of all and of each payment: a posting is added once. */
export interface Books {
  balance(): Balance;
  of(payment_id: string): Moved;
  add(posting: Posting): void;
}

const nothing = {
  ...{ came: 0n, refunded: 0n, charged_back: 0n, released: 0n, returned: 0n, fees: 0n },
  ...{ written_off: 0n, doubted: 0n },
};
type Sums = { -readonly [K in keyof Moved]: bigint };

/** Adds a posting to the sums. */
function addTo(sums: Sums, { kind, from_account, to_account }: Posting, units: bigint): void {
  if (kind === 'write_off') sums.written_off += units;
  else if (kind === 'doubt') sums.doubted += units;
  else if (kind === 'decision') sums.doubted -= units;
  else if (to_account === 'contractor') sums.released += units;
  else if (from_account === 'contractor') sums.returned += units;
  else if (to_account === 'fees') sums.fees += units;
  else if (to_account === 'employer') {
    if (kind === 'charge_back') sums.charged_back += units;
    else if (kind === 'payment') sums.came -= units;
    else sums.refunded += units;
  } else if (from_account === 'employer') {
    if (kind === 'payment') sums.came += units;
    else if (kind === 'charge_back') sums.charged_back -= units;
    else sums.refunded -= units;
  }
}

/** Sums up postings, those of earlier versions too, when the first sum is read. */
export function createBooks(postings: readonly Posting[]): Books {
  let summed: Summed | undefined;
  const sums = (): Summed => {
    if (summed !== undefined) return summed;
    summed = { all: { ...nothing }, each: new Map(), loss: 0n };
    for (const posting of postings) addPosting(summed, posting);
    return summed;
  };
  return {
    of: (payment_id) => sums().each.get(payment_id) ?? nothing,
    add: (posting) => addPosting(sums(), posting),
    balance() {
      const { all, loss } = sums();
      const { came, refunded, charged_back, fees } = all;
      const released = all.released - all.returned;
      return {
        paid: fromMinorUnits(came),
        refunded: fromMinorUnits(refunded),
        released: fromMinorUnits(released),
        fees: fromMinorUnits(fees),
        charged_back: fromMinorUnits(charged_back),
        held: fromMinorUnits(came + loss - refunded - released - fees - charged_back),
        loss: fromMinorUnits(loss),
        net: fromMinorUnits(came - refunded - charged_back),
        written_off: fromMinorUnits(all.written_off),
        doubted: fromMinorUnits(all.doubted),
      };
    },
  };
}

/** The sums of postings, of all payments and of each. */
interface Summed {
  readonly all: Sums;
  readonly each: Map<string, Sums>;
  loss: bigint;
}

function addPosting(summed: Summed, posting: Posting): void {
  const { payment_id, from_account, to_account, amount } = posting;
  const units = readDecimal(amount);
  const own = summed.each.get(payment_id) ?? { ...nothing };
  summed.each.set(payment_id, own);
  addTo(summed.all, posting, units);
  addTo(own, posting, units);
  if (from_account === 'loss') summed.loss += units;
  if (to_account === 'loss') summed.loss -= units;
}
