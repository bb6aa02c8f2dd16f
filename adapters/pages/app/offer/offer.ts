import type { FreelancerView } from 'dealwright';

export * from '../base/terms.js';

/** The deal as this page shows it. */
export type Offer = FreelancerView;

/** The payouts that somebody has to see to. */
export const stuckPayouts = ({ contractor_payments }: Offer) =>
  contractor_payments.filter(({ status }) => status === 'failed' || status === 'returned');
