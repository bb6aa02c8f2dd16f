import type { Kind, Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';

/** A record of an archive, and the tenant that wrote it. */
export type ArchiveRecord = {
  [K in Kind]: { readonly kind: K; readonly tenant: Tenant; readonly row: Stored<K> };
}[Kind];

/** The records of a store, with the id of the store. */
export interface ArchiveRecords extends AsyncIterable<ArchiveRecord> {
  /**
   * The id of the store (`Store.identity`), if it has made one. It is read before the first record.
   * Records that do not come from a store with an id lack this method.
   */
  identity?(): PromiseLike<string | undefined>;
  /**
   * Whether the records of a kind are of a version that did not have this field. Records of this
   * version lack this method.
   */
  lacks?(kind: Kind, field: string): PromiseLike<boolean>;
}

/** All records of a store, to be moved to another one. Not every store has it. */
export interface StoreArchive {
  /**
   * All records as of one moment between the call and the first record: later writes are not
   * included. They come kind by kind, in the order of `records`: deals of a tenant in the order of
   * its list, oldest first; events of a tenant in the order of its log. Only the records under way
   * are in memory, and the reader may stop early. Reading rejects if the store fails. Asking for
   * the id of the store makes none.
   */
  dump(): ArchiveRecords;
  /**
   * Writes records, in the order in which `dump` gives them, into an empty store: all in one atomic
   * write, or none. It returns how many. Cursors of the event log stay the same, and integers that
   * the store reserves later are above the restored ones; after 2^53-1 there are no more. It
   * rejects and leaves the store unchanged if the store is not empty, if a value is not a record,
   * if two records have the same key among those that share it or the same integer in an
   * environment, if a record is under one that is missing, and if the store or the source of the
   * records fails.
   *
   * The store takes over the id that comes with the records, even if it has made another one; if
   * the records have none, it keeps its own. An id that is not a ULID is refused.
   *
   * If deals lack `status_since`, each gets it from its events: the time of the first of its last
   * events `deal.…` that all tell of its status.
   */
  restore(records: ArchiveRecords): Promise<number>;
}
