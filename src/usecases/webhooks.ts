import { err, ok, Result } from 'neverthrow';
import type { WebhookCreated } from '../api/answers.js';
import { type EventOrigin, webhookChanged } from '../domain/events/events.js';
import {
  consumerOf,
  newConsumer,
  rotatedUntil,
  type Webhook,
  webhookOf,
} from '../domain/events/webhook.js';
import { mostOfHost, mostWebhooks } from '../domain/events/webhook-input.js';
import {
  type CreateWebhookError,
  type NotFound,
  notFound,
  type Unavailable,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row, Stored } from '../domain/records/records.js';
import type { Finding } from '../domain/values/issues.js';
import type { WebhookStatus } from '../domain/values/status.js';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp, parseTimestamp } from '../domain/values/timestamp.js';
import { isUlid } from '../domain/values/ulid.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { GuardedWebhooks } from '../ports/guarded-webhooks.js';
import type { Change } from '../ports/write-set.js';
import { attemptRow } from './answer-again.js';
import { originate } from './commit.js';
import type { Call, Context } from './context.js';

type NotFoundOr = WithoutMessage<NotFound | Unavailable>;

const missing = err(notFound('webhook'));
/** The host has no webhooks. */
export const noWebhooks = err(notFound('operation'));

/** The statuses that a partner can see; deleted webhooks are kept for a while. */
const live: readonly WebhookStatus[] = ['enabled', 'disabled'];

const day = 24 * 60 * 60 * 1000;

/** How long the rest of a deleted webhook is kept. */
const keptDeleted = 30 * day;

/** Adds a webhook; its secret is shown once, in this answer (decision 7.2). */
export async function createWebhook(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<WebhookCreated, WithoutMessage<CreateWebhookError>>> {
  const { ports } = context;
  const { webhooks } = ports;
  if (webhooks === undefined) return noWebhooks;
  const { tenant } = call;
  const parsed = context.parseWebhook(input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { url, types, ordered } = parsed.value;
  const verdict = webhooks.check(tenant.environment, url);
  if (verdict.isErr()) return err(verdict.error);
  if (verdict.value !== 'allowed') return refused(verdict.value);
  const host = webhooks.hostOf(url);
  if (host.isErr()) return err(host.error);
  const before = await countWithoutHost(ports, webhooks, tenant, host.value);
  if (before.isErr()) return err(before.error);
  const made = await newSecret(webhooks, call);
  if (made.isErr()) return err(made.error);
  const log = await ports.eventsAfter(tenant, undefined, 1);
  if (log.isErr()) return err(log.error);
  const position = log.value === 'invalid_cursor' ? null : log.value.end;
  const origin = await originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const { id, at } = origin.value;
  const row: Row<'webhook'> = {
    id,
    url,
    host: host.value,
    types: types.length === 0 ? null : types.join(' '),
    ordered: ordered ? 1 : 0,
    status: 'enabled',
    disabled_reason: null,
    secret: made.value.sealed,
    previous_secret: null,
    previous_until: null,
    created_at: at,
    ends_at: null,
  };
  const committed = await ports.commit(tenant, {
    attempt: id,
    expect: [
      { absent: 'webhook', key: id },
      { fewer: 'webhook', than: mostWebhooks, where: { status: live } },
      {
        fewer: 'webhook',
        // webhooks without a host name are from before it was recorded: their number only falls
        than: Math.max(mostOfHost - before.value, 0),
        where: { status: live, host: [host.value] },
      },
    ],
    insert: [
      { kind: 'webhook', row },
      { kind: 'consumer', row: newConsumer(consumerOf(id), position) },
    ],
    change: [],
    subject: { kind: 'webhook', key: id },
    events: [webhookChanged(origin.value, 'webhook.created', id, 'enabled')],
  });
  if (committed.isErr()) return err(committed.error);
  const { value } = committed;
  if (value.outcome === 'committed') return ok({ ...webhookOf(row), secret: made.value.secret });
  // the first expectation has the id of the attempt: if it fails, this write was committed
  return value.expectation === 1
    ? refused('too_many_webhooks', { max: mostWebhooks })
    : refused('too_many_webhooks_of_host', { max: mostOfHost });
}

function refused<C extends Finding['code']>(code: C, params = {} as Finding<C>['params']) {
  return err(validationFailed({ path: ['url'], code, params }));
}

async function newSecret(webhooks: GuardedWebhooks, { tenant }: Call) {
  const secret = webhooks.createSecret();
  if (secret.isErr()) return err(secret.error);
  const sealed = await webhooks.seal(tenant, secret.value);
  return sealed.map((text) => ({ secret: secret.value, sealed: text }));
}

/** The webhooks of a partner, the oldest first. */
export async function listWebhooks(
  { ports }: Context,
  { tenant }: Call,
): Promise<Result<readonly Webhook[], NotFoundOr>> {
  if (ports.webhooks === undefined) return noWebhooks;
  return (await liveWebhooks(ports, tenant)).map((rows) => rows.map(webhookOf));
}

const pageSize = 1_000;

/** The webhooks that were not deleted, the oldest first. */
export function liveWebhooks(ports: Context['ports'], tenant: Tenant) {
  return webhooksOf(ports, tenant, ({ status }) => status !== 'deleted');
}

async function webhooksOf(
  ports: Context['ports'],
  tenant: Tenant,
  isWanted: (row: Stored<'webhook'>) => boolean,
): Promise<Result<readonly Stored<'webhook'>[], PortProblem>> {
  const found: Stored<'webhook'>[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await ports.listRecords(tenant, 'webhook', {
      direction: 'ascending',
      ...(after !== undefined && { after }),
      limit: pageSize,
    });
    if (page.isErr()) return err(page.error);
    found.push(...page.value.filter(isWanted));
    after = page.value.at(-1)?.id;
    if (page.value.length < pageSize) return ok(found);
  }
}

/** How many live webhooks with this host name do not have it recorded: they are older. */
async function countWithoutHost(
  ports: Context['ports'],
  { hostOf }: GuardedWebhooks,
  tenant: Tenant,
  host: string | null,
): Promise<Result<number, PortProblem>> {
  const found = await liveWebhooks(ports, tenant);
  if (found.isErr()) return err(found.error);
  const hosts = found.value.filter((row) => row.host === null).map(({ url }) => hostOf(url));
  // the write itself counts webhooks without a host name
  return Result.combine(hosts).map(
    (all) => all.filter((each) => each !== null && each === host).length,
  );
}

/**
 * Gives deleted webhooks without an end one, 30 days after they were deleted: earlier versions gave
 * none. If another call has given it, nothing is changed.
 */
export async function endDeletedWebhooks(
  ports: Context['ports'],
  tenant: Tenant,
  now: number,
): Promise<Result<void, PortProblem>> {
  const found = await webhooksOf(
    ports,
    tenant,
    ({ status, ends_at }) => status === 'deleted' && ends_at === null,
  );
  if (found.isErr()) return err(found.error);
  for (const { id, version } of found.value) {
    const key = consumerOf(id);
    // its last event has the time
    const events = await ports.eventsOf(tenant, key, version - 1, 1);
    if (events.isErr()) return err(events.error);
    const deleted = parseTimestamp(events.value[0]?.at ?? '') ?? now;
    const attempt = ports.nextId();
    if (attempt.isErr()) return err(attempt.error);
    // the clock of a sandbox may have been ahead
    const ends_at = formatTimestamp(Math.min(deleted, now) + keptDeleted);
    const committed = await ports.commit(tenant, {
      attempt: attempt.value,
      expect: [
        { present: 'webhook', key: id, where: { version: [version] } },
        { present: 'consumer', key },
      ],
      insert: [],
      change: [
        { kind: 'webhook', key: id, set: { ends_at } },
        { kind: 'consumer', key, set: { ends_at } },
      ],
      events: [],
    });
    if (committed.isErr()) return err(committed.error);
  }
  return ok(undefined);
}

/** A webhook of the partner, unless it was deleted. */
export async function findWebhook(
  { ports }: Context,
  { tenant }: Call,
  id: unknown,
): Promise<Result<Stored<'webhook'>, NotFoundOr>> {
  if (ports.webhooks === undefined) return noWebhooks;
  if (!isUlid(id)) return missing;
  const found = await ports.recordByKey(tenant, 'webhook', id);
  if (found.isErr()) return err(found.error);
  return found.value === undefined || found.value.status === 'deleted' ? missing : ok(found.value);
}

export async function retrieveWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<Webhook, NotFoundOr>> {
  return (await findWebhook(context, call, id)).map(webhookOf);
}

/** Ends the messages to it, hides it, and lets the rest of it expire after 30 days. */
export async function deleteWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<Webhook, NotFoundOr>> {
  const now = context.ports.realTime();
  if (now.isErr()) return err(now.error);
  const ends_at = formatTimestamp(now.value + keptDeleted);
  return change(context, call, id, ({ id: own }, origin) => ({
    set: { status: 'deleted', ends_at },
    event: webhookChanged(origin, 'webhook.deleted', own, 'deleted'),
    // its deliveries end with it, and it does not fail any more
    consumer: { ends_at, failing_since: null },
  }));
}

/** Starts to send events again, waiting ones first; an enabled webhook is not changed. */
export async function enableWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<Webhook, NotFoundOr>> {
  return change(context, call, id, ({ id: own, status }, origin) =>
    status === 'enabled'
      ? undefined
      : {
          set: { status: 'enabled', disabled_reason: null },
          event: webhookChanged(origin, 'webhook.enabled', own, 'enabled'),
          // its failures are forgotten
          consumer: { failing_since: null },
        },
  );
}

/** Gives a webhook another secret; both are valid for a day (decision 7.2). */
export async function rotateWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<WebhookCreated, NotFoundOr>> {
  const { ports } = context;
  const { webhooks } = ports;
  if (webhooks === undefined) return noWebhooks;
  const made = await newSecret(webhooks, call);
  if (made.isErr()) return err(made.error);
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const changed = await change(context, call, id, ({ id: own, status, secret }, origin) => ({
    set: {
      secret: made.value.sealed,
      previous_secret: secret,
      previous_until: rotatedUntil(now.value),
    },
    event: webhookChanged(origin, 'webhook.rotated', own, status),
  }));
  return changed.map((webhook) => ({ ...webhook, secret: made.value.secret }));
}

interface WebhookChange {
  readonly set: Change<'webhook'>['set'];
  readonly event: ReturnType<typeof webhookChanged>;
  readonly consumer?: Change<'consumer'>['set'];
}

/** How often a change is decided again after another one was committed first. */
const mostTries = 8;

/** Reads a webhook, decides, and writes, again each time another write was committed first. */
async function change(
  context: Context,
  call: Call,
  id: unknown,
  decide: (row: Stored<'webhook'>, origin: EventOrigin) => WebhookChange | undefined,
): Promise<Result<Webhook, NotFoundOr>> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const found = await findWebhook(context, call, id);
    if (found.isErr()) return err(found.error);
    const row = found.value;
    const origin = await originate(context, call);
    if (origin.isErr()) return err(origin.error);
    const decided = decide(row, origin.value);
    if (decided === undefined) return ok(webhookOf(row));
    const written = await write(context, call, row, origin.value.id, decided);
    if (written.isErr()) return err(written.error);
    const after = { ...row, ...decided.set };
    // a webhook that was deleted now is shown as it was
    if (written.value) return ok(webhookOf(after.status === 'deleted' ? row : after));
  }
  const cause = new Error('the webhook was changed by others each time');
  return err(portProblem('store.commit', { cause }));
}

async function write(
  { ports }: Context,
  { tenant }: Call,
  { id, version }: Stored<'webhook'>,
  attempt: string,
  { set, event, consumer }: WebhookChange,
): Promise<Result<boolean, PortProblem>> {
  // a write without other inserts is recognized by its attempt
  const time = ports.realTime();
  if (time.isErr()) return err(time.error);
  const row = attemptRow(attempt, time.value);
  const name = consumerOf(id);
  const committed = await ports.commit(tenant, {
    attempt,
    expect: [
      { absent: 'answer', key: row.answer_key },
      { present: 'webhook', key: id, where: { version: [version] } },
      ...(consumer === undefined ? [] : [{ present: 'consumer', key: name } as const]),
    ],
    insert: [{ kind: 'answer', row }],
    change: [
      { kind: 'webhook', key: id, set },
      ...(consumer === undefined ? [] : [{ kind: 'consumer', key: name, set: consumer } as const]),
    ],
    subject: { kind: 'webhook', key: id },
    events: [event],
  });
  return committed.map(({ outcome }) => outcome === 'committed');
}

/**
 * The secrets that a message to a webhook is signed with now, the newest first. A previous secret
 * that cannot be read does not stop the message: the present one signs it.
 */
export async function secretsOf(
  { ports }: Context,
  tenant: Call['tenant'],
  { secret, previous_secret, previous_until }: Row<'webhook'>,
  now: number,
): Promise<Result<readonly string[], PortProblem>> {
  const isStillGood = previous_until !== null && previous_until > formatTimestamp(now);
  const sealed = previous_secret !== null && isStillGood ? [secret, previous_secret] : [secret];
  const opened = await Promise.all(sealed.map((each) => ports.webhooks?.open(tenant, each)));
  return Result.combine(
    opened.filter((each) => each !== undefined).filter((each, at) => at === 0 || each.isOk()),
  );
}
