import type {
  DealChanged,
  EventData,
  EventPageQuery,
  EventQuery,
  EventsPage,
  EventType,
  ProposalChanged,
  WebhookChanged,
} from 'dealwright';
import type { MembersOf } from './route.js';
import type { EventShape, Shape } from './shape.js';

export const event: EventShape = {
  id: 'ulid',
  type: 'event type',
  environment: 'environment',
  partner: 'text',
  subject: 'text',
  sequence: 'sequence',
  at: 'time',
  actor: 'actor',
  cause: 'text or null',
  data: 'event data',
};

export const eventsPage: Shape<EventsPage> = { results: [event], next: 'cursor' };

export const eventPageMembers: MembersOf<EventPageQuery> = { after: true, page_size: true };

export const eventListMembers: MembersOf<EventQuery> = { ...eventPageMembers, type: true };

/** One form of the data of an event: the members that it always has, and the others. */
export interface EventForm<D = object> {
  readonly always: {
    readonly [K in keyof D as IsOptional<D, K> extends true ? never : K]: Shape<D[K]>;
  };
  readonly maybe: {
    readonly [K in keyof D as IsOptional<D, K> extends true ? K : never]-?: Shape<
      Exclude<D[K], undefined>
    >;
  };
}

type IsOptional<D, K extends keyof D> = Partial<Pick<D, K>> extends Pick<D, K> ? true : false;

/** The facts about a type of events. */
export interface EventRow<D> {
  /** A sentence that says what has happened. */
  readonly when: string;
  readonly forms: readonly (D extends unknown ? EventForm<D> : never)[];
}

const deal: readonly [EventForm<DealChanged>] = [
  {
    always: {
      partner_id: 'text',
      status: 'deal status',
      freelancer_status: 'freelancer status',
    },
    maybe: {
      stage_ids: ['id'],
      reason: 'text',
      message: 'text',
      agreed_amount: 'money',
      amount: 'money',
      terms_version: 'integer',
      proposal_id: 'ulid',
    },
  },
];

const proposal: readonly [EventForm<ProposalChanged>] = [
  {
    always: {
      ...deal[0].always,
      proposal_id: 'ulid',
      kind: 'proposal kind',
      by: 'side',
      terms_sha256: 'digest',
    },
    maybe: { message: 'text' },
  },
];

const payment = {
  partner_id: 'text',
  payment_id: 'ulid',
  amount: 'money',
  currency: 'text',
  reference: 'text or null',
} as const;

/** Members that only some events of payments have. */
const nothingMoved = { asked: 'money' } as const;

const refused = { ...nothingMoved, reason: 'shown reason' } as const;

const ofEmployer = {
  ...payment,
  status: 'employer payment status',
  payment_status: 'employer payment status',
} as const;

const employerPayment = [{ always: ofEmployer, maybe: nothingMoved }] as const;

const employerFailure = [{ always: ofEmployer, maybe: refused }] as const;

const ofContractor = {
  ...payment,
  status: 'contractor payment status',
  payment_status: 'contractor payment status',
  stage_ids: ['id'],
} as const;

const ofAttempt = { ...nothingMoved, attempt: 'integer' } as const;

const contractorPayment = [{ always: ofContractor, maybe: ofAttempt }] as const;

const contractorFailure = [
  { always: ofContractor, maybe: { ...refused, attempt: 'integer' } },
] as const;

// a spread within the table would keep a bundler from leaving the table out
const payoutThatWaits = [
  { always: { ...ofContractor, waits_for: 'shown reason' }, maybe: ofAttempt },
] as const;

const webhookChange: readonly [EventForm<WebhookChanged>] = [
  {
    always: { webhook_id: 'ulid', status: 'webhook status' },
    maybe: { reason: 'disabled reason' },
  },
];

/**
 * Every type of events: the document, its page and their tests are made from this table. A new type
 * does not compile without its row.
 */
export const eventShapes: { readonly [T in EventType]: EventRow<EventData[T]> } = {
  'contractor.registered': {
    when: 'The partner registered a contractor.',
    forms: [
      {
        always: { contractor_email: 'email', country_code: 'text', language: 'text' },
        maybe: {},
      },
    ],
  },
  'deal.created': {
    when: 'The partner created a deal, of either version.',
    forms: [
      {
        always: {
          api_version: 'version',
          partner_id: 'text',
          email_freelancer: 'email',
          title: 'text',
          amount: 'money',
          currency: 'text',
          subcategory_id: 'integer',
        },
        maybe: {},
      },
      {
        always: {
          api_version: 'version',
          partner_id: 'text',
          contractor_email: 'email',
          name: 'text',
          budget: 'money',
          currency: 'text',
          work_days: 'integer',
          sub_category_id: 'integer',
        },
        maybe: {},
      },
    ],
  },
  'work_file.stored': {
    when: 'A work file was uploaded.',
    forms: [
      {
        always: {
          partner_id: 'text',
          stage_id: 'id',
          work_file_id: 'ulid',
          name: 'text',
          size: 'bytes',
          sha256: 'sha256',
          content_type: 'text',
        },
        maybe: {},
      },
    ],
  },
  'deal.invited': { when: 'The freelancer was told of the deal.', forms: deal },
  'deal.accepted': { when: 'The freelancer accepted the deal.', forms: deal },
  'deal.declined': { when: 'The freelancer declined the deal.', forms: deal },
  'deal.cancelled': { when: 'The partner or an operator cancelled the deal.', forms: deal },
  'deal.expires_soon': { when: 'The deal expires soon unless it is accepted.', forms: deal },
  'deal.expired': { when: 'The freelancer did not accept the deal in time.', forms: deal },
  'deal.delivered': { when: 'Stages were delivered.', forms: deal },
  'deal.changes_requested': { when: 'The partner sent delivered stages back.', forms: deal },
  'deal.review_ends_soon': {
    when: 'Delivered stages are approved soon unless the partner answers.',
    forms: deal,
  },
  'deal.approved': {
    when: 'Delivered stages were approved, by the partner or by time.',
    forms: deal,
  },
  'deal.stage_paid': {
    when: 'The payout of stages arrived, and other stages are open.',
    forms: deal,
  },
  'deal.completed': { when: 'The payout of the last stages arrived.', forms: deal },
  'deal.disputed': { when: 'The partner or the freelancer opened a dispute.', forms: deal },
  'deal.dispute_resolved': { when: 'An operator resolved a dispute.', forms: deal },
  'deal.overdue': { when: 'The work of stages did not come in time.', forms: deal },
  'proposal.created': {
    when: 'The partner or the freelancer proposed other terms, or to settle the deal.',
    forms: proposal,
  },
  'proposal.accepted': { when: 'A proposal was accepted, and took effect.', forms: proposal },
  'proposal.rejected': { when: 'The other side rejected a proposal.', forms: proposal },
  'proposal.withdrawn': { when: 'The side that had proposed withdrew it.', forms: proposal },
  'proposal.superseded': {
    when: 'Another proposal, new terms, work that it was about or the end of the deal replaced a proposal.',
    forms: proposal,
  },
  'proposal.expired': { when: 'A proposal was not answered in time.', forms: proposal },
  'deal.amended': { when: 'The terms of the deal were changed.', forms: deal },
  'deal.settled': { when: 'Both sides settled the deal for an amount.', forms: deal },
  'deal.bonus_added': { when: 'The partner added a bonus.', forms: deal },
  'deal.written_off': {
    when: 'The employer need not pay an amount any more.',
    forms: deal,
  },
  'employer_payment.requested': {
    when: 'A payment of the employer was asked for.',
    forms: employerPayment,
  },
  'employer_payment.processing': { when: 'The payment is under way.', forms: employerPayment },
  'employer_payment.paid': { when: 'Money of the employer arrived.', forms: employerPayment },
  'employer_payment.failed': { when: 'The payment failed.', forms: employerFailure },
  'employer_payment.expired': { when: 'The employer did not pay in time.', forms: employerPayment },
  'employer_payment.refunded': {
    when: 'Money of the payment went back to the employer, all of it or a part.',
    forms: employerPayment,
  },
  'employer_payment.refund_failed': {
    when: 'Money that was to go back to the employer did not arrive: it is held.',
    forms: employerPayment,
  },
  'employer_payment.refund_retried': {
    when: 'A refund that failed was asked for anew.',
    forms: employerPayment,
  },
  'employer_payment.charged_back': {
    when: 'The bank of the employer took money back.',
    forms: employerPayment,
  },
  'employer_payment.charge_back_reversed': {
    when: 'A charge-back was won: its money is held again.',
    forms: employerPayment,
  },
  'employer_payment.overpaid': {
    when: 'More came than is owed: `amount` is how much more.',
    forms: employerPayment,
  },
  'employer_payment.voided': {
    when: 'A payment that was reported has never come.',
    forms: employerPayment,
  },
  'contractor_payment.scheduled': {
    when: 'A payout to the contractor is to be made.',
    forms: contractorPayment,
  },
  'contractor_payment.processing': { when: 'The payout is under way.', forms: contractorPayment },
  'contractor_payment.paid': { when: 'The payout arrived.', forms: contractorPayment },
  'contractor_payment.waiting': {
    when: 'The provider could not make the payout: it is asked again.',
    forms: payoutThatWaits,
  },
  'contractor_payment.failed': { when: 'The payout failed.', forms: contractorFailure },
  'contractor_payment.returned': { when: 'The payout came back.', forms: contractorPayment },
  'contractor_payment.cancelled': {
    when: 'The payout is not made any more.',
    forms: contractorPayment,
  },
  'webhook.created': { when: 'The partner created a webhook.', forms: webhookChange },
  'webhook.rotated': {
    when: 'The partner gave a webhook another signing secret.',
    forms: webhookChange,
  },
  'webhook.enabled': { when: 'The partner enabled a webhook again.', forms: webhookChange },
  'webhook.disabled': {
    when: 'The receiver of a webhook answered 410, or has failed for five days.',
    forms: webhookChange,
  },
  'webhook.deleted': { when: 'The partner deleted a webhook.', forms: webhookChange },
};

/** The event that tests a webhook; it is in no feed (decision 7.8). */
export const testType = 'webhook.test';

export const testEvent: EventRow<{ readonly webhook_id: string }> = {
  when: 'The partner asked for a test. It is in no feed, and is sent once.',
  forms: [
    {
      always: { webhook_id: 'ulid' },
      maybe: {},
    },
  ],
};
