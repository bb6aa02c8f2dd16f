import type {
  ContractorPaymentStatus,
  EmployerReportStatus,
  PaymentEffectKind,
} from '../domain/values/payment-status.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** What a payment provider is asked to do: ask an employer, pay a contractor, or pay back. */
export interface PaymentEffect {
  /** Idempotency key: the same effect may be asked for again, and must have its effect once. */
  readonly id: string;
  readonly kind: PaymentEffectKind;
  readonly partner_id: string;
  /** The payment that it is about. */
  readonly payment_id: string;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** Which attempt for this payment it is, from 1: a payout that failed is sent again by another effect. */
  readonly attempt: number;
  /** How many of the same kind came before it, of this deal. */
  readonly before: number;
  /** Of the whole deal. */
  readonly deal_amount: string;
  readonly freelancer: string;
}

/** What a gateway knows at once of an effect: it is recorded as a report of that payment. */
export interface GatewayReport {
  readonly status: EmployerReportStatus | ContractorPaymentStatus;
  /** Decimal string; by default what was asked for. */
  readonly amount?: string;
  /** The provider's own name for what happened, 1 to 255 characters: each is recorded once. */
  readonly reference: string;
}

/**
 * Moves money (decision 6.3). What comes of it is reported: at once, by the answer, or later, by
 * `recordEmployerPayment` and `recordContractorPayment` of the operator's side.
 */
export interface PaymentGateway {
  /** Whether it moves the money of this tenant; else somebody does it by hand, and reports it. */
  executes(tenant: Tenant): boolean;
  /** Begins the effect. It is asked again, with the same id, until it answers. */
  execute(tenant: Tenant, effect: PaymentEffect): Answer<readonly GatewayReport[]>;
}
