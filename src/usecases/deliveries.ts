import { err, ok, Result } from 'neverthrow';
import type {
  DealDeliveriesPage,
  DeliveriesPage,
  FailedDeliveriesPage,
  Redelivered,
} from '../api/answers.js';
import { dealSubject, readEvent, webhookSubject } from '../domain/events/events.js';
import {
  consumerOf,
  type Delivery,
  deliveryOf,
  webhookOfConsumer,
} from '../domain/events/webhook.js';
import {
  type ListDeliveriesError,
  notFound,
  type RedeliverAllError,
  validationFailed,
  type WebhookError,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row, Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import { atOnce, formatTimestamp, parseTimestamp } from '../domain/values/timestamp.js';
import { firstUlid, isUlid } from '../domain/values/ulid.js';
import type { PortProblem } from '../ports/answer.js';
import type { IndexRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';
import { fittingResults } from './page-of.js';
import { post } from './post-event.js';
import { parseTimePage, timeCursor } from './time-cursor.js';
import { findWebhook, noWebhooks } from './webhooks.js';

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
    const results = fittingResults(rows.map(deliveryOf), page_size);
    const last = results.length < rows.length ? results.at(-1) : undefined;
    return { results, next: last?.id ?? null };
  });
}

/** Repeats a delivery from the first attempt on. */
export async function redeliver(
  context: Context,
  call: Call,
  id: unknown,
  deliveryId: unknown,
): Promise<Result<Delivery, WithoutMessage<WebhookError>>> {
  const webhook = await findWebhook(context, call, id);
  if (webhook.isErr()) return err(webhook.error);
  const found = await findDelivery(context, call, webhook.value, deliveryId);
  if (found.isErr()) return err(found.error);
  const set = await beginAnew(context, call, [found.value]);
  return set.map((again) => deliveryOf({ ...found.value, ...again }));
}

/** The most deliveries that a batch of redelivery looks at, and that one write changes. */
const [mostLookedAt, mostChanged] = [1_000, 100];

/** Milliseconds that the time in an id may be before that of its delivery, of another clock. */
const clocksApart = 60_000;

/**
 * Repeats the deliveries of a webhook since a time, a batch of them: the oldest first, so that one
 * that is ordered gets the events of a subject in their order.
 */
export async function redeliverAll(
  context: Context,
  call: Call,
  id: unknown,
  input: unknown,
): Promise<Result<Redelivered, WithoutMessage<RedeliverAllError>>> {
  const { ports } = context;
  const parsed = context.parseRedelivery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const webhook = await findWebhook(context, call, id);
  if (webhook.isErr()) return err(webhook.error);
  const { since, which, cursor } = parsed.value;
  if (cursor !== undefined && !isUlid(cursor)) return err({ code: 'invalid_cursor' });
  const under = consumerOf(webhook.value.id);
  let count = 0;
  let after = cursor ?? firstUlid((parseTimestamp(since) ?? 0) - clocksApart);
  for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += mostChanged) {
    const found = await ports.listRecords(call.tenant, 'delivery', {
      under,
      direction: 'ascending',
      after,
      limit: mostChanged,
    });
    if (found.isErr()) return err(found.error);
    const wanted = found.value.filter(
      ({ status, type, created_at }) =>
        created_at >= since &&
        type !== testType &&
        (status === 'failed' || (which === 'all' && status === 'delivered')),
    );
    if (wanted.length > 0) {
      const changed = await beginAnew(context, call, wanted);
      if (changed.isErr()) return err(changed.error);
      count += wanted.length;
    }
    after = found.value.at(-1)?.id ?? after;
    if (found.value.length < mostChanged) return ok({ count, next: null });
  }
  return ok({ count, next: after });
}

/** Lets deliveries begin anew with their first attempt, in one write; returns what it sets. */
async function beginAnew(
  { ports, wakes }: Context,
  { tenant }: Call,
  rows: readonly Row<'delivery'>[],
) {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const set = { status: 'pending', tries: 0, due_at: atOnce, failed_at: null } as const;
  const committed = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: rows.map(({ id: key }) => ({ present: 'delivery', key }) as const),
    insert: [],
    change: rows.map(({ id: key }) => ({ kind: 'delivery', key, set }) as const),
    events: [],
  });
  if (committed.isErr()) return err(committed.error);
  wakes.wake(tenant, true);
  return ok(set);
}

/** The deliveries of a partner that have failed for good, the last one to fail first. */
export async function listFailedDeliveries(
  context: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<FailedDeliveriesPage, WithoutMessage<ListDeliveriesError>>> {
  const { ports } = context;
  if (ports.webhooks === undefined) return noWebhooks;
  const parsed = parseTimePage(context, input);
  if (parsed.isErr()) return err(parsed.error);
  const { page_size, range } = parsed.value;
  const within = { index: ['failed_at', 'id'], equal: [], ...range };
  return pageOfWebhooks(ports, tenant, within, page_size, ({ failed_at, id }) =>
    timeCursor(failed_at, id),
  );
}

/** The deliveries of the events of a deal to all webhooks, the newest first. */
export async function listDealDeliveries<R>(
  { ports, parsePageQuery }: Context,
  { tenant }: Call,
  finder: Finder<R>,
  input: unknown,
): Promise<Result<DealDeliveriesPage, R | WithoutMessage<ListDeliveriesError>>> {
  if (ports.webhooks === undefined) return noWebhooks;
  const parsed = parsePageQuery(input === undefined ? {} : input);
  const found = await finder.find([]);
  if (found.isErr()) return err(found.error);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  if (cursor !== undefined && !isUlid(cursor)) return err({ code: 'invalid_cursor' });
  const equal = [dealSubject(found.value.deal)];
  const range = {
    index: ['subject', 'id'],
    equal,
    ...(cursor !== undefined && { after: [cursor] }),
  };
  return pageOfWebhooks(ports, tenant, range, page_size, ({ id }) => id);
}

/** A page of the deliveries in an index from its end on, but those that reach no webhook any more. */
async function pageOfWebhooks(
  ports: Context['ports'],
  tenant: Tenant,
  range: Pick<IndexRange, 'index' | 'equal' | 'after'>,
  page_size: number,
  cursorOf: (row: Row<'delivery'>) => string,
): Promise<Result<DealDeliveriesPage, PortProblem>> {
  const found = await ports.recordsByIndex(tenant, 'delivery', {
    ...range,
    direction: 'descending',
    limit: page_size + 1,
  });
  if (found.isErr()) return err(found.error);
  const all = found.value.map(({ row }) => {
    return {
      row,
      shown: { webhook_id: webhookOfConsumer(row.consumer) ?? '', ...deliveryOf(row) },
    };
  });
  const page = all.slice(
    0,
    fittingResults(
      all.map(({ shown }) => shown),
      page_size,
    ).length,
  );
  // a handler of the host has no webhook, and one that was deleted cannot be sent to
  const ids = new Set(page.flatMap(({ row }) => webhookOfConsumer(row.consumer) ?? []));
  const webhooks = Result.combine(
    await Promise.all([...ids].map(async (id) => ports.recordByKey(tenant, 'webhook', id))),
  );
  const last = page.length < all.length ? page.at(-1)?.row : undefined;
  return webhooks.map((known) => {
    const live = new Set(known.flatMap((row) => (row && row.status !== 'deleted' ? row.id : [])));
    return {
      results: page.map(({ shown }) => shown).filter(({ webhook_id }) => live.has(webhook_id)),
      next: last === undefined ? null : cursorOf(last),
    };
  });
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
