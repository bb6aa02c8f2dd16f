import type { Tenant } from '../domain/values/tenant.js';
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
  /** Which store the contents belong to. Without it, nothing is swept unless the host says so. */
  readonly owner?: FileOwner;
  /** Where a sweep puts contents. Without it, nothing is swept unless the host says so. */
  readonly trash?: FileTrash;
}

/**
 * Whose the contents are: a store's, by its id (`Store.identity`); nobody's, as there are none; or
 * that of a store that is not known, as no id is kept beside them.
 */
export type FileOwnership = { readonly store: string } | 'empty' | 'unknown';

/** Keeps the id of the store that the contents of all tenants belong to, beside them. */
export interface FileOwner {
  read(): Answer<FileOwnership>;
  /**
   * Keeps this id unless one is kept already, and answers the one that is kept now. Of several that
   * claim at once, in several processes, all are answered the same id.
   */
  claim(store: string): Answer<string>;
  /** Keeps this id in the place of any other. */
  replace(store: string): Answer<'replaced'>;
}

/** A content in the trash, and when it came there, in milliseconds since 1970. */
export interface TrashedFile {
  readonly id: string;
  readonly since: number;
}

/**
 * Keeps contents that are about to be deleted: they are not read, listed or deleted as contents, and
 * come back as they were. Tenants are kept apart there too.
 */
export interface FileTrash {
  /**
   * Moves a content into the trash, with the time. After a crash on the way it is in one of the two
   * places, or in both.
   */
  put(tenant: Tenant, id: string, since: number): Answer<'trashed' | 'missing'>;
  /** Moves a content back to where it was. */
  restore(tenant: Tenant, id: string): Answer<'restored' | 'missing'>;
  /** Deletes a content of the trash for good. */
  delete(tenant: Tenant, id: string): Answer<'deleted' | 'missing'>;
  /** What is in the trash, with ids after `after`: in the order and by the pages of `list`. */
  list(tenant: Tenant, after: string | undefined): Answer<readonly TrashedFile[]>;
}
