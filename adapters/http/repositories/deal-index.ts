import type { DealListQuery } from 'dealwright';
import {
  type DealFilter,
  passes,
  type StoredDeal,
  type UpstreamDealIndex,
  type UpstreamDealPage,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { failureOf, noToken } from './failures.js';
import { dealOf, dealV2Of, entryOf, understood, unversioned } from './read-deals.js';
import type { Upstream } from './upstream.js';

/** The deals of both versions of record, to be read: a list page is one request. */
export function createDealIndex(upstream: Upstream): UpstreamDealIndex {
  return {
    async byPartnerId(tenant, partner_id) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const details = await api.retrieveDealDetails(partner_id);
      if (details.isErr()) {
        return details.error.code === 'not_found' ? ok(undefined) : failureOf(details.error);
      }
      const { api_version, id } = details.value;
      if (api_version === '2.0') {
        return understood((): StoredDeal => {
          return { api_version, ...unversioned(dealV2Of(details.value)) };
        });
      }
      // its stages are in version 1.0 alone
      const found = await api.retrieveDeal(id ?? Number.NaN);
      if (found.isErr()) return failureOf(found.error);
      return understood((): StoredDeal => {
        return { api_version, ...unversioned(dealOf(found.value, details.value)) };
      });
    },
    async page(tenant, filter, { cursor, page_size }) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const query = { ...parametersOf(filter), page_size };
      const page = await api.listEmployerDeals(cursor === undefined ? query : { ...query, cursor });
      if (page.isErr()) {
        return page.error.code === 'invalid_cursor' && cursor !== undefined
          ? ok('invalid_cursor')
          : failureOf(page.error);
      }
      const { results, next, previous } = page.value;
      return understood((): UpstreamDealPage => {
        const entries = results.map(entryOf);
        if (!entries.every((entry) => passes(filter, entry))) {
          throw new TypeError('deals that the filter does not let through');
        }
        return { entries, next: cursorOf(next), previous: cursorOf(previous) };
      });
    },
  };
}

function parametersOf({ email_key, ...filter }: DealFilter): DealListQuery {
  return { ...filter, ...(email_key === undefined ? {} : { email_freelancer: email_key }) };
}

/** A cursor that comes back to us and goes back to its service: both have to be able to carry it. */
function cursorOf(cursor: string | null): string | null {
  if (cursor === null) return null;
  encodeURIComponent(cursor); // throws where a surrogate stands alone
  if (cursor.includes('\0')) throw new TypeError('no text that travels');
  return cursor;
}
