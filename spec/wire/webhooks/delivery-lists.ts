import { check, equal, show } from '../../expectations.js';
import {
  expectForm,
  listOf,
  makeDeal,
  makeDealV2,
  mentions,
  mostPages,
  timestamp,
  ulid,
} from '../events/pages.js';
import { expectError, group, type Json, type Members, type Server } from '../server.js';
import {
  type Arrived,
  arrived,
  attemptsOf,
  deliveriesOf,
  deliveryOf,
  type Identified,
  type Webhooks,
  webhookPath,
  withWebhooks,
} from './webhook.js';

/** Decision 7.8: what a partner sees of the deliveries of a webhook. */
export const deliveryLists = group(
  'lists of deliveries',
  {
    must: {
      '7.8/webhooks/delivery-members':
        'A delivery has the members `id`, `event_id`, `type`, `status`, `attempts` and `next_attempt_at`.',
      '2.4/webhooks/delivery-id': 'The `id` of a delivery is a ULID.',
      '7.8/webhooks/delivery-event': 'A delivery has the `event_id` and the `type` of its event.',
      '7.8/webhooks/delivered': 'A delivery that the receiver took is `delivered`.',
      '7.8/webhooks/delivered-for-good': 'A delivery that the receiver took has no next attempt.',
      '7.8/webhooks/pending': 'A delivery that failed and is to be tried again is `pending`.',
      '7.8/webhooks/next-attempt': 'A `pending` delivery has the time of its next attempt.',
      '7.8/webhooks/attempt-members':
        'An attempt has the members `at`, `status_code` and `error`; `at` is a time in RFC 3339.',
      '7.8/webhooks/attempt-taken': 'An attempt that was taken has its status and no `error`.',
      '7.8/webhooks/attempt-refused': 'An attempt that was refused has the status of the answer.',
      '7.8/webhooks/attempt-unanswered':
        'An attempt without an answer has an `error` and no `status_code`.',
      '7.8/webhooks/newest-first': 'The list of deliveries has the newest first.',
      '7.8/webhooks/delivery-pages':
        'Pages of deliveries, one after the other, have each delivery once, in order.',
      '7.8/webhooks/delivery-apart': 'A webhook has no delivery of another webhook.',
      '7.2/webhooks/redeliver': 'A redelivery posts the event again, byte by byte the same.',
      '7.7/webhooks/redeliver-id': 'A redelivery has the same `webhook-id` as the first message.',
      '7.2/webhooks/redeliver-apart': 'A redelivery of a delivery of another webhook is 404.',
    },
    // docs/reference/http.md says so; no decision does
    should: {
      '7.2/webhooks/redeliver-all':
        'A redelivery since a time with `which` `all` posts again what arrived.',
      '7.2/webhooks/redeliver-failed':
        'A redelivery since a time without `which` leaves alone what arrived.',
      '7.2/webhooks/redeliver-since': 'A redelivery since a time leaves alone what was before it.',
      '7.8/webhooks/failed-list':
        'The list of failed deliveries has none that arrived or is to be tried again.',
      '7.8/webhooks/failing-late':
        'A webhook that began to fail just now is not in the list of failing webhooks of the operator.',
      '7.8/webhooks/deal-deliveries':
        'The deliveries of a deal are those of its events, each with its `webhook_id`, and of no other deal.',
      '7.8/webhooks/deal-newest-first':
        'The list of the deliveries of a deal has the newest first.',
      '6.5/webhooks/operator-sees':
        'The operator sees the deliveries of a webhook of a partner as the partner does.',
      '6.5/webhooks/operator-redelivers': 'A redelivery by the operator posts the event again.',
    },
  },
  (defineCase) => {
    const define = withWebhooks(defineCase);

    define('7.8/webhooks/delivery-members', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      const names = ['id', 'event_id', 'type', 'status', 'attempts', 'next_attempt_at'];
      const missing = names.filter((name) => !Object.hasOwn(delivery, name));
      equal(missing, [], `the members that the delivery lacks: ${show(delivery)}`);
    });

    define('2.4/webhooks/delivery-id', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      expectForm(delivery['id'], ulid, 'the id is a ULID');
    });

    for (const [version, make] of [
      ['1.0', makeDeal],
      ['2.0', makeDealV2],
    ] as const) {
      define(
        '7.8/webhooks/delivery-event',
        async ({ listen }, server) => {
          const webhook = await listen({ types: ['deal.created'] });
          const { partner_id } = await make(server);
          const [{ event }] = await arrived(server, webhook, mentions(partner_id));
          const { event_id, type } = await deliveryOf(server, webhook, isOf(event));
          equal({ event_id, type }, { event_id: event['id'], type: 'deal.created' }, 'its event');
        },
        version,
      );
    }

    define('7.8/webhooks/delivered', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      equal(delivery['status'], 'delivered', 'the status');
    });

    define('7.8/webhooks/delivered-for-good', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      equal(delivery['next_attempt_at'], null, 'the next attempt');
    });

    define('7.8/webhooks/pending', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server, 503);
      equal(delivery['status'], 'pending', 'the status');
    });

    define('7.8/webhooks/next-attempt', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server, 503);
      expectForm(delivery['next_attempt_at'], timestamp, 'next_attempt_at is a time in RFC 3339');
    });

    define('7.8/webhooks/attempt-members', async (webhooks, server) => {
      const { attempt } = await delivered(webhooks, server);
      const missing = ['at', 'status_code', 'error'].filter(
        (each) => !Object.hasOwn(attempt, each),
      );
      equal(missing, [], `the members that the attempt lacks: ${show(attempt)}`);
      expectForm(attempt['at'], timestamp, 'at is a time in RFC 3339');
    });

    for (const status of [200, 204, 299]) {
      define(
        '7.8/webhooks/attempt-taken',
        async (webhooks, server) => {
          const { status_code, error } = (await delivered(webhooks, server, status)).attempt;
          equal({ status_code, error }, { status_code: status, error: null }, 'the attempt');
        },
        `${status}`,
      );
    }

    for (const status of [302, 400, 404, 500]) {
      define(
        '7.8/webhooks/attempt-refused',
        async (webhooks, server) => {
          const { attempt } = await delivered(webhooks, server, status);
          equal(attempt['status_code'], status, 'the status_code of the attempt');
        },
        `${status}`,
      );
    }

    define('7.8/webhooks/attempt-unanswered', async (webhooks, server) => {
      const { receiver } = await webhooks.listen();
      const webhook = await webhooks.make();
      // shows that deliveries are under way at all
      await arrived(server, { receiver }, mentions((await makeDealV2(server)).partner_id));
      const delivery = await deliveryOf(server, webhook, tried);
      const [attempt = {}] = attemptsOf(delivery);
      equal(attempt['status_code'], null, 'the status_code of the attempt');
      const { error } = attempt;
      check(typeof error === 'string' && error !== '', `error says why\n  actual: ${show(error)}`);
    });

    define('7.8/webhooks/newest-first', async (webhooks, server) => {
      const { webhook, eventIds } = await someDelivered(webhooks, server);
      const { results } = await deliveriesOf(server, webhook, { page_size: 100 });
      const found = results.map(({ event_id }) => event_id).filter((id) => eventIds.includes(id));
      equal(found, [...eventIds].reverse(), 'the events of the deliveries');
    });

    define('7.8/webhooks/delivery-pages', async (webhooks, server) => {
      const { webhook, eventIds } = await someDelivered(webhooks, server);
      const found: Json[] = [];
      let query = {};
      for (let isOver = false; !isOver; ) {
        const { results, next } = await deliveriesOf(server, webhook, { page_size: 1, ...query });
        equal(results.length, 1, 'the number of deliveries of a page of one');
        found.push(...results.map(({ event_id }) => event_id));
        check(found.length < mostPages, 'the pages come to an end');
        isOver = typeof next !== 'string';
        query = { cursor: next };
      }
      const own = found.filter((id) => eventIds.includes(id));
      equal(own, [...eventIds].reverse(), 'the events of the deliveries, page by page');
    });

    define('7.8/webhooks/delivery-apart', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      const other = await webhooks.make({ types: ['of.no.server'] });
      const { results } = await deliveriesOf(server, other);
      check(!results.some(({ id }) => id === delivery['id']), 'the delivery is of one webhook');
    });

    define('7.2/webhooks/redeliver', async (webhooks, server) => {
      const { first, second } = await redelivered(webhooks, server);
      equal(second.message.body, first.message.body, 'the body of the second message');
    });

    define('7.7/webhooks/redeliver-id', async (webhooks, server) => {
      const { first, second } = await redelivered(webhooks, server);
      const [expected, actual] = [first, second].map(({ message }) =>
        message.headers.get('webhook-id'),
      );
      equal(actual, expected, 'the webhook-id of the second message');
    });

    define('7.2/webhooks/redeliver-apart', async (webhooks, server) => {
      const { delivery } = await delivered(webhooks, server);
      const path = redeliveryOf(await webhooks.make(), { id: delivery['id'] });
      expectError(await server.partner.send('POST', path), 404, 'not_found');
    });

    define('7.2/webhooks/redeliver-all', async (webhooks, server) => {
      const { webhook, first } = await delivered(webhooks, server);
      const body = { since: longAgo, which: 'all' };
      const { count, next } = await server.partner.data('POST', redeliveryOfAll(webhook), { body });
      equal([count, next], [1, null], 'the count, and the cursor of the next batch');
      const isSame = ({ id }: Members) => id === first.event['id'];
      const [, second = first] = await arrived(server, webhook, isSame, { count: 2 });
      equal(second.message.body, first.message.body, 'the body of the second message');
    });

    for (const [id, body] of [
      ['7.2/webhooks/redeliver-failed', { since: longAgo }],
      ['7.2/webhooks/redeliver-since', { since: '9999-12-31T00:00:00Z', which: 'all' }],
    ] as const) {
      define(id, async (webhooks, server) => {
        const { webhook } = await delivered(webhooks, server);
        const { count } = await server.partner.data('POST', redeliveryOfAll(webhook), { body });
        equal(count, 0, 'the count');
      });
    }

    for (const status of [204, 503]) {
      define(
        '7.8/webhooks/failed-list',
        async (webhooks, server) => {
          const { delivery } = await delivered(webhooks, server, status);
          const path = '/api/2.0/failed-delivery/?page_size=100';
          const { results } = await server.partner.data('GET', path);
          const failed = listOf(results, 'the failed deliveries');
          check(!failed.some(({ id }) => id === delivery['id']), 'the delivery is not in the list');
          const statuses = new Set(failed.map((each) => each['status']));
          statuses.delete('failed');
          equal([...statuses], [], 'other statuses in the list');
        },
        `${status}`,
      );
    }

    for (const [face, asking] of asked) {
      define(
        '7.8/webhooks/deal-deliveries',
        async (webhooks, server) => {
          const { webhook, delivery, partner_id } = await delivered(webhooks, server);
          const found = async (id: unknown) =>
            (await asking(server, id)).find((each) => each['id'] === delivery['id']);
          const expected = { webhook_id: webhook.id, ...delivery };
          equal(await found(partner_id), expected, 'the delivery in the list');
          equal(await found((await makeDealV2(server)).partner_id), undefined, 'another deal');
        },
        face,
      );
    }

    define('7.8/webhooks/deal-newest-first', async (webhooks, server) => {
      const { webhook, partner_id } = await delivered(webhooks, server);
      await server.partner.data('POST', `${ofDeal(partner_id)}invite/`);
      await arrived(server, webhook, mentions(partner_id), { count: 2 });
      const own = await server.until('both deliveries', async () => {
        const all = await asked[0][1](server, partner_id);
        const those = all.filter((each) => each['webhook_id'] === webhook.id);
        return those.length > 1 ? those : undefined;
      });
      const types = own.map(({ type }) => type);
      equal(types, ['deal.invited', 'deal.created'], 'the types of the deliveries');
    });

    define('7.8/webhooks/failing-late', async (webhooks, server) => {
      const { webhook } = await delivered(webhooks, server, 503);
      let path = '/operator/failing/?page_size=100';
      for (let pages = 0; path !== ''; pages += 1) {
        check(pages < mostPages, `the list ends within ${mostPages} pages`);
        const { results, next } = await server.operator.data('GET', path);
        const names = listOf(results, 'the failing webhooks').map(({ name }) => name);
        check(!names.includes(`webhook:${webhook.id}`), 'the webhook is not in the list');
        const cursor = new URLSearchParams({ page_size: '100', cursor: String(next) });
        path = next === null ? '' : `/operator/failing/?${cursor}`;
      }
    });

    define('6.5/webhooks/operator-sees', async (webhooks, server) => {
      const { webhook } = await delivered(webhooks, server);
      const { results } = await server.operator.data(
        'GET',
        `${ofOperator(server, webhook)}delivery/`,
      );
      const own = await deliveriesOf(server, webhook);
      equal(listOf(results, 'the deliveries'), own.results, 'what the operator sees');
    });

    define('6.5/webhooks/operator-redelivers', async (webhooks, server) => {
      const { webhook, delivery, first } = await delivered(webhooks, server);
      const path = `${ofOperator(server, webhook)}delivery/${delivery['id']}/redeliver/`;
      await server.operator.data('POST', path);
      const isSame = ({ id }: Members) => id === first.event['id'];
      const [, second = first] = await arrived(server, webhook, isSame, { count: 2 });
      equal(second.message.body, first.message.body, 'the body of the second message');
    });
  },
);

const ofDeal = (partner_id: unknown) => `/api/2.0/deal/${encodeURIComponent(String(partner_id))}/`;

/** The deliveries of a deal, as each face reads them. */
const asked = [
  [
    'partner',
    async ({ partner }: Server, id: unknown) =>
      listOf((await partner.data('GET', `${ofDeal(id)}delivery/`))['results'], 'the deliveries'),
  ],
  [
    'operator',
    async ({ operator, partnerName }: Server, id: unknown) => {
      const place = ofDeal(id).replace('/api/2.0', `/operator/${encodeURIComponent(partnerName)}`);
      return listOf((await operator.data('GET', `${place}delivery/`))['results'], 'the deliveries');
    },
  ],
] as const;

/** The path of a webhook of the partner for the operator. */
const ofOperator = ({ partnerName }: Server, { id }: Identified) =>
  `/operator/${encodeURIComponent(partnerName)}/webhook/${id}/`;

const tried = (delivery: Members) => attemptsOf(delivery).length > 0;

const isOf =
  ({ id }: Members) =>
  ({ event_id }: Members) =>
    event_id === id;

/** A delivery of a deal to a new webhook, whose receiver answers this, after its first attempt. */
async function delivered({ listen }: Webhooks, server: Server, status = 204) {
  const webhook = await listen();
  webhook.receiver.answer(status);
  const { partner_id } = await makeDealV2(server);
  const [first] = await arrived(server, webhook, mentions(partner_id));
  const isTried = (each: Members) => isOf(first.event)(each) && tried(each);
  const delivery = await deliveryOf(server, webhook, isTried);
  const [attempt = {}] = attemptsOf(delivery);
  return { webhook, first, delivery, attempt, partner_id };
}

/** A webhook with three deliveries, one after the other; returns the ids of their events. */
async function someDelivered({ listen }: Webhooks, server: Server) {
  const webhook = await listen({ types: ['deal.created'] });
  const eventIds: Json[] = [];
  while (eventIds.length < 3) {
    const { partner_id } = await makeDealV2(server);
    const [{ event }] = await arrived(server, webhook, mentions(partner_id));
    await deliveryOf(server, webhook, isOf(event));
    eventIds.push(event['id']);
  }
  return { webhook, eventIds };
}

/** The first message of a delivery, and that of its redelivery. */
async function redelivered(
  webhooks: Webhooks,
  server: Server,
): Promise<Record<'first' | 'second', Arrived>> {
  const { webhook, delivery, first } = await delivered(webhooks, server);
  await server.partner.data('POST', redeliveryOf(webhook, delivery));
  const isSame = ({ id }: Members) => id === first.event['id'];
  const [, second = first] = await arrived(server, webhook, isSame, { count: 2 });
  return { first, second };
}

const longAgo = '2000-01-01T00:00:00Z';

const redeliveryOfAll = ({ id }: Identified) => `${webhookPath}${id}/redeliver/`;

const redeliveryOf = (webhook: Identified, delivery: Identified) =>
  `${webhookPath}${webhook.id}/delivery/${delivery.id}/redeliver/`;
