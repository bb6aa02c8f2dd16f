import { err, ok, type Result } from 'neverthrow';
import type { AnyTerms, DealV2Input } from '../deals/deal-v2.js';
import { unitOf, wholeUnits } from '../values/currency-unit.js';
import {
  formatMoney,
  fromMinorUnits,
  largestAmount,
  type Money,
  parseMoney,
} from '../values/money.js';

/**
 * The fees of a marketplace for a deal, on top of its amount and out of it: decimals, as `'10.00'`.
 */
export interface Fees {
  /** The employer pays it on top of the amount. */
  readonly employer_fee: string;
  /** The contractor gets the amount less this. */
  readonly contractor_fee: string;
}

/** The terms that a fee can depend on: of a deal of either version, under the names of 2.0. */
export type FeeTerms = Pick<
  DealV2Input,
  'partner_id' | 'email_freelancer' | 'subcategory_id' | 'amount' | 'currency'
>;

/**
 * Returns the fees of a deal with these terms: of a new one, or of one whose terms are to change
 * (decision 9.7). It must not do I/O. A fee is zero or more; the contractor's is not
 * more than the amount. Both are zero if the amount is not greater than zero (decision 6.3). A fee
 * has at most 18 digits before the decimal point, as amounts have. What is less than a unit of the
 * currency is not taken: of the yen, whole yen are (decision 10.13).
 */
export type FeePolicy = (deal: FeeTerms) => Fees;

/** The default: no fees. */
export const noFees: FeePolicy = () => ({ employer_fee: '0.00', contractor_fee: '0.00' });

/** The fees of a new deal, or how the policy broke its promise; throwing breaks it too. */
export function planFees(
  policy: FeePolicy,
  terms: Pick<AnyTerms, keyof FeeTerms>,
): Result<Fees, unknown> {
  const { amount } = terms;
  const nothing = fromMinorUnits(0n);
  const [employer, contractor] = amount > 0n ? [largestAmount, amount] : [nothing, nothing];
  const unit = unitOf(terms.currency);
  try {
    const fees = policy({
      partner_id: terms.partner_id,
      email_freelancer: terms.email_freelancer,
      subcategory_id: terms.subcategory_id,
      amount: formatMoney(amount),
      currency: terms.currency,
    });
    return ok({
      employer_fee: readFee(fees, 'employer_fee', employer, unit),
      contractor_fee: readFee(fees, 'contractor_fee', contractor, unit),
    });
  } catch (cause) {
    return err(cause);
  }
}

/** A fee in its one form, down to the unit; throws if it is not a valid fee. */
function readFee(fees: Fees | undefined, name: keyof Fees, most: Money, unit: bigint): string {
  const given: unknown = fees?.[name];
  const fee = typeof given === 'string' ? parseMoney(given) : undefined;
  if (fee !== undefined && fee >= 0n && fee <= most)
    return formatMoney(fromMinorUnits(wholeUnits(fee, unit)));
  throw new TypeError(`feePolicy: ${name} is a decimal string from 0.00 to ${formatMoney(most)}`);
}
