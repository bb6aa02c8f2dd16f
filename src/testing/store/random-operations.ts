import * as fc from 'fast-check';
import type { DealStretch } from '../../ports/deal-index.js';
import { equal, holds } from '../expectations.js';
import { changeOf, changeOfV2 } from './changes.js';
import { stretchOf } from './deal-index.js';
import { createModel, type Model } from './model.js';
import { anyPlan, resolve, type Step, type Universe, universe } from './random-steps.js';
import {
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  dealEvent,
  dealOf,
  fileAddition,
  registration,
  type StoreSubject,
  workFileOf,
} from './subject.js';

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
    await holds(property, { numRuns: 60 });
  });
}

/** Takes a step in the store and in the model, which answer alike. */
export async function take(store: StoreSubject, model: Model, step: Step): Promise<void> {
  const { tenant } = step;
  switch (step.kind) {
    case 'contractor': {
      const given = registration(tenant, step.key, step.idempotency);
      const outcome = await ask(store.contractors.add(tenant, given));
      return equal(outcome, model.addContractor(tenant, given), 'a contractor');
    }
    case 'deal': {
      const { created_at } = step;
      const made = addition(tenant, step.partner_id, step.idempotency, step.key);
      const given = { ...made, deal: { ...made.deal, created_at } };
      const outcome = await ask(store.deals.add(tenant, given));
      const ids = outcome.outcome === 'created' ? outcome : undefined;
      const named = ids && { id: ids.id, stage_ids: ids.stage_ids };
      return equal(outcome, model.addDeal(tenant, given, named), 'a 1.0 deal');
    }
    case 'dealV2': {
      const { created_at } = step;
      const made = additionV2(tenant, step.partner_id, step.idempotency);
      const given = { ...made, deal: { ...made.deal, created_at } };
      const outcome = await ask(store.dealsV2.add(tenant, given));
      return equal(outcome, model.addDealV2(tenant, given), 'a 2.0 deal');
    }
    case 'file':
      return addFile(store, model, step);
    case 'list':
      return list(store, model, step);
    default:
      return save(store, model, step);
  }
}

async function addFile(
  store: StoreSubject,
  model: Model,
  { tenant, partner_id, idempotency, off, events }: Extract<Step, { kind: 'file' }>,
): Promise<void> {
  const stored = model.deal(tenant, partner_id);
  const deal = stored?.api_version === '1.0' ? stored : undefined;
  const version = (deal?.version ?? 1) + off;
  const file = workFileOf(deal?.value.stages[events - 1]?.id ?? 1);
  // a deal that nobody has, where there is none
  const deal_id = deal?.value.id ?? Number.MAX_SAFE_INTEGER;
  const made = fileAddition(tenant, deal_id, version, file, idempotency, partner_id);
  const more = events === 1 ? [] : [dealEvent(tenant, partner_id, version + 2)];
  const given = { ...made, events: [...made.events, ...more] };
  const outcome = await ask(store.deals.addWorkFile(tenant, given));
  equal(outcome, model.addWorkFile(tenant, given), 'a work file');
  const recorded = await ask(store.deals.recordedWorkFiles(tenant, [file.id]));
  equal(recorded, outcome.outcome === 'stored' ? [file.id] : [], 'whether it is recorded');
}

async function list(
  store: StoreSubject,
  model: Model,
  { tenant, filter, at, limit }: Extract<Step, { kind: 'list' }>,
): Promise<void> {
  const listed = model.list(tenant, filter);
  const from = at === 0 ? undefined : model.list(tenant, {}).at(at)?.position;
  for (const direction of ['older', 'newer'] as const) {
    const stretch: DealStretch = { direction, from, limit };
    const found = await ask(store.dealIndex.list(tenant, filter, stretch));
    equal(found, stretchOf(listed, stretch), `a stretch of what passes ${JSON.stringify(filter)}`);
  }
}

async function save(
  store: StoreSubject,
  model: Model,
  step: Extract<Step, { kind: 'save' | 'saveV2' }>,
): Promise<void> {
  const { tenant, partner_id, kind, status } = step;
  const stored = model.deal(tenant, partner_id);
  const version = (stored?.version ?? 1) + step.off;
  if (kind === 'save') {
    const nobody = { ...dealOf(partner_id), id: Number.MAX_SAFE_INTEGER, stages: [] };
    const deal = stored?.api_version === '1.0' ? stored.value : nobody;
    // the first stage moves on, the others stay
    const stages = deal.stages.slice(0, 1).map(({ id }) => ({ id, status: 'submitted' as const }));
    const change = changeOf(tenant, deal, version, { status, stages }, step.events);
    const outcome = await ask(store.deals.save(tenant, change));
    return equal(outcome, model.save(tenant, change), 'a save of 1.0');
  }
  const change = changeOfV2(tenant, partner_id, version, { status }, step.events);
  const outcome = await ask(store.dealsV2.save(tenant, change));
  return equal(outcome, model.saveV2(tenant, change), 'a save of 2.0');
}

/** All that the store has is what the model has. */
export async function compare(store: StoreSubject, model: Model, names: Universe): Promise<void> {
  for (const tenant of names.tenants) {
    for (const key of names.keys) {
      const read = await ask(store.contractors.byKey(tenant, key));
      equal(read, model.contractor(tenant, key), 'a contractor in the end');
    }
    for (const partner_id of names.partnerIds) {
      const expected = model.deal(tenant, partner_id);
      const read = await ask(store.deals.byPartnerId(tenant, partner_id));
      const readV2 = await ask(store.dealsV2.byPartnerId(tenant, partner_id));
      const { api_version, position: _, ...deal } = expected ?? { api_version: undefined };
      const indexed = expected && { api_version, ...deal };
      equal(await ask(store.dealIndex.byPartnerId(tenant, partner_id)), indexed, 'in the index');
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
    const all: DealStretch = { direction: 'older', from: undefined, limit: 100 };
    const listed = await ask(store.dealIndex.list(tenant, {}, all));
    equal(listed, model.list(tenant, {}), 'the list in the end');
    equal(await allEvents(store, tenant, 7), model.events(tenant), 'the events in the end');
  }
}
