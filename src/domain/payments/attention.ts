import { isFinal } from '../values/status.js';
import { type Books, createBooks } from './books.js';
import type { DealState } from './draft.js';

import { failedRefunds } from './intents.js';
import { lostPayouts } from './payouts.js';

/** Why the money of a deal needs the operator: it does not move by itself (decision 6.7). */
export type Attention = 'payout_returned' | 'refund_failed';

/** Every value of `Attention`. */
export const attentions: Readonly<Record<Attention, true>> = {
  payout_returned: true,
  refund_failed: true,
};

/** The records that `attentionOf` judges. */
export type Attended = Pick<
  DealState,
  'deal' | 'stage' | 'contractor_payment' | 'posting' | 'intent'
>;

/** Why the operator has to act: money that was sent came back. */
export function attentionOf(
  state: Attended,
  books: Pick<Books, 'of'> = createBooks(state.posting),
): readonly Attention[] {
  const { deal, contractor_payment, intent } = state;
  const has = (stage_id: number, ...statuses: readonly string[]) =>
    contractor_payment.some((each) => each.stage_id === stage_id && statuses.includes(each.status));
  // a deal that ended without its work keeps nothing for payouts that were cancelled
  const isOver = isFinal(deal.status) && deal.status !== 'completed';
  const isLost = lostPayouts(state, books).some(
    ({ stage_id }) =>
      !has(stage_id, 'scheduled') && (!isOver || has(stage_id, 'failed', 'returned')),
  );
  return [
    ...(isLost ? (['payout_returned'] as const) : []),
    ...(failedRefunds(intent).length > 0 ? (['refund_failed'] as const) : []),
  ];
}
