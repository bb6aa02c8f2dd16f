import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Makes the payment tokens of 2.0 deals, and says whether one is still valid (decision 3). By
 * itself a token grants nothing: a stored deal must have it. A token that no deal has is discarded.
 *
 * Every issuer promises, and `paymentTokenIssuerContract` proves:
 *
 * - A token has 22 to 2048 characters of `A-Za-z0-9._~-` with at least 128 bits that cannot be
 *   guessed, and is never issued twice, not even for the same deal. The core treats anything else
 *   as `unavailable`.
 * - A token is `valid` for the tenant and the deal it was issued for, as often as it is verified,
 *   even by the issuer of another process with the same configuration.
 * - It is `invalid` for another partner and in the other environment, whether it has expired or
 *   not. So is every text that the issuer did not issue, as far as it can tell.
 * - If tokens have a lifetime in whole seconds, a token is valid until one second before its end,
 *   and `expired` from its end on. Without a lifetime it never expires.
 * - A failure of the issuer is `unavailable`, and not a verdict. The token is in no error, no cause
 *   and no log.
 *
 * An issuer may bind a token to its deal: then it is `invalid` with another `partner_id`, amount or
 * currency. It may count the lifetime from the moment of issue or from `issued_at`, answer at once
 * or later, and put any claims into its tokens.
 */
export interface PaymentTokenIssuer {
  /** Called before the deal is stored: no token, no deal. */
  issue(tenant: Tenant, deal: PaymentTokenClaims): Answer<string>;
  /**
   * The tenant that a token names: the place to look for its deal. It grants nothing, and is not
   * verified; a token without one is `unauthorized`.
   */
  tenantOf(payment_token: string): Tenant | undefined;
  /**
   * Says whether a token that a stored deal has is still valid. It is called for each call of the
   * freelancer, reads too, once the deal with this token is found; if a call reads its deal again,
   * it is called again. Any verdict except `valid` is `unauthorized`. It is not called for
   * partners, the operator, the clock and the commands of the sandbox, which use no token. It
   * changes nothing.
   */
  verify(tenant: Tenant, held: IssuedPaymentToken): Answer<PaymentTokenVerdict>;
}

/** A token, and the deal that has it. */
export interface IssuedPaymentToken extends PaymentTokenClaims {
  readonly payment_token: string;
  /** When the deal was created; RFC 3339, UTC, milliseconds. */
  readonly issued_at: string;
}

/**
 * The verdict on a token: `invalid` if the issuer did not issue it for this tenant or, if the
 * issuer binds tokens to deals, for this deal; `expired` if it was valid once.
 */
export type PaymentTokenVerdict = 'valid' | 'expired' | 'invalid';

/** The deal that a payment token is issued for. */
export interface PaymentTokenClaims {
  readonly partner_id: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
}
