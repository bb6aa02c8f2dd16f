import type { ContractorKey } from '../domain/contractor.js';
import type { Deal, NewDeal } from '../domain/deal.js';
import type { DealV2 } from '../domain/deal-v2.js';
import type { DomainEvent } from '../domain/events.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { Stage } from '../domain/stage.js';
import type { DealStatus, FreelancerStatus } from '../domain/status.js';
import type { Tenant } from '../domain/tenant.js';
import type { WorkFile } from '../domain/work-file.js';
import type { Answer } from './answer.js';
import type { SaveOutcome, Versioned } from './versioned.js';

/**
 * All that creating a deal of version 1.0 writes, in one atomic write or not at all.
 */
export interface DealAddition {
  readonly deal: NewDeal;
  /** Who must be registered for the deal to be stored. */
  readonly contractor: ContractorKey;
  /** At least one. The id of the first names the attempt: see `DealRepository.add`. */
  readonly events: readonly DomainEvent[];
  readonly idempotency: Idempotency | undefined;
}

/**
 * All that creating a deal of version 2.0 writes, in one atomic write or not at all.
 */
export interface DealV2Addition {
  readonly deal: DealV2;
  /** As in `DealAddition`. */
  readonly events: readonly DomainEvent[];
  readonly idempotency: Idempotency | undefined;
}

/**
 * The ids that a store gave a new deal of version 1.0: facts that never change.
 */
export interface DealIds {
  readonly id: number;
  /** In the order of the stages. */
  readonly stage_ids: readonly number[];
}

/**
 * Somebody was first: another create under the same idempotency key, whose answer is given back,
 * or another deal with the same `partner_id`, of either version.
 */
export type DealExistsAlready =
  | { readonly outcome: 'exists'; readonly by: 'partner_id' }
  | {
      readonly outcome: 'exists';
      readonly by: 'idempotency_key';
      readonly first: FirstDeal;
    };

/**
 * The first answer under an idempotency key, which deals of both versions share. `ids` are there
 * where it made a deal of version 1.0, `payment_token` where it made one of 2.0.
 */
export interface FirstDeal {
  readonly fingerprint: string;
  readonly ids?: DealIds;
  readonly payment_token?: string;
}

/**
 * What a deal repository decided about a deal of version 1.0. The order of judgement: the
 * idempotency key, `partner_id`, the contractor (decision 2.7).
 */
export type AddDealOutcome =
  | ({ readonly outcome: 'created' } & DealIds)
  | DealExistsAlready
  | { readonly outcome: 'contractor_missing' };

/**
 * What a deal repository decided about a deal of version 2.0. `payment_token` is there where another
 * service keeps the deal and has issued the token: then the deal to add holds `''`.
 */
export type AddDealV2Outcome =
  | { readonly outcome: 'created'; readonly payment_token?: string }
  | DealExistsAlready;

/**
 * All that recording a work file writes, in one atomic write or not at all. Its content is in the
 * file store by then.
 */
export interface WorkFileAddition {
  readonly deal_id: number;
  /** Of the deal as it was read; 0, which no deal has, where only the key is to be judged. */
  readonly version: number;
  /** Its stage is one of the deal's. */
  readonly file: WorkFile;
  /** As in `DealChange`. */
  readonly events: readonly DomainEvent[];
  readonly idempotency: Idempotency | undefined;
}

/**
 * What a deal repository decided about a work file. The idempotency key, scoped to the tenant's
 * work files, is judged first, then whether the file is recorded.
 */
export type AddWorkFileOutcome =
  | { readonly outcome: 'stored' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'missing' }
  | {
      readonly outcome: 'exists';
      readonly by: 'idempotency_key';
      readonly first: { readonly fingerprint: string; readonly file: WorkFile };
    };

/**
 * All that moving a deal of version 1.0 on writes, in one atomic write or not at all: statuses are
 * what changes of a deal once it is stored, and nothing else does.
 */
export interface DealChange {
  readonly deal_id: number;
  /** Of the deal as it was read. */
  readonly version: number;
  readonly status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** Those of the deal's stages that move on. The others stay as they are. */
  readonly stages: readonly Pick<Stage, 'id' | 'status'>[];
  /**
   * At least one. The first has the sequence `version + 1`, and the last one's becomes the version.
   */
  readonly events: readonly DomainEvent[];
}

/**
 * All that moving a deal of version 2.0 on writes, in one atomic write or not at all.
 */
export interface DealV2Change {
  readonly partner_id: string;
  /** Of the deal as it was read. */
  readonly version: number;
  readonly status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** As in `DealChange`. */
  readonly events: readonly DomainEvent[];
}

/**
 * Where deals of version 1.0 are kept, with their stages. It shares its `partner_id`s and its
 * idempotency keys with the repository of 2.0 deals: both are doors of one store.
 */
export interface DealRepository {
  /**
   * Stores deal, stages, events and idempotency record, or says why not, in one decision. A deal
   * that has the same first event was stored by this very attempt, and is `created`, unless the
   * addition has a key, which is judged first: an adapter that lost its connection may send an
   * addition again, and learns what became of it.
   */
  add(tenant: Tenant, addition: DealAddition): Answer<AddDealOutcome>;
  byId(tenant: Tenant, id: number): Answer<Versioned<Deal> | undefined>;
  byPartnerId(tenant: Tenant, partner_id: string): Answer<Versioned<Deal> | undefined>;
  /**
   * Makes the change if `version` is still the stored one, or says why not, in one decision. What a
   * change does not name stays as it is, the files of a stage and the idempotency record among it.
   */
  save(tenant: Tenant, change: DealChange): Answer<SaveOutcome>;
  /**
   * Appends the file to its stage, with events and idempotency record, if `version` is still the
   * stored one; or says why not, in one decision. A file whose id is recorded was stored by this
   * very attempt, and is `stored`.
   */
  addWorkFile(tenant: Tenant, addition: WorkFileAddition): Answer<AddWorkFileOutcome>;
  /** Those of these ids that a work file of the tenant has: contents with others are orphans. */
  recordedWorkFiles(tenant: Tenant, ids: readonly string[]): Answer<readonly string[]>;
}

/**
 * Where deals of version 2.0 are kept. It shares its `partner_id`s and its idempotency keys with
 * the repository of 1.0 deals: both are doors of one store.
 */
export interface DealV2Repository {
  /** As `DealRepository.add`, without stages and contractor. */
  add(tenant: Tenant, addition: DealV2Addition): Answer<AddDealV2Outcome>;
  byPartnerId(tenant: Tenant, partner_id: string): Answer<Versioned<DealV2> | undefined>;
  /** As `DealRepository.save`. */
  save(tenant: Tenant, change: DealV2Change): Answer<SaveOutcome>;
}
