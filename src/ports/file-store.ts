import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Where the contents of work files are kept, each under the id that the core gives it (a ULID).
 * Names of files never reach it.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import type { FileStore } from 'dealwright/ports';
 *
 * const files: FileStore = createMemoryStore().files;
 * ```
 */
export interface FileStore {
  /**
   * Keeps the whole content, durably, before it answers. Where the content ends in an exception,
   * nothing is there under the id, and the answer is a failure. The content is taken piece by
   * piece, the next one when the last is dealt with, so that no file has to fit the memory.
   */
  put(tenant: Tenant, id: string, content: AsyncIterable<Uint8Array>): Answer<'stored'>;
  get(tenant: Tenant, id: string): Answer<AsyncIterable<Uint8Array> | undefined>;
  delete(tenant: Tenant, id: string): Answer<'deleted' | 'missing'>;
  /** At most `limit` ids after `after`, in the order of their text; all but what is half written. */
  list(tenant: Tenant, after: string | undefined, limit: number): Answer<readonly string[]>;
}
