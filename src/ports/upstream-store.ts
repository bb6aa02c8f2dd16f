import type { DealFilter, DealListEntry } from '../domain/deal-list.js';
import type { Tenant } from '../domain/tenant.js';
import type { WorkFile } from '../domain/work-file.js';
import type { Answer } from './answer.js';
import type { ContractorRepository } from './contractor-repository.js';
import type { StoredDeal } from './deal-index.js';
import type { DealRepository, DealV2Repository } from './deal-repository.js';

/**
 * What another service decides by itself where it keeps the deals of record: all of it, and the store
 * says so, item by item, for `createMarketplace` refuses what is wired beside it.
 *
 * - `contractor_scope`: within what a contractor is known;
 * - `created_at`: when a deal was created, by its clock;
 * - `cursors`: how a list is paged;
 * - `events`: what happened, and who may read it;
 * - `idempotency`: which fingerprint a key stands for, and for how long;
 * - `ids`: of deals, stages and files;
 * - `payment_tokens`: their issue;
 * - `stages`: how a deal is split, and what a stage is called;
 * - `versions`: how often a deal has changed, so that a save has nothing to name;
 * - `work_files`: where contents are kept, how large they may be, and who looks into them.
 */
export type UpstreamDecision =
  | 'contractor_scope'
  | 'created_at'
  | 'cursors'
  | 'events'
  | 'idempotency'
  | 'ids'
  | 'payment_tokens'
  | 'stages'
  | 'versions'
  | 'work_files';

/**
 * Which page of a list is wanted: the first one, or the one that a cursor of that list names.
 */
export interface UpstreamPageQuery {
  /** `next` or `previous` of an earlier page, or what somebody made of it. */
  readonly cursor: string | undefined;
  /** 1 to 100. */
  readonly page_size: number;
}

/**
 * A page of a list, newest first, with the cursors of the service that keeps it.
 */
export interface UpstreamDealPage {
  /** At most as many as were asked for; all of them pass the filter. */
  readonly entries: readonly DealListEntry[];
  /** Of older deals. */
  readonly next: string | null;
  /** Of newer deals. */
  readonly previous: string | null;
}

/**
 * The deals of both versions that a tenant has, to be read, where another service keeps them and
 * pages its lists by cursors of its own.
 */
export interface UpstreamDealIndex {
  byPartnerId(tenant: Tenant, partner_id: string): Answer<StoredDeal | undefined>;
  /** A page of the deals that pass the filter, or that the cursor is none of this list. */
  page(
    tenant: Tenant,
    filter: DealFilter,
    query: UpstreamPageQuery,
  ): Answer<UpstreamDealPage | 'invalid_cursor'>;
}

/**
 * A file on its way to the service that keeps it.
 */
export interface UpstreamUpload {
  readonly deal_id: number;
  /**
   * A function is called once the content was read to its end: only then is the stage known. Where
   * it throws, the file is not to be stored.
   */
  readonly stage_id?: number | (() => number | undefined);
  /** 1 to 255 characters. */
  readonly name: string;
  readonly content_type?: string;
  /** Read once, piece by piece. Where it ends in an exception, the file is not to be stored. */
  readonly content: AsyncIterable<Uint8Array>;
  readonly idempotencyKey: string | undefined;
}

/**
 * What became of a file: stored, now or by the first upload under the same key; or why it was not.
 */
export type UpstreamUploadOutcome =
  | { readonly outcome: 'stored'; readonly file: WorkFile }
  /** There is no such deal. */
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'stage_required' | 'unknown_stage' }
  | { readonly outcome: 'too_large'; readonly max_bytes?: number }
  /** Its scanner has looked into it. */
  | { readonly outcome: 'refused' }
  /** The deal has as many files as it takes. */
  | { readonly outcome: 'full'; readonly max_files: number }
  /** The key was used for another file. */
  | { readonly outcome: 'exists'; readonly by: 'idempotency_key' };

/**
 * Work files of deals that another service keeps: content and record in one call.
 */
export interface UpstreamWorkFiles {
  add(tenant: Tenant, upload: UpstreamUpload): Answer<UpstreamUploadOutcome>;
}

/**
 * The doors of a store whose deals of record are another service's. `save`, `addWorkFile`,
 * `recordedWorkFiles` and `byKey` of its repositories may be `unavailable`, not retryable, where
 * that service has no such operation.
 */
export interface UpstreamStorePorts {
  readonly contractors: ContractorRepository;
  readonly deals: DealRepository;
  readonly dealsV2: DealV2Repository;
  readonly dealIndex: UpstreamDealIndex;
  readonly workFiles: UpstreamWorkFiles;
  readonly upstream: readonly UpstreamDecision[];
}
