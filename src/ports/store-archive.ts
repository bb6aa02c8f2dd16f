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
 *
 * @example
 * ```ts
 * import type { StoreRecord } from 'dealwright/ports';
 *
 * const ownerOf = ({ tenant }: StoreRecord): string => tenant.partner;
 * ```
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
 *
 * @example
 * ```ts
 * import type { StoreArchive } from 'dealwright/ports';
 *
 * const copy = (from: StoreArchive, to: StoreArchive) => to.restore(from.dump());
 * ```
 */
export interface StoreArchive {
  /**
   * All records as of one moment: contractors, then deals in the order in which each tenant's list
   * has them, oldest first, then the events of each tenant in the order of its log. Nothing is held
   * in memory but the records under way. It rejects where the store fails.
   */
  dump(): AsyncIterable<StoreRecord>;
  /**
   * Writes all records into an empty store, in one atomic write or not at all, and answers how many;
   * cursors of the event log stay what they were, and ids that it gives later are new. A store that
   * holds something already is left as it is: it rejects with what is wrong, as it does where the
   * store, or whoever gives the records, fails.
   */
  restore(records: AsyncIterable<StoreRecord>): Promise<number>;
}
