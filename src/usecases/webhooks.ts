import { err, ok, type Result } from 'neverthrow';
import type { WebhookCreated } from '../api/answers.js';
import {
  type CreateWebhookError,
  type NotFound,
  type Unavailable,
  validationFailed,
  type WithoutMessage,
} from '../domain/errors.js';
import { type EventOrigin, webhookChanged } from '../domain/events.js';
import type { Finding } from '../domain/issues.js';
import type { Row, Stored } from '../domain/records.js';
import { formatTimestamp } from '../domain/timestamp.js';
import { isUlid } from '../domain/ulid.js';
import {
  consumerOf,
  newConsumer,
  rotatedUntil,
  type Webhook,
  webhookOf,
} from '../domain/webhook.js';
import type { GuardedWebhooks } from '../ports/guarded-webhooks.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Change } from '../ports/write-set.js';
import { originate } from './commit.js';
import type { Call, Context } from './context.js';

type NotFoundOr = WithoutMessage<NotFound | Unavailable>;

const missing = err({ code: 'not_found' } as const);

/** How many endpoints a partner may have, deleted ones included. */
export const mostWebhooks = 1_000;

/** Adds an endpoint; its secret is shown once, in this answer (decision 7.2). */
export async function createWebhook(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<WebhookCreated, WithoutMessage<CreateWebhookError>>> {
  const { ports } = context;
  const { webhooks } = ports;
  if (webhooks === undefined) return missing;
  const { tenant } = call;
  const parsed = context.parseWebhook(input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { url, types, ordered } = parsed.value;
  const verdict = webhooks.check(tenant.environment, url);
  if (verdict.isErr()) return err(verdict.error);
  if (verdict.value !== 'allowed') return refused(verdict.value);
  const own = await ports.listRecords(tenant, 'webhook', {
    direction: 'ascending',
    limit: mostWebhooks,
  });
  if (own.isErr()) return err(own.error);
  if (own.value.length >= mostWebhooks) return refused('too_many_webhooks', { max: mostWebhooks });
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
    host: null,
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
    expect: [{ absent: 'webhook', key: id }],
    insert: [
      { kind: 'webhook', row },
      { kind: 'consumer', row: newConsumer(consumerOf(id), position) },
    ],
    change: [],
    subject: { kind: 'webhook', key: id },
    events: [webhookChanged(origin.value, 'webhook.created', id, 'enabled')],
  });
  return committed.map(() => ({ ...webhookOf(row), secret: made.value.secret }));
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

/** The endpoints of a partner, the oldest first. */
export async function listWebhooks(
  { ports }: Context,
  { tenant }: Call,
): Promise<Result<readonly Webhook[], NotFoundOr>> {
  if (ports.webhooks === undefined) return missing;
  const found = await ports.listRecords(tenant, 'webhook', {
    direction: 'ascending',
    limit: mostWebhooks,
  });
  return found.map((rows) => rows.filter(({ status }) => status !== 'deleted').map(webhookOf));
}

/** An endpoint of the partner, unless it was deleted. */
export async function findWebhook(
  { ports }: Context,
  { tenant }: Call,
  id: unknown,
): Promise<Result<Stored<'webhook'>, NotFoundOr>> {
  if (ports.webhooks === undefined || !isUlid(id)) return missing;
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

/** Nothing is sent to it any more, and nobody sees it. */
export async function deleteWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<Webhook, NotFoundOr>> {
  return change(context, call, id, ({ id: own }, origin) => ({
    set: { status: 'deleted' },
    event: webhookChanged(origin, 'webhook.deleted', own, 'deleted'),
  }));
}

/** Sends events again, those that came meanwhile first; of an enabled one it changes nothing. */
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
          // it has not failed since now
          consumer: { failing_since: null },
        },
  );
}

/** Gives an endpoint another secret; both are good for a day (decision 7.2). */
export async function rotateWebhook(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<WebhookCreated, NotFoundOr>> {
  const { ports } = context;
  const { webhooks } = ports;
  if (webhooks === undefined) return missing;
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

/** How often a change is decided again that somebody else's was quicker than. */
const mostTries = 8;

/** Reads an endpoint, decides, and writes, as often as somebody else is quicker. */
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
    // one that is deleted now is shown as it was
    if (written.value) return ok(webhookOf(after.status === 'deleted' ? row : after));
  }
  const cause = new Error('the endpoint was changed by others each time');
  return err(portProblem('store.commit', { cause }));
}

async function write(
  { ports }: Context,
  { tenant }: Call,
  { id, version }: Stored<'webhook'>,
  attempt: string,
  { set, event, consumer }: WebhookChange,
): Promise<Result<boolean, PortProblem>> {
  // a write that makes nothing else is known by its attempt
  const row = { answer_key: `attempt ${attempt}`, fingerprint: '', answer: '{}', ends_at: null };
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

/** The secrets that a message to an endpoint is signed with now, the newest first. */
export async function secretsOf(
  { ports }: Context,
  tenant: Call['tenant'],
  { secret, previous_secret, previous_until }: Row<'webhook'>,
  now: number,
): Promise<Result<readonly string[], PortProblem>> {
  const secrets: string[] = [];
  const isStillGood = previous_until !== null && previous_until > formatTimestamp(now);
  const sealed = previous_secret !== null && isStillGood ? [secret, previous_secret] : [secret];
  for (const each of sealed) {
    const opened = await ports.webhooks?.open(tenant, each);
    if (opened === undefined) break;
    if (opened.isErr()) return err(opened.error);
    secrets.push(opened.value);
  }
  return ok(secrets);
}
