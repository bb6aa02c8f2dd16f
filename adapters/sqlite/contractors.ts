import type { AddContractorOutcome, ContractorRepository } from 'dealwright/ports';
import { contractorOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import type { Inserts } from './inserts.js';
import { contractorJson } from './selects.js';
import type { Prepare } from './sqlite-like.js';

/** The repository of contractors. */
export function createContractors(
  prepare: Prepare,
  inserts: Inserts,
  { read, write }: Connection,
): ContractorRepository {
  const findFirst = prepare(
    'select fingerprint from dealwright_contractors where tenant = ? and idempotency_key = ?',
  );
  const findThere = prepare(`select event_id from dealwright_contractors
    where environment = ? and register = ? and email_key = ?`);
  const byKey = prepare(`select ${contractorJson} as json from dealwright_contractors c
    where c.environment = ? and c.register = ? and c.email_key = ?`);

  return {
    add({ environment, partner }, { key, contractor, events, idempotency }) {
      const tenant = tenantText({ environment, partner });
      const event_id = events[0]?.id ?? '';
      return write<AddContractorOutcome>({
        name: 'contractors.add',
        apply(ledger) {
          const first =
            idempotency && findFirst.get<{ fingerprint: string }>(tenant, idempotency.key);
          if (first !== undefined) {
            const { fingerprint } = first;
            return { outcome: 'exists', by: 'idempotency_key', first: { fingerprint } };
          }
          const there = findThere.get<{ event_id: string }>(
            environment,
            key.register,
            key.email_key,
          );
          if (there !== undefined) {
            const isOwn = there.event_id === event_id;
            return isOwn ? { outcome: 'created' } : { outcome: 'exists', by: 'email' };
          }
          const beside = { tenant, version: events.length, event_id, idempotency };
          inserts.contractor(environment, key, beside, contractor);
          ledger.append(tenant, events);
          return { outcome: 'created' };
        },
      });
    },
    byKey({ environment }, { register, email_key }) {
      return read('contractors.byKey', () => {
        const found = byKey.get<{ json: string }>(environment, register, email_key);
        return found && contractorOf(found.json);
      });
    },
  };
}
