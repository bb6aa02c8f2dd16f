import type { DealPosition } from '../domain/deals/cursor.js';
import type { DealFilter, ListedDeal } from '../domain/deals/deal-list.js';
import type {
  DealPart,
  EndingKind,
  KeyOf,
  ListedKind,
  Stored,
  TimedKind,
} from '../domain/records/records.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';
import type { CommitOutcome, WriteSet } from './write-set.js';

/** A deal with the requested parts, each part in the order of its keys. */
export type DealWith<P extends DealPart> = { readonly deal: Stored<'deal'> } & {
  readonly [K in P]: readonly Stored<K>[];
};

/** Which deals of a list are wanted: from a position on, in one direction. */
export interface DealRange {
  /** Older deals than `from`, or newer ones. */
  readonly direction: 'older' | 'newer';
  /** Without it: the oldest end of what is newer, the newest end of what is older. */
  readonly from: DealPosition | undefined;
  readonly limit: number;
}

/** What a log says from a cursor on. */
export interface EventPage {
  readonly events: readonly Stored<'event'>[];
  /** A position that the store assigned; nothing that commits later is ever before it. */
  readonly cursor: string;
  /** The position after the last event that the log shows now. */
  readonly end: string;
}

/** A tenant that has written something, and the position after the last event of its log. */
export interface TenantLog {
  readonly tenant: Tenant;
  readonly end: string;
}

/** Which records of a kind are wanted, in the order of their keys. */
export interface RecordRange {
  /** Of a kind that is under another: the key of the one whose records are wanted. */
  readonly under?: string;
  readonly direction: 'ascending' | 'descending';
  /** The key after which they begin, in this direction; from the first one without it. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Where everything is kept: one write, and a few reads. Each method is one atomic decision; no
 * transaction spans two of them. A store knows kinds of records (`records`) and not their meaning:
 * it names no command and no status.
 *
 * A store returns copies: never an object that it keeps, nor one that it was given.
 */
export interface Store {
  /**
   * Makes the whole write, or none of it, in one atomic decision: its expectations are judged in
   * their order, on what is stored at that moment. Then the rows are inserted and changed, the
   * events are appended to the log of the tenant, and the version of the subject moves on by their
   * number: that is their sequence. `judge` says it in code.
   *
   * Where the answer was lost, the same write may be sent again: it is `committed` once.
   */
  commit(tenant: Tenant, write: WriteSet): Answer<CommitOutcome>;
  /**
   * Gives `count` consecutive integers of this environment that nobody else gets, 1 to 2^53-1, and
   * answers the first. What is not used is lost. Where not so many are left, it is `unavailable`
   * with the outcome `none`, and not worth a retry.
   */
  reserve(environment: Environment, count: number): Answer<number>;
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
    /** Those of these ids that a work file of the tenant has: contents with others are orphans. */
    recorded(tenant: Tenant, ids: readonly string[]): Answer<readonly string[]>;
  };
  readonly events: {
    /**
     * At most `limit` events after `cursor`, or from the beginning where it is `undefined`; or that
     * the cursor is not one of this log. A log may show an event later than its write was answered,
     * for as long as a slower write could still commit before it: it never shows one out of order.
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
  /** The records of the kinds that are `isListed` in the table of fields. */
  readonly records: {
    byKey<K extends ListedKind>(
      tenant: Tenant,
      kind: K,
      key: KeyOf<K>,
    ): Answer<Stored<K> | undefined>;
    /** It costs the same however many records are not in the range. */
    list<K extends ListedKind>(
      tenant: Tenant,
      kind: K,
      range: RecordRange,
    ): Answer<readonly Stored<K>[]>;
  };
  /**
   * At most `limit` records of a kind with a `due_at` that is not after `before`, the longest overdue
   * first, and of one time in the order of their keys. It costs the same however many records are not due.
   * Of a kind that is indexed by what it is under and `due_at`, those under one record are asked for.
   */
  due<K extends TimedKind>(
    tenant: Tenant,
    kind: K,
    before: string,
    limit: number,
    under?: string,
  ): Answer<readonly Stored<K>[]>;
  /**
   * At most `limit` tenants that have written something, after this one: in an order of the store's
   * own, in which a tenant keeps its place. With `before`, those alone that have a record with a
   * `due_at` not after it, of a kind whose `due_at` is indexed by itself. A store may leave that out
   * and answer more of them: it is then asked for what is due to each.
   */
  tenants(after: Tenant | undefined, limit: number, before?: string): Answer<readonly TenantLog[]>;
  /**
   * Deletes at most `limit` records of this kind whose time to end (`ends_at`, their own or that of
   * the record they are under) is not after `before`, and answers how many. A record goes once
   * nothing is under it. A store that keeps everything has no such method.
   */
  prune?(kind: EndingKind, before: string, limit: number): Answer<number>;
  /**
   * The id of this store, a ULID: always the same one, made by the first call. A folder of work
   * files knows by it whose contents it keeps. A store that has none has no such method, or answers
   * nothing: one behind a network may learn that from the other end.
   */
  identity?(): Answer<string | undefined>;
  /**
   * Calls the listener soon after a log has grown, also where another process wrote: with the tenant,
   * or without one where it may be any. It promises nothing: a reader looks by itself now and then.
   * The function that it returns ends that. A store that cannot tell has no such method.
   */
  watch?(listener: (tenant: Tenant | undefined) => void): () => void;
}
