import type { Contractor, ContractorKey } from '../../src/domain/contractor.js';
import type { DealPosition } from '../../src/domain/cursor.js';
import { type DealFilter, entryOfDeal, entryOfDealV2, passes } from '../../src/domain/deal-list.js';
import type { DomainEvent } from '../../src/domain/events.js';
import type { Idempotency } from '../../src/domain/idempotency.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { WorkFile } from '../../src/domain/work-file.js';
import type {
  AddContractorOutcome,
  ContractorRegistration,
} from '../../src/ports/contractor-repository.js';
import type { ListedDeal, StoredDeal } from '../../src/ports/deal-index.js';
import type {
  AddDealOutcome,
  AddDealV2Outcome,
  AddWorkFileOutcome,
  DealAddition,
  DealChange,
  DealExistsAlready,
  DealIds,
  DealV2Addition,
  DealV2Change,
  FirstDeal,
  WorkFileAddition,
} from '../../src/ports/deal-repository.js';
import type { SaveOutcome, Versioned } from '../../src/ports/versioned.js';
import { changed } from './changes.js';

/** A stored deal of either version, as the model remembers it. */
export type ModelDeal = StoredDeal & { readonly position: DealPosition };

/**
 * What a store is, said as briefly as possible: maps of values that nobody changes. It gives no ids
 * of its own, but takes over those that the store under test gave.
 */
export interface Model {
  addContractor(tenant: Tenant, registration: ContractorRegistration): AddContractorOutcome;
  /** `given` are the ids of the store's own answer, where it created the deal. */
  addDeal(tenant: Tenant, addition: DealAddition, given: DealIds | undefined): AddDealOutcome;
  addDealV2(tenant: Tenant, addition: DealV2Addition): AddDealV2Outcome;
  save(tenant: Tenant, change: DealChange): SaveOutcome;
  saveV2(tenant: Tenant, change: DealV2Change): SaveOutcome;
  addWorkFile(tenant: Tenant, addition: WorkFileAddition): AddWorkFileOutcome;
  /** All deals of a tenant that pass the filter, the newest first. */
  list(tenant: Tenant, filter: DealFilter): readonly ListedDeal[];
  contractor(tenant: Tenant, key: ContractorKey): Versioned<Contractor> | undefined;
  deal(tenant: Tenant, partner_id: string): ModelDeal | undefined;
  events(tenant: Tenant): readonly DomainEvent[];
}

/** An empty model. */
export function createModel(): Model {
  const contractors = new Map<string, Versioned<Contractor>>();
  const contractorKeys = new Map<string, { fingerprint: string }>();
  const deals = new Map<string, ModelDeal>();
  const dealKeys = new Map<string, FirstDeal>();
  const fileKeys = new Map<string, { fingerprint: string; file: WorkFile }>();
  const events = new Map<string, DomainEvent[]>();

  const name = (...parts: readonly string[]) => JSON.stringify(parts);
  const inTenant = ({ environment, partner }: Tenant, own: string) =>
    name(environment, partner, own);
  const ofContractor = ({ environment }: Tenant, { register, email_key }: ContractorKey) =>
    name(environment, register, email_key);
  const ofTenant = (tenant: Tenant): readonly ModelDeal[] => {
    // how the names of all rows of the tenant begin
    const prefix = `${name(tenant.environment, tenant.partner).slice(0, -1)},`;
    const own = [...deals].filter(([row]) => row.startsWith(prefix));
    return own.map(([, deal]) => deal);
  };
  const dealWithId = (tenant: Tenant, id: number) =>
    ofTenant(tenant).find(
      (each): each is Extract<ModelDeal, { api_version: '1.0' }> =>
        each.api_version === '1.0' && each.value.id === id,
    );
  const append = (tenant: Tenant, more: readonly DomainEvent[]) => {
    events.set(inTenant(tenant, ''), [...(events.get(inTenant(tenant, '')) ?? []), ...more]);
  };
  const advance = (tenant: Tenant, deal: ModelDeal, more: readonly DomainEvent[]) => {
    const version = deal.version + more.length;
    deals.set(inTenant(tenant, deal.value.partner_id), { ...deal, version });
    append(tenant, more);
  };
  const earlier = (
    tenant: Tenant,
    partner_id: string,
    idempotency: Idempotency | undefined,
  ): DealExistsAlready | undefined => {
    const first = idempotency && dealKeys.get(inTenant(tenant, idempotency.key));
    if (first !== undefined) return { outcome: 'exists', by: 'idempotency_key', first };
    const taken = deals.has(inTenant(tenant, partner_id));
    return taken ? { outcome: 'exists', by: 'partner_id' } : undefined;
  };

  return {
    addContractor(tenant, { key, contractor, events: more, idempotency }) {
      const first = idempotency && contractorKeys.get(inTenant(tenant, idempotency.key));
      if (first !== undefined) return { outcome: 'exists', by: 'idempotency_key', first };
      if (contractors.has(ofContractor(tenant, key))) return { outcome: 'exists', by: 'email' };
      contractors.set(ofContractor(tenant, key), { value: contractor, version: more.length });
      append(tenant, more);
      if (idempotency !== undefined) {
        const { fingerprint } = idempotency;
        contractorKeys.set(inTenant(tenant, idempotency.key), { fingerprint });
      }
      return { outcome: 'created' };
    },
    addDeal(tenant, { deal, contractor, events: more, idempotency }, given) {
      const exists = earlier(tenant, deal.partner_id, idempotency);
      if (exists !== undefined) return exists;
      if (!contractors.has(ofContractor(tenant, contractor))) {
        return { outcome: 'contractor_missing' };
      }
      const ids = given ?? { id: 0, stage_ids: [] };
      const stages = deal.stages.map((each, at) => ({
        ...each,
        id: ids.stage_ids[at] ?? 0,
        work_files: [],
      }));
      const value = { ...deal, id: ids.id, stages };
      deals.set(inTenant(tenant, deal.partner_id), {
        api_version: '1.0',
        value,
        version: more.length,
        position: positionOf(deal, more),
      });
      append(tenant, more);
      if (idempotency !== undefined) {
        const { key, fingerprint } = idempotency;
        dealKeys.set(inTenant(tenant, key), { fingerprint, ids });
      }
      return { outcome: 'created', ...ids };
    },
    addDealV2(tenant, { deal, events: more, idempotency }) {
      const exists = earlier(tenant, deal.partner_id, idempotency);
      if (exists !== undefined) return exists;
      const version = more.length;
      deals.set(inTenant(tenant, deal.partner_id), {
        api_version: '2.0',
        value: deal,
        version,
        position: positionOf(deal, more),
      });
      append(tenant, more);
      if (idempotency !== undefined) {
        const { key, fingerprint } = idempotency;
        const { payment_token } = deal;
        dealKeys.set(inTenant(tenant, key), { fingerprint, payment_token });
      }
      return { outcome: 'created' };
    },
    save(tenant, change) {
      const stored = dealWithId(tenant, change.deal_id);
      if (stored === undefined) return 'missing';
      if (stored.version !== change.version) return 'stale';
      advance(tenant, { ...stored, value: changed(stored.value, change) }, change.events);
      return 'saved';
    },
    saveV2(tenant, { partner_id, version, status, freelancer_status, events: more }) {
      const stored = deals.get(inTenant(tenant, partner_id));
      if (stored?.api_version !== '2.0') return 'missing';
      if (stored.version !== version) return 'stale';
      advance(tenant, { ...stored, value: { ...stored.value, status, freelancer_status } }, more);
      return 'saved';
    },
    addWorkFile(tenant, { deal_id, version, file, events: more, idempotency }) {
      const first = idempotency && fileKeys.get(inTenant(tenant, idempotency.key));
      if (first !== undefined) return { outcome: 'exists', by: 'idempotency_key', first };
      const stored = dealWithId(tenant, deal_id);
      if (stored === undefined) return { outcome: 'missing' };
      if (stored.version !== version) return { outcome: 'stale' };
      const stages = stored.value.stages.map((stage) =>
        stage.id === file.stage_id ? { ...stage, work_files: [...stage.work_files, file] } : stage,
      );
      advance(tenant, { ...stored, value: { ...stored.value, stages } }, more);
      if (idempotency !== undefined) {
        const { key, fingerprint } = idempotency;
        fileKeys.set(inTenant(tenant, key), { fingerprint, file });
      }
      return { outcome: 'stored' };
    },
    list(tenant, filter) {
      const listed = ofTenant(tenant).map((deal) => ({
        entry: deal.api_version === '1.0' ? entryOfDeal(deal.value) : entryOfDealV2(deal.value),
        position: deal.position,
      }));
      const textOf = ({ position }: ListedDeal) => position.created_at + position.event_id;
      return listed
        .filter(({ entry }) => passes(filter, entry))
        .sort((a, b) => (textOf(a) < textOf(b) ? 1 : -1));
    },
    contractor: (tenant, key) => contractors.get(ofContractor(tenant, key)),
    deal: (tenant, partner_id) => deals.get(inTenant(tenant, partner_id)),
    events: (tenant) => events.get(inTenant(tenant, '')) ?? [],
  };
}

function positionOf(
  { created_at }: { readonly created_at: string },
  events: readonly DomainEvent[],
): DealPosition {
  return { created_at, event_id: events[0]?.id ?? '' };
}
