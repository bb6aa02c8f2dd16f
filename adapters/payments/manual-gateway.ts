import type { PaymentGateway } from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * Moves no money: the operator moves it by hand, and reports it. It is what a
 * marketplace without a gateway has.
 *
 * @example
 * ```ts
 * import { createManualGateway } from 'dealwright/payments';
 *
 * const payments = createManualGateway();
 * ```
 */
export function createManualGateway(): PaymentGateway {
  return { executes: () => false, execute: () => ok([]) };
}
