import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Where the contents of work files are kept, each under the id that the core gives it (a ULID).
 * Names of files never reach it.
 */
export interface FileStore {
  /**
   * Keeps the whole content, durably, before it answers; until then nothing is under the id. Where
   * the content ends in an exception, nothing is there either, and the answer is a failure: it
   * never rejects. The content is taken piece by piece, the next one when the last is dealt with,
   * whose bytes may be overwritten then; so no file has to fit the memory. The core puts an id once.
   */
  put(tenant: Tenant, id: string, content: AsyncIterable<Uint8Array>): Answer<'stored'>;
  /**
   * The content, in pieces that are the reader's own, or nothing where there is none. The reader may
   * stop early, or never begin. Reading throws where the content is deleted meanwhile or the store
   * fails.
   */
  get(tenant: Tenant, id: string): Answer<AsyncIterable<Uint8Array> | undefined>;
  delete(tenant: Tenant, id: string): Answer<'deleted' | 'missing'>;
  /**
   * The ids after `after`, in the order of their text: all of them, or the first ones where the
   * store lists by pages; none where there are no more. What is half written is not among them. Who
   * goes through them all asks again after the last one, so a page is as long as makes that cheap.
   */
  list(tenant: Tenant, after: string | undefined): Answer<readonly string[]>;
}
