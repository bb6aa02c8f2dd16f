import type { Actor, DealDetails, Environment, FreelancerView } from 'dealwright';
import type { MailSide } from './message.js';

/** An event of a deal, of any type that a message tells of. */
export interface DealEvent {
  readonly id: string;
  readonly type: string;
  readonly environment: Environment;
  readonly partner: string;
  readonly at: string;
  readonly actor: Actor;
  readonly data: {
    readonly partner_id: string;
    readonly stage_ids?: readonly number[];
    readonly reason?: string;
    readonly message?: string;
    readonly agreed_amount?: string;
    readonly terms_version?: number;
    readonly proposal_id?: string;
    /** The side whose proposal it is about, and what that is. */
    readonly by?: Actor;
    readonly kind?: string;
    readonly terms_sha256?: string;
    readonly payment_id?: string;
    readonly amount?: string;
    /** What it is about, if nothing of it has moved. */
    readonly asked?: string;
    /** The status after it; an event from before 10.7 has none, and says what the payment was worth. */
    readonly payment_status?: string;
    readonly waits_for?: string;
  };
}

/** An event, and its deal as it is now. */
export interface Facts {
  readonly event: DealEvent;
  readonly details: DealDetails;
  /** The deal as its freelancer sees it, for a message to the freelancer, if the token is valid. */
  readonly view?: FreelancerView;
}

interface Kind {
  readonly to: MailSide;
  /** The types of events that it tells of. */
  readonly of: readonly string[];
  /** Which of these events it tells of; default: each. */
  readonly when?: (data: DealEvent['data']) => boolean;
  /** Whether it is still true when it is sent; default: always. */
  readonly holds?: (facts: Facts) => boolean;
  /** Whether it also tells of what the receiver did. */
  readonly ownToo?: true;
  /** Whether only a freelancer who has heard of the offer is told. */
  readonly ifInvited?: true;
}

const isOpen = ({ details, event }: Facts) => details.proposal?.id === event.data.proposal_id;

const isDisputed = ({ details }: Facts) => details.status === 'disputed';

const hasEnded = ({ details }: Facts) => ['cancelled', 'expired'].includes(details.status);

/** Whether this is the amount that the sides were left with, and nobody has disputed it since. */
const isAgreed = (facts: Facts) =>
  facts.details.agreed_amount === facts.event.data.agreed_amount && !isDisputed(facts);

const hasStage =
  (...statuses: readonly string[]) =>
  ({ details, event }: Facts) =>
    details.stages.some(
      ({ id, status }) => statuses.includes(status) && event.data.stage_ids?.includes(id),
    );

const paymentIs =
  (...statuses: readonly string[]) =>
  ({ details: { billing }, event: { data } }: Facts) =>
    [...billing.employer_payments, ...billing.contractor_payments].some(
      ({ id, status }) => id === data.payment_id && statuses.includes(status),
    );

/** Whether delivered work still waits for an answer of the partner: in a dispute it does not. */
const isInReview = (facts: Facts) =>
  hasStage('submitted')(facts) && facts.details.legal.includes('approve');

/** Whether the freelancer can still answer the offer, with a token that is still valid. */
const isOffered = ({ details, view }: Facts) => details.status === 'created' && view !== undefined;

/** Whether nobody has noted that the freelancer was told of the offer. */
export const isUntold = ({ details: { status, freelancer_status } }: Facts): boolean =>
  status === 'created' && freelancer_status === 'new';

/** Whether it is about a proposal of this side. */
const isBy =
  (side: MailSide, ...types: readonly string[]) =>
  ({ by, kind = '' }: DealEvent['data']) =>
    by === side && (types.length === 0 || types.includes(kind));

/** Whether the terms are still those that were accepted. */
const isInForce = (facts: Facts) =>
  facts.details.terms_sha256 === facts.event.data.terms_sha256 && !hasEnded(facts);

/** Whether the payment counts as it did right after the event. */
const isAsThen = (facts: Facts) => {
  const { payment_status } = facts.event.data;
  return payment_status !== undefined && paymentIs(payment_status)(facts);
};

/** Whether money is still to come in place of this payment, and nobody has asked for it since. */
const isUncovered = (facts: Facts) => {
  const { details, event } = facts;
  const { outstanding, employer_payments } = details.billing;
  const since = employer_payments.filter(
    ({ id, updated_at }) => id !== event.data.payment_id && updated_at >= event.at,
  );
  return (
    outstanding !== nothing &&
    !hasEnded(facts) &&
    !isDisputed(facts) &&
    !since.some(({ status }) => ['requested', 'processing', 'paid'].includes(status))
  );
};

/** Whether a stage of this event is late by the date that it has now. */
const isLate = ({ details: { stages }, event: { data, at } }: Facts) =>
  stages.some(
    ({ id, status, due_on }) =>
      data.stage_ids?.includes(id) &&
      ['pending', 'changes_requested'].includes(status) &&
      due_on !== null &&
      due_on <= at.slice(0, 10),
  );

/** Whether the money for the stages of this payout is owed, and no other payout of them is there. */
const isWithoutPayout = (facts: Facts) => {
  const { details, event } = facts;
  const isOfStages = (each: { readonly stage_ids: readonly number[] }) =>
    each.stage_ids.some((id) => event.data.stage_ids?.includes(id));
  return (
    hasStage('approved', 'paid')(facts) &&
    !isDisputed(facts) &&
    !hasEnded(facts) &&
    details.billing.contractor_payments
      .filter(isOfStages)
      .every(({ status }) => status === 'cancelled')
  );
};

/** What a payout can wait for that the freelancer can do something about. */
export const accountReasons = ['payee_missing', 'payee_disabled', 'closed_account'] as const;

const nothing = '0.00';

/** Events of money that has moved: their amount is not that of a request. */
const moves = ['paid', 'refunded', 'charged_back', 'charge_back_reversed'];

/** The amount that an event of a payment is about: what has moved, or what was to move. */
export function amountOf({ type, data }: DealEvent): string | undefined {
  const [, what = ''] = type.split('.');
  return data.amount === nothing && !moves.includes(what) ? data.asked : data.amount;
}

/** Whether it says that no money has moved. */
const isOfNothing = (event: DealEvent): boolean =>
  event.data.payment_id !== undefined && (amountOf(event) ?? nothing) === nothing;

const amendment = 'amendment';

/** The kinds of messages. */
export const kinds = {
  offered: {
    to: 'freelancer',
    of: ['deal.created'],
    // a freelancer who is invited was told already
    holds: (facts) => isOffered(facts) && isUntold(facts),
  },
  termsProposed: { to: 'freelancer', of: ['proposal.created'], holds: isOpen },
  // what the partner changes in an offer takes effect at once
  termsChanged: {
    to: 'freelancer',
    of: ['proposal.accepted'],
    when: isBy('partner'),
    holds: isInForce,
  },
  termsAccepted: {
    to: 'freelancer',
    of: ['proposal.accepted'],
    when: isBy('freelancer', amendment),
    holds: isInForce,
  },
  termsRejected: {
    to: 'freelancer',
    of: ['proposal.rejected'],
    when: isBy('freelancer'),
    holds: (facts) => !hasEnded(facts),
  },
  termsExpired: {
    to: 'freelancer',
    of: ['proposal.expired'],
    when: isBy('freelancer'),
    holds: (facts) => !hasEnded(facts),
  },
  settled: { to: 'freelancer', of: ['deal.settled'], holds: isAgreed },
  bonusAdded: {
    to: 'freelancer',
    of: ['deal.bonus_added'],
    holds: hasStage('approved', 'paid'),
  },
  expiresSoon: { to: 'freelancer', of: ['deal.expires_soon'], holds: isOffered },
  offerExpired: { to: 'freelancer', of: ['deal.expired'], ifInvited: true },
  changesRequested: {
    to: 'freelancer',
    of: ['deal.changes_requested'],
    holds: (facts) => hasStage('changes_requested')(facts) && !isDisputed(facts),
  },
  overdue: {
    to: 'freelancer',
    of: ['deal.overdue'],
    holds: (facts) => isLate(facts) && !isDisputed(facts),
  },
  approved: { to: 'freelancer', of: ['deal.approved'], holds: hasStage('approved', 'paid') },
  paidOut: { to: 'freelancer', of: ['contractor_payment.paid'], holds: paymentIs('paid') },
  payoutWaits: {
    to: 'freelancer',
    of: ['contractor_payment.waiting'],
    // what only the operator can do something about is tried again by itself
    when: ({ waits_for }) => accountReasons.some((each) => each === waits_for),
    holds: ({ details: { billing }, event: { data } }) =>
      billing.contractor_payments.some(
        ({ id, waits_for }) => id === data.payment_id && waits_for === data.waits_for,
      ),
  },
  payoutReturned: {
    to: 'freelancer',
    of: ['contractor_payment.failed', 'contractor_payment.returned'],
    holds: paymentIs('failed', 'returned'),
  },
  payoutCancelled: {
    to: 'freelancer',
    of: ['contractor_payment.cancelled'],
    holds: isWithoutPayout,
  },
  disputed: { to: 'freelancer', of: ['deal.disputed'], holds: isDisputed },
  disputeResolved: { to: 'freelancer', of: ['deal.dispute_resolved'], holds: isAgreed },
  cancelled: { to: 'freelancer', of: ['deal.cancelled'], ifInvited: true },
  accepted: {
    to: 'partner',
    of: ['deal.accepted'],
    holds: ({ details }) => ['accepted', 'finished'].includes(details.freelancer_status),
  },
  declined: { to: 'partner', of: ['deal.declined'] },
  dealExpired: { to: 'partner', of: ['deal.expired'] },
  delivered: { to: 'partner', of: ['deal.delivered'], holds: isInReview },
  reviewEndsSoon: { to: 'partner', of: ['deal.review_ends_soon'], holds: isInReview },
  proposed: { to: 'partner', of: ['proposal.created'], holds: isOpen },
  proposalAccepted: {
    to: 'partner',
    of: ['proposal.accepted'],
    when: isBy('partner', amendment),
    holds: isInForce,
  },
  proposalRejected: {
    to: 'partner',
    of: ['proposal.rejected'],
    when: isBy('partner'),
    holds: (facts) => !hasEnded(facts),
  },
  proposalExpired: {
    to: 'partner',
    of: ['proposal.expired'],
    when: isBy('partner'),
    holds: (facts) => !hasEnded(facts),
  },
  settlementAccepted: { to: 'partner', of: ['deal.settled'], holds: isAgreed },
  disputeOpened: { to: 'partner', of: ['deal.disputed'], holds: isDisputed },
  disputeDecided: { to: 'partner', of: ['deal.dispute_resolved'], holds: isAgreed },
  dealCancelled: { to: 'partner', of: ['deal.cancelled'] },
  paymentRequested: {
    to: 'partner',
    of: ['employer_payment.requested'],
    holds: paymentIs('requested'),
    // it follows from what the partner has approved
    ownToo: true,
  },
  paymentReceived: {
    to: 'partner',
    of: ['employer_payment.paid'],
    holds: (facts) => paymentIs('paid', 'partially_refunded')(facts) || isAsThen(facts),
  },
  paymentFailed: {
    to: 'partner',
    of: ['employer_payment.failed'],
    holds: (facts) => paymentIs('failed')(facts) && isUncovered(facts),
  },
  paymentExpired: {
    to: 'partner',
    of: ['employer_payment.expired'],
    holds: (facts) => paymentIs('expired')(facts) && isUncovered(facts),
  },
  chargedBack: {
    to: 'partner',
    of: ['employer_payment.charged_back'],
    holds: paymentIs('charged_back'),
  },
  chargeBackReversed: { to: 'partner', of: ['employer_payment.charge_back_reversed'] },
  refunded: {
    to: 'partner',
    // the second was told of before 10.7
    of: ['employer_payment.refunded', 'employer_payment.partially_refunded'],
    holds: ({ details }) => details.billing.refunded !== nothing,
  },
  // no event has it: it tells of a message that the freelancer did not get
  undelivered: { to: 'partner', of: [] },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kinds of messages. */
export type MailKind = keyof typeof kinds;

/** Every kind of message. */
export const mailKinds = Object.keys(kinds) as readonly MailKind[];

const kindOf = (name: MailKind): Kind => kinds[name];

/**
 * The kind of message that tells one side of an event; nobody is told what they did themselves, or
 * of money that has not moved.
 */
export function kindFor(side: MailSide, event: DealEvent): MailKind | undefined {
  const { type, actor, data } = event;
  return mailKinds.find((name) => {
    const { to, of, when, ownToo = false } = kindOf(name);
    return (
      to === side &&
      of.includes(type) &&
      (ownToo || actor !== side) &&
      (when?.(data) ?? true) &&
      !isOfNothing(event)
    );
  });
}

/** Whether a message is still true. */
export const isTrue = (name: MailKind, facts: Facts): boolean =>
  kindOf(name).holds?.(facts) ?? true;

/** Whether only a freelancer who has heard of the offer gets a message. */
export const isForInvited = (name: MailKind): boolean => kindOf(name).ifInvited ?? false;
