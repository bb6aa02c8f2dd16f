import type { Row } from '../records/records.js';
import { atOnce } from '../values/timestamp.js';
import type { Draft } from './draft.js';
import { accept, isInDoubt, isRefund, isTaken, leftOf } from './intents.js';
import { minorUnits, refundable } from './ledger.js';
import { writtenOff } from './owed.js';

/**
 * Stops the calls of the gateway that may not be made now, and starts those that may be again
 * (decision 10.1).
 */
export function pauseIntents(draft: Draft): void {
  const { state, executes = false, now } = draft;
  for (const intent of state.intent) {
    const { kind, status, outcome, due_at } = intent;
    if (status !== 'pending' || kind === 'accept' || kind === 'decline' || isTaken(intent))
      continue;
    if (isReported(state.intent, intent)) {
      accept(draft, intent);
      continue;
    }
    const isStopped = !executes || isPaused(draft, intent);
    // without a time it would look as if it was taken
    const isOld = outcome === null && isInDoubt(intent);
    draft.change('intent', intent, {
      due_at: isStopped ? null : (due_at ?? atOnce),
      ...(isOld && { outcome: 'unknown', outcome_at: now }),
    });
  }
}

/** Whether reports have told of all of a refund in doubt, and of no other one that is in doubt. */
const isReported = (all: readonly Row<'intent'>[], intent: Row<'intent'>): boolean =>
  isRefund(intent, 'pending') &&
  isInDoubt(intent) &&
  leftOf(intent) === 0n &&
  !all.some(
    (each) =>
      each.payment_id === intent.payment_id &&
      isRefund(each, 'pending') &&
      isInDoubt(each) &&
      leftOf(each) > 0n,
  );

/** What is in doubt is not asked for again if the money may be needed otherwise by now. */
function isPaused(draft: Draft, intent: Row<'intent'>): boolean {
  const { state } = draft;
  const { kind, payment_id } = intent;
  const isDoubtful = isInDoubt(intent);
  if (state.deal.status === 'disputed') return isDoubtful || kind !== 'request_payment';
  switch (kind) {
    case 'pay_out':
      // another attempt has arrived
      if (draft.find('contractor_payment', payment_id)?.status === 'paid') return true;
      return isDoubtful && !isCovered(draft);
    case 'refund':
      return isDoubtful && refundable(draft, payment_id) < minorUnits(intent.amount);
    default:
      return false;
  }
}

/** Whether all that is lost is written off. */
function isCovered({ state, books }: Draft): boolean {
  const balance = books.balance();
  return balance.loss <= writtenOff(state, balance);
}
