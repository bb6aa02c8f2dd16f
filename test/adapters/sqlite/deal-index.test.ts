import type { DealFilter, DealStretch } from 'dealwright/ports';
import { expect, it } from 'vitest';
import { pageOf } from '../../../adapters/sqlite/deal-index.js';
import { createTestStore } from './database.js';

const filters: readonly DealFilter[] = [
  {},
  { status: 'created' },
  { freelancer_status: 'new' },
  { status: 'created', freelancer_status: 'new' },
  { email_key: 'user@example.com' },
  { partner_id: 'order-1' },
].flatMap((filter) => [
  filter,
  { ...filter, created_from: '2026-01-01T00:00:00.000Z' },
  { ...filter, created_to: '2027-01-01T00:00:00.000Z' },
]) as DealFilter[];
const all: DealFilter = { status: 'created', freelancer_status: 'new', email_key: 'a@b' };

/** The index of what tells deals best apart. */
function indexOf({ partner_id, email_key, freelancer_status, status }: DealFilter): string {
  if (partner_id !== undefined) return 'sqlite_autoindex_dealwright_deals_1';
  if (email_key !== undefined) return 'dealwright_deals_by_email';
  if (freelancer_status !== undefined) {
    return `dealwright_deals_by_${status === undefined ? 'freelancer_status' : 'statuses'}`;
  }
  return status === undefined ? 'dealwright_deals_in_order' : 'dealwright_deals_by_status';
}

it('reads every stretch of every list by an index that has it in order', async () => {
  const { db, close } = createTestStore();
  try {
    const position = { created_at: '2026-06-01T00:00:00.000Z', event_id: '01' };
    for (const filter of [...filters, all, { ...all, partner_id: 'order-1' }]) {
      for (const from of [undefined, position]) {
        for (const direction of ['older', 'newer'] as const) {
          const stretch: DealStretch = { direction, from, limit: 21 };
          const { sql, values } = pageOf('sandbox:acme', filter, stretch);
          const rows = db.prepare(`explain query plan ${sql}`).all(...values);
          const plan = rows.map((row) => (row as { detail: string }).detail).join('; ');
          expect(plan).toMatch(new RegExp(`^SEARCH d USING INDEX ${indexOf(filter)} `));
          expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
          // both ends of the stretch are sought: nothing between them and the page is passed over
          const seeks = filter.partner_id === undefined;
          const ends = '(created_at,event_id)>(?,?) AND (created_at,event_id)<(?,?)';
          expect(plan.includes(ends)).toBe(seeks);
        }
      }
    }
  } finally {
    await close();
  }
});
