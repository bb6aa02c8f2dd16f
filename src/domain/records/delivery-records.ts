import type { DeliveryStatus, DisabledReason, WebhookStatus } from '../values/status.js';
import { integer, optional, record, text } from './record-shape.js';

/**
 * The kinds of records by which events are sent: to handlers in process, and to webhooks (decision
 * 7).
 */
export const deliveryRecords = {
  /** A webhook of a partner. A deleted one is not shown, and is pruned later. */
  webhook: record({
    of: 'tenant',
    key: 'id',
    isSubject: true,
    isListed: true,
    fields: {
      id: text(),
      url: text(),
      /** The host name of the URL; `null` for a webhook from before this was recorded. */
      host: optional(text()),
      /** The types of events that it wants, separated by spaces; `null` for every type. */
      types: optional(text()),
      /** 1 if later events of a subject wait for the earlier ones. */
      ordered: integer(),
      status: text<WebhookStatus>(),
      disabled_reason: optional(text<DisabledReason>()),
      /** The signing secret as the keeper of secrets sealed it. */
      secret: text(),
      /** The previous secret, which is valid until `previous_until`. */
      previous_secret: optional(text()),
      previous_until: optional(text()),
      created_at: text(),
      /** Real time from which a deleted webhook may be pruned. */
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
  /** A reader of the log of a tenant: a webhook, or a handler in process. */
  consumer: record({
    of: 'tenant',
    key: 'name',
    isSubject: false,
    isListed: true,
    fields: {
      /** `webhook:<id>` or `subscription:<name>`. */
      name: text(),
      /** The position up to which it has read; `null` for the beginning. */
      position: optional(text()),
      /** The subjects whose events wait for one that failed, as JSON. */
      held: text(),
      /** The relay that works for it, a ULID: no other relay does until the lease has ended. */
      lease: optional(text()),
      /** Real time. */
      leased_until: optional(text()),
      /** Real time since which every attempt has failed. */
      failing_since: optional(text()),
      /** Real time from which that of a deleted webhook may be pruned, once its deliveries are. */
      ends_at: optional(text()),
    },
    changes: ['position', 'held', 'lease', 'leased_until', 'failing_since', 'ends_at'],
    conditions: ['lease', 'leased_until'],
    indexes: [],
    across: [['failing_since', 'attempt']],
    ends: 'itself',
  }),
  /** An event on its way to a consumer, or delivered. */
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
      /** The event is found in the log by its subject and its sequence. */
      subject: text(),
      sequence: integer(),
      status: text<DeliveryStatus>(),
      /** The outcome of each attempt, as JSON. */
      attempts: text(),
      /** The number of attempts of the schedule that were made. */
      tries: integer(),
      created_at: text(),
      /** Real time of the next attempt. */
      due_at: optional(text()),
      /** Real time of the last attempt, once no other one follows it. */
      failed_at: optional(text()),
    },
    changes: ['status', 'attempts', 'tries', 'due_at', 'failed_at'],
    conditions: ['status'],
    indexes: [
      ['consumer', 'due_at'],
      ['failed_at', 'id'],
      ['subject', 'id'],
    ],
    isTimed: true,
    ends: 'parent',
  }),
};
