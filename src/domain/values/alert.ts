/**
 * Why a deal needs the operator: those of now in this order. One that is foreseen counts from its
 * time on, unless it has gone by then.
 */
export const alerts = {
  disputed: 'a dispute is open',
  paid_twice: 'a contractor was paid twice',
  effect_in_doubt:
    'it has not been known for an hour whether a payment was made, and it may not be asked for again',
  payout_failed: 'a payout failed, or came back',
  refund_failed: 'a refund failed',
  effect_failing: 'the payment gateway has failed three times or more to start a payment',
  overdue: 'work is past its due date',
  payment_overdue: 'the employer was asked for a payment seven days ago',
  overpaid: 'the employer paid more than is owed',
  payout_waits: 'a payout has been waiting for a day',
  payout_late: 'a payout was not reported for three days',
  refund_late: 'a refund was not reported for three days',
} as const;

/** A reason. */
export type Alert = keyof typeof alerts;

/** Every reason, in the order in which a summary has them. */
export const alertNames = Object.keys(alerts) as readonly Alert[];
