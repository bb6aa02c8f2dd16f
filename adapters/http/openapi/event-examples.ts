import type {
  DealInput,
  DealV2Input,
  Delivery,
  DomainEvent,
  EventsPage,
  Issue,
  OfferEventsPage,
  PartnerEvents,
  Webhook,
  WebhookCreated,
} from 'dealwright';
import type { AnswerOf } from '../wire/answers.js';
import type { Example } from './example.js';

/** The deals whose creation the examples tell of, and what a wrong page is told. */
interface Told {
  readonly deal: DealInput;
  readonly dealV2: DealV2Input;
  readonly created_at: string;
  readonly created_later: string;
  readonly issue: Issue;
}

type Page<T> = Omit<Example, 'data'> & { readonly data: T };

/** A feed and a time line, as each face sees them. */
export interface EventPages {
  readonly feed: Page<EventsPage>;
  readonly timeLine: Page<EventsPage>;
  readonly offered: OfferEventsPage;
}

export function eventPages({ deal, dealV2, created_at, created_later, issue }: Told): EventPages {
  const common = {
    type: 'deal.created',
    environment: 'sandbox',
    partner: 'acme',
    sequence: 1,
    actor: 'partner',
    cause: null,
  } as const;
  const ofFirst: DomainEvent = {
    id: '01KDVE0000000000000000000C',
    ...common,
    subject: `deal:${deal.partner_id}`,
    at: created_at,
    data: {
      api_version: '1.0',
      partner_id: deal.partner_id,
      contractor_email: deal.contractor_email,
      name: deal.name,
      budget: deal.budget,
      currency: deal.currency,
      work_days: deal.work_days ?? 30,
      sub_category_id: deal.sub_category_id,
    },
  };
  const ofSecond: DomainEvent = {
    id: '01KDVHF0800000000000000000',
    ...common,
    subject: `deal:${dealV2.partner_id}`,
    at: created_later,
    data: {
      api_version: '2.0',
      partner_id: dealV2.partner_id,
      email_freelancer: dealV2.email_freelancer,
      title: dealV2.title,
      amount: dealV2.amount,
      currency: dealV2.currency,
      subcategory_id: dealV2.subcategory_id,
    },
  };
  const { id, type, at, actor } = ofSecond;
  return {
    feed: {
      parameters: { page_size: 2, type: 'deal.created' },
      data: { results: [ofFirst, ofSecond], next: '3' },
      issue,
    },
    timeLine: {
      parameters: { page_size: 2 },
      data: { results: [ofSecond], next: '1' },
      issue,
    },
    offered: { results: [{ id, type, at, actor, data: {} }], next: '1' },
  };
}

const webhook_id = '01KDVE0000000000000000000F';
const at = '2026-01-01T01:00:00.000Z';

const webhook: Webhook = {
  id: webhook_id,
  url: 'https://example.com/deals',
  types: ['deal.accepted', 'deal.completed'],
  ordered: true,
  status: 'enabled',
  disabled_reason: null,
  created_at: at,
};

const created: WebhookCreated = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};

const delivery: Delivery = {
  id: '01KDVHF080000000000000000G',
  event_id: '01KDVHF080000000000000000C',
  type: 'deal.accepted',
  status: 'delivered',
  attempts: [{ at, status_code: 204, error: null, response: '' }],
  next_attempt_at: null,
};

type EventExamples = {
  readonly [K in keyof PartnerEvents]: Example & { readonly data: AnswerOf<K> };
};

/** What a partner is told of events, and does with endpoints. */
export function eventExamples(
  partner_id: string,
  { feed, timeLine }: EventPages,
  noUrl: Issue,
): EventExamples {
  const ofWebhook = { webhook_id };
  const { url, types, ordered } = webhook;
  return {
    listEvents: feed,
    listDealEvents: { ...timeLine, parameters: { partner_id, ...timeLine.parameters } },
    createWebhook: { body: { url, types, ordered }, data: created, issue: noUrl },
    listWebhooks: { data: [webhook] },
    retrieveWebhook: { parameters: ofWebhook, data: webhook },
    deleteWebhook: { parameters: ofWebhook, data: webhook },
    rotateWebhook: { parameters: ofWebhook, data: created },
    enableWebhook: { parameters: ofWebhook, data: webhook },
    testWebhook: { parameters: ofWebhook, data: { ...delivery, type: 'webhook.test' } },
    listDeliveries: {
      ...timeLine,
      parameters: { ...ofWebhook, ...timeLine.parameters },
      data: { results: [delivery], next: null },
    },
    redeliver: {
      parameters: { ...ofWebhook, delivery_id: delivery.id },
      data: { ...delivery, status: 'pending', next_attempt_at: at },
    },
  };
}
