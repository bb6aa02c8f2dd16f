import type { EventLog } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { copyEvent, type Shelves, shelfOf } from './shelves.js';

/** The event log of a memory store: the cursor is how many events of the tenant were read. */
export function createEventLog(shelves: Shelves): EventLog {
  return {
    after(tenant, cursor, limit) {
      const { events: all } = shelfOf(shelves, tenant);
      const position = /^(?:0|[1-9]\d{0,15})$/.test(cursor ?? '0') ? Number(cursor ?? '0') : -1;
      if (position < 0 || position > all.length) return ok('invalid_cursor');
      const events = all.slice(position, position + limit);
      return ok({ events: events.map(copyEvent), cursor: String(position + events.length) });
    },
  };
}
