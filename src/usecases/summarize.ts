import { err, ok, Result } from 'neverthrow';
import type {
  FailingConsumer,
  FailingConsumersPage,
  Summary,
  SummaryLine,
} from '../api/answers.js';
import { webhookOf, webhookOfConsumer } from '../domain/events/webhook.js';
import type { ListDealsError, Unavailable, WithoutMessage } from '../domain/input/errors.js';
import type { Row, Stored } from '../domain/records/records.js';
import { alertNames } from '../domain/values/alert.js';
import type { Environment } from '../domain/values/tenant.js';
import { afterTime, formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Indexed, IndexRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import { parseTimePage, timeCursor } from './time-cursor.js';
import { findUnmatched } from './unmatched-reports.js';

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
  const limit = mostCounted + 1;
  const ofDeals = alertNames.map(async (alert) => {
    const found = await ports.recordsByIndex({ environment }, 'deal', {
      index: ['alert', 'alert_at', 'attempt'],
      equal: [alert],
      to: afterTime(time.value),
      direction: 'ascending',
      limit,
    });
    return found.map((deals) =>
      lineOf(
        alert,
        deals.map(({ row }) => row.alert_at),
      ),
    );
  });
  const ofReaders = findFailing(ports, environment, { limit }).then((found) =>
    found.map((rows) =>
      lineOf(
        'webhook_failing',
        rows.map(({ row }) => (isLive(row) ? row.failing_since : null)),
      ),
    ),
  );
  const ofReports = findUnmatched(ports, environment, { limit }).then((found) =>
    found.map((rows) =>
      lineOf(
        'report_unmatched',
        rows.map(({ row }) => row.waiting_since),
      ),
    ),
  );
  return Result.combine(await Promise.all([...ofDeals, ofReaders, ofReports])).map((results) => ({
    results,
  }));
}

/** A line of up to as many times as are counted, and one more; null for one that does not count. */
function lineOf(reason: SummaryLine['reason'], times: readonly (string | null)[]): SummaryLine {
  const waiting = times.filter((time) => time !== null);
  return {
    reason,
    count: Math.min(waiting.length, mostCounted),
    is_more: times.length > mostCounted,
    since: waiting[0] ?? null,
  };
}

/** Milliseconds after which a reader counts as failing: by then it was tried four times. */
const failingFor = 60 * 60 * 1000;

/** A part of the readers that fail, the longest first. */
async function findFailing(
  ports: Context['ports'],
  environment: Environment,
  range: Pick<IndexRange, 'after' | 'limit'>,
): Promise<Result<readonly Indexed<'consumer'>[], PortProblem>> {
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  return ports.recordsByIndex({ environment }, 'consumer', {
    index: ['failing_since', 'attempt'],
    equal: [],
    to: afterTime(formatTimestamp(now.value - failingFor)),
    direction: 'ascending',
    ...range,
  });
}

/** Whether its webhook was not deleted: a relay may have had it in hand then. */
const isLive = ({ ends_at }: Row<'consumer'>): boolean => ends_at === null;

/** The readers of events that fail, the longest first: webhooks, and handlers of the host. */
export async function listFailing(
  context: Context,
  { tenant: { environment } }: Call,
  input: unknown,
): Promise<Result<FailingConsumersPage, WithoutMessage<ListDealsError>>> {
  const { ports } = context;
  const parsed = parseTimePage(context, input);
  if (parsed.isErr()) return err(parsed.error);
  const { page_size, range } = parsed.value;
  const found = await findFailing(ports, environment, range);
  if (found.isErr()) return err(found.error);
  const page = found.value.slice(0, page_size);
  const results = await Promise.all(
    page
      .filter(({ row }) => isLive(row))
      .map(async ({ partner, row: { name, failing_since } }) => {
        const id = webhookOfConsumer(name);
        const webhook: Result<Stored<'webhook'> | undefined, PortProblem> =
          id === undefined
            ? ok(undefined)
            : await ports.recordByKey({ environment, partner }, 'webhook', id);
        return webhook.map(
          (known): FailingConsumer => ({
            partner,
            name,
            failing_since: failing_since ?? '',
            webhook: known === undefined ? null : webhookOf(known),
          }),
        );
      }),
  );
  const last = found.value.length > page_size ? page.at(-1)?.row : undefined;
  return Result.combine(results).map((shown) => ({
    results: shown,
    next: last ? timeCursor(last.failing_since, last.attempt) : null,
  }));
}
