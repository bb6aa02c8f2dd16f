import type { ArchiveRecord, Tenant } from 'dealwright/ports';
import { rowOf } from '../../../spec/store/rows.js';
import { newDeal } from '../../../spec/store/writes.js';

const tenant: Tenant = { environment: 'sandbox', partner: 'acme' };
const attemptOf = (id: number) => String(id).padStart(26, '0');

/** So many deals. */
export async function* dealRecords(
  count: number,
  description = 'Description',
): AsyncGenerator<ArchiveRecord> {
  for (let id = 1; id <= count; id += 1) {
    const row = rowOf('deal', { ...newDeal, partner_id: `deal ${id}`, id, description });
    yield { kind: 'deal', tenant, row: { ...row, attempt: attemptOf(id), version: 1 } };
  }
}

/** A stage of each deal. */
export async function* stageRecords(count: number): AsyncGenerator<ArchiveRecord> {
  for (let id = 1; id <= count; id += 1) {
    const row = rowOf('stage', { partner_id: `deal ${id}`, id, status: 'pending' });
    yield { kind: 'stage', tenant, row: { ...row, attempt: attemptOf(id) } };
  }
}
