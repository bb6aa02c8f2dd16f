import type { Result } from 'neverthrow';
import type { GuardedPorts } from '../ports/guarded-ports.js';

/** Told how much a caller has a store read or write: about the bytes of the records, in UTF-16. */
export type Meter = (size: number) => void;

type Answered = Result<unknown, unknown>;

/** Ports that tell a meter of each answer with records, and of each write. */
export function metered(ports: GuardedPorts, meter: Meter): GuardedPorts {
  const count = (answer: Answered) => {
    if (answer.isOk()) meter(sizeOf(answer.value));
  };
  const reading =
    <A extends unknown[], R extends Answered | Promise<Answered>>(call: (...given: A) => R) =>
    (...given: A): R => {
      const answer = call(...given);
      if (answer instanceof Promise) void answer.then(count);
      else count(answer);
      return answer;
    };
  return {
    ...ports,
    commit(tenant, write) {
      meter(sizeOf(write));
      return ports.commit(tenant, write);
    },
    dealById: reading(ports.dealById) as typeof ports.dealById,
    dealByPartnerId: reading(ports.dealByPartnerId) as typeof ports.dealByPartnerId,
    dealByPaymentToken: reading(ports.dealByPaymentToken) as typeof ports.dealByPaymentToken,
    listDeals: reading(ports.listDeals),
    eventsAfter: reading(ports.eventsAfter),
    eventsOf: reading(ports.eventsOf),
    recordByKey: reading(ports.recordByKey) as typeof ports.recordByKey,
    listRecords: reading(ports.listRecords) as typeof ports.listRecords,
    recordsByIndex: reading(ports.recordsByIndex) as typeof ports.recordsByIndex,
    tenants: reading(ports.tenants),
  };
}

/** The characters of a value, with eight for each member that is no text. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const each of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(each);
  return size;
}
