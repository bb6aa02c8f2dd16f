import type { DeliveriesPage, Delivery, EventsPage, Webhook, WebhookCreated } from 'dealwright';
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

export const webhook: Shape<Webhook> = {
  id: 'ulid',
  url: 'text',
  types: ['event type'],
  ordered: 'boolean',
  status: 'webhook status',
  disabled_reason: 'disabled reason or null',
  created_at: 'time',
};

export const webhookCreated: Shape<WebhookCreated> = { ...webhook, secret: 'signing secret' };

export const deliveryAttempt: Shape<Delivery['attempts'][number]> = {
  at: 'time',
  status_code: 'integer or null',
  error: 'text or null',
  response: 'text or null',
};

export const delivery: Shape<Delivery> = {
  id: 'ulid',
  event_id: 'ulid',
  type: 'event type',
  status: 'delivery status',
  attempts: [deliveryAttempt],
  next_attempt_at: 'time or null',
};

export const deliveriesPage: Shape<DeliveriesPage> = {
  results: [delivery],
  next: 'older delivery or null',
};
