import type { Deal } from '../../src/domain/deal.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { DealChange, DealV2Change } from '../../src/ports/deal-repository.js';
import { dealEvent } from './subject.js';

/** What moves a 1.0 deal on to these statuses, stages and all, with so many events. */
export function changeOf(
  tenant: Tenant,
  { id: deal_id, partner_id, stages }: Deal,
  version: number,
  statuses: Partial<Pick<DealChange, 'status' | 'freelancer_status' | 'stages'>> = {},
  count = 1,
): DealChange {
  return {
    deal_id,
    version,
    status: 'accepted',
    freelancer_status: 'accepted',
    stages: stages.map(({ id }) => ({ id, status: 'submitted' })),
    ...statuses,
    events: eventsAfter(tenant, partner_id, version, count),
  };
}

/** The deal as a change leaves it. */
export function changed(deal: Deal, { status, freelancer_status, stages }: DealChange): Deal {
  const statuses = new Map(stages.map((stage) => [stage.id, stage.status]));
  const moved = deal.stages.map((stage) => ({
    ...stage,
    status: statuses.get(stage.id) ?? stage.status,
  }));
  return { ...deal, status, freelancer_status, stages: moved };
}

/** What moves a 2.0 deal on to these statuses, with so many events. */
export function changeOfV2(
  tenant: Tenant,
  partner_id: string,
  version: number,
  statuses: Partial<Pick<DealV2Change, 'status' | 'freelancer_status'>> = {},
  count = 1,
): DealV2Change {
  return {
    partner_id,
    version,
    status: 'accepted',
    freelancer_status: 'accepted',
    ...statuses,
    events: eventsAfter(tenant, partner_id, version, count),
  };
}

function eventsAfter(tenant: Tenant, partner_id: string, version: number, count: number) {
  return Array.from({ length: count }, (_, at) => dealEvent(tenant, partner_id, version + 1 + at));
}
