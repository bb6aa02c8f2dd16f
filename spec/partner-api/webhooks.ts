import type { WebhookCreated } from '../../src/api/answers.js';
import type { WebhookInput } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { type DefineCase, dealV2, invalid, missing, plain, type Views } from './subject.js';

/** A name that cannot be registered (RFC 6761): no message to it arrives. */
const url = 'https://receiver.invalid/deals';
const unknownId = '01KDVE0000000000000000000F';

/** Adds a webhook, which must be a success. */
async function added(api: PartnerApi, input: Partial<WebhookInput> = {}): Promise<WebhookCreated> {
  return okOf(await api.createWebhook({ url, ...input }), 'a webhook');
}

/** Every call about one webhook. */
const calls: Readonly<Record<string, (api: PartnerApi, id: string) => ReturnType<Call>>> = {
  retrieveWebhook: (api, id) => api.retrieveWebhook(id),
  rotateWebhook: (api, id) => api.rotateWebhook(id),
  enableWebhook: (api, id) => api.enableWebhook(id),
  testWebhook: (api, id) => api.testWebhook(id),
  listDeliveries: (api, id) => api.listDeliveries(id),
  redeliver: (api, id) => api.redeliver(id, unknownId),
  deleteWebhook: (api, id) => api.deleteWebhook(id),
};

type Call =
  | PartnerApi['retrieveWebhook']
  | PartnerApi['rotateWebhook']
  | PartnerApi['testWebhook']
  | PartnerApi['listDeliveries'];

/** Asserts that a service without webhooks refuses every call about them alike. */
async function hasNone({ api }: Views): Promise<void> {
  missing(errOf(await api.createWebhook({ url }), 'a new webhook'), 'operation');
  missing(errOf(await api.listWebhooks(), 'the list'), 'operation');
  for (const [name, call] of Object.entries(calls)) {
    missing(
      errOf<unknown, Parameters<typeof missing>[0]>(await call(api, unknownId), name),
      'operation',
    );
  }
}

/** Decisions 7.2, 7.8 and 7.9: the webhooks of a partner. */
export function webhooks(defineCase: DefineCase): void {
  const define: DefineCase = (name, body) =>
    defineCase(name, (views) => (views.webhooks ? body(views) : hasNone(views)));

  define('adds a webhook, and shows its secret once', async ({ api }) => {
    const types = ['deal.accepted', 'of.a.host', 'deal.accepted'];
    const { secret, ...webhook } = await added(api, { types, ordered: true });
    check(/^whsec_[A-Za-z0-9+/]+=*$/.test(secret), 'the secret is one of Standard Webhooks');
    const { id, created_at } = webhook;
    const expected = {
      id,
      url,
      types: ['deal.accepted', 'of.a.host'],
      ordered: true,
      status: 'enabled',
      disabled_reason: null,
      created_at,
    };
    equal(webhook, expected, 'the webhook');
    equal(okOf(await api.retrieveWebhook(id), 'the webhook'), webhook, 'without its secret');
    const second = await added(api);
    equal([second.types, second.ordered], [[], false], 'what is not said');
    check(second.secret !== secret, 'each has a secret of its own');
    const { secret: _, ...other } = second;
    equal(okOf(await api.listWebhooks(), 'the list'), [webhook, other], 'the oldest first');
  });

  define('takes the same URL twice: no key makes two of them one', async ({ api }) => {
    const options = { language: 'en', idempotencyKey: 'one-key' } as const;
    const first = okOf(await api.createWebhook({ url }, options), 'a webhook');
    const second = okOf(await api.createWebhook({ url }, options), 'another webhook');
    check(first.id !== second.id && first.secret !== second.secret, 'they are two');
  });

  define('names every problem of a webhook at once', async ({ api, live }) => {
    const broken = { types: ['a,b', 5, 'deal.accepted', ''], ordered: 'yes' };
    const issues = [
      { path: ['url'], code: 'required' },
      { path: ['types', '0'], code: 'invalid_event_type' },
      { path: ['types', '1'], code: 'wrong_type' },
      { path: ['types', '3'], code: 'too_short' },
      { path: ['ordered'], code: 'wrong_type' },
    ];
    const create = (input: unknown) => api.createWebhook(input as WebhookInput);
    invalid(errOf(await create(broken), 'a broken webhook'), issues);
    for (const [input, path, code] of [
      [{ url: 5 }, ['url'], 'wrong_type'],
      [{ url: null }, ['url'], 'null_not_allowed'],
      [{ url: `https://example.com/${'x'.repeat(2_048)}` }, ['url'], 'too_long'],
      [{ url, types: null }, ['types'], 'null_not_allowed'],
      [{ url, types: 'deal.accepted' }, ['types'], 'wrong_type'],
      [
        { url, types: Array.from({ length: 101 }, (_, at) => `t${at}`) },
        ['types'],
        'too_many_types',
      ],
      [{ url, ordered: null }, ['ordered'], 'null_not_allowed'],
      [{ url: 'no URL' }, ['url'], 'invalid_url'],
      [{ url: 'ftp://example.com/' }, ['url'], 'invalid_url'],
      [{ url: 'https://127.0.0.1/' }, ['url'], 'address_not_allowed'],
    ] as const) {
      invalid(errOf(await create(input), `${path} ${code}`), [{ path, code }]);
    }
    const plainUrl = 'http://receiver.invalid/deals';
    invalid(errOf(await live.createWebhook({ url: plainUrl }), 'http in production'), [
      { path: ['url'], code: 'https_required' },
    ]);
    okOf(await live.createWebhook({ url }), 'https in production');
    okOf(await api.createWebhook({ url: plainUrl }), 'http in the sandbox');
    equal(okOf(await api.listWebhooks(), 'the list').length, 1, 'no other was added');
  });

  define('gives another secret, and shows it once', async ({ api }) => {
    const { secret, ...webhook } = await added(api);
    const { secret: another, ...rotated } = okOf(await api.rotateWebhook(webhook.id), 'the answer');
    check(another.startsWith('whsec_') && another !== secret, 'the secret is another');
    equal(rotated, webhook, 'the webhook is the same');
    equal(okOf(await api.retrieveWebhook(webhook.id), 'the webhook'), webhook, 'without it');
  });

  define('deletes a webhook, which is then none', async ({ api }) => {
    const { secret: _, ...webhook } = await added(api);
    const { secret: __, ...other } = await added(api);
    equal(okOf(await api.enableWebhook(webhook.id), 'enabled again'), webhook, 'it was enabled');
    equal(okOf(await api.deleteWebhook(webhook.id), 'the deleted one'), webhook, 'as it was');
    for (const [name, call] of Object.entries(calls)) {
      const refused = errOf<unknown, Parameters<typeof missing>[0]>(
        await call(api, webhook.id),
        name,
      );
      missing(refused, 'webhook');
    }
    equal(okOf(await api.listWebhooks(), 'the list'), [other], 'the other is left');
  });

  define('tells nothing of the webhooks of others', async ({ api, other, live }) => {
    const { id } = await added(api);
    for (const view of [other, live]) {
      equal(okOf(await view.listWebhooks(), 'the list'), [], 'has none');
      for (const [name, call] of Object.entries(calls)) {
        for (const each of [id, unknownId, 'x', '..', 'a/b']) {
          const refused = errOf<unknown, Parameters<typeof missing>[0]>(
            await call(view, each),
            name,
          );
          missing(refused, 'webhook');
        }
      }
    }
    okOf(await api.retrieveWebhook(id), 'it is left as it was');
  });

  define('sends a test once, which is in no feed', async ({ api }) => {
    const { id } = await added(api);
    const test = okOf(await api.testWebhook(id), 'the test');
    equal([test.type, test.next_attempt_at], ['webhook.test', null], 'it is not sent again');
    equal(test.attempts.length, 1, 'it was sent once');
    check(test.status !== 'pending', 'what came of it is known');
    const page = okOf(await api.listDeliveries(id), 'the deliveries');
    equal(page, { results: [], next: null }, 'nothing of it is kept');
    for (const each of [test.id, 'x', '..']) {
      missing(errOf(await api.redeliver(id, each), `"${each}" again`), 'delivery');
    }
    const { results } = okOf(await api.listEvents({ page_size: 100 }), 'the feed');
    check(!results.some(({ id: each }) => each === test.event_id), 'it is no event of the feed');
  });

  define(
    'refuses a list of deliveries from an invalid cursor, and of no length',
    async ({ api }) => {
      const { id } = await added(api);
      plain(errOf(await api.listDeliveries(id, { cursor: 'x' }), 'garbage'), 'invalid_cursor');
      invalid(errOf(await api.listDeliveries(id, { page_size: 0 }), 'no page'), [
        { path: ['page_size'], code: 'out_of_range' },
      ]);
    },
  );

  define('tells in the feed of changes of webhooks, without secrets', async ({ api }) => {
    okOf(await api.createDealV2(dealV2), 'a deal');
    const { id, secret } = await added(api, { url: `${url}?key=geheim` });
    const rotated = okOf(await api.rotateWebhook(id), 'the other secret');
    okOf(await api.deleteWebhook(id), 'the deleted one');
    const { results } = okOf(await api.listEvents({ page_size: 100 }), 'the feed');
    const own = results.filter(({ subject }) => subject === `webhook:${id}`);
    equal(
      own.map(({ type, sequence }) => [type, sequence]),
      [
        ['webhook.created', 1],
        ['webhook.rotated', 2],
        ['webhook.deleted', 3],
      ],
      'the events of the webhook',
    );
    const all = JSON.stringify(results);
    for (const part of [secret.slice(6), rotated.secret.slice(6), 'geheim']) {
      check(!all.includes(part), 'no event holds a secret');
    }
  });
}
