import { type ContractOptions, opening, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import { contents } from './contents.js';
import { failures } from './failures.js';
import { ids } from './ids.js';
import { owner, trash } from './owner.js';
import type { FileStoreSubject } from './subject.js';

/** The laws of file stores. */
export const fileStoreGroups = [contents, failures, ids, owner, trash] as const;

/**
 * Everything that any file store promises to the core. Each case gets an empty store, and stores
 * some ten megabytes at most. `options` names the groups to run: `{ groups: ['contents'] }`.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { createMemoryFileStore } from 'dealwright/memory';
 * import { fileStoreContract } from 'dealwright/spec';
 *
 * fileStoreContract({ describe, it }, () => ({
 *   ...createMemoryFileStore(),
 *   close: async () => undefined,
 * }));
 * ```
 */
export function fileStoreContract(
  runner: ContractRunner,
  makeStore: () => FileStoreSubject | PromiseLike<FileStoreSubject>,
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'fileStoreContract');
  runGroups(runner, 'file store', fileStoreGroups, opening(makeStore), options);
}
