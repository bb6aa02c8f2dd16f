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
    readonly payment_id?: string;
    readonly amount?: string;
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
  /** Whether it is still true when it is sent; default: always. */
  readonly holds?: (facts: Facts) => boolean;
  /** Whether it also tells of what the receiver did. */
  readonly ownToo?: true;
}

const isOpen = ({ details, event }: Facts) => details.proposal?.id === event.data.proposal_id;

const isDisputed = ({ details }: Facts) => details.status === 'disputed';

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

/** The kinds of messages. */
export const kinds = {
  offered: {
    to: 'freelancer',
    of: ['deal.created'],
    // a freelancer who is invited was told already
    holds: (facts) => isOffered(facts) && isUntold(facts),
  },
  termsProposed: { to: 'freelancer', of: ['proposal.created'], holds: isOpen },
  termsChanged: {
    to: 'freelancer',
    of: ['deal.amended'],
    holds: ({ details, event }) =>
      details.terms_version === event.data.terms_version &&
      !['cancelled', 'expired'].includes(details.status),
  },
  settled: { to: 'freelancer', of: ['deal.settled'], holds: isAgreed },
  bonusAdded: {
    to: 'freelancer',
    of: ['deal.bonus_added'],
    holds: hasStage('approved', 'paid'),
  },
  expiresSoon: { to: 'freelancer', of: ['deal.expires_soon'], holds: isOffered },
  changesRequested: {
    to: 'freelancer',
    of: ['deal.changes_requested'],
    holds: (facts) => hasStage('changes_requested')(facts) && !isDisputed(facts),
  },
  approved: { to: 'freelancer', of: ['deal.approved'], holds: hasStage('approved', 'paid') },
  paidOut: { to: 'freelancer', of: ['contractor_payment.paid'], holds: paymentIs('paid') },
  payoutReturned: {
    to: 'freelancer',
    of: ['contractor_payment.failed', 'contractor_payment.returned'],
    holds: paymentIs('failed', 'returned'),
  },
  disputed: { to: 'freelancer', of: ['deal.disputed'], holds: isDisputed },
  disputeResolved: { to: 'freelancer', of: ['deal.dispute_resolved'], holds: isAgreed },
  cancelled: { to: 'freelancer', of: ['deal.cancelled'] },
  accepted: {
    to: 'partner',
    of: ['deal.accepted'],
    holds: ({ details }) => ['accepted', 'finished'].includes(details.freelancer_status),
  },
  declined: { to: 'partner', of: ['deal.declined'] },
  delivered: { to: 'partner', of: ['deal.delivered'], holds: isInReview },
  reviewEndsSoon: { to: 'partner', of: ['deal.review_ends_soon'], holds: isInReview },
  proposed: { to: 'partner', of: ['proposal.created'], holds: isOpen },
  paymentRequested: {
    to: 'partner',
    of: ['employer_payment.requested'],
    holds: paymentIs('requested'),
    // it follows from what the partner has approved
    ownToo: true,
  },
  // no event has it: it tells of a message that the freelancer did not get
  undelivered: { to: 'partner', of: [] },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kinds of messages. */
export type MailKind = keyof typeof kinds;

/** Every kind of message. */
export const mailKinds = Object.keys(kinds) as readonly MailKind[];

const kindOf = (name: MailKind): Kind => kinds[name];

/** The kind of message that tells one side of an event; nobody is told what they did themselves. */
export function kindFor(side: MailSide, { type, actor }: DealEvent): MailKind | undefined {
  return mailKinds.find((name) => {
    const { to, of, ownToo = false } = kindOf(name);
    return to === side && of.includes(type) && (ownToo || actor !== side);
  });
}

/** Whether a message is still true. */
export const isTrue = (name: MailKind, facts: Facts): boolean =>
  kindOf(name).holds?.(facts) ?? true;
