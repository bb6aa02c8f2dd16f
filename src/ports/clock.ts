import type { Tenant } from '../domain/values/tenant.js';

/**
 * Business time: what deals, files and events are dated with, the same for every tenant. By how much
 * a partner of the sandbox has moved its own time forward is kept in the store (decision 6.6). Ids,
 * deadlines of ports and sweeping use real time, the timer's.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(tenant: Tenant): number;
}
