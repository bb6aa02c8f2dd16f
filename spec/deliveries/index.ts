import { type ContractOptions, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import { opened, type StoreSubject } from '../store/subject.js';
import { failing } from './failing.js';
import { ordering } from './ordering.js';
import { relays } from './relays.js';
import { sending } from './sending.js';
import { overStores } from './subject.js';
import { subscriptions } from './subscriptions.js';

/** The laws of webhooks and subscriptions over a store. */
export const deliveryGroups = [sending, failing, ordering, relays, subscriptions].map(overStores);

/**
 * Everything that relays of webhooks and subscriptions promise over a store: in ordinary running
 * each event arrives once, in the order of its subject, is tried again and given up as decided,
 * even if relays stop and die. Each case gets an empty store. It needs no network and no real time:
 * receivers are scripted, and the case moves the clock. `options` names the groups to run:
 * `{ groups: ['what waits'] }`.
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
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'deliveryContract');
  runGroups(runner, 'deliveries', deliveryGroups, opened(makeStore), options);
}
