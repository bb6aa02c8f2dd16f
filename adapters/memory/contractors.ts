import type { ContractorRepository } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { copyEvent, copyIdempotency, registerOf, type Shelves, shelfOf } from './shelves.js';

/** The contractor repository of a memory store. */
export function createContractors(shelves: Shelves): ContractorRepository {
  return {
    add(tenant, { key, contractor, events, idempotency }) {
      const shelf = shelfOf(shelves, tenant);
      const first = idempotency && shelf.firstContractors.get(idempotency.key);
      if (first !== undefined) {
        return ok({ outcome: 'exists', by: 'idempotency_key', first: { fingerprint: first } });
      }
      const register = registerOf(shelves, tenant, key);
      const registered = register.get(key.email_key);
      if (registered !== undefined) {
        const isOwn = registered.event_id === events[0]?.id;
        return ok(isOwn ? { outcome: 'created' } : { outcome: 'exists', by: 'email' });
      }

      register.set(key.email_key, {
        value: { ...contractor },
        version: events.length,
        tenant: { environment: tenant.environment, partner: tenant.partner },
        event_id: events[0]?.id ?? '',
        idempotency: copyIdempotency(idempotency),
      });
      for (const event of events) shelf.events.push(copyEvent(event));
      if (idempotency !== undefined) {
        shelf.firstContractors.set(idempotency.key, idempotency.fingerprint);
      }
      return ok({ outcome: 'created' });
    },
    byKey(tenant, key) {
      const found = registerOf(shelves, tenant, key).get(key.email_key);
      return ok(found && { value: { ...found.value }, version: found.version });
    },
  };
}
