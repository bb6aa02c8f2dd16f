import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Says whether a tenant may do one more operation now (decision 5.2, status 429).
 *
 * @example
 * ```ts
 * import { ok } from 'neverthrow';
 * import type { Limiter } from 'dealwright/ports';
 *
 * const closed: Limiter = { take: () => ok({ allowed: false, retryAfter: 60 }) };
 * ```
 */
export interface Limiter {
  take(tenant: Tenant, operation: string): Answer<LimiterDecision>;
}

/**
 * The answer of a limiter; `retryAfter` is in seconds.
 *
 * @example
 * ```ts
 * import type { LimiterDecision } from 'dealwright/ports';
 *
 * const decision: LimiterDecision = { allowed: true };
 * ```
 */
export type LimiterDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };
