import type { PaymentGateway } from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * Moves nothing: somebody does it by hand, and reports it by the operator's side. It is what a
 * marketplace without a gateway does.
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
