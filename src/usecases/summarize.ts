import { err, ok, type Result } from 'neverthrow';
import type { FailingConsumer, FailingConsumersPage, Summary } from '../api/answers.js';
import { consumerOf, webhookOf } from '../domain/events/webhook.js';
import {
  type ListDealsError,
  type Unavailable,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { alertNames } from '../domain/values/alert.js';
import type { PortProblem } from '../ports/answer.js';
import type { Call, Context } from './context.js';

/** The most that a summary counts. */
const mostCounted = 100;

/** What needs the operator: a count for each reason, and since when the oldest waits. */
export async function summarize(
  { ports }: Context,
  { tenant }: Call,
): Promise<Result<Summary, WithoutMessage<Unavailable>>> {
  const { environment } = tenant;
  const time = ports.now(tenant);
  if (time.isErr()) return err(time.error);
  // what begins at this very moment has begun
  const to = `${time.value}~`;
  const limit = mostCounted + 1;
  const counted = async <T extends { readonly reason: string }>(
    given: T,
    found: Promise<Result<readonly (string | null)[], PortProblem>>,
  ) =>
    (await found).map((times) => ({
      ...given,
      count: Math.min(times.length, mostCounted),
      is_more: times.length > mostCounted,
      since: times[0] ?? null,
    }));
  const all = await Promise.all([
    ...alertNames.map((alert) =>
      counted(
        { reason: alert },
        Promise.resolve(
          ports.recordsByIndex({ environment }, 'deal', {
            index: ['alert', 'alert_at', 'attempt'],
            equal: [alert],
            to,
            direction: 'ascending',
            limit,
          }),
        ).then((found) => found.map((deals) => deals.map(({ row }) => row.alert_at))),
      ),
    ),
    counted(
      { reason: 'webhook_failing' as const },
      Promise.resolve(
        ports.recordsByIndex({ environment }, 'consumer', {
          index: ['failing_since', 'name'],
          equal: [],
          direction: 'ascending',
          limit,
        }),
      ).then((found) => found.map((rows) => rows.map(({ row }) => row.failing_since))),
    ),
  ]);
  const results: Summary['results'][number][] = [];
  for (const each of all) {
    if (each.isErr()) return err(each.error);
    results.push(each.value);
  }
  return ok({ results });
}

/** The readers of events that fail, the longest first: webhooks, and handlers of the host. */
export async function listFailing(
  { ports, parsePageQuery }: Context,
  { tenant: { environment } }: Call,
  input: unknown,
): Promise<Result<FailingConsumersPage, WithoutMessage<ListDealsError>>> {
  const parsed = parsePageQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  const [failing_since, name] = cursor === undefined ? [] : cursor.split(' ');
  if (cursor !== undefined && name === undefined) return err({ code: 'invalid_cursor' });
  const found = await ports.recordsByIndex({ environment }, 'consumer', {
    index: ['failing_since', 'name'],
    equal: [],
    direction: 'ascending',
    ...(failing_since !== undefined && name !== undefined && { after: [failing_since, name] }),
    limit: page_size + 1,
  });
  if (found.isErr()) return err(found.error);
  const results: FailingConsumer[] = [];
  const page = found.value.slice(0, page_size);
  for (const { partner, row } of page) {
    const id = row.name.startsWith(consumerOf('')) ? row.name.slice(consumerOf('').length) : '';
    const webhook = await ports.recordByKey({ environment, partner }, 'webhook', id);
    if (webhook.isErr()) return err(webhook.error);
    results.push({
      partner,
      name: row.name,
      failing_since: row.failing_since ?? '',
      webhook: webhook.value === undefined ? null : webhookOf(webhook.value),
    });
  }
  const last = found.value.length > page_size ? page.at(-1)?.row : undefined;
  return ok({ results, next: last ? `${last.failing_since} ${last.name}` : null });
}
