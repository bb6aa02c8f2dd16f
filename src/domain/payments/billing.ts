import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import type {
  ContractorPaymentStatus,
  EffectOutcome,
  EmployerPaymentStatus,
  IntentKind,
  PaymentEffectKind,
  WaitReason,
} from '../values/payment-status.js';
import { shownReason } from '../values/payment-status.js';
import { isFinal } from '../values/status.js';
import { nextAttempt } from '../values/timestamp.js';
import { type Books, createBooks } from './books.js';
import type { DealState } from './draft.js';
import { failedRefunds, isTaken, mayBeDone } from './intents.js';
import { minorUnits, paidTwice, releasedBy } from './ledger.js';
import { outstanding, writtenOff } from './owed.js';
import { lostPayouts } from './payouts.js';

/** A payment that an employer was asked for, and the money that came (decision 6.3). */
export interface EmployerPayment {
  /** ULID. */
  readonly id: string;
  /** The amount asked for until money comes, then the amount that came. */
  readonly amount: string;
  readonly currency: string;
  readonly status: EmployerPaymentStatus;
  /** Why the provider refused it; `null` if it did not fail by that. */
  readonly reason: WaitReason | null;
  /** The provider's own name for the last thing it reported of the payment. */
  readonly reference: string | null;
  /** RFC 3339, UTC, milliseconds, as all times. */
  readonly requested_at: string;
  readonly updated_at: string;
}

/** A payment to a contractor for stages of a deal (decision 6.3). */
export interface ContractorPayment extends Omit<EmployerPayment, 'status'> {
  readonly status: ContractorPaymentStatus;
  /**
   * Why a payout that is `scheduled` does not leave: what the provider gave as its reason, or
   * `unavailable`. Only the operator sees the reasons that nobody else can do anything about; for
   * others these are `other`.
   */
  readonly waits_for: WaitReason | null;
  /** What went out by it, less what came back: each attempt counts. */
  readonly released: string;
  readonly stage_ids: readonly number[];
}

/**
 * The sums paid and still to be paid for a deal (decisions 4, 6.3 and 6.7), from its postings.
 * Money is decimal text with two decimals. At every moment
 * `paid + loss = held + released + refunded + fees + charged_back`, and `held` is never below zero.
 */
export interface Billing {
  readonly currency: string;
  readonly amount: string;
  /** The employer pays it on top of the amount. */
  readonly employer_fee: string;
  /** The amount and the employer's fee: what the employer pays in all. */
  readonly total: string;
  readonly paid: string;
  /** All that went back to the employer, less the refunds that failed. */
  readonly refunded: string;
  /** All that was paid out, less what came back. */
  readonly released: string;
  readonly outstanding: string;
  readonly held: string;
  readonly fees: string;
  /** All that the employer's bank took back. */
  readonly charged_back: string;
  /** The money that went out without being covered by `held`, and was not made up since. */
  readonly loss: string;
  /** What the employer need not pay any more; money that comes later lessens it. */
  readonly written_off: string;
  readonly employer_payments: readonly EmployerPayment[];
  readonly contractor_payments: readonly ContractorPayment[];
}

/** The sums of a deal as the operator sees them. */
export interface OperatorBilling extends Billing {
  /** The contractor gets the amount less this. */
  readonly contractor_fee: string;
  /** The amount less the contractor's fee: what the contractor gets. */
  readonly net: string;
}

/** The billing of a deal. */
export function billingOf(
  state: Pick<DealState, 'deal' | 'stage' | 'employer_payment' | 'contractor_payment' | 'posting'>,
): Billing {
  const { deal, employer_payment, contractor_payment, posting } = state;
  const { currency, amount, employer_fee } = deal;
  const books = createBooks(posting);
  const balance = books.balance();
  return {
    currency,
    amount,
    employer_fee,
    total: sumOf(amount, employer_fee),
    paid: formatMoney(balance.paid),
    refunded: formatMoney(balance.refunded),
    released: formatMoney(balance.released),
    outstanding: formatMoney(outstanding(state, balance)),
    held: formatMoney(balance.held),
    fees: formatMoney(balance.fees),
    charged_back: formatMoney(balance.charged_back),
    loss: formatMoney(balance.loss),
    written_off: formatMoney(writtenOff(state, balance)),
    employer_payments: employer_payment.map((each) => employerPayment(deal, each, shownReason)),
    contractor_payments: contractor_payment.map((each) => contractorPayment(deal, each, books)),
  };
}

/** The billing of a deal as the operator sees it. */
export function operatorBilling(
  billing: Billing,
  {
    deal,
    employer_payment,
    contractor_payment,
    posting,
  }: Pick<DealState, 'deal' | 'employer_payment' | 'contractor_payment' | 'posting'>,
): OperatorBilling {
  const books = createBooks(posting);
  return {
    ...billing,
    employer_payments: employer_payment.map((each) => employerPayment(deal, each, asIs)),
    contractor_payments: contractor_payment.map((each) =>
      contractorPayment(deal, each, books, asIs),
    ),
    contractor_fee: deal.contractor_fee,
    net: netOf(deal),
  };
}

type Show = (reason: WaitReason | null) => WaitReason | null;

const asIs: Show = (reason) => reason;

/** What the contractor gets of the amount of a deal. */
export function netOf({ amount, contractor_fee }: Row<'deal'>): string {
  return formatMoney(fromMinorUnits(minorUnits(amount) - minorUnits(contractor_fee)));
}

const sumOf = (amount: string, fee: string): string =>
  formatMoney(fromMinorUnits(minorUnits(amount) + minorUnits(fee)));

function employerPayment(
  { currency }: Row<'deal'>,
  {
    id,
    amount,
    status,
    reason: known,
    reference,
    requested_at,
    updated_at,
  }: Row<'employer_payment'>,
  show: Show,
): EmployerPayment {
  const reason = status === 'failed' ? show(known) : null;
  return { id, amount, currency, status, reason, reference, requested_at, updated_at };
}

/** A payment to a contractor as every face shows it, but for the reasons that the operator sees. */
export function contractorPayment(
  { currency }: Row<'deal'>,
  payment: Row<'contractor_payment'>,
  books: Pick<Books, 'of'>,
  show: Show = shownReason,
): ContractorPayment {
  const { id, stage_id, amount, status, reference, requested_at, updated_at } = payment;
  return {
    ...{ id, amount, currency, status },
    waits_for: status === 'scheduled' ? show(payment.reason) : null,
    reason: status === 'failed' ? show(payment.reason) : null,
    released: formatMoney(releasedBy(books, payment)),
    ...{ reference, stage_ids: [stage_id], requested_at, updated_at },
  };
}

/**
 * A task of the payment gateway that is not known to be done. A refund that came back has `failed`,
 * and waits for the operator.
 */
export interface WaitingEffect {
  /** ULID: the idempotency key of the gateway. */
  readonly id: string;
  readonly kind: PaymentEffectKind;
  readonly payment_id: string;
  readonly amount: string;
  /** The part that no report covers yet. */
  readonly remaining: string;
  readonly status: 'pending' | 'failed';
  /** How often the gateway was asked. */
  readonly attempts: number;
  /**
   * What came of that: `none` if it is as if it had not been asked for, `taken` if it will be
   * reported, `unknown` if it may have happened; `null` before the first time.
   */
  readonly outcome: Exclude<EffectOutcome, 'calling'> | null;
  /** Why the gateway did not do it; `unavailable` if it could not be asked. */
  readonly waits_for: WaitReason | null;
  /**
   * RFC 3339, UTC, milliseconds, in real time; of one that waits for its first attempt the time at
   * which it was recorded. `null` if the gateway is not asked by itself.
   */
  readonly next_attempt_at: string | null;
}

const isOfMoney = (kind: IntentKind): kind is PaymentEffectKind =>
  kind !== 'accept' && kind !== 'decline';

/** The tasks of a deal that wait, the oldest first. */
export function waitingEffects({ intent }: Pick<DealState, 'intent'>): readonly WaitingEffect[] {
  return intent.flatMap((each) => {
    const { id, kind, payment_id, amount, remaining, status, attempts } = each;
    const { reason: waits_for } = each;
    if (!isOfMoney(kind) || !(status === 'pending' || status === 'failed')) return [];
    const next_attempt_at = nextAttempt(each);
    const outcome = isTaken(each) ? 'taken' : mayBeDone(each) ? 'unknown' : each.outcome;
    return [
      {
        ...{ id, kind, payment_id, amount, remaining, status, attempts },
        ...{ outcome: outcome === 'calling' ? 'unknown' : outcome, waits_for, next_attempt_at },
      },
    ];
  });
}

/** Why the money of a deal needs the operator: it does not move by itself (decision 6.7). */
export type Attention = 'payout_returned' | 'refund_failed' | 'paid_twice';

/** Every value of `Attention`. */
export const attentions: Readonly<Record<Attention, true>> = {
  payout_returned: true,
  refund_failed: true,
  paid_twice: true,
};

/** The records that `attentionOf` judges. */
export type Attended = Pick<
  DealState,
  'deal' | 'stage' | 'contractor_payment' | 'posting' | 'intent'
>;

/** Why the operator has to act: money that was sent came back, or arrived twice. */
export function attentionOf(
  state: Attended,
  books: Pick<Books, 'of'> = createBooks(state.posting),
): readonly Attention[] {
  const { deal, contractor_payment, intent } = state;
  const has = (stage_id: number, ...statuses: readonly string[]) =>
    contractor_payment.some((each) => each.stage_id === stage_id && statuses.includes(each.status));
  // a deal that ended without its work keeps nothing for payouts that were cancelled
  const isOver = isFinal(deal.status) && deal.status !== 'completed';
  const isLost = lostPayouts(state, books).some(
    ({ stage_id }) =>
      !has(stage_id, 'scheduled') && (!isOver || has(stage_id, 'failed', 'returned')),
  );
  return [
    ...(isLost ? (['payout_returned'] as const) : []),
    ...(failedRefunds(intent).length > 0 ? (['refund_failed'] as const) : []),
    ...(paidTwice(state, books) > 0n ? (['paid_twice'] as const) : []),
  ];
}
