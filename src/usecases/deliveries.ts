import { err, ok, type Result } from 'neverthrow';
import type { DeliveriesPage } from '../api/answers.js';
import { readEvent, webhookSubject } from '../domain/events/events.js';
import { consumerOf, type Delivery, deliveryOf } from '../domain/events/webhook.js';
import {
  type ListDeliveriesError,
  notFound,
  validationFailed,
  type WebhookError,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row, Stored } from '../domain/records/records.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import { isUlid } from '../domain/values/ulid.js';
import type { Call, Context } from './context.js';
import { post } from './post-event.js';
import { findWebhook } from './webhooks.js';

/** The deliveries of a webhook, the newest first. */
export async function listDeliveries(
  context: Context,
  call: Call,
  id: unknown,
  input: unknown,
): Promise<Result<DeliveriesPage, WithoutMessage<ListDeliveriesError>>> {
  const parsed = context.parsePageQuery(input === undefined ? {} : input);
  const webhook = await findWebhook(context, call, id);
  if (webhook.isErr()) return err(webhook.error);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  if (cursor !== undefined && !isUlid(cursor)) return err({ code: 'invalid_cursor' });
  const found = await context.ports.listRecords(call.tenant, 'delivery', {
    under: consumerOf(webhook.value.id),
    direction: 'descending',
    ...(cursor !== undefined && { after: cursor }),
    // one more than the page shows tells whether there is another page
    limit: page_size + 1,
  });
  return found.map((rows) => {
    // the last one of the page, if there is another page
    const [last] = rows.slice(page_size - 1, -1);
    return { results: rows.slice(0, page_size).map(deliveryOf), next: last?.id ?? null };
  });
}

/** Repeats a delivery from the first attempt on. */
export async function redeliver(
  context: Context,
  call: Call,
  id: unknown,
  deliveryId: unknown,
): Promise<Result<Delivery, WithoutMessage<WebhookError>>> {
  const { ports } = context;
  const webhook = await findWebhook(context, call, id);
  if (webhook.isErr()) return err(webhook.error);
  const found = await findDelivery(context, call, webhook.value, deliveryId);
  if (found.isErr()) return err(found.error);
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const set = { status: 'pending', tries: 0, due_at: formatTimestamp(now.value) } as const;
  const key = found.value.id;
  const committed = await ports.commit(call.tenant, {
    attempt: attempt.value,
    expect: [{ present: 'delivery', key }],
    insert: [],
    change: [{ kind: 'delivery', key, set }],
    events: [],
  });
  if (committed.isErr()) return err(committed.error);
  context.wakes.wake(call.tenant, true);
  return ok(deliveryOf({ ...found.value, ...set }));
}

async function findDelivery(
  { ports }: Context,
  { tenant }: Call,
  { id }: Row<'webhook'>,
  key: unknown,
): Promise<Result<Stored<'delivery'>, WithoutMessage<WebhookError>>> {
  const missing = err(notFound('delivery'));
  if (!isUlid(key)) return missing;
  const found = await ports.recordByKey(tenant, 'delivery', key);
  if (found.isErr()) return err(found.error);
  const row = found.value;
  // a test that an older version recorded has no event to send again
  return row === undefined || row.consumer !== consumerOf(id) || row.type === testType
    ? missing
    : ok(row);
}

/** The type of the message that a partner sends to test a webhook. */
const testType = 'webhook.test';

/** Sends a test message once, now; it is in no feed, and no list of deliveries (decision 7.8). */
export async function testWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<Delivery, WithoutMessage<WebhookError>>> {
  const { ports } = context;
  const { tenant } = call;
  const webhook = await findWebhook(context, call, id);
  if (webhook.isErr()) return err(webhook.error);
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const ids = ports.nextId().andThen((event) => ports.nextId().map((own) => ({ event, own })));
  if (ids.isErr()) return err(ids.error);
  const { event: event_id, own } = ids.value;
  const at = formatTimestamp(now.value);
  const event = readEvent(tenant, {
    id: event_id,
    type: testType,
    subject: webhookSubject(webhook.value.id),
    // it is in no log
    sequence: 0,
    at,
    actor: call.actor,
    cause: null,
    data: { webhook_id: webhook.value.id },
  });
  const body = JSON.stringify(event);
  const message = { id: event_id, body, now: now.value };
  const { isDelivered, attempt } = await post(context, tenant, webhook.value, message);
  // this answer alone reports it: it is not recorded
  return ok({
    ...{ id: own, event_id, type: testType, status: isDelivered ? 'delivered' : 'failed' },
    ...{ attempts: [attempt], next_attempt_at: null },
  });
}
