import type { DealState } from '../life/draft.js';
import { type Books, createBooks } from './books.js';
import { failedRefunds } from './intents.js';
import { lostPayouts } from './payouts.js';

/** What of the money of a deal needs somebody: nothing goes on by itself (decision 6.7). */
export type Attention = 'payout_returned' | 'refund_failed';

/** What an answer can name. */
export const attentions: Readonly<Record<Attention, true>> = {
  payout_returned: true,
  refund_failed: true,
};

/** What `attentionOf` judges. */
export type Attended = Pick<DealState, 'stage' | 'contractor_payment' | 'posting' | 'intent'>;

/** What somebody has to see to: money that came back after it had gone. */
export function attentionOf(
  state: Attended,
  books: Pick<Books, 'of'> = createBooks(state.posting),
): readonly Attention[] {
  const { contractor_payment, intent } = state;
  const isSent = (stage_id: number) =>
    contractor_payment.some((each) => each.stage_id === stage_id && each.status === 'scheduled');
  const isLost = lostPayouts(state, books).some(({ stage_id }) => !isSent(stage_id));
  return [
    ...(isLost ? (['payout_returned'] as const) : []),
    ...(failedRefunds(intent).length > 0 ? (['refund_failed'] as const) : []),
  ];
}
