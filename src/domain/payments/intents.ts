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
  reason: Intent['reason'] = null,
): void {
  draft.insert('intent', {
    id: draft.newId(),
    kind,
    payment_id,
    amount,
    remaining: amount,
    status,
    attempts: 0,
    ...untried,
    reason,
    created_at: draft.now,
    // work done by hand is never due here
    due_at: draft.executes === true && status === 'pending' ? atOnce : null,
  });
}

/** What is known of an intent before its first call. */
export const untried = { outcome: null, outcome_at: null, reason: null } as const;

/**
 * Whether the gateway may have done it (decision 10.1). What an earlier version tried, and has no
 * outcome, may be done.
 */
export const mayBeDone = ({ outcome, attempts }: Intent): boolean =>
  outcome === null ? attempts > 0 : outcome !== 'none';

/** Whether the gateway has accepted it: such a one is not asked for again. */
export const isTaken = ({ outcome, attempts, due_at }: Intent): boolean =>
  outcome === null ? attempts > 0 && due_at === null : outcome === 'taken';

/** Whether it is not known if the gateway has done it. */
export const isInDoubt = (intent: Intent): boolean =>
  intent.status === 'pending' && mayBeDone(intent) && !isTaken(intent);

/** Notes that the gateway has accepted it: it is not asked for again. */
export function accept(draft: Draft, intent: Intent): void {
  const { kind } = intent;
  const isReported = kind === 'pay_out' || (kind === 'refund' && leftOf(intent) > 0n);
  draft.change('intent', intent, {
    ...{ outcome: 'taken', outcome_at: null, reason: null, due_at: null },
    // money that goes out is done once a report says so
    ...(!isReported && { status: 'done' }),
  });
}

/**
 * Ends the intents of a payment, except refunds. One that the gateway cannot have done is cancelled;
 * one that it may have done is asked for again until that is known (decision 10.1).
 */
export function endIntents(draft: Draft, payment_id: string, status: 'done' | 'cancelled'): void {
  for (const intent of draft.intentsOf(payment_id)) {
    if (intent.status !== 'pending' || intent.kind === 'refund') continue;
    if (status === 'cancelled' && isInDoubt(intent)) continue;
    const isDone = status === 'done' && mayBeDone(intent);
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
  return sum(intents, (each) => (isRefund(each, 'pending') && mayBeDone(each) ? leftOf(each) : 0n));
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
