import { type ContractRunner, checkRunner } from '../expectations.js';
import type { StoreSubject } from '../store/subject.js';
import { failing } from './failing.js';
import { ordering } from './ordering.js';
import { relays } from './relays.js';
import { sending } from './sending.js';
import { caseWith } from './subject.js';
import { subscriptions } from './subscriptions.js';

/**
 * Everything that relays of webhooks and subscriptions promise over a store: in ordinary running
 * each event arrives once, in the order of its subject, is tried again and given up as decided,
 * even if relays stop and die. Each case gets an empty store. It needs no network and no real time:
 * receivers are scripted, and the case moves the clock.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { createMemoryStore } from 'dealwright/memory';
 * import { deliveryContract } from 'dealwright/spec';
 *
 * deliveryContract({ describe, it }, () => ({
 *   ...createMemoryStore(),
 *   close: async () => undefined,
 * }));
 * ```
 */
export function deliveryContract(
  runner: ContractRunner,
  makeStore: () => StoreSubject | PromiseLike<StoreSubject>,
): void {
  checkRunner(runner, 'deliveryContract');
  const define = caseWith(runner, makeStore);
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`deliveries: ${name}`, () => group(define));
  }
}

const groups = {
  'what is sent': sending,
  'webhooks that fail': failing,
  'what waits': ordering,
  'several relays': relays,
  subscriptions,
} as const;
