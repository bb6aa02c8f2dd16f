import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Timer } from '../ports/timer.js';

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
