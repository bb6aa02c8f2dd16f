import * as fc from 'fast-check';
import type { ContractorKey } from '../../domain/contractor.js';
import type { Idempotency } from '../../domain/idempotency.js';
import type { DealStatus } from '../../domain/status.js';
import type { Tenant } from '../../domain/tenant.js';
import { equal } from '../expectations.js';
import { createModel, type Model, type ModelDeal } from './model.js';
import {
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  dealEvent,
  dealOf,
  dealV2Of,
  registration,
  type StoreSubject,
} from './subject.js';

type Step =
  | { kind: 'contractor'; tenant: Tenant; key: ContractorKey; idempotency: Idempotency | undefined }
  | {
      kind: 'deal';
      tenant: Tenant;
      partner_id: string;
      key: ContractorKey;
      idempotency: Idempotency | undefined;
    }
  | { kind: 'dealV2'; tenant: Tenant; partner_id: string; idempotency: Idempotency | undefined }
  | {
      kind: 'save' | 'saveV2';
      tenant: Tenant;
      partner_id: string;
      /** What is added to the version that is stored. */
      off: number;
      status: DealStatus;
      events: number;
    };

/** Few of everything, so that steps meet. A run has names of its own: stores may be slow to make. */
function universe(run: number) {
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

type Universe = ReturnType<typeof universe>;

/** A step before it is told its universe: plain data, so that a counterexample can be read. */
interface Plan {
  readonly kind: Step['kind'];
  readonly who: number;
  readonly which: number;
  readonly whom: number;
  readonly idempotency: Idempotency | undefined;
  readonly off: number;
  readonly status: DealStatus;
  readonly events: number;
}

function anyPlan(): fc.Arbitrary<Plan> {
  const idempotency = fc.record(
    { key: fc.constantFrom('k1', 'k2', 'K1'), fingerprint: fc.constantFrom('f1', 'f2') },
    { noNullPrototype: true },
  );
  return fc.record(
    {
      kind: fc.constantFrom(
        ...(['contractor', 'deal', 'dealV2', 'save', 'deal', 'dealV2', 'saveV2'] as const),
      ),
      who: fc.nat(2),
      which: fc.nat(2),
      whom: fc.nat(2),
      idempotency: fc.option(idempotency, { nil: undefined }),
      off: fc.constantFrom(0, 0, 0, -1, 1),
      status: fc.constantFrom<DealStatus>('accepted', 'delivered', 'cancelled'),
      events: fc.constantFrom(1, 2),
    },
    { noNullPrototype: true },
  );
}

function pick<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error('an index of the universe');
  return found;
}

function resolve(plan: Plan, names: Universe): Step {
  const { kind, idempotency, off, status, events } = plan;
  const tenant = pick(names.tenants, plan.who);
  const key = pick(names.keys, plan.whom);
  const partner_id = pick(names.partnerIds, plan.which);
  switch (kind) {
    case 'contractor':
      return { kind, tenant, key, idempotency };
    case 'deal':
      return { kind, tenant, partner_id, key, idempotency };
    case 'dealV2':
      return { kind, tenant, partner_id, idempotency };
    default:
      return { kind, tenant, partner_id, off, status, events };
  }
}

/** Any sequence of writes has the outcomes and leaves the state that the model says. */
export function randomOperations(define: DefineCase): void {
  define('a store is what the model says, after any sequence of writes', async (store) => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(anyPlan(), { minLength: 1, maxLength: 40, size: 'max' }),
      async (plans) => {
        run += 1;
        const names = universe(run);
        const model = createModel();
        for (const plan of plans) await take(store, model, resolve(plan, names));
        await compare(store, model, names);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
}

async function take(store: StoreSubject, model: Model, step: Step): Promise<void> {
  const { tenant } = step;
  switch (step.kind) {
    case 'contractor': {
      const given = registration(tenant, step.key, step.idempotency);
      const outcome = await ask(store.contractors.add(tenant, given));
      return equal(outcome, model.addContractor(tenant, given), 'a contractor');
    }
    case 'deal': {
      const given = addition(tenant, step.partner_id, step.idempotency, step.key);
      const outcome = await ask(store.deals.add(tenant, given));
      const ids = outcome.outcome === 'created' ? outcome : undefined;
      const named = ids && { id: ids.id, stage_ids: ids.stage_ids };
      return equal(outcome, model.addDeal(tenant, given, named), 'a 1.0 deal');
    }
    case 'dealV2': {
      const given = additionV2(tenant, step.partner_id, step.idempotency);
      const outcome = await ask(store.dealsV2.add(tenant, given));
      return equal(outcome, model.addDealV2(tenant, given), 'a 2.0 deal');
    }
    default:
      return save(store, model, step);
  }
}

async function save(
  store: StoreSubject,
  model: Model,
  step: Extract<Step, { off: number }>,
): Promise<void> {
  const { tenant, partner_id, kind, status } = step;
  const stored = model.deal(tenant, partner_id);
  const version = (stored?.version ?? 1) + step.off;
  const events = Array.from({ length: step.events }, (_, index) =>
    dealEvent(tenant, partner_id, version + 1 + index),
  );
  if (kind === 'save') {
    const known = stored?.api_version === '1.0' ? stored.value : undefined;
    const stages = dealOf(partner_id).stages.map((stage, id) => ({
      ...stage,
      id: id + 1,
      work_files: [],
    }));
    const value = { ...(known ?? { ...dealOf(partner_id), id: 1, stages }), status };
    const deal: ModelDeal = { api_version: '1.0', value, version };
    const outcome = await ask(store.deals.save(tenant, value, version, events));
    return equal(outcome, model.save(tenant, deal, version, events), 'a save of 1.0');
  }
  const known = stored?.api_version === '2.0' ? stored.value : undefined;
  const value = { ...(known ?? dealV2Of(partner_id)), status };
  const deal: ModelDeal = { api_version: '2.0', value, version };
  const outcome = await ask(store.dealsV2.save(tenant, value, version, events));
  return equal(outcome, model.save(tenant, deal, version, events), 'a save of 2.0');
}

async function compare(store: StoreSubject, model: Model, names: Universe): Promise<void> {
  for (const tenant of names.tenants) {
    for (const key of names.keys) {
      const read = await ask(store.contractors.byKey(tenant, key));
      equal(read, model.contractor(tenant, key), 'a contractor in the end');
    }
    for (const partner_id of names.partnerIds) {
      const expected = model.deal(tenant, partner_id);
      const read = await ask(store.deals.byPartnerId(tenant, partner_id));
      const readV2 = await ask(store.dealsV2.byPartnerId(tenant, partner_id));
      const { api_version, ...deal } = expected ?? { api_version: undefined };
      equal(read, api_version === '1.0' ? deal : undefined, 'a 1.0 deal in the end');
      equal(readV2, api_version === '2.0' ? deal : undefined, 'a 2.0 deal in the end');
      if (expected?.api_version !== '1.0') continue;
      const { id } = expected.value;
      for (const other of names.tenants) {
        const own = names.partnerIds
          .map((each) => model.deal(other, each))
          .find((each) => each?.api_version === '1.0' && each.value.id === id);
        const found = own && { value: own.value, version: own.version };
        equal(await ask(store.deals.byId(other, id)), found, 'a 1.0 deal by id');
      }
    }
    equal(await allEvents(store, tenant, 7), model.events(tenant), 'the events in the end');
  }
}
