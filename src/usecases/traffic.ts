import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Timer } from '../ports/timer.js';

/** Milliseconds after a request in which others are expected. */
const isNear = 100;

/** How many records of a tenant are worked on at once, and while requests are answered. */
const [alone, besideRequests] = [64, 1];

/** Sees whether requests are answered, so that what is due leaves room for them. */
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
