import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** Says whether somebody may do one more operation now (decision 5.2, status 429). */
export interface Limiter {
  take(tenant: Tenant, operation: string): Answer<LimiterDecision>;
  /** The same of those who are no partner. A limiter without it refuses partners alone. */
  takeOther?(other: LimitedCaller): Answer<LimiterDecision>;
}

/** A caller that a limiter knows by a key. */
export interface LimitedCaller {
  /**
   * Who has the token of an operator, or the payment token of an offer; or the address of a client
   * whose token was found not to be valid: it is answered 429 in the place of 401.
   */
  readonly kind: 'operator' | 'offer' | 'failed_token';
  /** A digest of the token; of an address its text, as the network or a proxy gave it. */
  readonly key: string;
}

/** The answer of a limiter; `retryAfter` is in seconds. */
export type LimiterDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };
