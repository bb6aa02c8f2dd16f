import type { Row } from './records.js';

/**
 * What has been paid for a deal, and what is still to be paid (decision 4). Money is decimal text
 * with two decimals; `paid - refunded - released` is never below zero.
 */
export interface Billing {
  readonly currency: string;
  readonly amount: string;
  readonly paid: string;
  readonly refunded: string;
  readonly released: string;
  readonly outstanding: string;
  readonly employer_payments: readonly BillingPayment[];
  readonly contractor_payments: readonly BillingPayment[];
}

/** One payment of a billing. */
export interface BillingPayment {
  readonly id: string;
  readonly amount: string;
  readonly status: string;
}

/** The billing of a deal that nobody has paid anything for. */
export function unpaidBilling({ amount, currency }: Row<'deal'>): Billing {
  const nothing = '0.00';
  return {
    currency,
    amount,
    paid: nothing,
    refunded: nothing,
    released: nothing,
    outstanding: amount,
    employer_payments: [],
    contractor_payments: [],
  };
}
