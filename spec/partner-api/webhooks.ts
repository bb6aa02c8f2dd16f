import type { WebhookCreated } from '../../src/api/answers.js';
import type { WebhookInput } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { Resource } from '../../src/domain/input/errors.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { type AnyError, invalid, missing, plain } from './errors.js';
import { endOf, feedOf, type Which, walkTo } from './reading-feeds.js';
import { everyStranger, group, strangers, type Views } from './subject.js';

/** A URL with a name that cannot be registered (RFC 6761): no message to it arrives. */
const urlOf = ({ prefix }: Views) => `https://receiver.invalid/${prefix}deals`;
const unknownId = '01KDVE0000000000000000000F';

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
async function hasNone(views: Views): Promise<void> {
  const { api } = views;
  const url = urlOf(views);
  missing(errOf(await api.createWebhook({ url }), 'a new webhook'), 'operation');
  missing(errOf(await api.listWebhooks(), 'the list'), 'operation');
  await findsNo(api, unknownId, 'operation');
}

/** Adds a webhook, which must be a success; it is removed at the end of the case. */
type Add = (input?: Partial<WebhookInput>) => Promise<WebhookCreated>;

/** What a case of webhooks does with them. */
interface Own {
  readonly url: string;
  readonly add: Add;
  /** Adds a webhook for any view; if that is a success, it is removed at the end of the case. */
  readonly create: (
    api: PartnerApi,
    input: unknown,
    options?: object,
  ) => Promise<Awaited<ReturnType<PartnerApi['createWebhook']>>>;
}

/** Runs a case, and then removes every webhook that it has added. */
async function withOwn(
  views: Views,
  body: (views: Views, own: Own) => Promise<void>,
): Promise<void> {
  const { api } = views;
  const removals: (() => ReturnType<PartnerApi['deleteWebhook']>)[] = [];
  const url = urlOf(views);
  const create: Own['create'] = async (view, input, options) => {
    const result = await view.createWebhook(input as WebhookInput, options);
    if (result.isOk()) removals.push(() => view.deleteWebhook(result.value.id));
    return result;
  };
  const add: Add = async (input) => okOf(await create(api, { url, ...input }), 'a webhook');
  try {
    await body(views, { url, add, create });
  } finally {
    for (const remove of removals) await remove();
  }
}

/** Decisions 7.2, 7.8 and 7.9: the webhooks of a partner. */
export const webhooks = group(
  'webhooks',
  {
    must: {
      '7.2/webhook/secret-once':
        'A webhook is added with a secret of its own, which is shown once.',
      '7.8/webhook/defaults': 'A webhook has no types and no order unless they are asked for.',
      '7.8/webhook/list': 'A list has the webhooks of a partner, the oldest first.',
      '7.9/webhook/no-key':
        'A webhook is added each time, whatever the key: each has its own secret.',
      '7.9/webhook/refused-members':
        'All that is wrong with a webhook is named at once, and nothing is added.',
      '7.9/webhook/refused-address': 'A webhook at a private address is refused at once.',
      '7.4/webhook/https-in-production': 'In production a webhook has an `https` URL.',
      '7.4/webhook/http-in-the-sandbox': 'In the sandbox a webhook may have an `http` URL.',
      '7.2/webhook/rotate': 'A webhook that is rotated gets another secret, which is shown once.',
      '7.2/webhook/delete': 'A webhook that was deleted is not found any more; others are left.',
      '2.1/webhook/foreign': 'A webhook of another tenant is answered as one that does not exist.',
      '7.8/webhook/test': 'A test is sent once, is kept nowhere, and is in no feed.',
      '7.8/webhook/deliveries-query':
        'A list of deliveries refuses an invalid cursor and page size.',
      '7.8/webhook/deal-deliveries':
        'A list of the deliveries of a deal refuses an unknown deal, an invalid cursor and page size.',
      '7.2/webhook/redeliver-all':
        'A webhook to which nothing has failed has nothing to send again, and is in no list of failures.',
      '7.8/webhook/events': 'The feed tells of changes of a webhook, without its secrets.',
    },
  },
  (defineCase) => {
    const define = (
      id: Parameters<typeof defineCase>[0],
      body: (views: Views, own: Own) => Promise<void>,
      variant?: string,
    ) =>
      defineCase(id, (views) => (views.webhooks ? withOwn(views, body) : hasNone(views)), variant);

    define('7.2/webhook/secret-once', async ({ api }, { add, url }) => {
      const types = ['deal.accepted', 'of.a.host', 'deal.accepted'];
      const { secret, ...webhook } = await add({ types, ordered: true });
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
      const second = await add();
      check(second.secret !== secret, 'each has a secret of its own');
    });

    define('7.8/webhook/defaults', async (_, { add }) => {
      const { types, ordered } = await add();
      equal([types, ordered], [[], false], 'what is not said');
    });

    define('7.8/webhook/list', async ({ api }, { add }) => {
      const { secret: _, ...first } = await add();
      const { secret: __, ...second } = await add();
      const all = okOf(await api.listWebhooks(), 'the list');
      const own = all.filter(({ id }) => id === first.id || id === second.id);
      equal(own, [first, second], 'the oldest first');
    });

    define('7.9/webhook/no-key', async ({ api, key }, { create, url }) => {
      const options = { language: 'en', ...key };
      const first = okOf(await create(api, { url }, options), 'a webhook');
      const second = okOf(await create(api, { url }, options), 'another webhook');
      check(first.id !== second.id && first.secret !== second.secret, 'they are two');
    });

    define('7.9/webhook/refused-members', async ({ api }, { create, url }) => {
      const broken = { types: ['a,b', 5, 'deal.accepted', ''], ordered: 'yes' };
      invalid(errOf(await create(api, broken), 'a broken webhook'), [
        { path: ['url'], code: 'required' },
        { path: ['types', '0'], code: 'invalid_event_type' },
        { path: ['types', '1'], code: 'wrong_type' },
        { path: ['types', '3'], code: 'too_short' },
        { path: ['ordered'], code: 'wrong_type' },
      ]);
      for (const [input, path, code] of [
        [{ url: 5 }, ['url'], 'wrong_type'],
        [{ url: null }, ['url'], 'null_not_allowed'],
        [{ url: `${url}${'x'.repeat(2_048)}` }, ['url'], 'too_long'],
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
      ] as const) {
        invalid(errOf(await create(api, input), `${path} ${code}`), [{ path, code }]);
      }
      const all = okOf(await api.listWebhooks(), 'the list');
      check(!all.some((each) => each.url.startsWith(url)), 'none was added');
    });

    define('7.9/webhook/refused-address', async ({ api }, { create }) => {
      const result = await create(api, { url: 'https://127.0.0.1/' });
      if (result.isOk()) notApplicable('the host allows private addresses');
      invalid(result.error, [{ path: ['url'], code: 'address_not_allowed' }]);
    });

    define('7.4/webhook/https-in-production', async (views, { create, url }) => {
      const view = views.environment === 'production' ? views.api : views.live;
      const plainUrl = url.replace('https:', 'http:');
      invalid(errOf(await create(view, { url: plainUrl }), 'http in production'), [
        { path: ['url'], code: 'https_required' },
      ]);
      okOf(await create(view, { url }), 'https in production');
    });

    define('7.4/webhook/http-in-the-sandbox', async (views, { create, url }) => {
      const view = views.environment === 'sandbox' ? views.api : views.live;
      okOf(await create(view, { url: url.replace('https:', 'http:') }), 'http in the sandbox');
    });

    define('7.2/webhook/rotate', async ({ api }, { add }) => {
      const { secret, ...webhook } = await add();
      const { secret: another, ...rotated } = okOf(
        await api.rotateWebhook(webhook.id),
        'the answer',
      );
      check(another.startsWith('whsec_') && another !== secret, 'the secret is another');
      equal(rotated, webhook, 'the webhook is the same');
      equal(okOf(await api.retrieveWebhook(webhook.id), 'the webhook'), webhook, 'without it');
    });

    define('7.2/webhook/delete', async ({ api }, { add }) => {
      const { secret: _, ...webhook } = await add();
      const { secret: __, ...other } = await add();
      equal(okOf(await api.enableWebhook(webhook.id), 'enabled again'), webhook, 'it was enabled');
      equal(okOf(await api.deleteWebhook(webhook.id), 'the deleted one'), webhook, 'as it was');
      await findsNo(api, webhook.id, 'webhook');
      const left = okOf(await api.listWebhooks(), 'the list');
      equal(
        left.filter(({ id }) => id === webhook.id || id === other.id),
        [other],
        'the other is left',
      );
    });

    define(
      '2.1/webhook/foreign',
      async ({ api }) => {
        for (const each of [unknownId, 'x', '..', 'a/b']) await findsNo(api, each, 'webhook');
      },
      'no webhook',
    );

    for (const stranger of everyStranger) {
      define(
        '2.1/webhook/foreign',
        async ({ api, [stranger]: view }, { add }) => {
          const { id } = await add();
          const theirs = okOf(await view.listWebhooks(), 'the list');
          check(!theirs.some((each) => each.id === id), 'it is in no other list');
          await findsNo(view, id, 'webhook');
          okOf(await api.retrieveWebhook(id), 'it is left as it was');
        },
        strangers[stranger],
      );
    }

    define('7.8/webhook/test', async ({ api }, { add }) => {
      const start = await endOf(api);
      const { id } = await add();
      const test = okOf(await api.testWebhook(id), 'the test');
      equal([test.type, test.next_attempt_at], ['webhook.test', null], 'it is not sent again');
      equal(test.attempts.length, 1, 'it was sent once');
      check(test.status !== 'pending', 'what came of it is known');
      const page = okOf(await api.listDeliveries(id), 'the deliveries');
      equal(page, { results: [], next: null }, 'nothing of it is kept');
      for (const each of [test.id, 'x', '..']) {
        missing(errOf(await api.redeliver(id, each), `"${each}" again`), 'delivery');
      }
      okOf(await api.deleteWebhook(id), 'the deleted webhook');
      const all = await walkTo(feedOf(api), { after: start }, isDeletionOf(id));
      check(!all.some(({ id: each }) => each === test.event_id), 'it is no event of the feed');
    });

    define('7.8/webhook/deliveries-query', async ({ api }, { add }) => {
      const { id } = await add();
      plain(errOf(await api.listDeliveries(id, { cursor: 'x' }), 'garbage'), 'invalid_cursor');
      invalid(errOf(await api.listDeliveries(id, { page_size: 0 }), 'no page'), [
        { path: ['page_size'], code: 'out_of_range' },
      ]);
    });

    defineCase(
      '7.8/webhook/deal-deliveries',
      async ({ api, webhooks: hasThem, dealV2, name }) => {
        okOf(await api.createDealV2(dealV2), 'the deal');
        const list = (query?: object) => api.listDealDeliveries(dealV2.partner_id, query);
        const none = errOf(await api.listDealDeliveries(name('none')), 'no deal');
        missing(none, hasThem ? 'deal' : 'operation');
        if (!hasThem) return;
        const { results, next } = okOf(await list(), 'the deliveries');
        check(next === null || results.length > 0, 'the first page');
        plain(errOf(await list({ cursor: 'x' }), 'garbage'), 'invalid_cursor');
        invalid(errOf(await list({ page_size: 0 }), 'no page'), [
          { path: ['page_size'], code: 'out_of_range' },
        ]);
      },
      'no deal',
    );

    for (const stranger of everyStranger) {
      defineCase(
        '7.8/webhook/deal-deliveries',
        async ({ api, [stranger]: view, webhooks: hasThem, dealV2 }) => {
          okOf(await api.createDealV2(dealV2), 'the deal');
          const refused = await view.listDealDeliveries(dealV2.partner_id, { cursor: 'x' });
          missing(errOf(refused, "a stranger's deal"), hasThem ? 'deal' : 'operation');
        },
        strangers[stranger],
      );
    }

    defineCase('7.2/webhook/redeliver-all', async (views) => {
      const { api } = views;
      const since = '2026-01-01T00:00:00Z';
      const none = errOf(await api.redeliverAll(unknownId, { since }), 'of no webhook');
      missing(none, views.webhooks ? 'webhook' : 'operation');
      if (!views.webhooks) {
        missing(errOf(await api.listFailedDeliveries(), 'the failures'), 'operation');
        return;
      }
      await withOwn(views, async (_, { add }) => {
        const { id } = await add();
        const again = okOf(await api.redeliverAll(id, { since }), 'all again');
        equal(again, { count: 0, next: null }, 'what is sent again');
        const { results } = okOf(await api.listFailedDeliveries(), 'the failures');
        check(!results.some(({ webhook_id }) => webhook_id === id), 'it has no failure');
      });
    });

    define('7.8/webhook/events', async ({ api }, { add, url }) => {
      const start = await endOf(api);
      const { id, secret } = await add({ url: `${url}?key=geheim` });
      const rotated = okOf(await api.rotateWebhook(id), 'the other secret');
      okOf(await api.deleteWebhook(id), 'the deleted one');
      const all = await walkTo(feedOf(api), { after: start }, isDeletionOf(id));
      const own = all.filter(({ subject }) => subject === `webhook:${id}`);
      equal(
        own.map(({ type, sequence }) => [type, sequence]),
        [
          ['webhook.created', 1],
          ['webhook.rotated', 2],
          ['webhook.deleted', 3],
        ],
        'the events of the webhook',
      );
      for (const part of [secret.slice(6), rotated.secret.slice(6), 'geheim']) {
        check(!JSON.stringify(own).includes(part), 'no event holds a secret');
      }
    });
  },
);

/** Asserts that no call finds a webhook of this id. */
async function findsNo(api: PartnerApi, id: string, resource: Resource): Promise<void> {
  for (const [name, call] of Object.entries(calls)) {
    missing(errOf<unknown, AnyError>(await call(api, id), `${name} of ${id}`), resource);
  }
}

const isDeletionOf =
  (id: string): Which =>
  ({ type, subject }) =>
    type === 'webhook.deleted' && subject === `webhook:${id}`;
