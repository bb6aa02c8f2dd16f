/** The state of what an employer was asked for (decision 6.3). */
export type EmployerPaymentStatus =
  | 'requested'
  | 'processing'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'
  | 'charged_back';

/** The state of what a contractor is to get (decision 6.3). */
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
  /** A payout came back, or a refund. */
  | 'return'
  /** Made up for what was lost. */
  | 'recovery';

/** What a report can say of an employer's payment: its status, or that money of it is back. */
export type EmployerReportStatus = EmployerPaymentStatus | 'refund_failed';

/** What a payment gateway is asked to do. */
export type PaymentEffectKind = 'request_payment' | 'pay_out' | 'refund';

/** What is to be done after a write; in the sandbox a freelancer answers by itself (decision 6.6). */
export type IntentKind = PaymentEffectKind | 'accept' | 'decline';

/**
 * `pending` until it is known to be done, or is not wanted any more; `failed` is a refund that came
 * back, until somebody asks for it anew.
 */
export type IntentStatus = 'pending' | 'done' | 'cancelled' | 'failed';

/**
 * Which reports are later than others: one of a lower or equal rank changes nothing, but that each
 * new `paid` of an employer counts (decision 6.7).
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
};

/** Says whether an employer's payment may still come by itself. */
export const isOpen = (status: EmployerPaymentStatus): boolean => ranks[status] < 2;
