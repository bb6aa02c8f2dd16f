import type { EmployerPaymentStatus, EventData, EventType } from 'dealwright';
import {
  type EventRow,
  ofContractorPayment,
  ofDeal,
  ofEmployerPayment,
  ofWebhook,
  partner_id,
  stage_ids,
} from './event-forms.js';

const moved = { freelancer_status: 'accepted' } as const;

/**
 * Every type of events: the document, its page and their tests are made from it. A new type does not
 * compile without its row.
 */
export const eventShapes: { readonly [T in EventType]: EventRow<EventData[T]> } = {
  'contractor.registered': {
    when: 'The partner registered a contractor.',
    actor: 'partner',
    forms: [
      {
        always: { contractor_email: 'email', country_code: 'text', language: 'text' },
        maybe: {},
        example: { contractor_email: 'user@example.com', country_code: 'AT', language: 'en' },
      },
    ],
  },
  'deal.created': {
    when: 'The partner created a deal, of either version.',
    actor: 'partner',
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
        example: {
          api_version: '2.0',
          partner_id,
          email_freelancer: 'freelancer@example.com',
          title: 'Deal title',
          amount: '500.00',
          currency: 'PLN',
          subcategory_id: 75,
        },
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
        example: {
          api_version: '1.0',
          partner_id: 'unique-ID-of-deal',
          contractor_email: 'user@example.com',
          name: 'Deal name',
          budget: '1000.00',
          currency: 'EUR',
          work_days: 30,
          sub_category_id: 75,
        },
      },
    ],
  },
  'work_file.stored': {
    when: 'A work file was uploaded.',
    actor: 'freelancer',
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
        example: {
          partner_id,
          stage_id: 4,
          work_file_id: '01KDVE0000000000000000000B',
          name: 'draft.txt',
          size: 16,
          sha256: 'e286222c229ec73b1bc520d88583191572ae0cbbaa66ea68053994a5e50ac87a',
          content_type: 'text/plain',
        },
      },
    ],
  },
  'deal.invited': ofDeal('The freelancer was told of the deal.', 'partner', {
    status: 'created',
    freelancer_status: 'invited',
  }),
  'deal.accepted': ofDeal('The freelancer accepted the deal.', 'freelancer', {
    status: 'accepted',
    ...moved,
  }),
  'deal.declined': ofDeal('The freelancer declined the deal.', 'freelancer', {
    status: 'cancelled',
    freelancer_status: 'declined',
    reason: 'No time before May.',
  }),
  'deal.cancelled': ofDeal('The partner or the staff cancelled the deal.', 'partner', {
    status: 'cancelled',
    freelancer_status: 'removed',
    reason: 'The order was withdrawn.',
  }),
  'deal.expired': ofDeal('Nobody accepted the deal in time.', 'clock', {
    status: 'expired',
    freelancer_status: 'expired',
  }),
  'deal.delivered': ofDeal('Stages were delivered.', 'freelancer', {
    status: 'delivered',
    ...moved,
    stage_ids,
    message: 'The first draft.',
  }),
  'deal.changes_requested': ofDeal('The partner sent delivered stages back.', 'partner', {
    status: 'changes_requested',
    ...moved,
    stage_ids,
    reason: 'The title is missing.',
  }),
  'deal.approved': ofDeal('Delivered stages were approved, by the partner or by time.', 'partner', {
    status: 'approved',
    ...moved,
    stage_ids,
  }),
  'deal.stage_paid': ofDeal(
    'The payout of stages arrived, and other stages are open.',
    'payments',
    {
      status: 'accepted',
      ...moved,
      stage_ids,
    },
  ),
  'deal.completed': ofDeal('The payout of the last stages arrived.', 'payments', {
    status: 'completed',
    freelancer_status: 'finished',
    stage_ids,
  }),
  'deal.disputed': ofDeal('The partner or the freelancer opened a dispute.', 'freelancer', {
    status: 'disputed',
    ...moved,
    reason: 'Nobody answers.',
  }),
  'deal.dispute_resolved': ofDeal('The staff resolved a dispute.', 'operator', {
    status: 'approved',
    ...moved,
    stage_ids,
    agreed_amount: '300.00',
  }),
  'employer_payment.requested': ofEmployerPayment(
    'requested',
    'A payment of the employer was asked for.',
    'partner',
    null,
  ),
  'employer_payment.processing': ofEmployerPayment('processing', 'The payment is under way.'),
  'employer_payment.paid': ofEmployerPayment('paid', 'The payment arrived.'),
  'employer_payment.failed': ofEmployerPayment('failed', 'The payment failed.'),
  'employer_payment.expired': ofEmployerPayment('expired', 'Nobody paid in time.', 'clock', null),
  'employer_payment.partially_refunded': ofEmployerPayment(
    'partially_refunded',
    'A part of the payment went back to the employer.',
  ),
  'employer_payment.refunded': ofEmployerPayment(
    'refunded',
    'The payment went back to the employer.',
  ),
  'employer_payment.refund_failed': ofEmployerPayment<EmployerPaymentStatus>(
    'paid',
    'Money that went back to the employer did not arrive: it is held again.',
  ),
  'employer_payment.refund_retried': ofEmployerPayment<EmployerPaymentStatus>(
    'paid',
    'A refund that failed was asked for anew.',
    'operator',
  ),
  'employer_payment.charged_back': ofEmployerPayment(
    'charged_back',
    'The bank of the employer took the payment back.',
  ),
  'contractor_payment.scheduled': ofContractorPayment(
    'scheduled',
    'A payout to the contractor is to be made.',
    'payments',
    null,
  ),
  'contractor_payment.processing': ofContractorPayment('processing', 'The payout is under way.'),
  'contractor_payment.paid': ofContractorPayment('paid', 'The payout arrived.'),
  'contractor_payment.failed': ofContractorPayment('failed', 'The payout failed.'),
  'contractor_payment.returned': ofContractorPayment('returned', 'The payout came back.'),
  'contractor_payment.cancelled': ofContractorPayment(
    'cancelled',
    'The payout is not made any more.',
    'operator',
    null,
  ),
  'webhook.created': ofWebhook('The partner added an endpoint.', 'partner', 'enabled'),
  'webhook.rotated': ofWebhook(
    'The partner gave an endpoint another signing secret.',
    'partner',
    'enabled',
  ),
  'webhook.enabled': ofWebhook('The partner enabled an endpoint again.', 'partner', 'enabled'),
  'webhook.disabled': ofWebhook(
    'An endpoint answered 410, or has failed for five days.',
    'clock',
    'disabled',
    { reason: 'failing' },
  ),
  'webhook.deleted': ofWebhook('The partner deleted an endpoint.', 'partner', 'deleted'),
};

/** What the partner has sent to see whether it arrives; it is in no feed (decision 7.8). */
export const testType = 'webhook.test';

export const testEvent: EventRow<{ readonly webhook_id: string }> = {
  when: 'The partner asked for a test. It is in no feed, and is sent once.',
  actor: 'partner',
  forms: [
    {
      always: { webhook_id: 'ulid' },
      maybe: {},
      example: { webhook_id: '01KDVE0000000000000000000F' },
    },
  ],
};
