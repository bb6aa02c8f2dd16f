import type { ResultAsync } from 'neverthrow';
import type { EventPageQuery, EventQuery } from '../domain/events/event-query.js';
import type { Delivery, Webhook } from '../domain/events/webhook.js';
import type { WebhookInput } from '../domain/events/webhook-input.js';
import type {
  CreateWebhookError,
  ListDeliveriesError,
  ListEventsError,
  RedeliverAllError,
  TimeLineError,
  WebhookError,
} from '../domain/input/errors.js';
import type {
  DealDeliveriesPage,
  DeliveriesPage,
  EventsPage,
  FailedDeliveriesPage,
  Redelivered,
  WebhookCreated,
} from './answers.js';
import type { DeliveryListQuery, ReadOptions, RedeliveryInput } from './inputs.js';
import type { TransportError } from './transport-errors.js';

/** The events of a partner and its webhooks (decision 7). */
export interface PartnerEvents<Transport = TransportError, O = ReadOptions> {
  /** The feed of this partner, the oldest event first: GET /api/2.0/event/ */
  listEvents(query?: EventQuery, options?: O): ResultAsync<EventsPage, ListEventsError | Transport>;
  /** The events of a deal, the oldest first: GET /api/2.0/deal/{partner_id}/event/ */
  listDealEvents(
    partner_id: string,
    query?: EventPageQuery,
    options?: O,
  ): ResultAsync<EventsPage, TimeLineError | Transport>;
  /** The answer shows the signing secret, once: POST /api/2.0/webhook/ */
  createWebhook(
    input: WebhookInput,
    options?: O,
  ): ResultAsync<WebhookCreated, CreateWebhookError | Transport>;
  /** GET /api/2.0/webhook/ */
  listWebhooks(options?: O): ResultAsync<readonly Webhook[], WebhookError | Transport>;
  /** GET /api/2.0/webhook/{webhook_id}/ */
  retrieveWebhook(id: string, options?: O): ResultAsync<Webhook, WebhookError | Transport>;
  /** Returns the webhook as it was: DELETE /api/2.0/webhook/{webhook_id}/ */
  deleteWebhook(id: string, options?: O): ResultAsync<Webhook, WebhookError | Transport>;
  /**
   * Another secret; the previous one is valid for 24 hours: POST
   * /api/2.0/webhook/{webhook_id}/rotate/
   */
  rotateWebhook(id: string, options?: O): ResultAsync<WebhookCreated, WebhookError | Transport>;
  /** After it was disabled: POST /api/2.0/webhook/{webhook_id}/enable/ */
  enableWebhook(id: string, options?: O): ResultAsync<Webhook, WebhookError | Transport>;
  /** Sends `webhook.test` now, once: POST /api/2.0/webhook/{webhook_id}/test/ */
  testWebhook(id: string, options?: O): ResultAsync<Delivery, WebhookError | Transport>;
  /** The newest first: GET /api/2.0/webhook/{webhook_id}/delivery/ */
  listDeliveries(
    id: string,
    query?: DeliveryListQuery,
    options?: O,
  ): ResultAsync<DeliveriesPage, ListDeliveriesError | Transport>;
  /** POST /api/2.0/webhook/{webhook_id}/delivery/{delivery_id}/redeliver/ */
  redeliver(
    id: string,
    delivery_id: string,
    options?: O,
  ): ResultAsync<Delivery, WebhookError | Transport>;
  /**
   * Sends the deliveries of a webhook again, the oldest first, in batches: POST
   * /api/2.0/webhook/{webhook_id}/redeliver/
   */
  redeliverAll(
    id: string,
    input: RedeliveryInput,
    options?: O,
  ): ResultAsync<Redelivered, RedeliverAllError | Transport>;
  /**
   * The deliveries to all webhooks that have failed for good, the last one to fail first: GET
   * /api/2.0/failed-delivery/
   */
  listFailedDeliveries(
    query?: DeliveryListQuery,
    options?: O,
  ): ResultAsync<FailedDeliveriesPage, ListDeliveriesError | Transport>;
  /**
   * The deliveries of the events of a deal to all webhooks, the newest first: GET
   * /api/2.0/deal/{partner_id}/delivery/
   */
  listDealDeliveries(
    partner_id: string,
    query?: DeliveryListQuery,
    options?: O,
  ): ResultAsync<DealDeliveriesPage, ListDeliveriesError | Transport>;
}
