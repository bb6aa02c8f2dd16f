import type { ContractorRepository, DomainEvent } from 'dealwright/ports';
import { err, ok } from 'neverthrow';
import { contractorOf } from '../sql/records.js';
import { addContractorStatement } from './change-sql.js';
import { unseen } from './failures.js';
import { byKeyStatement } from './read-sql.js';
import { contractorValues } from './row-values.js';
import { type SendOnce, sendUntil } from './send.js';

/** The contractor repository of a PostgreSQL store. */
export function createContractors(send: SendOnce, schema: string): ContractorRepository {
  const add = addContractorStatement(schema);
  const byKey = byKeyStatement(schema);
  return {
    add(tenant, { key, contractor, events, idempotency }) {
      const event_id = events[0]?.id ?? '';
      const values = contractorValues(
        tenant,
        key,
        events.length,
        event_id,
        idempotency,
        contractor,
      );
      values.push(events.length, eventsJson(events));
      return sendUntil(async (retries) => {
        const sent = await send(add, values, 1, retries);
        if (sent.isErr()) return err(sent.error);
        const [answer] = sent.value;
        if (answer === 'created') return ok({ outcome: 'created' });
        if (answer === 'taken') return ok({ outcome: 'exists', by: 'email' });
        if (answer === 'unseen') return err(unseen);
        const first = JSON.parse(answer ?? '') as { readonly fingerprint: string };
        return ok({ outcome: 'exists', by: 'idempotency_key', first });
      }, 'attempt');
    },
    byKey: (tenant, { register, email_key }) =>
      sendUntil(async (retries) => {
        const sent = await send(byKey, [tenant.environment, register, email_key], 1, retries);
        return sent.map(([text]) => (typeof text === 'string' ? contractorOf(text) : undefined));
      }, 'read'),
  };
}

/** Events as the statements that change something take them. */
export function eventsJson(events: readonly DomainEvent[]): string {
  return JSON.stringify(
    events.map(({ id, type, subject, sequence, at, data }) => {
      return { id, type, subject, sequence, at, data: JSON.stringify(data) };
    }),
  );
}
