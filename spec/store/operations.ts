import type { AddContractorOutcome } from '../../src/ports/contractor-repository.js';
import type { DealStretch, ListedDeal } from '../../src/ports/deal-index.js';
import type {
  AddDealOutcome,
  AddDealV2Outcome,
  AddWorkFileOutcome,
} from '../../src/ports/deal-repository.js';
import type { SaveOutcome } from '../../src/ports/versioned.js';
import { changeOf, changeOfV2 } from './changes.js';
import { stretchOf } from './deal-index.js';
import type { Model } from './model.js';
import type { Step } from './random-steps.js';
import {
  addition,
  additionV2,
  ask,
  dealEvent,
  dealOf,
  fileAddition,
  registration,
  type StoreSubject,
  workFileOf,
} from './subject.js';

/** What a store or the model answers. */
export type Answered =
  | AddContractorOutcome
  | AddDealOutcome
  | AddDealV2Outcome
  | AddWorkFileOutcome
  | SaveOutcome
  | readonly ListedDeal[]
  | readonly string[];

/** One call of a store, and what the model says of it. */
export interface Operation {
  /** For who reads that it failed. */
  readonly what: string;
  run(store: StoreSubject): Promise<Answered>;
  /** What the model answers, which takes over the ids that the store gave. */
  expect(model: Model, answered: Answered): Answered;
}

type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;

/** The calls that a step is, made of what the model holds now: ids, versions and places in lists. */
export function operationsOf(step: Step, model: Model): readonly Operation[] {
  switch (step.kind) {
    case 'contractor':
      return [addContractor(step)];
    case 'deal':
      return [addDeal(step)];
    case 'dealV2':
      return [addDealV2(step)];
    case 'file':
      return addFile(step, model);
    case 'list':
      return [list(step, model, 'older'), list(step, model, 'newer')];
    case 'save':
      return [save(step, model)];
    case 'saveV2':
      return [saveV2(step, model)];
  }
}

function addContractor({ tenant, key, idempotency }: StepOf<'contractor'>): Operation {
  const given = registration(tenant, key, idempotency);
  return {
    what: 'a contractor',
    run: (store) => ask(store.contractors.add(tenant, given)),
    expect: (now) => now.addContractor(tenant, given),
  };
}

function addDeal(step: StepOf<'deal'>): Operation {
  const { tenant, created_at } = step;
  const made = addition(tenant, step.partner_id, step.idempotency, step.key);
  const given = { ...made, deal: { ...made.deal, created_at } };
  return {
    what: 'a 1.0 deal',
    run: (store) => ask(store.deals.add(tenant, given)),
    expect(now, answered) {
      const isCreated = typeof answered === 'object' && 'stage_ids' in answered;
      const ids = isCreated ? { id: answered.id, stage_ids: answered.stage_ids } : undefined;
      return now.addDeal(tenant, given, ids);
    },
  };
}

function addDealV2({ tenant, created_at, partner_id, idempotency }: StepOf<'dealV2'>): Operation {
  const made = additionV2(tenant, partner_id, idempotency);
  const given = { ...made, deal: { ...made.deal, created_at } };
  return {
    what: 'a 2.0 deal',
    run: (store) => ask(store.dealsV2.add(tenant, given)),
    expect: (now) => now.addDealV2(tenant, given),
  };
}

function addFile(
  { tenant, partner_id, idempotency, off, events }: StepOf<'file'>,
  model: Model,
): readonly Operation[] {
  const stored = model.deal(tenant, partner_id);
  const deal = stored?.api_version === '1.0' ? stored : undefined;
  const version = (deal?.version ?? 1) + off;
  const file = workFileOf(deal?.value.stages[events - 1]?.id ?? 1);
  // a deal that nobody has, where there is none
  const deal_id = deal?.value.id ?? Number.MAX_SAFE_INTEGER;
  const made = fileAddition(tenant, deal_id, version, file, idempotency, partner_id);
  const more = events === 1 ? [] : [dealEvent(tenant, partner_id, version + 2)];
  const given = { ...made, events: [...made.events, ...more] };
  const isRecorded = (now: Model) => {
    const read = now.deal(tenant, partner_id);
    const stages = read?.api_version === '1.0' ? read.value.stages : [];
    return stages.some(({ work_files }) => work_files.some(({ id }) => id === file.id));
  };
  return [
    {
      what: 'a work file',
      run: (store) => ask(store.deals.addWorkFile(tenant, given)),
      expect: (now) => now.addWorkFile(tenant, given),
    },
    {
      what: 'whether it is recorded',
      run: (store) => ask(store.deals.recordedWorkFiles(tenant, [file.id])),
      expect: (now) => (isRecorded(now) ? [file.id] : []),
    },
  ];
}

function list(
  { tenant, filter, at, limit }: StepOf<'list'>,
  model: Model,
  direction: DealStretch['direction'],
): Operation {
  const from = at === 0 ? undefined : model.list(tenant, {}).at(at)?.position;
  const stretch: DealStretch = { direction, from, limit };
  return {
    what: `a stretch of what passes ${JSON.stringify(filter)}`,
    run: (store) => ask(store.dealIndex.list(tenant, filter, stretch)),
    expect: (now) => stretchOf(now.list(tenant, filter), stretch),
  };
}

function save(step: StepOf<'save' | 'saveV2'>, model: Model): Operation {
  const { tenant, partner_id, status } = step;
  const stored = model.deal(tenant, partner_id);
  const nobody = { ...dealOf(partner_id), id: Number.MAX_SAFE_INTEGER, stages: [] };
  const deal = stored?.api_version === '1.0' ? stored.value : nobody;
  // the first stage moves on, the others stay
  const stages = deal.stages.slice(0, 1).map(({ id }) => ({ id, status: 'submitted' as const }));
  const version = (stored?.version ?? 1) + step.off;
  const change = changeOf(tenant, deal, version, { status, stages }, step.events);
  return {
    what: 'a save of 1.0',
    run: (store) => ask(store.deals.save(tenant, change)),
    expect: (now) => now.save(tenant, change),
  };
}

function saveV2(step: StepOf<'save' | 'saveV2'>, model: Model): Operation {
  const { tenant, partner_id, status } = step;
  const version = (model.deal(tenant, partner_id)?.version ?? 1) + step.off;
  const change = changeOfV2(tenant, partner_id, version, { status }, step.events);
  return {
    what: 'a save of 2.0',
    run: (store) => ask(store.dealsV2.save(tenant, change)),
    expect: (now) => now.saveV2(tenant, change),
  };
}
