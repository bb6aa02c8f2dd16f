import type {
  Deal,
  DealExistsAlready,
  DealRepository,
  DealV2Repository,
  DomainEvent,
  FirstDeal,
  Idempotency,
  SaveOutcome,
  Stage,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { copyEvent, registerOf, type Shelves, shelfOf, type TenantShelf } from './shelves.js';

/** The repository of 1.0 deals of a memory store. */
export function createDeals(shelves: Shelves): DealRepository {
  return {
    add(tenant, { deal, contractor, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const earlier = findEarlier(shelf, deal.partner_id, idempotency);
      if (earlier !== undefined) return ok(earlier);
      if (!registerOf(shelves, tenant, contractor).has(contractor.email_key)) {
        return ok({ outcome: 'contractor_missing' });
      }

      const environment = shelves[tenant.environment];
      const id = environment.dealsById.length + 1;
      const stages = deal.stages.map((stage): Stage => {
        environment.lastStageId += 1;
        return { id: environment.lastStageId, ...stage };
      });
      const stored = {
        api_version: '1.0' as const,
        value: { id, ...deal, stages },
        version: events.length,
      };
      shelf.deals.set(deal.partner_id, stored);
      environment.dealsById.push({ partner: tenant.partner, stored });
      appendEvents(shelf, events);
      const stage_ids = stages.map((stage) => stage.id);
      rememberFirst(shelf, idempotency, { ids: { id, stage_ids } });
      return ok({ outcome: 'created', id, stage_ids: [...stage_ids] });
    },
    byId(tenant, id) {
      const found = shelves[tenant.environment].dealsById[id - 1];
      if (found?.partner !== tenant.partner) return ok(undefined);
      return ok({ value: copyDeal(found.stored.value), version: found.stored.version });
    },
    byPartnerId(tenant, partner_id) {
      const found = shelfOf(shelves, tenant).deals.get(partner_id);
      if (found?.api_version !== '1.0') return ok(undefined);
      return ok({ value: copyDeal(found.value), version: found.version });
    },
    save(tenant, deal, version, events) {
      const shelf = shelfOf(shelves, tenant);
      const found = shelf.deals.get(deal.partner_id);
      if (found?.api_version !== '1.0' || found.value.id !== deal.id) return ok('missing');
      if (found.version !== version) return ok('stale');
      found.value = copyDeal(deal);
      return ok(advance(shelf, found, events));
    },
  };
}

/** The repository of 2.0 deals of a memory store. */
export function createDealsV2(shelves: Shelves): DealV2Repository {
  return {
    add(tenant, { deal, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const earlier = findEarlier(shelf, deal.partner_id, idempotency);
      if (earlier !== undefined) return ok(earlier);

      const version = events.length;
      shelf.deals.set(deal.partner_id, { api_version: '2.0', value: { ...deal }, version });
      appendEvents(shelf, events);
      rememberFirst(shelf, idempotency, { payment_token: deal.payment_token });
      return ok({ outcome: 'created' });
    },
    byPartnerId(tenant, partner_id) {
      const found = shelfOf(shelves, tenant).deals.get(partner_id);
      if (found?.api_version !== '2.0') return ok(undefined);
      return ok({ value: { ...found.value }, version: found.version });
    },
    save(tenant, deal, version, events) {
      const shelf = shelfOf(shelves, tenant);
      const found = shelf.deals.get(deal.partner_id);
      if (found?.api_version !== '2.0') return ok('missing');
      if (found.version !== version) return ok('stale');
      found.value = { ...deal };
      return ok(advance(shelf, found, events));
    },
  };
}

/** Who was first: the idempotency key is judged before the `partner_id`. */
function findEarlier(
  shelf: TenantShelf,
  partner_id: string,
  idempotency: Idempotency | undefined,
): DealExistsAlready | undefined {
  const first = idempotency && shelf.firstDeals.get(idempotency.key);
  if (first !== undefined) {
    return { outcome: 'exists', by: 'idempotency_key', first: copyFirst(first) };
  }
  return shelf.deals.has(partner_id) ? { outcome: 'exists', by: 'partner_id' } : undefined;
}

function rememberFirst(
  shelf: TenantShelf,
  idempotency: Idempotency | undefined,
  answer: Omit<FirstDeal, 'fingerprint'>,
): void {
  if (idempotency === undefined) return;
  const { key, fingerprint } = idempotency;
  shelf.firstDeals.set(key, { ...answer, fingerprint });
}

function advance(
  shelf: TenantShelf,
  stored: { version: number },
  events: readonly DomainEvent[],
): SaveOutcome {
  stored.version += events.length;
  appendEvents(shelf, events);
  return 'saved';
}

function appendEvents(shelf: TenantShelf, events: readonly DomainEvent[]): void {
  for (const event of events) shelf.events.push(copyEvent(event));
}

function copyDeal(deal: Deal): Deal {
  return { ...deal, stages: deal.stages.map((stage) => ({ ...stage })) };
}

function copyFirst(first: FirstDeal): FirstDeal {
  const { ids } = first;
  return ids === undefined
    ? { ...first }
    : { ...first, ids: { id: ids.id, stage_ids: [...ids.stage_ids] } };
}
