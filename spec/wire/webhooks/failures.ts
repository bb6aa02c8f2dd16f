import { check, equal } from '../../expectations.js';
import { endOf, eventsAfter, invite, makeDealV2, mentions, typesOf } from '../events/pages.js';
import { group, type Members, membersOf, type Server } from '../server.js';
import {
  act,
  arrived,
  attemptsOf,
  deliveryOf,
  type Listening,
  messagesTo,
  retrieve,
  withWebhooks,
} from './webhook.js';

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds in which a message that goes out although it must not has come. */
const aMoment = 300;

/** Milliseconds between a failure and the second attempt: 5 s, +-10 %. */
const pauses = { shortest: 4_500, longest: 5_500 };

/** Decisions 7.3, 7.7 and 7.8: what happens if a receiver does not take a message. */
export const webhookFailures = group(
  'webhooks that fail',
  {
    must: {
      '7.7/webhooks/first-retry': 'The second attempt is planned for 5 s after the first, +-10 %.',
      '7.7/webhooks/retry': 'A message that was not taken is sent again, with the same id.',
      '7.3/webhooks/redirect': 'A redirect is a failure of the delivery.',
      '7.3/webhooks/not-followed': 'A redirect is not followed.',
      '7.3/webhooks/gone': 'A receiver that answers 410 disables its webhook.',
      '7.8/webhooks/gone-reason': 'The `disabled_reason` of such a webhook is `gone`.',
      '7.8/webhooks/gone-event':
        'An event `webhook.disabled` of the webhook says so, with the reason `gone`.',
      '7.3/webhooks/gone-silence': 'A webhook that is disabled gets no more events.',
      '7.8/webhooks/enable': 'A webhook that is disabled can be enabled again.',
      '7.8/webhooks/enable-events': 'A webhook that was enabled again gets new events.',
      '7.3/webhooks/apart': 'A webhook that fails does not hold back another.',
      '7.3/webhooks/unordered':
        'Without `ordered`, a failure does not hold back later events of its subject.',
      '7.3/webhooks/ordered':
        'With `ordered`, a failure holds back later events of the same subject.',
      '7.3/webhooks/ordered-others':
        'With `ordered`, a failure does not hold back events of other subjects.',
      '7.3/webhooks/ordered-goes-on':
        'With `ordered`, later events come after the one that failed, once it was delivered.',
    },
  },
  (defineCase) => {
    const define = withWebhooks(defineCase);

    define('7.7/webhooks/first-retry', async ({ listen }, server) => {
      const webhook = await listen();
      const begun = Date.now();
      await failedDeal(server, webhook);
      const delivery = await deliveryOf(server, webhook, tried);
      // the attempt itself is between the two times: it took no longer than all of this
      const longest = pauses.longest + Date.now() - begun;
      const [first, second] = attemptsOf(delivery);
      const next = second?.['at'] ?? delivery['next_attempt_at'];
      const wait = Date.parse(String(next)) - Date.parse(String(first?.['at']));
      const isRight = wait >= pauses.shortest && wait <= longest;
      check(isRight, `the wait is 4.5 s to 5.5 s\n  actual: ${wait} ms`);
    });

    define('7.7/webhooks/retry', async ({ listen }, server) => {
      const webhook = await listen();
      const { partner_id } = await refusedDeal(server, webhook);
      const isOwn = mentions(partner_id);
      const [{ message }] = await arrived(server, webhook, isOwn);
      await pause(pauses.longest);
      const [, second] = await arrived(server, webhook, isOwn, { count: 2 });
      const id = second?.message.headers.get('webhook-id');
      equal(id, message.headers.get('webhook-id'), 'the webhook-id of the second attempt');
    });

    for (const status of [301, 302, 303, 307, 308]) {
      define(
        '7.3/webhooks/redirect',
        async ({ listen }, server) => {
          const webhook = await listen();
          webhook.receiver.answer(status, { location: (await server.receiver()).url });
          await makeDealV2(server);
          const delivery = await deliveryOf(server, webhook, tried);
          equal(delivery['status'], 'pending', 'the status of the delivery');
        },
        `${status}`,
      );

      define(
        '7.3/webhooks/not-followed',
        async ({ listen }, server) => {
          const target = await server.receiver();
          const webhook = await listen();
          webhook.receiver.answer(status, { location: target.url });
          await makeDealV2(server);
          await deliveryOf(server, webhook, tried);
          equal(target.messages.length, 0, 'the messages at the target of the redirect');
        },
        `${status}`,
      );
    }

    define('7.3/webhooks/gone', async ({ listen }, server) => {
      await untilGone(server, await listen());
    });

    define('7.8/webhooks/gone-reason', async ({ listen }, server) => {
      const { disabled_reason } = await untilGone(server, await listen());
      equal(disabled_reason, 'gone', 'the disabled_reason of the webhook');
    });

    define('7.8/webhooks/gone-event', async ({ listen }, server) => {
      const webhook = await listen();
      const after = await endOf(server.partner);
      await untilGone(server, webhook);
      const isOwn = ({ subject }: Members) => subject === `webhook:${webhook.id}`;
      const query = { type: 'webhook.disabled' };
      const [event] = await eventsAfter(server, after, isOwn, query);
      const { reason } = membersOf(event?.['data'], 'the data of the event');
      equal(reason, 'gone', 'the reason in the data of the event');
    });

    define('7.3/webhooks/gone-silence', async ({ listen }, server) => {
      const [gone, other] = [await listen(), await listen()];
      await untilGone(server, gone);
      const { partner_id } = await makeDealV2(server);
      await arrived(server, other, mentions(partner_id));
      await pause(aMoment);
      equal(typesTo(gone, partner_id), [], 'the types of the later events that came');
    });

    define('7.8/webhooks/enable', async ({ listen }, server) => {
      const webhook = await listen();
      await untilGone(server, webhook);
      await act(server, webhook, 'enable');
      const { status, disabled_reason } = await retrieve(server, webhook);
      const expected = { status: 'enabled', disabled_reason: null };
      equal({ status, disabled_reason }, expected, 'the state of the webhook');
    });

    define('7.8/webhooks/enable-events', async ({ listen }, server) => {
      const webhook = await listen();
      await untilGone(server, webhook);
      webhook.receiver.answer(204);
      await act(server, webhook, 'enable');
      const { partner_id } = await makeDealV2(server);
      await arrived(server, webhook, mentions(partner_id));
    });

    define('7.3/webhooks/apart', async ({ listen }, server) => {
      const [webhook, other] = [await listen({ ordered: true }), await listen({ ordered: true })];
      webhook.receiver.answer(500);
      const first = await makeDealV2(server);
      await arrived(server, webhook, mentions(first.partner_id));
      const second = await makeDealV2(server);
      for (const { partner_id } of [first, second]) {
        await arrived(server, other, mentions(partner_id));
      }
    });

    define('7.3/webhooks/unordered', async ({ listen }, server) => {
      const webhook = await listen();
      const { partner_id } = await failedDeal(server, webhook);
      await invite(server, partner_id);
      await arrived(server, webhook, isInvitation(partner_id));
    });

    define('7.3/webhooks/ordered', async ({ listen }, server) => {
      const [webhook, other] = [await listen({ ordered: true }), await listen()];
      const { partner_id } = await failedDeal(server, webhook);
      await invite(server, partner_id);
      await arrived(server, other, isInvitation(partner_id));
      await pause(aMoment);
      const types = typesTo(webhook, partner_id).filter((type) => type !== 'deal.created');
      equal(types, [], 'the types of the later events that came');
    });

    define('7.3/webhooks/ordered-others', async ({ listen }, server) => {
      const webhook = await listen({ ordered: true });
      await failedDeal(server, webhook);
      const { partner_id } = await makeDealV2(server);
      await arrived(server, webhook, mentions(partner_id));
    });

    define('7.3/webhooks/ordered-goes-on', async ({ listen }, server) => {
      const webhook = await listen({ ordered: true });
      const { partner_id } = await refusedDeal(server, webhook);
      await invite(server, partner_id);
      await pause(pauses.longest);
      await arrived(server, webhook, isInvitation(partner_id));
      const types = typesTo(webhook, partner_id);
      const expected = ['deal.created', 'deal.created', 'deal.invited'];
      equal(types, expected, 'the types of the events that came, in order');
    });
  },
);

const tried = (delivery: Members) => attemptsOf(delivery).length > 0;

/** Lets the receiver answer 410, and waits until that has disabled the webhook. */
async function untilGone(server: Server, webhook: Listening): Promise<Members> {
  webhook.receiver.answer(410);
  await makeDealV2(server);
  return server.until('the end of the status `enabled`', async () => {
    const found = await retrieve(server, webhook);
    return found['status'] === 'disabled' ? found : undefined;
  });
}

/** A deal whose creation the receiver does not take. */
function failedDeal(server: Server, webhook: Listening) {
  webhook.receiver.answer(500);
  return triedDeal(server, webhook);
}

/** A deal whose creation it takes at the second attempt, however late that comes. */
function refusedDeal(server: Server, webhook: Listening) {
  const partner_id = server.name();
  webhook.receiver.refuseOnce(partner_id);
  return triedDeal(server, webhook, { partner_id });
}

async function triedDeal(server: Server, webhook: Listening, members?: Members) {
  const deal = await makeDealV2(server, members);
  await arrived(server, webhook, mentions(deal.partner_id));
  await deliveryOf(server, webhook, tried);
  return deal;
}

const isInvitation = (partner_id: string) => (event: Members) =>
  event['type'] === 'deal.invited' && mentions(partner_id)(event);

const typesTo = ({ receiver }: Listening, name: string) =>
  typesOf(
    messagesTo(receiver)
      .map(({ event }) => event)
      .filter(mentions(name)),
  );
