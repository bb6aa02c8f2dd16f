import type {
  DeliveriesPage,
  Delivery,
  DeliveryListQuery,
  FailedDeliveriesPage,
  Webhook,
  WebhookDelivery,
  WebhookInput,
} from 'dealwright';
import type { Result, ResultAsync } from 'neverthrow';
import { asking, type CommandRow, examples, option, pageOf, pageOptions } from './command-row.js';
import { again, quoted } from './deal-commands.js';
import type { Failure } from './describe-failure.js';
import { formatRecord, formatTable } from './output.js';
import { failedExit, say } from './problem.js';
import type { Session } from './session.js';

const webhookId = { '<id>': 'the id of the webhook, as webhooks list shows it' };

/** A call about one webhook. */
const ofOne = (
  description: string,
  ask: (session: Session, id: string) => Promise<Result<Webhook, Failure>>,
): CommandRow => ({
  description,
  arguments: webhookId,
  ...asking(async (session, id = '') =>
    session.answer(await ask(session, id), (webhook) => formatRecord(webhook, session.width)),
  ),
});

/** The commands of webhooks. */
export const webhookCommands: Readonly<Record<string, CommandRow>> = {
  'webhooks create': {
    description: 'add a webhook; its secret is shown this once',
    // --url is the address of the service
    arguments: { '<url>': 'the URL that events are posted to' },
    options: [
      option('--types <types>', 'types of events, with commas between; without it all'),
      option('--ordered', 'later events of a subject wait for the earlier ones'),
    ],
    help: examples(
      'dealwright webhooks create https://app.example.com/hooks --types deal.accepted,deal.declined',
    ),
    ...asking(createWebhook),
  },
  'webhooks list': {
    description: 'list the webhooks',
    ...asking(listWebhooks),
  },
  'webhooks get': ofOne('show a webhook', async ({ api, call }, id) =>
    api.retrieveWebhook(id, call),
  ),
  'webhooks delete': ofOne('remove a webhook', async ({ api, call }, id) =>
    api.deleteWebhook(id, call),
  ),
  'webhooks rotate': ofOne(
    'give a webhook another secret, shown this once; the one before is good for 24 hours',
    async ({ api, call }, id) => api.rotateWebhook(id, call),
  ),
  'webhooks enable': ofOne('send again to a webhook that was disabled', async ({ api, call }, id) =>
    api.enableWebhook(id, call),
  ),
  'webhooks test': {
    description: 'post webhook.test to a webhook now; fails where it does not arrive',
    arguments: webhookId,
    ...asking(testWebhook),
  },
  'webhooks deliveries': {
    description: 'list what was posted to a webhook, newest first',
    arguments: webhookId,
    options: pageOptions,
    ...asking(listDeliveries),
  },
  'webhooks redeliver': {
    description: 'post an event to a webhook again',
    arguments: { ...webhookId, '<delivery-id>': 'the id of the delivery' },
    ...asking(async (session, id = '', deliveryId = '') =>
      session.answer(await session.api.redeliver(id, deliveryId, session.call), (delivery) =>
        deliveryText(delivery, session),
      ),
    ),
  },
  'webhooks redeliver-all': {
    description: 'post again what was posted to a webhook since a time: what failed, or all of it',
    arguments: webhookId,
    options: [
      option('--since <time>', 'RFC 3339').makeOptionMandatory(),
      option('--which <which>', 'default failed', ['failed', 'all']),
    ],
    ...asking(redeliverAll),
  },
  'webhooks failed': {
    description: 'list what could not be posted to any webhook, the last failure first',
    options: pageOptions,
    ...asking(async (session) =>
      listToAll(
        session,
        (query) => session.api.listFailedDeliveries(query, session.call),
        'no deliveries have failed',
        'webhooks failed',
      ),
    ),
  },
  'deals deliveries': {
    description: 'list what was posted of the events of a deal to all webhooks, newest first',
    arguments: { '<partner-id>': 'your own id of the deal' },
    options: pageOptions,
    ...asking(async (session, partnerId = '') =>
      listToAll(
        session,
        (query) => session.api.listDealDeliveries(partnerId, query, session.call),
        'no deliveries',
        `deals deliveries ${quoted(partnerId)}`,
      ),
    ),
  },
  'webhooks listen': {
    description:
      'post the events of the sandbox to a server on this machine, signed as webhooks are',
    options: [
      option('--forward-to <url>', 'where to post them').makeOptionMandatory(),
      option('--types <types>', 'types of events, with commas between; without it all'),
      option('--after <cursor>', 'where to begin; without it at the end'),
    ],
    help: `  DEALWRIGHT_WEBHOOK_SECRET  the secret that signs them, whsec_...; without it one is
                    made and printed
${examples('dealwright webhooks listen --forward-to http://127.0.0.1:3000/hooks')}`,
    ...asking(async (session) => (await import('./listen-command.js')).listen(session)),
  },
};

async function createWebhook(session: Session, url = ''): Promise<number> {
  const { flags, api, call, width } = session;
  const input: WebhookInput = {
    url,
    ...(flags.types !== undefined && { types: flags.types.split(',') }),
    ordered: flags.ordered === true,
  };
  const created = await api.createWebhook(input, call);
  return session.answer(created, (webhook) => formatRecord(webhook, width));
}

async function listWebhooks(session: Session): Promise<number> {
  const listed = await session.api.listWebhooks(session.call);
  return session.answer(listed, (webhooks) => {
    if (webhooks.length === 0) return 'no webhooks\n';
    const rows = webhooks.map((each) => [
      each.id,
      each.status,
      each.ordered ? 'ordered' : '',
      each.types.length === 0 ? 'all' : each.types,
      each.url,
    ]);
    const head = ['id', 'status', 'ordered', 'types', 'url'];
    return formatTable(rows, { head, flexible: 4, width: session.width });
  });
}

async function testWebhook(session: Session, id = ''): Promise<number> {
  const { api, call, flags, process } = session;
  const tested = await api.testWebhook(id, call);
  const code = await session.answer(tested, (delivery) => deliveryText(delivery, session));
  if (tested.isErr() || tested.value.status === 'delivered') return code;
  if (flags.json !== true) say(process, `the message did not arrive: ${outcomeOf(tested.value)}`);
  return failedExit;
}

async function listDeliveries(session: Session, id = ''): Promise<number> {
  const { api, call, flags, width } = session;
  const query = pageOf(flags, 'deliveries');
  if (query.isErr()) return session.complain(query.error);
  const listed = await api.listDeliveries(id, query.value, call);
  return session.answer(listed, ({ results, next }: DeliveriesPage) => {
    const shown = results.length === 0 ? 'no deliveries\n' : deliveryTable(results, width);
    if (next === null) return shown;
    return `${shown}\nmore: dealwright webhooks deliveries ${id} ${again(session, { cursor: next })}\n`;
  });
}

/** Batch after batch, until all were looked at. */
async function redeliverAll(session: Session, id = ''): Promise<number> {
  const { api, call, flags } = session;
  const { since = '', which } = flags;
  let count = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = {
      since,
      ...(which !== undefined && { which: which as 'failed' | 'all' }),
      ...(cursor !== undefined && { cursor }),
    };
    const batch = await api.redeliverAll(id, input, call);
    if (batch.isErr()) return session.fail(batch.error);
    count += batch.value.count;
    cursor = batch.value.next;
  }
  await session.show({ count }, () => `${count} deliveries begin anew\n`);
  return 0;
}

/** A page of deliveries to all webhooks. */
async function listToAll(
  session: Session,
  list: (query: DeliveryListQuery) => ResultAsync<FailedDeliveriesPage, Failure>,
  none: string,
  command: string,
): Promise<number> {
  const { flags, width } = session;
  const query = pageOf(flags, 'deliveries');
  if (query.isErr()) return session.complain(query.error);
  return session.answer(await list(query.value), ({ results, next }) => {
    const shown = results.length === 0 ? `${none}\n` : tableOfAll(results, width);
    if (next === null) return shown;
    return `${shown}\nmore: dealwright ${command} ${again(session, { cursor: next })}\n`;
  });
}

function deliveryTable(deliveries: readonly Delivery[], width: number | undefined): string {
  const rows = deliveries.map((delivery) => [
    delivery.id,
    delivery.status,
    delivery.attempts.length,
    outcomeOf(delivery),
    delivery.next_attempt_at,
    delivery.type,
  ]);
  const head = ['id', 'status', 'attempts', 'last', 'next_attempt_at', 'type'];
  return formatTable(rows, { head, right: [2], flexible: 5, width });
}

/** With the names that `webhooks redeliver` takes. */
function tableOfAll(deliveries: readonly WebhookDelivery[], width: number | undefined): string {
  const rows = deliveries.map((delivery) => [
    delivery.webhook_id,
    delivery.id,
    delivery.status,
    delivery.attempts.length,
    outcomeOf(delivery),
    delivery.type,
  ]);
  const head = ['webhook_id', 'id', 'status', 'attempts', 'last', 'type'];
  return formatTable(rows, { head, right: [3], flexible: 5, width });
}

function deliveryText({ attempts, ...delivery }: Delivery, { width }: Session): string {
  const tried = attempts.map((attempt) => `\nattempt\n${formatRecord(attempt, width)}`);
  return `${formatRecord(delivery, width)}${tried.join('')}`;
}

/** The result of the last attempt: a status, or why there is none. */
function outcomeOf({ attempts }: Delivery): string {
  const { status_code, error } = attempts.at(-1) ?? {};
  return String(status_code ?? error ?? '');
}
