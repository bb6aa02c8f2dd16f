import type { ResultAsync } from 'neverthrow';
import type { CommandError } from '../domain/input/errors.js';
import type { CallOptions } from './inputs.js';

/** The remarks of a command; both go into its event. 1 to 2,000 characters each. */
export interface Remarks {
  readonly reason?: string;
  readonly message?: string;
}

/** The acceptance of an offer: with `terms_sha256` only if its terms are still the ones seen. */
export interface OfferAcceptance extends Remarks {
  /** Required once `terms_version` is above 1. */
  readonly terms_sha256?: string;
}

/** Money on top of the terms: a stage that is approved at once (decision 9.9). */
export interface Bonus {
  /** Decimal string greater than zero. */
  readonly amount: string;
  /** 1 to 2,000 characters; the first 200 are the name of the stage. */
  readonly message?: string;
}

/** A command that needs a reason. */
export interface Reasoned extends Remarks {
  readonly reason: string;
}

/** A command of stages: without `stage_id`, for every stage for which it is legal. */
export type OfStage<R extends Remarks = Remarks> = R & { readonly stage_id?: number };

/** The amount that a dispute is resolved with: from zero up to the price of the open stages. */
export interface Resolution extends Remarks {
  /** Decimal string. */
  readonly agreed_amount: string;
}

/** Which payouts to send again: without `payment_id`, all that have failed or came back. */
export interface PayoutRetry extends Remarks {
  readonly payment_id?: string;
}

/** Which refunds to ask for again: without `payment_id`, all that have failed. */
export interface RefundRetry extends Remarks {
  /** The employer's payment of the refunds. */
  readonly payment_id?: string;
}

/** An amount that the employer need not pay any more (decision 10.11). */
export interface WriteOff extends Reasoned {
  /** Decimal string greater than zero, up to what is outstanding. */
  readonly amount: string;
}

/** A report of an employer's payment (decision 6.7). */
export interface EmployerPaymentReport {
  /** Without it, `paid` with an amount makes a payment of its own. */
  readonly payment_id?: string;
  readonly status:
    | 'processing'
    | 'paid'
    | 'failed'
    | 'expired'
    | 'partially_refunded'
    | 'refunded'
    | 'charged_back'
    /** Refunded money did not arrive: it is held again. */
    | 'refund_failed'
    /** A charge-back was won: its money is held again. */
    | 'charge_back_reversed'
    /** The `paid` of this reference never came. Only an operator reports it. */
    | 'voided';
  /**
   * Decimal string greater than zero, of up to 24 digits. Default: of `paid` what was asked for, of
   * refunds those that wait for their report, of `charge_back_reversed` what is charged back, else
   * what is left of the payment. It is required if that is nothing (decision 10.4).
   */
  readonly amount?: string;
  /** If it is given, that of the deal; the case of ASCII letters does not matter. */
  readonly currency?: string;
  /** The provider's own name for the report, 1 to 255 characters: each is recorded once. */
  readonly reference: string;
}

/** A report of a payout. */
export interface ContractorPaymentReport {
  readonly payment_id: string;
  readonly status: 'processing' | 'paid' | 'failed' | 'returned';
  /** Decimal string: the amount of the payout. */
  readonly amount?: string;
  /** If it is given, that of the deal; the case of ASCII letters does not matter. */
  readonly currency?: string;
  readonly reference: string;
}

/** Gives a deal a command; the answer is the deal after it. */
type Give<Answer, Input, Transport, Options = CallOptions> = (
  partner_id: string,
  input?: Input,
  options?: Options,
) => ResultAsync<Answer, CommandError | Transport>;

/** The same with a required input. */
type GiveWith<Answer, Input, Transport, Options = CallOptions> = (
  partner_id: string,
  input: Input,
  options?: Options,
) => ResultAsync<Answer, CommandError | Transport>;

/**
 * The commands of a partner (decisions 6.1 and 6.2). A command that already had its effect is a
 * success that changes nothing. One that the deal does not have in its state is an
 * `illegal_transition`, which lists the legal ones.
 */
export interface PartnerCommands<A, T, O = CallOptions> {
  /** The freelancer was told: POST /api/2.0/deal/{partner_id}/invite/ */
  readonly invite: Give<A, Remarks, T, O>;
  /** For the freelancer of a deal of version 1.0, who has no token. */
  readonly accept: Give<A, OfferAcceptance, T, O>;
  /** For the freelancer of a deal of version 1.0. */
  readonly decline: Give<A, Remarks, T, O>;
  /** If no work was delivered, and nothing is paid or the work is seven days overdue. */
  readonly cancel: Give<A, Remarks, T, O>;
  /** Submits the work: each stage has a file. */
  readonly deliver: Give<A, OfStage<OfferAcceptance>, T, O>;
  /** Sends submitted work back. */
  readonly requestChanges: GiveWith<A, OfStage<Reasoned>, T, O>;
  /** Accepts submitted work, which is then paid. */
  readonly approve: Give<A, OfStage, T, O>;
  /** Stops everything until an operator resolves it. */
  readonly dispute: GiveWith<A, Reasoned, T, O>;
  /** Asks again for the sum due, after a request has failed or expired. */
  readonly requestPayment: Give<A, Remarks, T, O>;
  /** Pays more than was agreed: POST /api/2.0/deal/{partner_id}/add-bonus/ */
  readonly addBonus: GiveWith<A, Bonus, T, O>;
}

/** The commands of the operator (decision 6.5). */
export interface OperatorCommands<A, T> {
  readonly invite: Give<A, Remarks, T>;
  readonly cancel: GiveWith<A, Reasoned, T>;
  /** Ends a dispute. */
  readonly resolve: GiveWith<A, Resolution, T>;
  readonly requestPayment: Give<A, Remarks, T>;
  /** Sends payouts again that failed or came back. */
  readonly retryPayout: Give<A, PayoutRetry, T>;
  /** Asks again for refunds that failed. */
  readonly retryRefund: Give<A, RefundRetry, T>;
  /** Takes an amount out of what the employer owes: payouts may use as much beyond what came. */
  readonly writeOff: GiveWith<A, WriteOff, T>;
  /** Sends back at once what came beyond what is owed. */
  readonly refundSurplus: Give<A, Remarks, T>;
  readonly recordEmployerPayment: GiveWith<A, EmployerPaymentReport, T>;
  readonly recordContractorPayment: GiveWith<A, ContractorPaymentReport, T>;
}
