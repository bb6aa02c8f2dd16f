import type { Tenant } from '../domain/values/tenant.js';

/**
 * Business time: the dates of deals, files and events, the same for every tenant. The store keeps
 * how far a partner of the sandbox has moved its own time forward (decision 6.6). Ids, deadlines of
 * ports and sweeping use real time, the timer's.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(tenant: Tenant): number;
}
