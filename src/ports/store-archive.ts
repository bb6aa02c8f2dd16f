import type { Contractor, ContractorKey } from '../domain/contractor.js';
import type { Deal } from '../domain/deal.js';
import type { DealV2 } from '../domain/deal-v2.js';
import type { DomainEvent } from '../domain/events.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { Tenant } from '../domain/tenant.js';

/** What every record of a contractor or a deal says beside it. */
interface StoredBeside {
  /** Whose deal it is, or who registered the contractor. */
  readonly tenant: Tenant;
  readonly version: number;
  /** The id of the first event: the attempt, and with `created_at` the place in lists. */
  readonly event_id: string;
  readonly idempotency: Idempotency | undefined;
}

/**
 * One record of a store, whole: all that the store has to keep of a contractor, of a deal with its
 * stages and files, or of an event. Whoever gives a store these records gives it everything.
 */
export type StoreRecord =
  | ({
      readonly record: 'contractor';
      readonly key: ContractorKey;
      readonly contractor: Contractor;
    } & StoredBeside)
  | ({
      readonly record: 'deal';
      readonly deal: Deal;
      /** The idempotency records of its work files. */
      readonly work_file_keys: readonly (Idempotency & { readonly file_id: string })[];
    } & StoredBeside)
  | ({ readonly record: 'deal_v2'; readonly deal: DealV2 } & StoredBeside)
  | {
      readonly record: 'event';
      readonly tenant: Tenant;
      readonly event: DomainEvent;
    };

/**
 * Everything that a store holds, to be read whole and to be written whole: for backups, and for
 * moving from one store to another. It is no port of a use case, and may need a connection of its
 * own, so that what it reads is all of one moment.
 */
export interface StoreArchive {
  /**
   * All records as of one moment, which lies between the call and the first record: what is written
   * later is not among them. Contractors come first, then deals, those of a tenant in the order in
   * which its list has them, oldest first, then events, those of a tenant in the order of its log.
   * Nothing is held in memory but the records under way, and the reader may stop early. Reading
   * rejects where the store fails.
   */
  dump(): AsyncIterable<StoreRecord>;
  /**
   * Writes records, which come in the order in which `dump` gives them, into an empty store: all in
   * one atomic write, or none. It answers how many. Cursors of the event log stay what they were, and
   * ids that the store gives later are above those that came; behind 2^53-1 there are none, and a
   * create that needs one is `unavailable`, with the outcome `none`. It rejects and leaves the store
   * as it is where that holds something already, where two records lay claim to what is one's own (a
   * contractor's key; the integer id of a deal, or of a stage, of whichever tenants of an environment;
   * a `partner_id`, the id of a work file or an idempotency key of a tenant), where the key of a work
   * file names a file that its deal has not, where what comes is no record, and where the store
   * fails, or whoever gives the records.
   */
  restore(records: AsyncIterable<StoreRecord>): Promise<number>;
}
