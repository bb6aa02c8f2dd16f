import { type ContractRunner, checkRunner } from '../expectations.js';
import { attempts } from './attempts.js';
import { commits } from './commits.js';
import { copies, tornReads } from './copies.js';
import { due } from './due.js';
import { events } from './events.js';
import { interleavings } from './interleavings.js';
import { listCosts } from './list-costs.js';
import { lists } from './lists.js';
import { pruning } from './prune.js';
import { races } from './races.js';
import { randomWrites } from './random.js';
import { listedRecords } from './records.js';
import { refusals } from './refusals.js';
import { identity, reserve } from './reserve.js';
import { caseWith, type StoreSubject } from './subject.js';
import { watching } from './watch.js';

/**
 * Everything that any store promises to the core. Each case gets an empty store, which may answer
 * at once or later.
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
): void {
  checkRunner(runner, 'storeContract');
  const define = caseWith(runner, makeStore);
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`store: ${name}`, () => group(define));
  }
}

const groups = {
  writes: commits,
  'what refuses a write': refusals,
  'writes that come again': attempts,
  'reads of deals': lists,
  'what a list costs': listCosts,
  'what is due, and whose a token is': due,
  'records by their keys': listedRecords,
  'what has ended': pruning,
  events: events,
  'those that watch': watching,
  copies: copies,
  'integers and tenants': reserve,
  'the id of a store': identity,
  'writes at the same time': races,
  'reads while others write': tornReads,
  'random writes against a model': randomWrites,
  'interleavings against a model': interleavings,
} as const;
