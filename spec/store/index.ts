import { type ContractRunner, checkRunner } from '../expectations.js';
import { interleavings } from './interleavings.js';
import { randomWrites } from './random.js';
import { caseWith, type StoreSubject } from './subject.js';

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
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`store: ${name}`, () => group(define));
  }
}

const groups = {
  'random writes against a model': randomWrites,
  'interleavings against a model': interleavings,
} as const;
