import { isTenant } from 'dealwright';
import type {
  Deal,
  DealV2,
  DomainEvent,
  Environment,
  FirstDeal,
  Idempotency,
  StoreRecord,
  Tenant,
} from 'dealwright/ports';
import { insert } from './deal-index.js';
import {
  copyDeal,
  copyEvent,
  copyIdempotency,
  registerOf,
  type Shelves,
  type StoredDealV1,
  type StoredDealV2,
  shelfOf,
} from './shelves.js';

type RecordOf<K extends StoreRecord['record']> = Extract<StoreRecord, { readonly record: K }>;

/** The ids of the stages that came. */
export type StageIds = Readonly<Record<Environment, Set<number>>>;

/**
 * Puts a record onto shelves that nobody else sees yet. Throws where something of it is there
 * already, or where it is none.
 */
export function restoreRecord(shelves: Shelves, stageIds: StageIds, given: StoreRecord): void {
  if (!isTenant(given.tenant)) throw new Error('a record is of no tenant');
  switch (given.record) {
    case 'contractor':
      restoreContractor(shelves, given);
      break;
    case 'deal':
      restoreDeal(shelves, stageIds[given.tenant.environment], given);
      break;
    case 'deal_v2':
      restoreDealV2(shelves, given);
      break;
    case 'event':
      restoreEvent(shelves, given.tenant, given.event);
      break;
    default:
      throw new Error('an archive holds contractors, deals and events, and this is none of them');
  }
}

function restoreContractor(shelves: Shelves, given: RecordOf<'contractor'>): void {
  const { tenant, key, contractor, version, event_id, idempotency } = given;
  const register = registerOf(shelves, tenant, key);
  refuseIf(register.has(key.email_key), "a contractor's key");
  register.set(key.email_key, {
    value: { ...contractor },
    version,
    tenant: { environment: tenant.environment, partner: tenant.partner },
    event_id,
    idempotency: copyIdempotency(idempotency),
  });
  if (idempotency === undefined) return;
  const { firstContractors } = shelfOf(shelves, tenant);
  refuseIf(firstContractors.has(idempotency.key), 'the idempotency key of a contractor');
  firstContractors.set(idempotency.key, idempotency.fingerprint);
}

function restoreDeal(shelves: Shelves, stageIds: Set<number>, given: RecordOf<'deal'>): void {
  const { tenant, deal, version, event_id, work_file_keys } = given;
  const environment = shelves[tenant.environment];
  refuseIf(environment.restoredById.has(deal.id), 'the id of a deal');
  for (const { id } of deal.stages) {
    refuseIf(stageIds.has(id), 'the id of a stage');
    stageIds.add(id);
  }
  const stored: StoredDealV1 = {
    api_version: '1.0',
    partner: tenant.partner,
    position: { created_at: deal.created_at, event_id },
    idempotency: copyIdempotency(given.idempotency),
    value: copyDeal(deal),
    version,
  };
  const ids = { id: deal.id, stage_ids: deal.stages.map(({ id }) => id) };
  shelve(shelves, tenant, stored, { ids });
  environment.restoredById.set(deal.id, stored);
  environment.lastRestoredId = Math.max(environment.lastRestoredId, deal.id);
  environment.lastStageId = Math.max(environment.lastStageId, ...ids.stage_ids);
  restoreFiles(shelves, tenant, deal, work_file_keys);
}

function restoreDealV2(shelves: Shelves, given: RecordOf<'deal_v2'>): void {
  const { tenant, deal, version, event_id, idempotency } = given;
  const stored: StoredDealV2 = {
    api_version: '2.0',
    position: { created_at: deal.created_at, event_id },
    idempotency: copyIdempotency(idempotency),
    value: { ...deal },
    version,
  };
  shelve(shelves, tenant, stored, { payment_token: deal.payment_token });
}

function shelve(
  shelves: Shelves,
  tenant: Tenant,
  stored: StoredDealV1 | StoredDealV2,
  first: Omit<FirstDeal, 'fingerprint'>,
): void {
  const { deals, inOrder, firstDeals } = shelfOf(shelves, tenant);
  const { partner_id }: Deal | DealV2 = stored.value;
  refuseIf(deals.has(partner_id), 'a partner_id');
  deals.set(partner_id, stored);
  insert(inOrder, stored);
  if (stored.idempotency === undefined) return;
  const { key, fingerprint } = stored.idempotency;
  refuseIf(firstDeals.has(key), 'the idempotency key of a deal');
  firstDeals.set(key, { ...first, fingerprint });
}

function restoreFiles(
  shelves: Shelves,
  tenant: Tenant,
  deal: Deal,
  keys: readonly (Idempotency & { readonly file_id: string })[],
): void {
  const { workFileIds, firstWorkFiles } = shelfOf(shelves, tenant);
  const files = new Map(
    deal.stages.flatMap(({ work_files }) => work_files.map((file) => [file.id, file])),
  );
  for (const { work_files } of deal.stages) {
    for (const { id } of work_files) {
      refuseIf(workFileIds.has(id), 'the id of a work file');
      workFileIds.add(id);
    }
  }
  for (const { key, fingerprint, file_id } of keys) {
    const file = files.get(file_id);
    if (file === undefined) throw new Error('the key of a work file names none of its deal');
    refuseIf(firstWorkFiles.has(key), 'the idempotency key of a work file');
    firstWorkFiles.set(key, { fingerprint, file: { ...file } });
  }
}

function restoreEvent(shelves: Shelves, tenant: Tenant, event: DomainEvent): void {
  if (event.environment !== tenant.environment || event.partner !== tenant.partner) {
    throw new Error("an event is not of its record's tenant");
  }
  shelfOf(shelves, tenant).events.push(copyEvent(event));
}

/** Says what it is, and not which: values are nobody's business. */
function refuseIf(isThere: boolean, what: string): void {
  if (isThere) throw new Error(`the archive holds ${what} twice`);
}
