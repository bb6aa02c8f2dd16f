import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Stores the contents of work files, each under the id that the core gives it (a ULID). It never
 * gets the names of files.
 */
export interface FileStore {
  /**
   * Stores the whole content, durably, before it answers; until then the id has no content. If
   * reading the content throws, nothing is stored, and the answer is a failure: it never rejects.
   * The content is read piece by piece: the next piece is requested when the last one is stored,
   * and may overwrite its bytes, so no file has to fit into memory. The core puts an id once.
   */
  put(tenant: Tenant, id: string, content: AsyncIterable<Uint8Array>): Answer<'stored'>;
  /**
   * The content, in pieces that the reader may keep and change, or `undefined` if there is none.
   * The reader may stop early, or never start. Reading throws if the content is deleted meanwhile
   * or the store fails.
   */
  get(tenant: Tenant, id: string): Answer<AsyncIterable<Uint8Array> | undefined>;
  delete(tenant: Tenant, id: string): Answer<'deleted' | 'missing'>;
  /**
   * The ids after `after`, in the order of their text: all of them, or the first ones if the store
   * lists by pages; none if there are no more. A content that is not stored completely is not
   * listed. A caller that wants all ids asks again after the last one; the store chooses the length
   * of a page.
   */
  list(tenant: Tenant, after: string | undefined): Answer<readonly string[]>;
  /**
   * The store that the contents belong to. Without it, nothing is swept unless the host allows it.
   */
  readonly owner?: FileOwner;
  /** The trash of a sweep. Without it, nothing is swept unless the host allows it. */
  readonly trash?: FileTrash;
}

/**
 * The owner of the contents: a store, by its id (`Store.identity`); `empty` if there are no
 * contents; `unknown` if no id is kept beside them.
 */
export type FileOwnership = { readonly store: string } | 'empty' | 'unknown';

/** Keeps the id of the store that the contents of all tenants belong to, beside the contents. */
export interface FileOwner {
  read(): Answer<FileOwnership>;
  /**
   * Keeps this id unless one is kept already, and returns the one that is kept now. If several
   * processes claim at once, all get the same id.
   */
  claim(store: string): Answer<string>;
  /** Keeps this id in place of any other. */
  replace(store: string): Answer<'replaced'>;
}

/** A content in the trash, and the time when it came there, in milliseconds since 1970. */
export interface TrashedFile {
  readonly id: string;
  readonly since: number;
}

/**
 * Keeps contents that are about to be deleted: they are not read, listed or deleted as contents,
 * and come back unchanged. Tenants are separate there too.
 */
export interface FileTrash {
  /**
   * Moves a content into the trash, with the time. After a crash in between, it is in one of the
   * two places, or in both.
   */
  put(tenant: Tenant, id: string, since: number): Answer<'trashed' | 'missing'>;
  /** Moves a content back. */
  restore(tenant: Tenant, id: string): Answer<'restored' | 'missing'>;
  /** Deletes a content of the trash for good. */
  delete(tenant: Tenant, id: string): Answer<'deleted' | 'missing'>;
  /** The contents of the trash with ids after `after`: in the order and by the pages of `list`. */
  list(tenant: Tenant, after: string | undefined): Answer<readonly TrashedFile[]>;
}

/** A file that was received and is not recorded yet. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  /** Read once, from the start, and as far as the scanner wants. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Examines a file before it is recorded, and may refuse it: a virus scanner, a rule of the host.
 *
 * The deadline of ports covers the time in which it neither asks for a piece nor answers, and
 * starts again with each piece; the wait for a piece is the file store's, with its own deadline for
 * each. If one of them passes, the upload is `unavailable`, and reading the content throws, so that
 * no scanner works on with a deleted file.
 */
export interface FileScanner {
  scan(tenant: Tenant, file: ReceivedFile): Answer<'accepted' | 'refused'>;
}
