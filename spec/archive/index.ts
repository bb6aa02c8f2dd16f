import { type ContractOptions, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import { identity } from './claims.js';
import { dumps } from './dumps.js';
import { refusals } from './refusals.js';
import { roundTrip } from './round-trip.js';
import { type MakeSubject, openingStores } from './subject.js';

/** The laws of archives. */
export const storeArchiveGroups = [roundTrip, dumps, refusals, identity] as const;

/**
 * Everything that the archive of a store promises: another store is the same once it has the
 * records, including repeated writes, cursors and integers; and a failed restore leaves nothing.
 * `makeFrom` makes the stores that are dumped, `makeInto` those that are restored, each empty;
 * several are open at once. Give both to test moving between two kinds of stores. `options` names
 * the groups to run: `{ groups: ['dump'] }`.
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
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'storeArchiveContract');
  runGroups(runner, 'archive', storeArchiveGroups, openingStores(makeFrom, makeInto), options);
}
