import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/** Says whether a tenant may do one more operation now (decision 5.2, status 429). */
export interface Limiter {
  take(tenant: Tenant, operation: string): Answer<LimiterDecision>;
}

/** The answer of a limiter; `retryAfter` is in seconds. */
export type LimiterDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };
