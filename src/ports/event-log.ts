import type { DomainEvent } from '../domain/events.js';
import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * A stretch of a tenant's events, and where the next one begins.
 */
export interface EventPage {
  readonly events: readonly DomainEvent[];
  /** A position that the store assigned; nothing that commits later is ever before it. */
  readonly cursor: string;
}

/**
 * The events of a tenant, in order, to be read again and again (decision 7). Repositories append
 * to it in the same write as the change; nobody else does.
 */
export interface EventLog {
  /**
   * At most `limit` events after `cursor`, or from the beginning where it is `undefined`; or that
   * the cursor is none of this log. A log may show an event later than its write was answered, for
   * as long as a slower write could still come before it: it never shows one out of order.
   */
  after(
    tenant: Tenant,
    cursor: string | undefined,
    limit: number,
  ): Answer<EventPage | 'invalid_cursor'>;
}
