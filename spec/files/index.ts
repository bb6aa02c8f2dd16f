import { type ContractRunner, checkRunner } from '../expectations.js';
import { contents } from './contents.js';
import { failures } from './failures.js';
import { ids } from './ids.js';
import { owner, trash } from './owner.js';
import { caseWith, type FileStoreSubject } from './subject.js';

/**
 * Everything that any file store promises to the core. Each case gets an empty store, and stores
 * some ten megabytes at most.
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
): void {
  checkRunner(runner, 'fileStoreContract');
  const define = caseWith(runner, makeStore);
  runner.describe('file store: contents', () => contents(define));
  runner.describe('file store: contents that fail', () => failures(define));
  runner.describe('file store: ids and tenants', () => ids(define));
  runner.describe('file store: whose it is', () => owner(define));
  runner.describe('file store: trash', () => trash(define));
}
