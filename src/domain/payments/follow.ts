import type { Row } from '../records/records.js';
import type { DealStatus } from '../values/status.js';
import type { Draft } from './draft.js';
import { isAccepted, remainingStages } from './owed.js';

/** The states that follow from the stages of a deal; the others are set by a command. */
export const following: readonly DealStatus[] = [
  'accepted',
  'delivered',
  'changes_requested',
  'approved',
];

/** The state of a deal that follows from its stages (decision 6.2). */
export function statusByStages(state: {
  readonly stage: readonly Pick<Row<'stage'>, 'status'>[];
}): DealStatus {
  const stages = remainingStages(state);
  if (stages.length === 0) return 'cancelled';
  if (stages.every(({ status }) => status === 'paid')) return 'completed';
  if (stages.every(isAccepted)) return 'approved';
  if (stages.some(({ status }) => status === 'changes_requested')) return 'changes_requested';
  return stages.every(({ status }) => status !== 'pending') ? 'delivered' : 'accepted';
}

/** Sets the state that follows from the stages of a deal; a state set by a command stays. */
export function follow(draft: Draft): void {
  const { deal } = draft.state;
  if (!following.includes(deal.status)) return;
  const status = statusByStages(draft.state);
  draft.change('deal', deal, {
    status,
    ...(status === 'completed' && { freelancer_status: 'finished' }),
    // no part of the deal is left
    ...(status === 'cancelled' && { freelancer_status: 'removed' }),
  });
}
