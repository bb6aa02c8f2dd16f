/**
 * Who changes a deal (decision 6): the partner for the employer, the freelancer, the operator of
 * the host, the clock, or a report of the payment provider.
 */
export type Actor = 'partner' | 'freelancer' | 'operator' | 'clock' | 'payments';

/**
 * Every actor.
 *
 * @example
 * ```ts
 * import { actors } from 'dealwright/life';
 *
 * actors.includes('clock'); // true
 * ```
 */
export const actors = ['partner', 'freelancer', 'operator', 'clock', 'payments'] as const;
