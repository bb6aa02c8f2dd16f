import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Where the contents of work files are kept, each under the id that the core gives it (a ULID).
 * Names of files never reach it.
 */
export interface FileStore {
  /**
   * Stores the whole content, durably, before it answers; until then nothing has the id. Where the
   * content ends in an exception, nothing is stored, and the answer is a failure: it never rejects.
   * The content is read piece by piece: the next piece is requested when the last one is stored,
   * and may overwrite its bytes. So no file has to fit into memory. The core puts an id once.
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
   * store lists by pages; none where there are no more. A content that is not stored completely is
   * not among them. A caller that wants all ids asks again after the last one; the store chooses
   * the length of a page.
   */
  list(tenant: Tenant, after: string | undefined): Answer<readonly string[]>;
}
