import { type ContractOptions, opening, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import { garbage } from './garbage.js';
import { issuing } from './issuing.js';
import type { PaymentTokenIssuerSubject } from './subject.js';
import { expiry, verifying } from './verifying.js';

/** The laws of issuers of payment tokens. */
export const paymentTokenIssuerGroups = [issuing, verifying, garbage, expiry] as const;

/**
 * Everything that any issuer of payment tokens promises to the core: see `PaymentTokenIssuer`. Each
 * case gets its own subject, which declares the issuer's options (`bindsDeals`, `lifetime`); the
 * contract proves them. `options` names the groups to run: `{ groups: ['tokens'] }`.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { paymentTokenIssuerContract } from 'dealwright/spec';
 * import { createManualClock } from 'dealwright/testing';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * paymentTokenIssuerContract({ describe, it }, () => {
 *   const [timer, lifetime] = [createManualClock(), 3600];
 *   const restarted = () => createOpaqueTokenIssuer({ timer, lifetime });
 *   const close = async () => undefined;
 *   return { issuer: restarted(), restarted, bindsDeals: false, timer, lifetime, close };
 * });
 * ```
 */
export function paymentTokenIssuerContract(
  runner: ContractRunner,
  makeSubject: () => PaymentTokenIssuerSubject | PromiseLike<PaymentTokenIssuerSubject>,
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'paymentTokenIssuerContract');
  const open = opening(makeSubject);
  runGroups(runner, 'payment token issuer', paymentTokenIssuerGroups, open, options);
}
