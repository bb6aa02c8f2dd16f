import type { Tenant } from '../domain/tenant.js';

/**
 * Business time: what deals, files and events are dated with (decision 6.6). Each tenant has its
 * own, so that a sandbox can move it for one partner and for nobody else. Ids, deadlines of ports
 * and sweeping use real time, the timer's.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(tenant: Tenant): number;
  /** Moves the time of a tenant of the sandbox forward; a clock without it does not do that. */
  move?(tenant: Tenant, milliseconds: number): void;
}
