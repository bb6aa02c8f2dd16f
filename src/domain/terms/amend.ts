import { type Amendment, mostStagesInAll, type StageChange } from '../deals/proposal-input.js';
import { type StagePlan, stageRows } from '../deals/stage.js';
import {
  type PreconditionReason,
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../input/errors.js';
import type { Draft } from '../payments/draft.js';
import { minorUnits, sum } from '../payments/ledger.js';
import { isAccepted, remainingStages } from '../payments/owed.js';
import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits, largestAmount, type Money } from '../values/money.js';
import { termsOf } from './terms.js';
import { amountOf } from './versions.js';

/** Why an amendment cannot be made. */
export type AmendProblem = PreconditionReason | WithoutMessage<ValidationFailed>;

type Stage = Row<'stage'>;

/** Amends a deal (decision 9.4), or returns why it cannot be amended: then the draft is worthless. */
export function amend(draft: Draft, changes: Amendment): AmendProblem | undefined {
  const { stages, amount, work_days, ...others } = changes;
  const { deal, stage } = draft.state;
  const terms = termsOf(draft.state, 0);
  const problem =
    stages === undefined
      ? amendOne(draft, { amount, work_days })
      : (findProblem(stage, stages) ?? amendStages(draft, stages));
  if (problem !== undefined) return problem;
  const total = sum(remainingStages(draft.state), amountOf);
  if (amount !== undefined && amount !== total) return 'amount_out_of_bounds';
  const isPriced = stages !== undefined || amount !== undefined;
  draft.change('deal', deal, {
    ...others,
    ...(isPriced && { amount: formatMoney(total) }),
    // in version 2.0 only stages have days
    ...(work_days !== undefined && deal.api_version === '1.0' && { work_days }),
  });
  if (isPriced && !isWithinBounds(draft)) return 'amount_out_of_bounds';
  const isSame = JSON.stringify(termsOf(draft.state, 0)) === JSON.stringify(terms);
  return isSame ? 'nothing_changed' : undefined;
}

/**
 * Amounts have 18 digits. In version 2.0 they are above zero; in version 1.0 no budget becomes less
 * than zero, and the sum is less only because of a stage that was created so.
 */
function isWithinBounds({ state, before }: Draft): boolean {
  const { deal } = state;
  const least = deal.api_version === '2.0' ? 1n : 0n;
  const known = new Map(before.stage.map(({ id, budget }) => [id, budget]));
  const changed = remainingStages(state).filter(({ id, budget }) => known.get(id) !== budget);
  const isWithin = (amount: string, from = least) =>
    minorUnits(amount) >= from && minorUnits(amount) <= largestAmount;
  return (
    isWithin(deal.amount, least || -largestAmount) &&
    changed.every(({ budget }) => isWithin(budget))
  );
}

/** Gives an amount, and days, to the one stage that can still be changed. */
function amendOne(
  draft: Draft,
  {
    amount,
    work_days,
  }: { readonly amount: Money | undefined; readonly work_days: number | undefined },
): AmendProblem | undefined {
  if (amount === undefined && work_days === undefined) return undefined;
  const remaining = remainingStages(draft.state);
  const [only, ...others] = remaining.filter((each) => !isAccepted(each));
  if (only === undefined || others.length > 0) return 'stages_required';
  const rest = sum(remaining, amountOf) - amountOf(only);
  const budget = amount === undefined ? undefined : fromMinorUnits(amount - rest);
  amendStage(draft, only, {
    ...(budget !== undefined && { budget }),
    ...(work_days !== undefined && { work_days }),
  });
  return undefined;
}

/** A stage of the list that the deal does not have, or that cannot be changed any more. */
function findProblem(
  stage: readonly Stage[],
  stages: readonly StageChange[],
): AmendProblem | undefined {
  const known = new Map(stage.map((each) => [each.id, each]));
  const unknown = stages.flatMap(({ id }, at) =>
    id === undefined || known.has(id)
      ? []
      : [
          {
            path: ['changes', 'stages', `${at}`, 'id'],
            code: 'unknown_stage',
            params: {},
          } as const,
        ],
  );
  if (unknown.length > 0) return validationFailed(...unknown);
  const listed = new Map(stages.map((each) => [each.id, each]));
  const isBroken = (each: Stage): boolean => {
    const change = listed.get(each.id);
    if (each.status === 'cancelled') return change !== undefined;
    const isChanged = change === undefined || Object.keys(change).length > 1;
    return isAccepted(each) && isChanged;
  };
  return stage.some(isBroken) ? 'stage_closed' : undefined;
}

/** Keeps, changes and adds the stages of a list, and cancels the others. */
function amendStages(draft: Draft, stages: readonly StageChange[]): AmendProblem | undefined {
  const listed = new Map(stages.map((each) => [each.id, each]));
  for (const stage of remainingStages(draft.state)) {
    const change = listed.get(stage.id);
    if (change === undefined)
      draft.change('stage', stage, { status: 'cancelled', submitted_at: null });
    else amendStage(draft, stage, change);
  }
  for (const { id, name = '', budget = fromMinorUnits(0n), work_days = null } of stages) {
    if (id !== undefined) continue;
    // cancelled stages stay, so amendments could add any number of them
    if (draft.state.stage.length >= mostStagesInAll) return 'too_many';
    addStage(draft, { name, budget, work_days });
  }
  return undefined;
}

/** Adds a stage to a deal: one with work, or a bonus. */
export function addStage(
  draft: Draft,
  plan: StagePlan,
  more: Partial<Pick<Stage, 'status' | 'kind'>> = {},
): void {
  const { stage, deal } = draft.state;
  // a draft that only tries something out has no ids
  const id = draft.stageId?.() ?? -stage.length;
  for (const row of stageRows([plan], deal.partner_id, id))
    draft.insert('stage', { ...row, ...more });
}

/** What was delivered was for other terms: a stage that changes is delivered again. */
function amendStage(draft: Draft, stage: Stage, change: StageChange): void {
  const { name = stage.name, work_days = stage.work_days } = change;
  const budget = change.budget === undefined ? stage.budget : formatMoney(change.budget);
  const isChanged = name !== stage.name || work_days !== stage.work_days || budget !== stage.budget;
  const isBack = isChanged && stage.status === 'submitted';
  draft.change('stage', stage, {
    ...{ name, work_days, budget },
    ...(isBack && { status: 'pending', submitted_at: null }),
  });
}
