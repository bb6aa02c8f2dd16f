import { type ContractRunner, checkRunner } from '../expectations.js';
import { anyStore } from './any-store.js';
import { attempts } from './attempts.js';
import { contractors } from './contractors.js';
import { dealIndex } from './deal-index.js';
import { deals } from './deals.js';
import { eventLog } from './event-log.js';
import { interleavings } from './interleavings.js';
import { isolation } from './isolation.js';
import { races } from './races.js';
import { randomOperations } from './random-operations.js';
import { saves } from './saves.js';
import { caseWith, type StoreSubject } from './subject.js';
import { workFiles } from './work-files.js';

/**
 * Everything that a store promises to the core, whatever it is made of. Each case gets an empty
 * store; one that answers at once is served as well as one that answers later.
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
  const groups = {
    anyStore,
    contractors,
    deals,
    attempts,
    saves,
    workFiles,
    dealIndex,
    isolation,
    eventLog,
    races,
    randomOperations,
    interleavings,
  };
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`store: ${names[name as keyof typeof groups]}`, () => group(define));
  }
}

const names = {
  anyStore: 'any store',
  contractors: 'contractors',
  deals: 'deals',
  attempts: 'attempts',
  saves: 'saves',
  workFiles: 'work files',
  dealIndex: 'the index of deals',
  isolation: 'isolation',
  eventLog: 'events',
  races: 'races',
  randomOperations: 'random operations against a model',
  interleavings: 'interleavings against a model',
} as const;
