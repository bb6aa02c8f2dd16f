import type { PreconditionReason } from '../input/errors.js';
import type { Money } from '../values/money.js';
import type { ContractorPaymentStatus, EmployerReportStatus } from '../values/payment-status.js';

/** A report of a payment provider, or an operator, about a payment. */
export interface PaymentReport<S = EmployerReportStatus | ContractorPaymentStatus> {
  /** Without it, a `paid` makes an employer's payment of its own. */
  readonly payment_id?: string;
  readonly status: S;
  /** Default: what the task asked for, or what the report must be about (decision 10.4). */
  readonly amount?: Money;
  /** That of the deal, if it is given; the case of ASCII letters does not matter. */
  readonly currency?: string;
  /** The provider's own name for it; a report of the same status and reference comes once. */
  readonly reference: string;
  /** The id of the intent, if the gateway returned this report as its answer. */
  readonly effect?: string;
}

/** Why a report is refused: none of it is recorded. */
export type ReportProblem =
  | PreconditionReason
  | { readonly member: string; readonly code: ReportFinding; readonly allowed?: readonly string[] };

/** What is wrong with a member of a report. */
export type ReportFinding = 'unknown_payment' | 'required' | 'not_allowed' | 'currency_mismatch';
