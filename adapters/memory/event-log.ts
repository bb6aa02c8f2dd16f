import { type EventLog, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { copyEvent, type Shelves, shelfOf } from './shelves.js';

/** The event log of a memory store: the cursor is how many events of the tenant were read. */
export function createEventLog(shelves: Shelves): EventLog {
  return {
    after(tenant, cursor, limit) {
      const position = Number(cursor ?? '0');
      if (!Number.isSafeInteger(position) || position < 0) {
        const cause = 'a cursor that this log did not give';
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
      const events = shelfOf(shelves, tenant).events.slice(position, position + limit);
      return ok({ events: events.map(copyEvent), cursor: String(position + events.length) });
    },
  };
}
