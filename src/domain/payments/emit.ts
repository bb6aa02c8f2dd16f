import type { Json, Row } from '../records/records.js';
import type { Draft } from './draft.js';

/**
 * Emits an event of a payment as it is now, named after its status unless another name is given.
 */
export function paymentEvent(
  draft: Draft,
  kind: 'employer_payment' | 'contractor_payment',
  payment_id: string,
  what?: 'refund_failed' | 'refund_retried',
): void {
  const found = draft.find(kind, payment_id);
  const payment = found as Row<'employer_payment'> | Row<'contractor_payment'>;
  const { id, amount, status, reference } = payment;
  const stage_ids = 'stage_id' in payment ? { stage_ids: [payment.stage_id] } : {};
  const { partner_id, currency } = draft.state.deal;
  const data = { partner_id, payment_id: id, amount, currency, status, reference, ...stage_ids };
  draft.emit(`${kind}.${what ?? status}`, data);
}

/** Emits an event of a deal as it is now. */
export function dealEvent(draft: Draft, type: string, more: Json): void {
  const { partner_id, status, freelancer_status } = draft.state.deal;
  draft.emit(type, { partner_id, status, freelancer_status, ...more });
}
