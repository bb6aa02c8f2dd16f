import {
  type Deal,
  type DealExistsAlready,
  type DealIds,
  type DealPosition,
  type DealRepository,
  type DealV2Repository,
  type DomainEvent,
  type FirstDeal,
  type Idempotency,
  type NewDeal,
  type NewStage,
  type Stage,
  unavailable,
  type WorkFile,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { insert, regroup } from './deal-index.js';
import {
  copyDeal,
  copyEvent,
  copyIdempotency,
  dealById,
  type EnvironmentShelf,
  nextDealId,
  registerOf,
  type Shelves,
  type StoredDealV1,
  type StoredDealV2,
  shelfOf,
  type TenantShelf,
} from './shelves.js';

/** The repository of 1.0 deals of a memory store. */
export function createDeals(shelves: Shelves): DealRepository {
  return {
    add(tenant, { deal, contractor, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const first = findFirst(shelf, idempotency);
      if (first !== undefined) return ok(first);
      const there = shelf.deals.get(deal.partner_id);
      if (there !== undefined) {
        if (there.api_version !== '1.0' || !isAttempt(there, events)) return ok(taken);
        return ok({ outcome: 'created', ...idsOf(there.value) });
      }
      if (!registerOf(shelves, tenant, contractor).has(contractor.email_key)) {
        return ok({ outcome: 'contractor_missing' });
      }

      const environment = shelves[tenant.environment];
      const id = nextDealId(environment, deal.stages.length);
      if (id === undefined) {
        const cause = new Error('all ids are given out');
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
      const stages = deal.stages.map((stage) => numberedStage(environment, stage));
      const stored: StoredDealV1 = {
        api_version: '1.0',
        partner: tenant.partner,
        position: positionOf(deal, events),
        idempotency: copyIdempotency(idempotency),
        value: numbered(deal, id, stages),
        version: events.length,
      };
      shelve(shelf, stored);
      environment.dealsById.push(stored);
      appendEvents(shelf, events);
      const stage_ids = stages.map((stage) => stage.id);
      if (idempotency !== undefined) {
        const ids = { id, stage_ids: [...stage_ids] };
        shelf.firstDeals.set(idempotency.key, { ids, fingerprint: idempotency.fingerprint });
      }
      return ok({ outcome: 'created', id, stage_ids });
    },
    byId(tenant, id) {
      const found = dealById(shelves, tenant, id);
      if (found === undefined) return ok(undefined);
      return ok({ value: copyDeal(found.value), version: found.version });
    },
    byPartnerId(tenant, partner_id) {
      const found = shelfOf(shelves, tenant).deals.get(partner_id);
      if (found?.api_version !== '1.0') return ok(undefined);
      return ok({ value: copyDeal(found.value), version: found.version });
    },
    save(tenant, { deal_id, version, status, freelancer_status, stages, events }) {
      const found = dealById(shelves, tenant, deal_id);
      if (found === undefined) return ok('missing');
      if (found.version !== version) return ok('stale');
      const statuses = new Map(stages.map((stage) => [stage.id, stage.status]));
      found.value = {
        ...found.value,
        status,
        freelancer_status,
        stages: found.value.stages.map((stage) => ({
          ...stage,
          status: statuses.get(stage.id) ?? stage.status,
        })),
      };
      advance(shelfOf(shelves, tenant), found, events);
      return ok('saved');
    },
    addWorkFile(tenant, { deal_id, version, file, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const first = idempotency && shelf.firstWorkFiles.get(idempotency.key);
      if (first !== undefined) {
        const { fingerprint } = first;
        return ok({
          outcome: 'exists',
          by: 'idempotency_key',
          first: { fingerprint, file: { ...first.file } },
        });
      }
      if (shelf.workFileIds.has(file.id)) return ok({ outcome: 'stored' });
      const found = dealById(shelves, tenant, deal_id);
      if (found === undefined) return ok({ outcome: 'missing' });
      if (found.version !== version) return ok({ outcome: 'stale' });
      const stages = found.value.stages.map((stage) =>
        stage.id === file.stage_id
          ? { ...stage, work_files: [...stage.work_files, { ...file }] }
          : stage,
      );
      found.value = { ...found.value, stages };
      shelf.workFileIds.add(file.id);
      if (idempotency !== undefined) {
        const { key, fingerprint } = idempotency;
        shelf.firstWorkFiles.set(key, { fingerprint, file: { ...file } });
      }
      advance(shelf, found, events);
      return ok({ outcome: 'stored' });
    },
    recordedWorkFiles(tenant, ids) {
      const { workFileIds } = shelfOf(shelves, tenant);
      return ok(ids.filter((id) => workFileIds.has(id)));
    },
  };
}

/** The repository of 2.0 deals of a memory store. */
export function createDealsV2(shelves: Shelves): DealV2Repository {
  return {
    add(tenant, { deal, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const first = findFirst(shelf, idempotency);
      if (first !== undefined) return ok(first);
      const there = shelf.deals.get(deal.partner_id);
      if (there !== undefined) {
        const isOwn = there.api_version === '2.0' && isAttempt(there, events);
        return ok(isOwn ? { outcome: 'created' } : taken);
      }

      shelve(shelf, {
        api_version: '2.0',
        position: positionOf(deal, events),
        idempotency: copyIdempotency(idempotency),
        value: { ...deal },
        version: events.length,
      });
      appendEvents(shelf, events);
      if (idempotency !== undefined) {
        const { payment_token } = deal;
        shelf.firstDeals.set(idempotency.key, {
          payment_token,
          fingerprint: idempotency.fingerprint,
        });
      }
      return ok({ outcome: 'created' });
    },
    byPartnerId(tenant, partner_id) {
      const found = shelfOf(shelves, tenant).deals.get(partner_id);
      if (found?.api_version !== '2.0') return ok(undefined);
      return ok({ value: { ...found.value }, version: found.version });
    },
    save(tenant, { partner_id, version, status, freelancer_status, events }) {
      const shelf = shelfOf(shelves, tenant);
      const found = shelf.deals.get(partner_id);
      if (found?.api_version !== '2.0') return ok('missing');
      if (found.version !== version) return ok('stale');
      found.value = { ...found.value, status, freelancer_status };
      advance(shelf, found, events);
      return ok('saved');
    },
  };
}

function positionOf(
  { created_at }: { readonly created_at: string },
  events: readonly DomainEvent[],
): DealPosition {
  return { created_at, event_id: events[0]?.id ?? '' };
}

function shelve(shelf: TenantShelf, stored: StoredDealV1 | StoredDealV2): void {
  shelf.deals.set(stored.value.partner_id, stored);
  insert(shelf.inOrder, stored);
}

const taken = Object.freeze({ outcome: 'exists', by: 'partner_id' } as const);

/** The answer under the key, where there is one: it is judged before the `partner_id`. */
function findFirst(
  shelf: TenantShelf,
  idempotency: Idempotency | undefined,
): DealExistsAlready | undefined {
  const first = idempotency && shelf.firstDeals.get(idempotency.key);
  return first && { outcome: 'exists', by: 'idempotency_key', first: copyFirst(first) };
}

/** Whether the deal was stored by this very attempt. */
function isAttempt(
  { position }: StoredDealV1 | StoredDealV2,
  events: readonly DomainEvent[],
): boolean {
  return position.event_id === events[0]?.id;
}

function idsOf({ id, stages }: Deal): DealIds {
  return { id, stage_ids: stages.map((stage) => stage.id) };
}

function advance(
  shelf: TenantShelf,
  stored: StoredDealV1 | StoredDealV2,
  events: readonly DomainEvent[],
): void {
  stored.version += events.length;
  regroup(shelf.inOrder, stored);
  appendEvents(shelf, events);
}

function appendEvents(shelf: TenantShelf, events: readonly DomainEvent[]): void {
  for (const event of events) shelf.events.push(copyEvent(event));
}

// each member by its name: V8 takes four times as long to copy with a member more than before
function numbered(deal: NewDeal, id: number, stages: readonly Stage[]): Deal {
  return {
    id,
    partner_id: deal.partner_id,
    contractor_email: deal.contractor_email,
    name: deal.name,
    description: deal.description,
    budget: deal.budget,
    currency: deal.currency,
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
    stages,
  };
}

const noFiles: readonly WorkFile[] = Object.freeze([]);

function numberedStage(environment: EnvironmentShelf, stage: NewStage): Stage {
  environment.lastStageId += 1;
  const { name, budget, work_days, status } = stage;
  return { id: environment.lastStageId, name, budget, work_days, status, work_files: noFiles };
}

function copyFirst(first: FirstDeal): FirstDeal {
  const { ids } = first;
  return ids === undefined
    ? { ...first }
    : { ...first, ids: { id: ids.id, stage_ids: [...ids.stage_ids] } };
}
