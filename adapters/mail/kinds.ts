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

const hasStage =
  (status: string) =>
  ({ details, event }: Facts) =>
    details.stages.some(
      (each) => each.status === status && event.data.stage_ids?.includes(each.id),
    );

/** Whether the freelancer can still answer the offer, with a token that is still valid. */
const isOffered = ({ details, view }: Facts) => details.status === 'created' && view !== undefined;

/** The kinds of messages. */
export const kinds = {
  offered: {
    to: 'freelancer',
    of: ['deal.created'],
    // a freelancer who is invited was told already
    holds: (facts) => isOffered(facts) && facts.details.freelancer_status === 'new',
  },
  termsProposed: { to: 'freelancer', of: ['proposal.created'], holds: isOpen },
  termsChanged: {
    to: 'freelancer',
    of: ['deal.amended'],
    holds: ({ details, event }) => details.terms_version === event.data.terms_version,
  },
  settled: { to: 'freelancer', of: ['deal.settled'] },
  bonusAdded: { to: 'freelancer', of: ['deal.bonus_added'] },
  expiresSoon: { to: 'freelancer', of: ['deal.expires_soon'], holds: isOffered },
  changesRequested: {
    to: 'freelancer',
    of: ['deal.changes_requested'],
    holds: hasStage('changes_requested'),
  },
  approved: { to: 'freelancer', of: ['deal.approved'] },
  paidOut: { to: 'freelancer', of: ['contractor_payment.paid'] },
  payoutReturned: {
    to: 'freelancer',
    of: ['contractor_payment.failed', 'contractor_payment.returned'],
  },
  disputed: { to: 'freelancer', of: ['deal.disputed'] },
  disputeResolved: { to: 'freelancer', of: ['deal.dispute_resolved'] },
  cancelled: { to: 'freelancer', of: ['deal.cancelled'] },
  accepted: { to: 'partner', of: ['deal.accepted'] },
  declined: { to: 'partner', of: ['deal.declined'] },
  delivered: { to: 'partner', of: ['deal.delivered'], holds: hasStage('submitted') },
  reviewEndsSoon: {
    to: 'partner',
    of: ['deal.review_ends_soon'],
    holds: hasStage('submitted'),
  },
  proposed: { to: 'partner', of: ['proposal.created'], holds: isOpen },
  paymentRequested: {
    to: 'partner',
    of: ['employer_payment.requested'],
    holds: ({ details, event }) =>
      details.billing.employer_payments.some(
        ({ id, status }) => id === event.data.payment_id && status === 'requested',
      ),
    // it follows from what the partner has approved
    ownToo: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kinds of messages. */
export type MailKind = keyof typeof kinds;

/** Every kind of message. */
export const mailKinds = Object.keys(kinds) as readonly MailKind[];

const kindOf = (name: MailKind): Kind => kinds[name];

/** The types of events that one side is told of. */
export const typesFor = (side: MailSide): readonly string[] =>
  mailKinds.flatMap((name) => (kinds[name].to === side ? kinds[name].of : []));

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
