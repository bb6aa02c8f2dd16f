import type { Kind, Stored } from '../domain/records.js';
import type { Tenant } from '../domain/tenant.js';

/** A record of an archive, and the tenant that wrote it. */
export type ArchiveRecord = {
  [K in Kind]: { readonly kind: K; readonly tenant: Tenant; readonly row: Stored<K> };
}[Kind];

/** Everything that a store holds, to be moved to another one. Not every store has it. */
export interface StoreArchive {
  /**
   * All records as of one moment, which lies between the call and the first record: what is written
   * later is not among them. They come kind by kind, in the order of `records`: deals of a tenant in
   * the order in which its list has them, oldest first; events of a tenant in the order of its log.
   * Nothing is held in memory but the records under way, and the reader may stop early. Reading
   * rejects where the store fails.
   */
  dump(): AsyncIterable<ArchiveRecord>;
  /**
   * Writes records, which come in the order in which `dump` gives them, into an empty store: all in
   * one atomic write, or none. It answers how many. Cursors of the event log stay what they were, and
   * integers that the store reserves later are above those that came; behind 2^53-1 there are none.
   * It rejects and leaves the store as it is where that holds something already, where what comes is
   * not a record, where two records have the same key among those that share it, or the same integer
   * in an environment, where a record is under one that did not come, and where the store fails, or
   * the one who gives the records.
   */
  restore(records: AsyncIterable<ArchiveRecord>): Promise<number>;
}
