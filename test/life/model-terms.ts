import { createHash } from 'node:crypto';
import {
  type Amendment,
  counted,
  type Model,
  type ModelTerms,
  most,
  type Stage,
  type StageChange,
  sum,
  type Version,
} from './model-state.js';
import { day, dayOne, feesFor, inUnits, largest, money, type Shape } from './states.js';

/** A stage as it is added. */
export const newStage = (name: string, budget: bigint, workDays: number | null): Stage => ({
  ...{ id: 0, name, budget, workDays, isBonus: false, agreed: null, status: 'pending' },
  ...{ submittedAt: null, isReviewTold: false, startedAt: null, touchedAt: null, told: null },
});

/** The model of a deal that was created at this time, with stages of these ids. */
export function newModel(shape: Shape, start = dayOne, ids: readonly number[] = []): Model {
  const { budgets, expires, version, employerFee, contractorFee } = shape;
  const isFirst = version === '1.0';
  const model: Model = {
    ...{ shape, title: 'A deal', description: 'Work', employerFee, contractorFee },
    amount: budgets.reduce((sum, each) => sum + each, 0n),
    copyright: isFirst ? null : 'none',
    workDays: 30,
    acceptedBy: null,
    versions: [],
    proposals: [],
    refunds: [],
    failed: [],
    expiresAt: expires ? start + 30 * day : null,
    isExpiryTold: false,
    status: 'created',
    freelancer: 'new',
    agreed: null,
    stages: budgets.map((budget, index) => ({
      ...newStage(`Stage ${index + 1}`, budget, isFirst ? 30 : null),
      id: ids[index] ?? 101 + index,
    })),
    files: [],
    incoming: [],
    payouts: [],
    bare: [],
    released: 0n,
    fees: 0n,
    ...{ writtenOff: 0n, tolerated: 0n, paids: [] },
  };
  addVersion(model, { kind: 'creation', by: 'partner', proposal: null, acceptedBy: null }, start);
  return model;
}

/** JSON with sorted members: of texts, integers and null, that is RFC 8785. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
export const hashOf = (terms: ModelTerms): string => digest(canonical(terms));

/** A stage is worth what was agreed, else its budget, also where that is below zero. */
const worth = ({ agreed, budget }: Stage): bigint => agreed ?? budget;
const remaining = ({ stages }: Model) => stages.filter(({ status }) => status !== 'cancelled');

/** The terms as they are (9.5), under a version. */
export function termsOf(model: Model, version: number): ModelTerms {
  const plan: Plan = { ...model, targets: remaining(model).map(kept) };
  return termsAs(plan, version);
}

export const lastVersion = ({ versions }: Model): Version =>
  versions[versions.length - 1] as Version;
export const hashNow = (model: Model): string => lastVersion(model).hash;

/** Adds a version of the terms as they are now, or as they were agreed to. */
export function addVersion(
  model: Model,
  of: Pick<Version, 'kind' | 'by' | 'proposal' | 'acceptedBy'>,
  now: number,
  terms: ModelTerms = termsOf(model, model.versions.length + 1),
): void {
  model.versions.push({ ...of, text: canonical(terms), hash: hashOf(terms), at: now });
}

/** The new stages get these ids; the terms of a bonus have the id of its stage. */
export function nameStages(model: Model, ids: readonly number[]): void {
  const unnamed = model.stages.filter(({ id }) => id === 0);
  for (const each of unnamed) each.id = ids[model.stages.indexOf(each)] ?? 0;
  const last = model.versions.length;
  const version = model.versions[last - 1];
  if (unnamed.length === 0 || version?.kind !== 'bonus') return;
  const terms = termsOf(model, last);
  model.versions[last - 1] = { ...version, text: canonical(terms), hash: hashOf(terms) };
}

/** A stage as it would be: one that is kept, or a new one. */
interface Target {
  readonly stage?: Stage;
  readonly name: string;
  readonly budget: bigint;
  readonly workDays: number | null;
}
/** The terms as an amendment would have them. */
export interface Plan {
  readonly shape: Shape;
  readonly title: string;
  readonly description: string;
  readonly amount: bigint;
  readonly copyright: string | null;
  readonly workDays: number;
  readonly targets: readonly Target[];
}

const kept = (stage: Stage): Target => ({
  stage,
  name: stage.name,
  budget: worth(stage),
  workDays: stage.workDays,
});

/** The terms with this plan. */
export function termsAs(plan: Plan, version: number): ModelTerms {
  return {
    version,
    title: plan.title,
    description: plan.description,
    amount: money(plan.amount),
    currency: plan.shape.currency ?? 'PLN',
    copyright_transfer: plan.copyright,
    stages: plan.targets.map(({ stage, name, budget, workDays }) => ({
      id: stage?.id ?? null,
      name,
      budget: money(budget),
      work_days: workDays,
    })),
  };
}

const isClosed = ({ status }: Stage) => /^(approved|paid|cancelled)$/.test(status);

/** The stages of an amendment that lists them, in order; else why it is refused. */
function listed(model: Model, changes: readonly StageChange[], reasons: string[]): Target[] {
  const targets: Target[] = [];
  for (const stage of model.stages) {
    const change = changes.find(({ id }) => id === stage.id);
    if (isClosed(stage)) {
      // an approved or paid stage is listed by its id alone, and a cancelled one is not
      const isAlone = change !== undefined && Object.keys(change).length === 1;
      if (stage.status === 'cancelled' ? change !== undefined : !isAlone) {
        reasons.push('stage_closed');
      }
    }
    if (change === undefined) continue;
    targets.push({
      stage,
      name: change.name ?? stage.name,
      budget: change.budget ?? worth(stage),
      workDays: change.work_days ?? stage.workDays,
    });
  }
  for (const { id, name = '', budget = 0n, work_days = null } of changes) {
    if (id === undefined) targets.push({ name, budget, workDays: work_days });
    else if (model.stages.every((each) => each.id !== id)) reasons.unshift('unknown_stage');
  }
  return targets;
}

/** 9.4: what the amendment makes of the terms as they are, and the reasons to refuse it. */
export function planOf(model: Model, changes: Amendment): { plan: Plan; reasons: string[] } {
  const { amount, work_days } = changes;
  const reasons: string[] = [];
  let targets = remaining(model).map(kept);
  if (changes.stages !== undefined) {
    targets = listed(model, changes.stages, reasons);
  } else if (amount !== undefined || work_days !== undefined) {
    const [only, ...others] = model.stages.filter((each) => !isClosed(each));
    if (only === undefined || others.length > 0) reasons.push('stages_required');
    const rest = sum(targets, ({ stage, budget }) => (stage === only ? 0n : budget));
    targets = targets.map((each) =>
      each.stage !== only
        ? each
        : {
            ...each,
            ...(amount !== undefined && { budget: amount - rest }),
            ...(work_days !== undefined && { workDays: work_days }),
          },
    );
  }
  const isPriced = changes.stages !== undefined || amount !== undefined;
  const total = sum(targets, ({ budget }) => budget);
  const plan: Plan = {
    shape: model.shape,
    title: changes.title ?? model.title,
    description: changes.description ?? model.description,
    copyright: changes.copyright_transfer ?? model.copyright,
    amount: isPriced ? total : model.amount,
    workDays: (model.shape.version === '1.0' ? work_days : undefined) ?? model.workDays,
    targets,
  };
  if (isPriced) {
    const isBeyond = [total, ...targets.map(({ budget }) => budget)].some(
      (each) => each > largest || -each > largest,
    );
    // in version 2.0 every amount is above zero; in version 1.0 a stage below it was created so
    const isNothing =
      model.shape.version === '2.0'
        ? [{ budget: total }, ...targets].some((each) => each.budget <= 0n)
        : targets.some(
            ({ stage, budget }) => budget < 0n && (stage === undefined || budget !== worth(stage)),
          );
    if (isBeyond || isNothing || (amount ?? total) !== total) reasons.push('amount_out_of_bounds');
  }
  const added = targets.filter(({ stage }) => stage === undefined).length;
  const isFull = added > 0 && model.stages.length + added > 1_000;
  if (targets.length > 100 || isFull) reasons.push('too_many');
  const [was, is] = [termsOf(model, 0), termsAs(plan, 0)].map(canonical);
  if (was === is) reasons.push('nothing_changed');
  // form (400) goes before the state (409)
  return { plan, reasons: reasons[0] === 'unknown_stage' ? ['unknown_stage'] : reasons };
}

/** Whether the plan changes a stage. */
export const isChanged = (stage: Stage, { targets }: Plan): boolean => {
  const target = targets.find((each) => each.stage === stage);
  return (
    target === undefined ||
    target.name !== stage.name ||
    target.budget !== worth(stage) ||
    target.workDays !== stage.workDays
  );
};

/** Makes the plan the terms of the deal. */
export function carryOutPlan(model: Model, plan: Plan, now: number): void {
  for (const stage of remaining(model).filter((each) => isChanged(each, plan))) {
    const target = plan.targets.find((each) => each.stage === stage);
    if (stage.status === 'submitted' && target !== undefined) {
      stage.status = 'pending';
      stage.submittedAt = null;
      for (const each of model.files) {
        if (each.stage === stage.id && each.status === 'stored') each.status = 'superseded';
      }
    }
    if (target === undefined) {
      stage.status = 'cancelled';
      continue;
    }
    stage.name = target.name;
    if (target.budget !== worth(stage)) stage.budget = target.budget;
    stage.workDays = target.workDays;
    stage.touchedAt = now;
  }
  for (const { stage, name, budget, workDays } of plan.targets) {
    if (stage === undefined) model.stages.push(newStage(name, budget, workDays));
  }
  model.title = plan.title;
  model.description = plan.description;
  model.copyright = plan.copyright;
  model.workDays = plan.workDays;
  model.amount = plan.amount;
}

/** 9.7 and 9.16 (e): the fees of what the deal is worth, not less than was planned with payouts. */
export function renewFees(model: Model): void {
  const total = sum(remaining(model), worth);
  const fees = feesFor(model.shape, total);
  const planned = counted(model);
  const taken = (of: 'employerFee' | 'contractorFee') => sum(planned, (each) => each[of]);
  const { employerFee, contractorFee } = fees;
  model.employerFee = most(inUnits(model.shape, employerFee), taken('employerFee'));
  model.contractorFee = most(inUnits(model.shape, contractorFee), taken('contractorFee'));
}
