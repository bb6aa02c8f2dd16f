import type { Contractor, ContractorKey } from '../domain/contractor.js';
import type { DomainEvent } from '../domain/events.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';
import type { Versioned } from './versioned.js';

/**
 * All that registering a contractor writes, in one atomic write or not at all.
 */
export interface ContractorRegistration {
  /** Unique within the environment. */
  readonly key: ContractorKey;
  readonly contractor: Contractor;
  /** At least one. The id of the first names the attempt. */
  readonly events: readonly DomainEvent[];
  readonly idempotency: Idempotency | undefined;
}

/**
 * What a contractor repository decided: stored, or who was first. An idempotency key (scoped to
 * the tenant's contractors) is judged before the contractor's own key.
 */
export type AddContractorOutcome =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'exists'; readonly by: 'email' }
  | {
      readonly outcome: 'exists';
      readonly by: 'idempotency_key';
      readonly first: { readonly fingerprint: string };
    };

/**
 * Where contractors are kept.
 */
export interface ContractorRepository {
  /**
   * Stores the whole registration, or says who was first, in one atomic decision. A contractor that
   * has the same first event was stored by this very attempt, and is `created`, unless the
   * registration has a key, which is judged first.
   */
  add(tenant: Tenant, registration: ContractorRegistration): Answer<AddContractorOutcome>;
  /** The contractor with this key in the tenant's environment. */
  byKey(tenant: Tenant, key: ContractorKey): Answer<Versioned<Contractor> | undefined>;
}
