import { type DealV2Input, formatMoney } from 'dealwright';
import type { DealV2, DealV2Repository } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { failureOf, noOperation, noToken } from './failures.js';
import { keyOf, noMatch } from './idempotency.js';
import { dealV2Of, understood, unversioned } from './read-deals.js';
import type { Upstream } from './upstream.js';

/** The deals of version 2.0 of record, as far as the interface shows them. */
export function createDealsV2(upstream: Upstream): DealV2Repository {
  return {
    async add(tenant, { deal, idempotency }) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const answer = await api.createDealV2(inputOf(deal), keyOf(idempotency));
      if (answer.isOk()) {
        return ok({ outcome: 'created', payment_token: answer.value.payment_token });
      }
      switch (answer.error.code) {
        case 'deal_exists':
          return ok({ outcome: 'exists', by: 'partner_id' });
        case 'idempotency_key_reused':
          return ok({ outcome: 'exists', by: 'idempotency_key', first: noMatch });
        default:
          return failureOf(answer.error);
      }
    },
    async byPartnerId(tenant, partner_id) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const details = await api.retrieveDealDetails(partner_id);
      if (details.isErr()) {
        return details.error.code === 'not_found' ? ok(undefined) : failureOf(details.error);
      }
      return details.value.api_version === '1.0'
        ? ok(undefined)
        : understood(() => unversioned(dealV2Of(details.value)));
    },
    save: () => noOperation(),
  };
}

/** What the interface has a field for: the token, the time and the states are the service's own. */
function inputOf(deal: DealV2): DealV2Input {
  return {
    partner_id: deal.partner_id,
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    description: deal.description,
    subcategory_id: deal.subcategory_id,
    amount: formatMoney(deal.amount),
    currency: deal.currency,
    copyright_transfer: deal.copyright_transfer,
    freelancer_language: deal.freelancer_language,
  };
}
