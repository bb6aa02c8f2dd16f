import type { DeliveryStatus, DisabledReason, WebhookStatus } from '../values/status.js';
import { integer, optional, record, text } from './record-shape.js';

/** The kinds of records by which events leave: to handlers in process, and to webhooks (decision 7). */
export const deliveryRecords = {
  /** A webhook of a partner. A deleted one is not shown, and ends later. */
  webhook: record({
    of: 'tenant',
    key: 'id',
    isSubject: true,
    isListed: true,
    fields: {
      id: text(),
      url: text(),
      /** The host name of the URL; nothing of a webhook from before this was kept. */
      host: optional(text()),
      /** The types of events that it wants, with spaces between; `null` for every type. */
      types: optional(text()),
      /** 1 where later events of a subject wait for the earlier ones. */
      ordered: integer(),
      status: text<WebhookStatus>(),
      disabled_reason: optional(text<DisabledReason>()),
      /** The signing secret as the keeper of secrets sealed it. */
      secret: text(),
      /** The one before, which is good until a time. */
      previous_secret: optional(text()),
      previous_until: optional(text()),
      created_at: text(),
      /** Real time from which a deleted one may go. */
      ends_at: optional(text()),
    },
    changes: [
      'status',
      'disabled_reason',
      'secret',
      'previous_secret',
      'previous_until',
      'ends_at',
    ],
    conditions: ['version', 'status', 'host'],
    indexes: [],
    ends: 'itself',
  }),
  /** One that reads the log of a tenant: a webhook, or a handler in process. */
  consumer: record({
    of: 'tenant',
    key: 'name',
    isSubject: false,
    isListed: true,
    fields: {
      /** `webhook:<id>` or `subscription:<name>`. */
      name: text(),
      /** Up to where it has read; nothing where it begins at the beginning. */
      position: optional(text()),
      /** The subjects whose events wait for one that failed, as JSON. */
      held: text(),
      /** The relay that works for it, a ULID: no other one does until the lease has ended. */
      lease: optional(text()),
      /** Real time. */
      leased_until: optional(text()),
      /** Since when every attempt has failed, in real time. */
      failing_since: optional(text()),
      /** Real time from which that of a deleted webhook may go, once its deliveries have gone. */
      ends_at: optional(text()),
    },
    changes: ['position', 'held', 'lease', 'leased_until', 'failing_since', 'ends_at'],
    conditions: ['lease', 'leased_until'],
    indexes: [],
    ends: 'itself',
  }),
  /** An event on its way to a consumer, or one that got there. */
  delivery: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'consumer', by: 'consumer' },
    isSubject: false,
    isListed: true,
    fields: {
      id: text(),
      consumer: text(),
      event_id: text(),
      type: text(),
      /** By its subject and its sequence an event is found in the log. */
      subject: text(),
      sequence: integer(),
      status: text<DeliveryStatus>(),
      /** What came of each attempt, as JSON. */
      attempts: text(),
      /** How many attempts of the schedule were made. */
      tries: integer(),
      created_at: text(),
      /** Real time of the next attempt. */
      due_at: optional(text()),
    },
    changes: ['status', 'attempts', 'tries', 'due_at'],
    conditions: ['status'],
    indexes: [['consumer', 'due_at']],
    isTimed: true,
    ends: 'parent',
  }),
};
