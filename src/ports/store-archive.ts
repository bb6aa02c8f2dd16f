import type { Kind, Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';

/** A record of an archive, and the tenant that wrote it. */
export type ArchiveRecord = {
  [K in Kind]: { readonly kind: K; readonly tenant: Tenant; readonly row: Stored<K> };
}[Kind];

/** The records of a store, with the id of the store. */
export interface ArchiveRecords extends AsyncIterable<ArchiveRecord> {
  /**
   * The id of the store (`Store.identity`), if it has made one. It is asked for before the first
   * record is. Records that say nothing of it have no such method.
   */
  identity?(): PromiseLike<string | undefined>;
}

/** Everything that a store holds, to be moved to another one. Not every store has it. */
export interface StoreArchive {
  /**
   * All records as of one moment, which lies between the call and the first record: what is written
   * later is not among them. They come kind by kind, in the order of `records`: deals of a tenant
   * in the order in which its list has them, oldest first; events of a tenant in the order of its
   * log. Only the records under way are in memory, and the reader may stop early. Reading rejects
   * where the store fails. To ask for its id makes none.
   */
  dump(): ArchiveRecords;
  /**
   * Writes records, which come in the order in which `dump` gives them, into an empty store: all in
   * one atomic write, or none. It answers how many. Cursors of the event log stay what they were,
   * and integers that the store reserves later are above those that came; after 2^53-1 there are no
   * more. It rejects and leaves the store unchanged where the store is not empty, where a value is
   * not a record, where two records have the same key among those that share it or the same integer
   * in an environment, where a record is under one that is missing, and where the store or the
   * source of the records fails.
   *
   * The store takes over the id that comes with the records, also in the place of one that it has
   * made; records without one leave it its own. What is not a ULID is refused.
   */
  restore(records: ArchiveRecords): Promise<number>;
}
