import type { DealInput } from 'dealwright';
import { formatMoney } from 'dealwright';
import type { AddDealOutcome, DealRepository, NewDeal } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { failureOf, noOperation, noToken } from './failures.js';
import { keyOf, noMatch } from './idempotency.js';
import { dealOf, understood, unversioned } from './read-deals.js';
import type { Upstream } from './upstream.js';

/** The deals of version 1.0 of record, as far as the interface shows them. */
export function createDeals(upstream: Upstream): DealRepository {
  return {
    async add(tenant, { deal, idempotency }) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const answer = await api.createDeal(inputOf(deal), keyOf(idempotency));
      if (answer.isOk()) {
        const { id, stage_ids } = answer.value;
        return ok<AddDealOutcome>({ outcome: 'created', id, stage_ids });
      }
      const { error } = answer;
      switch (error.code) {
        case 'deal_exists':
          return ok({ outcome: 'exists', by: 'partner_id' });
        case 'idempotency_key_reused':
          return ok({ outcome: 'exists', by: 'idempotency_key', first: noMatch });
        case 'validation_failed':
          return error.errors.length === 1 && error.errors[0]?.code === 'unknown_contractor'
            ? ok({ outcome: 'contractor_missing' })
            : failureOf(error);
        default:
          return failureOf(error);
      }
    },
    async byId(tenant, id) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const found = await api.retrieveDeal(id);
      if (found.isErr()) {
        return found.error.code === 'not_found' ? ok(undefined) : failureOf(found.error);
      }
      // version 1.0 has no field for the state of the freelancer
      const details = await api.retrieveDealDetails(found.value.partner_id);
      if (details.isErr()) return failureOf(details.error);
      return understood(() => unversioned(dealOf(found.value, details.value)));
    },
    async byPartnerId(tenant, partner_id) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const details = await api.retrieveDealDetails(partner_id);
      if (details.isErr()) {
        return details.error.code === 'not_found' ? ok(undefined) : failureOf(details.error);
      }
      const { api_version, id } = details.value;
      if (api_version === '2.0') return ok(undefined);
      const found = await api.retrieveDeal(id ?? Number.NaN);
      if (found.isErr()) return failureOf(found.error);
      return understood(() => unversioned(dealOf(found.value, details.value)));
    },
    save: () => noOperation(),
    addWorkFile: () => noOperation(),
    recordedWorkFiles: () => noOperation(),
  };
}

/** What the interface has a field for: stages, times and states are the service's own. */
function inputOf(deal: NewDeal): DealInput {
  return {
    partner_id: deal.partner_id,
    contractor_email: deal.contractor_email,
    name: deal.name,
    description: deal.description,
    budget: formatMoney(deal.budget),
    currency: deal.currency,
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
  };
}
