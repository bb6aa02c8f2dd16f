import * as fc from 'fast-check';
import type { ContractorKey } from '../../src/domain/contractor.js';
import type { DealFilter } from '../../src/domain/deal-list.js';
import type { Idempotency } from '../../src/domain/idempotency.js';
import type { DealStatus } from '../../src/domain/status.js';
import type { Tenant } from '../../src/domain/tenant.js';

/** What is done to a store, and to the model. */
export type Step =
  | { kind: 'contractor'; tenant: Tenant; key: ContractorKey; idempotency: Idempotency | undefined }
  | {
      kind: 'deal';
      tenant: Tenant;
      created_at: string;
      partner_id: string;
      key: ContractorKey;
      idempotency: Idempotency | undefined;
    }
  | {
      kind: 'dealV2';
      tenant: Tenant;
      created_at: string;
      partner_id: string;
      idempotency: Idempotency | undefined;
    }
  | {
      kind: 'file';
      tenant: Tenant;
      partner_id: string;
      idempotency: Idempotency | undefined;
      /** What is added to the version that is stored. */
      off: number;
      events: number;
    }
  | { kind: 'list'; tenant: Tenant; filter: DealFilter; at: number; limit: number }
  | {
      kind: 'save' | 'saveV2';
      tenant: Tenant;
      partner_id: string;
      /** As above. */
      off: number;
      status: DealStatus;
      events: number;
    };

/** Few of everything, so that steps meet. A run has names of its own: stores may be slow to make. */
export function universe(run: number) {
  const tenants: readonly Tenant[] = [
    { environment: 'sandbox', partner: `acme-${run}` },
    { environment: 'sandbox', partner: `globex-${run}` },
    { environment: 'production', partner: `acme-${run}` },
  ];
  const keys: readonly ContractorKey[] = [
    { register: `shared-${run}`, email_key: 'a@example.com' },
    { register: `shared-${run}`, email_key: 'b@example.com' },
    { register: `own-${run}`, email_key: 'a@example.com' },
  ];
  return { tenants, keys, partnerIds: ['one', 'One', 'two'] };
}

/** The names of a run. */
export type Universe = ReturnType<typeof universe>;

/** A step before it is told its universe: plain data, so that a counterexample can be read. */
export interface Plan {
  readonly kind: Step['kind'];
  readonly who: number;
  readonly which: number;
  readonly whom: number;
  readonly idempotency: Idempotency | undefined;
  readonly off: number;
  readonly status: DealStatus;
  readonly events: number;
  readonly when: number;
}

/** Any plan. */
export function anyPlan(): fc.Arbitrary<Plan> {
  const idempotency = fc.record(
    { key: fc.constantFrom('k1', 'k2', 'K1'), fingerprint: fc.constantFrom('f1', 'f2') },
    { noNullPrototype: true },
  );
  return fc.record(
    {
      kind: fc.constantFrom(
        ...(['contractor', 'deal', 'dealV2', 'save', 'deal', 'dealV2', 'saveV2'] as const),
        ...(['file', 'list', 'file'] as const),
      ),
      who: fc.nat(2),
      which: fc.nat(2),
      whom: fc.nat(2),
      idempotency: fc.option(idempotency, { nil: undefined }),
      off: fc.constantFrom(0, 0, 0, -1, 1),
      status: fc.constantFrom<DealStatus>('accepted', 'delivered', 'cancelled'),
      events: fc.constantFrom(1, 2),
      when: fc.nat(2),
    },
    { noNullPrototype: true },
  );
}

function pick<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error('an index of the universe');
  return found;
}

/** One of each kind of filter. */
function filterOf({ whom, status, when }: Plan, partner_id: string, time: string): DealFilter {
  const kinds: readonly DealFilter[] = [
    {},
    { status: when === 0 ? 'created' : status },
    when === 0 ? { partner_id } : when === 1 ? { created_from: time } : { created_to: time },
  ];
  return pick(kinds, whom);
}

/** The step that a plan is among the names of a run. */
export function resolve(plan: Plan, names: Universe): Step {
  const { kind, idempotency, off, status, events } = plan;
  const tenant = pick(names.tenants, plan.who);
  const key = pick(names.keys, plan.whom);
  const partner_id = pick(names.partnerIds, plan.which);
  const created_at = `2026-01-01T00:00:00.00${plan.when}Z`;
  switch (kind) {
    case 'contractor':
      return { kind, tenant, key, idempotency };
    case 'deal':
      return { kind, tenant, created_at, partner_id, key, idempotency };
    case 'dealV2':
      return { kind, tenant, created_at, partner_id, idempotency };
    case 'file':
      return { kind, tenant, partner_id, idempotency, off, events };
    case 'list':
      return {
        kind,
        tenant,
        filter: filterOf(plan, partner_id, created_at),
        at: off,
        limit: events,
      };
    default:
      return { kind, tenant, partner_id, off, status, events };
  }
}
