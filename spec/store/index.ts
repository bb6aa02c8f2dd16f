import { type ContractOptions, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import type { LawGroup } from '../laws.js';
import { attempts } from './attempts.js';
import { commits } from './commits.js';
import { copies, tornReads } from './copies.js';
import { due } from './due.js';
import { events } from './events.js';
import { indexes } from './indexes.js';
import { interleavings } from './interleavings.js';
import { listCosts } from './list-costs.js';
import { lists } from './lists.js';
import { pruning } from './prune.js';
import { races } from './races.js';
import { randomWrites } from './random.js';
import { listedRecords } from './records.js';
import { refusals } from './refusals.js';
import { identity, reserve } from './reserve.js';
import { opened, type StoreSubject } from './subject.js';
import { watching } from './watch.js';

/** The laws of stores, with their cases. */
export const storeGroups: readonly LawGroup<StoreSubject>[] = [
  ...[commits, refusals, attempts, lists, listCosts, due, listedRecords, indexes, pruning, events],
  ...[watching, copies, reserve, identity, races, tornReads, randomWrites, interleavings],
];

/**
 * Everything that any store promises to the core. Each case gets an empty store, which may answer
 * at once or later. `options.groups` names the groups to run while you write a store, such as
 * `{ groups: ['events'] }`; by default all run.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { createMemoryStore } from 'dealwright/memory';
 * import { storeContract } from 'dealwright/spec';
 *
 * storeContract({ describe, it }, () => ({
 *   ...createMemoryStore(),
 *   close: async () => undefined,
 * }));
 * ```
 */
export function storeContract(
  runner: ContractRunner,
  makeStore: () => StoreSubject | PromiseLike<StoreSubject>,
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'storeContract');
  runGroups(runner, 'store', storeGroups, opened(makeStore), options);
}
