import {
  available,
  deadlineOf,
  isFinal,
  type Model,
  owed,
  price,
  type Stage,
  share,
  sum,
} from './model-state.js';
import { day } from './states.js';

/** What `deliver` wants paid: all but bonuses that are not paid out, and their fee (9.16 f). */
export function wantedForWork(model: Model): bigint {
  const bonuses = model.stages.filter((each) => each.isBonus && each.status === 'approved');
  return owed(model) - sum(bonuses, (each) => price(each) + share(model, model.employerFee, each));
}

export const isPaidForWork = (model: Model): boolean =>
  model.shape.mode === 'invoice' || available(model) + model.writtenOff >= wantedForWork(model);

/** After a step: the days of a stage count from acceptance, or once the whole is paid (9.13). */
export function countDays(model: Model, now: number): void {
  const isCounting = model.status !== 'created' && !isFinal(model) && isPaidForWork(model);
  for (const stage of model.stages) {
    if (!isWork(stage)) continue;
    stage.startedAt = isCounting ? (stage.startedAt ?? now) : null;
  }
}

const isWork = ({ isBonus, status }: Stage) =>
  !isBonus && /^(pending|submitted|changes_requested)$/.test(status);

/** The stages whose work has not come by so long after its due date. */
export const overdue = (model: Model, now: number, days = 0): readonly Stage[] =>
  model.stages.filter((each) => {
    const at = deadlineOf(model, each);
    return (
      /^(pending|changes_requested)$/.test(each.status) && at !== null && at + days * day <= now
    );
  });

/** Those of them that nobody was told of. */
export const untold = (model: Model, now: number): readonly Stage[] =>
  overdue(model, now).filter((each) => each.told !== deadlineOf(model, each));
