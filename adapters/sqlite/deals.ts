import type {
  AddDealOutcome,
  AddDealV2Outcome,
  DealRepository,
  DealV2Repository,
  SaveOutcome,
} from 'dealwright/ports';
import { storedDealOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import type { Inserts } from './inserts.js';
import type { createJudge } from './judge-deal.js';
import { dealJson } from './selects.js';
import type { Prepare } from './sqlite-like.js';

type Judge = ReturnType<typeof createJudge>;

/** The repository of 1.0 deals, without their files. */
export function createDeals(
  prepare: Prepare,
  inserts: Inserts,
  judge: Judge,
  { read, write }: Connection,
): Omit<DealRepository, 'addWorkFile' | 'recordedWorkFiles'> {
  const byId = prepare(`select ${dealJson} as json from dealwright_deals d
    where d.tenant = ? and d.id = ?`);
  const byPartnerId = prepare(`select ${dealJson} as json from dealwright_deals d
    where d.tenant = ? and d.partner_id = ? and d.api_version = '1.0'`);
  const versionOf = prepare('select version from dealwright_deals where tenant = ? and id = ?');
  const change = prepare(`update dealwright_deals
    set status = ?, freelancer_status = ?, version = ? where tenant = ? and id = ?`);
  const changeStage = prepare(
    'update dealwright_stages set status = ? where tenant = ? and deal_id = ? and id = ?',
  );

  return {
    add({ environment, partner }, { deal, contractor, events, idempotency }) {
      const tenant = tenantText({ environment, partner });
      const event_id = events[0]?.id ?? '';
      const { partner_id } = deal;
      const names = { tenant, environment, partner_id, event_id, idempotency, contractor };
      return write<AddDealOutcome>({
        name: 'deals.add',
        apply(ledger) {
          const { exists, own, isContractorKnown } = judge({ api_version: '1.0', ...names });
          if (exists !== undefined) return exists;
          if (own !== undefined) return { outcome: 'created', ...own };
          if (!isContractorKnown) return { outcome: 'contractor_missing' };
          const id = ledger.takeIds(1 + deal.stages.length);
          inserts.deal({ tenant, version: events.length, event_id, idempotency }, id, deal);
          const stage_ids = deal.stages.map((stage, at) => {
            const stage_id = id + 1 + at;
            inserts.stage(tenant, id, stage_id, stage);
            return stage_id;
          });
          ledger.append(tenant, events);
          return { outcome: 'created', id, stage_ids };
        },
      });
    },
    byId(tenant, id) {
      return read('deals.byId', () => {
        const found = byId.get<{ json: string }>(tenantText(tenant), id);
        return found && dealOf(found.json);
      });
    },
    byPartnerId(tenant, partner_id) {
      return read('deals.byPartnerId', () => {
        const found = byPartnerId.get<{ json: string }>(tenantText(tenant), partner_id);
        return found && dealOf(found.json);
      });
    },
    save({ environment, partner }, { deal_id, version, events, stages, ...statuses }) {
      const tenant = tenantText({ environment, partner });
      return write<SaveOutcome>({
        name: 'deals.save',
        apply(ledger) {
          const stored = versionOf.get<{ version: number }>(tenant, deal_id)?.version;
          if (stored !== version) return stored === undefined ? 'missing' : 'stale';
          const { status, freelancer_status } = statuses;
          change.run(status, freelancer_status, version + events.length, tenant, deal_id);
          for (const stage of stages) changeStage.run(stage.status, tenant, deal_id, stage.id);
          ledger.append(tenant, events);
          return 'saved';
        },
      });
    },
  };
}

function dealOf(json: string) {
  const stored = storedDealOf(json);
  if (stored.api_version !== '1.0') return undefined;
  return { value: stored.value, version: stored.version };
}

/** The repository of 2.0 deals. */
export function createDealsV2(
  prepare: Prepare,
  inserts: Inserts,
  judge: Judge,
  { read, write }: Connection,
): DealV2Repository {
  const byPartnerId = prepare(`select ${dealJson} as json from dealwright_deals d
    where d.tenant = ? and d.partner_id = ? and d.api_version = '2.0'`);
  const versionOf = prepare(`select version from dealwright_deals
    where tenant = ? and partner_id = ? and api_version = '2.0'`);
  const change = prepare(`update dealwright_deals
    set status = ?, freelancer_status = ?, version = ? where tenant = ? and partner_id = ?`);

  return {
    add({ environment, partner }, { deal, events, idempotency }) {
      const tenant = tenantText({ environment, partner });
      const event_id = events[0]?.id ?? '';
      const { partner_id } = deal;
      const names = { tenant, environment, partner_id, event_id, idempotency };
      return write<AddDealV2Outcome>({
        name: 'dealsV2.add',
        apply(ledger) {
          const { exists, own } = judge({ api_version: '2.0', ...names, contractor: undefined });
          if (exists !== undefined) return exists;
          if (own !== undefined) return { outcome: 'created' };
          inserts.dealV2({ tenant, version: events.length, event_id, idempotency }, deal);
          ledger.append(tenant, events);
          return { outcome: 'created' };
        },
      });
    },
    byPartnerId(tenant, partner_id) {
      return read('dealsV2.byPartnerId', () => {
        const found = byPartnerId.get<{ json: string }>(tenantText(tenant), partner_id);
        const stored = found && storedDealOf(found.json);
        if (stored?.api_version !== '2.0') return undefined;
        return { value: stored.value, version: stored.version };
      });
    },
    save({ environment, partner }, { partner_id, version, status, freelancer_status, events }) {
      const tenant = tenantText({ environment, partner });
      return write<SaveOutcome>({
        name: 'dealsV2.save',
        apply(ledger) {
          const stored = versionOf.get<{ version: number }>(tenant, partner_id)?.version;
          if (stored !== version) return stored === undefined ? 'missing' : 'stale';
          change.run(status, freelancer_status, version + events.length, tenant, partner_id);
          ledger.append(tenant, events);
          return 'saved';
        },
      });
    },
  };
}
