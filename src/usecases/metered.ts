import type { Result } from 'neverthrow';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Timer } from '../ports/runtime.js';

/** Told how much a caller has a store read or write: about the bytes of the records, and 8 kB a read. */
export type Meter = (size: number) => void;

type Answered = Result<unknown, unknown>;

/** The price of a read, whatever it finds: in characters, as the size of records. */
const priceOfRead = 8_192;

/** A caller that reads this much in a row waits, so that others have their turn. */
const mostInARow = 16_384;

/** Milliseconds without a read that end a row; those of a wait; the longest wait of several. */
const [rowEnds, shortWait, longestWait] = [4, 2, 250];

/**
 * Ports that tell a meter of each answer with records, and of each write. A caller that reads much
 * has its waits one after the other, however many requests it has at once: in between is the work of
 * one read at most.
 */
export function metered(ports: GuardedPorts, timer: Timer, meter: Meter): GuardedPorts {
  let [inARow, last, free] = [0, 0, 0];
  /** The milliseconds that the caller has to wait after a read of this size. */
  const waitAfter = (size: number): number => {
    const time = timer.now();
    inARow = size + (time - last > rowEnds ? 0 : inARow);
    last = time;
    if (inARow < mostInARow) return 0;
    inARow = 0;
    // a clock that went back must not make it longer
    free = Math.min(Math.max(free, time), time + longestWait) + shortWait;
    return free - time;
  };
  const counted = (answer: Answered): Answered | Promise<Answered> => {
    const size = answer.isOk() ? sizeOf(answer.value) : 0;
    meter(priceOfRead + size);
    const wait = waitAfter(size);
    if (wait === 0) return answer;
    return new Promise((resolve) => void timer.sleep(wait, () => resolve(answer)));
  };
  const reading =
    <A extends unknown[], R extends Answered | Promise<Answered>>(call: (...given: A) => R) =>
    (...given: A): R => {
      const answer = call(...given);
      // a port answers at once or later, so R has both
      return (answer instanceof Promise ? answer.then(counted) : counted(answer)) as R;
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

/** About the work that a value makes: its characters, and some for each of its members. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let size = 0;
  for (const each of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(each);
  return size;
}
