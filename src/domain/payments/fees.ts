import { err, ok, type Result } from 'neverthrow';
import type { AnyTerms } from '../deal-v2.js';
import { fromMinorUnits, isWithinAmounts, type Money } from '../money.js';

/** What a marketplace takes for a deal, besides its amount and of it. */
export interface Fees {
  /** The employer pays it besides the amount. */
  readonly employer_fee: Money;
  /** The contractor gets the amount less this. */
  readonly contractor_fee: Money;
}

/** What a fee can depend on: the terms of a deal of either version, under the names of 2.0. */
export type FeeTerms = Pick<
  AnyTerms,
  'partner_id' | 'email_freelancer' | 'subcategory_id' | 'amount' | 'currency'
>;

/**
 * Says what a new deal costs. It must not do I/O. A fee is zero or more; the contractor's is not more
 * than the amount, and both are zero where the amount is not greater than zero (decision 6.3). It has
 * at most 18 digits before the decimal point, as amounts have.
 */
export type FeePolicy = (deal: FeeTerms) => Fees;

/** The default: no fees. */
export const noFees: FeePolicy = () => ({
  employer_fee: fromMinorUnits(0n),
  contractor_fee: fromMinorUnits(0n),
});

/** The fees of a new deal, or how the policy broke its promise; one that throws breaks it too. */
export function planFees(policy: FeePolicy, terms: FeeTerms): Result<Fees, unknown> {
  try {
    const { employer_fee, contractor_fee } = policy(terms);
    const { amount } = terms;
    const most = amount > 0n ? amount : 0n;
    const isKept =
      employer_fee >= 0n &&
      contractor_fee >= 0n &&
      contractor_fee <= most &&
      isWithinAmounts(employer_fee) &&
      (most > 0n || employer_fee === 0n);
    if (isKept) return ok({ employer_fee, contractor_fee });
    return err(
      new Error(
        'fees are zero or more, of at most 18 digits, and those of a contractor at most the amount',
      ),
    );
  } catch (cause) {
    return err(cause);
  }
}
