import { type ContractRunner, checkRunner } from '../expectations.js';
import { identity } from './claims.js';
import { dumps } from './dumps.js';
import { refusals } from './refusals.js';
import { roundTrip } from './round-trip.js';
import { caseWithStores, type MakeSubject } from './subject.js';

/**
 * Everything that the archive of a store promises: another store is the same once it has the
 * records, including repeated writes, cursors and integers; and a failed restore leaves nothing.
 * `makeFrom` makes the stores that are dumped, `makeInto` those that are restored, each empty;
 * several are open at once. Give both to test moving between two kinds of stores.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { createMemoryStore } from 'dealwright/memory';
 * import { storeArchiveContract } from 'dealwright/spec';
 *
 * const makeStore = () => ({ ...createMemoryStore(), close: async () => undefined });
 * storeArchiveContract({ describe, it }, makeStore, makeStore);
 * ```
 */
export function storeArchiveContract(
  runner: ContractRunner,
  makeFrom: MakeSubject,
  makeInto: MakeSubject = makeFrom,
): void {
  checkRunner(runner, 'storeArchiveContract');
  const define = caseWithStores(runner, makeFrom, makeInto);
  const groups = { 'round trip': roundTrip, dump: dumps, refusals, id: identity };
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`archive: ${name}`, () => group(define));
  }
}
