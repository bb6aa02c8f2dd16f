import type { ContractorRepository } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { failureOf, noOperation, noToken } from './failures.js';
import { keyOf, noMatch } from './idempotency.js';
import type { Upstream } from './upstream.js';

/** The contractors of record, as far as the interface shows them. */
export function createContractors(upstream: Upstream): ContractorRepository {
  return {
    async add(tenant, { contractor, idempotency }) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const answer = await api.registerContractor(contractor, keyOf(idempotency));
      if (answer.isOk()) return ok({ outcome: 'created' });
      switch (answer.error.code) {
        case 'contractor_exists':
          return ok({ outcome: 'exists', by: 'email' });
        case 'idempotency_key_reused':
          return ok({ outcome: 'exists', by: 'idempotency_key', first: noMatch });
        default:
          return failureOf(answer.error);
      }
    },
    byKey: () => noOperation(),
  };
}
