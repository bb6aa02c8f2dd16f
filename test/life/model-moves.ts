import { expireRequests } from './model-money.js';
import { cancelPlanned } from './model-plan.js';
import { fullPrice, least, type Model, openPrices, processing, type Stage } from './model-state.js';

/** What several commands do with the stages of a deal. */
export function approve(model: Model, stage: Stage): void {
  stage.status = 'approved';
  markFiles(model, stage, 'accepted');
}

export function markFiles({ files }: Model, stage: Stage, status: string): void {
  for (const each of files) {
    if (each.stage === stage.id && each.status === 'stored') each.status = status;
  }
}

/** Why the stages cannot be resolved with this amount (6.2, 6.7 h, 9.8). */
export function unresolvable(model: Model, agreed: bigint): string[] {
  const reasons: string[] = [];
  if (processing(model) > 0n) reasons.push('payout_processing');
  if (agreed < 0n || agreed > openPrices(model)) reasons.push('amount_out_of_bounds');
  return reasons;
}

/** The open stages are approved in order up to the amount, the others are cancelled (6.2). */
export function resolveStages(model: Model, agreed: bigint, events: string[]): void {
  expireRequests(model, events);
  cancelPlanned(model, events);
  model.agreed = agreed;
  let rest = agreed;
  for (const stage of model.stages) {
    if (stage.status === 'paid' || stage.status === 'cancelled') continue;
    stage.agreed = least(fullPrice(stage), rest);
    if (rest > 0n) approve(model, stage);
    else stage.status = 'cancelled';
    rest -= stage.agreed;
  }
  const isNothing = model.stages.every(({ status }) => status === 'cancelled');
  model.status = isNothing ? 'cancelled' : 'approved';
  if (isNothing) model.freelancer = 'removed';
}
