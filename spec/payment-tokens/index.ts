import { type ContractRunner, checkRunner } from '../expectations.js';
import { garbage } from './garbage.js';
import { issuing } from './issuing.js';
import { caseWith, type PaymentTokenIssuerSubject } from './subject.js';
import { expiry, verifying } from './verifying.js';

/**
 * Everything that any issuer of payment tokens promises to the core: see `PaymentTokenIssuer`. Each
 * case gets its own subject, which declares the issuer's options (`bindsDeals`, `lifetime`); the
 * contract proves them.
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
): void {
  checkRunner(runner, 'paymentTokenIssuerContract');
  const define = caseWith(runner, makeSubject);
  const groups = { issuing, verifying, garbage, expiry };
  for (const [name, group] of Object.entries(groups)) {
    const title = names[name as keyof typeof groups];
    runner.describe(`payment token issuer: ${title}`, () => group(define));
  }
}

const names = {
  issuing: 'tokens',
  verifying: 'whose a token is',
  garbage: 'what is not a token of its own',
  expiry: 'how long a token is valid',
} as const;
