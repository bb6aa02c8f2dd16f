/** The state of a payment of an employer (decision 6.3). */
export type EmployerPaymentStatus =
  | 'requested'
  | 'processing'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'
  | 'charged_back';

/** The state of a payment to a contractor (decision 6.3). */
export type ContractorPaymentStatus =
  | 'scheduled'
  | 'processing'
  | 'paid'
  | 'failed'
  | 'returned'
  | 'cancelled';

/** Where the money of a deal can be. */
export type LedgerAccount = 'employer' | 'held' | 'contractor' | 'fees' | 'loss';

/** Why an amount went from one account to another. */
export type PostingKind =
  | 'payment'
  | 'payout'
  | 'fee'
  | 'refund'
  | 'charge_back'
  /** A payout or a refund came back. */
  | 'return'
  /** Held money made up for a loss, or payouts use what was written off. */
  | 'recovery'
  /** A note, from an account to itself: the employer owes this much less. */
  | 'write_off'
  /** Notes: this much may have come twice, under two names; and the operator has decided so much of that. */
  | 'doubt'
  | 'decision';

/**
 * The status in a report of an employer's payment: its own, that money is back which was refunded, or
 * which the employer's bank had taken, or that a `paid` was wrong.
 */
export type EmployerReportStatus =
  | EmployerPaymentStatus
  | 'refund_failed'
  | 'charge_back_reversed'
  | 'voided';

/**
 * Why a report matches no payment: its partner has no such deal, the deal no such payment, or it is of
 * another currency than the deal.
 */
export type UnmatchedReason = 'unknown_deal' | 'unknown_payment' | 'currency_mismatch';

/** The tasks of a payment gateway. */
export type PaymentEffectKind = 'request_payment' | 'pay_out' | 'refund';

/** Tasks after a write; in the sandbox a freelancer answers by itself (decision 6.6). */
export type IntentKind = PaymentEffectKind | 'accept' | 'decline';

/**
 * `pending` until it is known to be done, or is not wanted any more; `failed` is a refund that came
 * back, until the operator asks for it again.
 */
export type IntentStatus = 'pending' | 'done' | 'cancelled' | 'failed';

/**
 * What is known of the calls of the gateway for a task (decision 10.1): `calling` while one is under
 * way, or ended without an answer; `none` if all is as if it had never been asked for; `taken` if it
 * answered; `unknown` if it may have happened. `null` before the first call.
 */
export type EffectOutcome = 'calling' | 'none' | 'taken' | 'unknown';

/** Why a gateway refuses a task (decision 10.17). */
export const refusalReasons = [
  'payee_missing',
  'payee_disabled',
  'balance',
  'amount',
  'currency',
  'window',
  'disputed',
  'declined',
  'closed_account',
  'other',
] as const;

/** A reason for which a gateway refuses a task. */
export type RefusalReason = (typeof refusalReasons)[number];

/** Why money does not move: what the gateway said, or that it could not be asked. */
export type WaitReason = RefusalReason | 'unavailable';

/** The reasons that freelancer and partner see by name (decision 10.23 a). */
const shownReasons = ['payee_missing', 'payee_disabled', 'closed_account', 'unavailable'] as const;

/** A reason by the name that freelancer and partner see. */
export type ShownReason = (typeof shownReasons)[number] | 'other';

/** Why money does not move, as freelancer and partner see it. */
export function shownReason(reason: WaitReason | null): ShownReason | null {
  return reason === null ? null : (shownReasons.find((each) => each === reason) ?? 'other');
}

/**
 * The order of reports: one of a lower or equal rank changes nothing, except that each new `paid`
 * of an employer counts (decision 6.7).
 */
export const ranks: Readonly<Record<EmployerReportStatus | ContractorPaymentStatus, number>> = {
  requested: 0,
  scheduled: 0,
  processing: 1,
  failed: 2,
  expired: 2,
  returned: 2,
  cancelled: 2,
  paid: 3,
  partially_refunded: 4,
  refunded: 4,
  charged_back: 4,
  refund_failed: 4,
  charge_back_reversed: 4,
  voided: 4,
};

/** Says whether an employer's payment may still come. */
export const isOpen = (status: EmployerPaymentStatus): boolean => ranks[status] < 2;
