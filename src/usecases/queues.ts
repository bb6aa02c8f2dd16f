import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Timer } from '../ports/runtime.js';

/** Runs a limited number of tasks of a name at once; the others wait their turn. */
export type Queues = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/** Makes queues in which at most `limit` tasks of one name run at once. */
export function createQueues(limit: number): Queues {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (name, task) => {
    let queue = queues.get(name);
    if (queue === undefined) {
      queue = { running: 0, waiting: [] };
      queues.set(name, queue);
    }
    if (queue.running < limit) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else {
        queue.running -= 1;
        if (queue.running === 0) queues.delete(name);
      }
    }
  };
}

/** Milliseconds after a request in which more are expected. */
const isNear = 100;

/** How many records of a tenant are processed at once, and while requests are answered. */
const [alone, besideRequests] = [64, 1];

/** Tracks whether requests are answered, so that due work leaves room for them. */
export function createTraffic(timer: Timer) {
  let last = Number.NEGATIVE_INFINITY;
  return {
    atOnce: () => (timer.now() - last < isNear ? besideRequests : alone),
    /** The ports of requests. */
    seeing(ports: GuardedPorts): GuardedPorts {
      const see =
        <A extends unknown[], R>(call: (...given: A) => R) =>
        (...given: A): R => {
          last = timer.now();
          return call(...given);
        };
      return {
        ...ports,
        commit: see(ports.commit),
        dealById: see(ports.dealById) as typeof ports.dealById,
        dealByPartnerId: see(ports.dealByPartnerId) as typeof ports.dealByPartnerId,
        dealByPaymentToken: see(ports.dealByPaymentToken) as typeof ports.dealByPaymentToken,
        listDeals: see(ports.listDeals),
      };
    },
  };
}
