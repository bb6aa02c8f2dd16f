import type { DealPosition } from '../domain/deals/cursor.js';
import type { DealFilter, IndexedDeal, ListedDeal } from '../domain/deals/deal-list.js';
import type {
  DealPart,
  EndingKind,
  KeyOf,
  ListedKind,
  RecordKind,
  Stored,
  TimedKind,
  Value,
} from '../domain/records/records.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';
import type { CommitOutcome, WriteSet } from './write-set.js';

/** A deal with the requested parts, each part in the order of its keys. */
export type DealWith<P extends DealPart> = { readonly deal: Stored<'deal'> } & {
  readonly [K in P]: readonly Stored<K>[];
};

/** The wanted deals of a list: from a position on, in one direction. */
export interface DealRange {
  /** Older deals than `from`, or newer ones. */
  readonly direction: 'older' | 'newer';
  /** Without it: the oldest deal if `newer`, the newest if `older`. */
  readonly from: DealPosition | undefined;
  readonly limit: number;
}

/** The events of a log after a cursor. */
export interface EventPage {
  readonly events: readonly Stored<'event'>[];
  /** A position that the store assigned; no later commit is ever before it. */
  readonly cursor: string;
  /** The position after the last event that the log shows now. */
  readonly end: string;
}

/** A tenant that has written something, and the position after the last event of its log. */
export interface TenantLog {
  readonly tenant: Tenant;
  readonly end: string;
}

/** The wanted records of a kind, in the order of their keys. */
export interface RecordRange {
  /** Of a kind that is under another: the key of the record they are under. */
  readonly under?: string;
  readonly direction: 'ascending' | 'descending';
  /** The key after which they start, in this direction; without it, from the first one. */
  readonly after?: string;
  readonly limit: number;
}

/** The tenant of the wanted records, or the environment of all its tenants. */
export interface IndexOwner {
  readonly environment: Environment;
  readonly partner?: string;
}

/**
 * The wanted records of an index, in its order: by its fields one after the other, text by code
 * point. A record without a value in one of them is not in the index.
 */
export interface IndexRange {
  /** The fields of an index of the kind: of its `indexes` for one tenant, else of its `across`. */
  readonly index: readonly string[];
  /** The values that its first fields have, fewer than it has fields. */
  readonly equal: readonly Value[];
  /** The next field is not below this. */
  readonly from?: string;
  /** The next field is below this. */
  readonly to?: string;
  readonly direction: 'ascending' | 'descending';
  /** The values of its fields after `equal`: the range starts after them, in its direction. */
  readonly after?: readonly Value[];
  readonly limit: number;
}

/** A record that was found by an index, and the partner that it is of. */
export interface Indexed<K extends RecordKind> {
  readonly partner: string;
  /** Of a deal only `indexedFields`. */
  readonly row: K extends 'deal' ? IndexedDeal : Stored<K>;
}

/**
 * Stores all records: one write, and a few reads. Each method is one atomic decision; no
 * transaction spans two of them. A store knows kinds of records (`records`) and not their meaning:
 * it names no command and no status.
 *
 * A store returns copies: never an object that it keeps, nor one that it was given.
 */
export interface Store {
  /**
   * Makes the whole write, or none of it, in one atomic decision. Its expectations are judged in
   * their order, on the records stored at that moment. Then the rows are inserted and changed, the
   * events are appended to the log of the tenant, and the version of the subject grows by their
   * number: that is their sequence. `judge` is the reference in code.
   *
   * If the answer was lost, the same write may be sent again: it is `committed` once.
   */
  commit(tenant: Tenant, write: WriteSet): Answer<CommitOutcome>;
  /**
   * Reserves `count` consecutive integers of this environment for this caller alone, 1 to 2^53-1,
   * and returns the first. Unused ones are lost. If fewer are left, it is `unavailable` with the
   * outcome `none`, and not worth a retry.
   *
   * With `above`, an integer that was reserved before, by any process, all of them are greater than
   * it. A store that always counts up need not look at it; one that keeps a block of integers for a
   * process drops the block if its next one is not greater.
   */
  reserve(environment: Environment, count: number, above?: number): Answer<number>;
  readonly deals: {
    /** The tenant's deal with this integer. */
    byId<P extends DealPart>(
      tenant: Tenant,
      id: number,
      parts: readonly P[],
    ): Answer<DealWith<P> | undefined>;
    byPartnerId<P extends DealPart>(
      tenant: Tenant,
      partner_id: string,
      parts: readonly P[],
    ): Answer<DealWith<P> | undefined>;
    /** The tenant's deal that has this payment token. */
    byPaymentToken<P extends DealPart>(
      tenant: Tenant,
      payment_token: string,
      parts: readonly P[],
    ): Answer<DealWith<P> | undefined>;
    /**
     * The deals of the range that pass the filter, newest first in either direction: by
     * `created_at`, and in the same millisecond by `attempt`. It costs the same at any depth: a
     * store seeks the position in an index.
     */
    list(tenant: Tenant, filter: DealFilter, range: DealRange): Answer<readonly ListedDeal[]>;
  };
  readonly workFiles: {
    /**
     * The ids among these that a work file of the tenant has: contents with other ids are orphans.
     */
    recorded(tenant: Tenant, ids: readonly string[]): Answer<readonly string[]>;
  };
  readonly events: {
    /**
     * At most `limit` events after `cursor`, or from the beginning if it is `undefined`; or that
     * the cursor is not one of this log. A log may show an event later than its write was answered,
     * as long as a slower write could still commit before it: it never shows one out of order.
     */
    after(
      tenant: Tenant,
      cursor: string | undefined,
      limit: number,
    ): Answer<EventPage | 'invalid_cursor'>;
    /** At most `limit` events of one subject, with sequences above `sequence`, in their order. */
    of(
      tenant: Tenant,
      subject: string,
      sequence: number,
      limit: number,
    ): Answer<readonly Stored<'event'>[]>;
  };
  readonly records: {
    /** A record of a kind that is `isListed` in the table of fields. */
    byKey<K extends ListedKind>(
      tenant: Tenant,
      kind: K,
      key: KeyOf<K>,
    ): Answer<Stored<K> | undefined>;
    /**
     * The records of such a kind. Its cost does not depend on the number of records outside the
     * range.
     */
    list<K extends ListedKind>(
      tenant: Tenant,
      kind: K,
      range: RecordRange,
    ): Answer<readonly Stored<K>[]>;
    /**
     * The records of any kind in a range of an index. Its cost does not depend on the number of
     * records outside the range.
     */
    byIndex<K extends RecordKind>(
      owner: IndexOwner,
      kind: K,
      range: IndexRange,
    ): Answer<readonly Indexed<K>[]>;
  };
  /**
   * At most `limit` records of a kind with a `due_at` that is not after `before`, the longest
   * overdue first, and those of one time in the order of their keys. Its cost does not depend on
   * the number of records that are not due. For a kind that is indexed by its parent and `due_at`,
   * the call names the parent.
   */
  due<K extends TimedKind>(
    tenant: Tenant,
    kind: K,
    before: string,
    limit: number,
    under?: string,
  ): Answer<readonly Stored<K>[]>;
  /**
   * At most `limit` tenants that have written something, after this one: in the store's own order,
   * in which a tenant keeps its place. With `before`, only those that have a record with a `due_at`
   * not after it, of a kind whose `due_at` has an index of its own. A store may ignore `before` and
   * return more of them: it is then asked for the due records of each.
   */
  tenants(after: Tenant | undefined, limit: number, before?: string): Answer<readonly TenantLog[]>;
  /**
   * Deletes at most `limit` records of this kind whose `ends_at` (their own or that of the record
   * they are under) is not after `before`, and returns how many. A record is deleted once no record
   * is under it. A store that keeps everything lacks this method.
   */
  prune?(kind: EndingKind, before: string, limit: number): Answer<number>;
  /**
   * The id of this store, a ULID: always the same one, made by the first call. It tells a folder of
   * work files which store its contents belong to. A store without an id lacks this method, or
   * returns `undefined`: one behind a network may learn that from the other end.
   */
  identity?(): Answer<string | undefined>;
  /**
   * Calls the listener soon after a log has grown, even if another process wrote: with the tenant,
   * or without one if it may be any. Calls may be missed: a reader also looks by itself now and
   * then. The returned function ends the calls. A store that cannot notify lacks this method.
   */
  watch?(listener: (tenant: Tenant | undefined) => void): () => void;
}
