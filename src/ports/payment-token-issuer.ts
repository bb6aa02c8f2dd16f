import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Makes the payment tokens of 2.0 deals. A token has 22 to 2048 characters of `A-Za-z0-9._~-` with
 * at least 128 bits that nobody can guess; anything else is refused as `unavailable`. One that no
 * deal comes to hold is thrown away. By itself a token grants nothing: a stored deal must hold it.
 *
 * @example
 * ```ts
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 * import type { PaymentTokenIssuer } from 'dealwright/ports';
 *
 * const paymentTokens: PaymentTokenIssuer = createOpaqueTokenIssuer();
 * ```
 */
export interface PaymentTokenIssuer {
  issue(tenant: Tenant, deal: PaymentTokenClaims): Answer<string>;
  /**
   * Says whether a token that a stored deal holds is still good: of this issuer, for this deal, and
   * not expired. It is asked before anybody may act on a token.
   */
  verify(tenant: Tenant, held: IssuedPaymentToken): Answer<PaymentTokenVerdict>;
}

/**
 * A token, and the deal that holds it.
 *
 * @example
 * ```ts
 * import type { IssuedPaymentToken } from 'dealwright/ports';
 *
 * const ageOf = (held: IssuedPaymentToken, now: Date): number =>
 *   now.getTime() - Date.parse(held.issued_at);
 * ```
 */
export interface IssuedPaymentToken extends PaymentTokenClaims {
  readonly payment_token: string;
  /** When the deal was created; RFC 3339, UTC, milliseconds. */
  readonly issued_at: string;
}

/**
 * What an issuer says of a token: `invalid` where it is none of its own for this deal.
 *
 * @example
 * ```ts
 * import type { PaymentTokenVerdict } from 'dealwright/ports';
 *
 * const verdict: PaymentTokenVerdict = 'expired';
 * ```
 */
export type PaymentTokenVerdict = 'valid' | 'expired' | 'invalid';

/**
 * What a payment token is issued for.
 *
 * @example
 * ```ts
 * import type { PaymentTokenClaims } from 'dealwright/ports';
 *
 * const claims: PaymentTokenClaims = { partner_id: 'order-2', amount: '500.00', currency: 'PLN' };
 * ```
 */
export interface PaymentTokenClaims {
  readonly partner_id: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
}
