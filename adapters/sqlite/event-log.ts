import type { EventLog, EventPage } from 'dealwright/ports';
import { eventOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import { eventJson } from './selects.js';
import type { Prepare } from './sqlite-like.js';

/** The event log: a cursor is the position of the last event that was read, from 1 without gaps. */
export function createEventLog(prepare: Prepare, { read }: Connection): EventLog {
  const lastOf = prepare('select last_position from dealwright_tenants where tenant = ?');
  const after = prepare(`select ${eventJson} as json from dealwright_events e
    where e.tenant = ? and e.position > ? order by e.position limit ?`);

  return {
    after(given, cursor, limit) {
      return read<EventPage | 'invalid_cursor'>('events.after', () => {
        const tenant = tenantText(given);
        const position = /^(?:0|[1-9]\d{0,15})$/.test(cursor ?? '0') ? Number(cursor ?? '0') : -1;
        if (position < 0) return 'invalid_cursor';
        const last = lastOf.get<{ last_position: number }>(tenant)?.last_position ?? 0;
        if (position > last) return 'invalid_cursor';
        const rows = after.all<{ json: string }>(tenant, position, limit);
        const events = rows.map(({ json }) => eventOf(json));
        return { events, cursor: String(position + events.length) };
      });
    },
  };
}
