import type { DomainEvent, EventLog } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { tenantText } from '../sql/tenant.js';
import { eventsStatement } from './read-sql.js';
import { type SendOnce, sendUntil } from './send.js';

interface Page {
  readonly last: number;
  readonly events: readonly DomainEvent[];
}

/** The event log of a PostgreSQL store: the cursor is how many events of the tenant were read. */
export function createEventLog(send: SendOnce, schema: string): EventLog {
  const after = eventsStatement(schema);
  return {
    after(tenant, cursor, limit) {
      if (!/^(?:0|[1-9]\d{0,14})$/.test(cursor ?? '0')) return ok('invalid_cursor');
      const position = Number(cursor ?? '0');
      const { environment, partner } = tenant;
      const values = [tenantText(tenant), position, limit, environment, partner];
      return sendUntil(async (retries) => {
        const sent = await send(after, values, 1, retries);
        return sent.map(([text]) => {
          const { last, events } = JSON.parse(text ?? '') as Page;
          if (position > last) return 'invalid_cursor';
          return { events, cursor: String(position + events.length) };
        });
      }, 'read');
    },
  };
}
