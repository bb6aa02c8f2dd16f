import type { PreconditionReason } from '../input/errors.js';
import type { Money } from '../values/money.js';
import type { ContractorPaymentStatus, EmployerReportStatus } from '../values/payment-status.js';

/** What a payment provider, or an operator, says of a payment. */
export interface PaymentReport<S = EmployerReportStatus | ContractorPaymentStatus> {
  /** Without it, a `paid` makes an employer's payment of its own. */
  readonly payment_id?: string;
  readonly status: S;
  /** By default what was asked for. */
  readonly amount?: Money;
  /** The provider's own name for it; a report of the same status and reference comes once. */
  readonly reference: string;
  /** What the gateway was asked for, by its id, where it has answered this to it. */
  readonly effect?: string;
}

/** Why a report is refused: nothing of it is recorded. */
export type ReportProblem =
  | PreconditionReason
  | { readonly member: string; readonly code: 'unknown_payment' | 'required' };
