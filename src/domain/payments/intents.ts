import type { Row } from '../records/records.js';
import type { Money } from '../values/money.js';
import { isFinal } from '../values/status.js';
import { atOnce } from '../values/timestamp.js';
import type { DealState, Draft } from './draft.js';
import { minorUnits, sum } from './ledger.js';

type Intent = Row<'intent'>;

/**
 * Asks the gateway for something: its id is the idempotency key. A failed intent waits for the
 * operator.
 */
export function intend(
  draft: Draft,
  kind: Intent['kind'],
  payment_id: string,
  amount: string,
  status: 'pending' | 'failed' = 'pending',
): void {
  draft.insert('intent', {
    id: draft.newId(),
    kind,
    payment_id,
    amount,
    remaining: amount,
    status,
    attempts: 0,
    created_at: draft.now,
    // work done by hand is never due here
    due_at: draft.executes === true && status === 'pending' ? atOnce : null,
  });
}

/**
 * Ends the intents of a payment, except refunds. One that the gateway was never asked for is not
 * done, but cancelled.
 */
export function endIntents(draft: Draft, payment_id: string, status: 'done' | 'cancelled'): void {
  for (const intent of draft.intentsOf(payment_id)) {
    if (intent.status !== 'pending' || intent.kind === 'refund') continue;
    const isDone = status === 'done' && intent.attempts > 0;
    draft.change('intent', intent, { status: isDone ? 'done' : 'cancelled', due_at: null });
  }
}

/** Says whether an intent is a refund of one of these statuses. */
export function isRefund(
  { kind, status }: Intent,
  ...statuses: readonly Intent['status'][]
): boolean {
  return kind === 'refund' && statuses.includes(status);
}

/** The part of an intent that no report covers yet. */
export function leftOf({ remaining }: Intent): Money {
  return minorUnits(remaining);
}

/** The sum that the gateway may be paying back to the employer at this moment. */
export function askedBack(intents: readonly Intent[]): Money {
  return sum(intents, (each) =>
    isRefund(each, 'pending') && each.attempts > 0 ? leftOf(each) : 0n,
  );
}

/**
 * The sum that goes back to the employer because the terms want less: it does not count as paid any
 * more (decision 9.7). Of a deal whose terms were never changed all that came counts, as section 6
 * says; a failed refund is held until the operator asks for it again.
 */
export function toRefund({ deal, intent }: Pick<DealState, 'deal' | 'intent'>): Money {
  const isCounted = deal.terms_version !== null && !isFinal(deal.status);
  return sum(intent, (each) => (isCounted && isRefund(each, 'pending') ? leftOf(each) : 0n));
}

/** The failed refunds that were not asked for again, of one payment or of all. */
export function failedRefunds(intents: readonly Intent[], payment_id?: string): readonly Intent[] {
  return intents.filter(
    (each) => isRefund(each, 'failed') && each.payment_id === (payment_id ?? each.payment_id),
  );
}
