import type {
  ContractorPaymentStatus,
  EmployerReportStatus,
  PaymentEffectKind,
  RefusalReason,
} from '../domain/values/payment-status.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * A task for a payment provider: to ask an employer for money, to pay a contractor, or to refund.
 */
export interface PaymentEffect {
  /** Idempotency key: the same effect may be asked for again, and must have its effect once. */
  readonly id: string;
  readonly kind: PaymentEffectKind;
  readonly partner_id: string;
  /** The payment of the task. */
  readonly payment_id: string;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /**
   * The number of this attempt for the payment, from 1: a failed payout is sent again as a new
   * effect.
   */
  readonly attempt: number;
  /** How often this very effect was asked for before. */
  readonly calls: number;
  /** The number of earlier effects of the same kind for this deal. */
  readonly before: number;
  /** Of the whole deal, as it is now: another one, maybe, if the same effect is asked for again. */
  readonly deal_amount: string;
  readonly freelancer: string;
}

/** A report of what became of an effect, which is known at once. */
export interface GatewayReport {
  readonly status: EmployerReportStatus | ContractorPaymentStatus;
  /** Decimal string; default: the amount of the effect. */
  readonly amount?: string;
  /**
   * A gateway gives it if it can, so that no amount counts in another currency than it came in
   * (decision 10.4).
   */
  readonly currency?: string;
  /** The provider's own name for the report, 1 to 255 characters: each is recorded once. */
  readonly reference: string;
}

/**
 * The answer of a gateway that was asked for an effect: it has taken it, or has refused it. All of it
 * counts, or nothing does (decision 10.2).
 */
export interface GatewayAnswer {
  /** What became of it already: of the payment that it is for, and of no more money than was asked. */
  readonly reports?: readonly GatewayReport[];
  /**
   * Why it was not taken, without `reports`. Nothing has happened then, by an earlier call neither:
   * who refuses has looked. With `later` it is asked for again, with `never` it has failed.
   */
  readonly refused?: GatewayRefusal;
}

/** Why a gateway does not do something, and whether it makes sense to ask for it again. */
export interface GatewayRefusal {
  readonly reason: RefusalReason;
  readonly retry: 'later' | 'never';
}

/**
 * Moves money (decision 6.3). The outcome is reported: at once, by the answer, or later, by
 * `recordEmployerPayment` and `recordContractorPayment` of the operator.
 */
export interface PaymentGateway {
  /**
   * Whether it moves the money of this tenant; else the operator moves it by hand, and reports it.
   */
  executes(tenant: Tenant): boolean;
  /**
   * Starts the effect. It is asked again, with the same id, until it answers: with a growing pause, or
   * after `retryAfter`. With `unavailable` and the outcome `none` nothing has happened by this call;
   * with `unknown` it may have, and its money stays reserved (decision 10.1). A list is its reports.
   */
  execute(tenant: Tenant, effect: PaymentEffect): Answer<GatewayAnswer | readonly GatewayReport[]>;
}
