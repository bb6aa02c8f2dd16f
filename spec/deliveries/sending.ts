import { check, equal, okOf } from '../expectations.js';
import {
  addWebhook,
  day,
  deliveriesOf,
  feedOf,
  group,
  idsOf,
  minute,
  second,
  sentTo,
  sorted,
} from './subject.js';
import { accepted, refused } from './world.js';

/** The events that a webhook gets. */
export const sending = group(
  'what is sent',
  {
    must: {
      '7.7/relay/event-as-in-feed':
        "A webhook gets each event once, exactly as the feed has it, with the event's id as `webhook-id`, signed with its secret.",
      '7.3/relay/pages-of-the-log':
        'Events that fill several pages of the log reach a webhook once each, and in their order if it is ordered.',
      '7.2/relay/types':
        'A webhook gets the events of its `types` that come after its creation, and those of every type if it names none.',
      '7.2/relay/rotation':
        'After a rotation a message is signed with both secrets for 24 hours, and then with the new one alone.',
      '7.7/relay/redelivery':
        'A delivery that is requested again is posted once more, with the same `webhook-id`.',
      '7.2/relay/deleted-webhook':
        'A webhook that is deleted gets nothing more: no new event, and no further attempt of an old one.',
    },
  },
  (define) => {
    define('7.7/relay/event-as-in-feed', async (world) => {
      const host = world.host();
      const webhook = await addWebhook(host);
      host.relay();
      const deals = ['a', 'b', 'c'];
      for (const name of deals) await world.createDeal(name);
      for (const name of deals) await world.emit(name, 3);
      await world.until(() => host.sent.length >= 9, 'each event was posted');
      // a later event comes after all that were still to come
      await world.emit('a');
      await world.until(() => host.sent.some(({ event }) => event.sequence === 5), 'the last one');
      const feed = await feedOf(host);
      equal(feed.length, 10, 'the events of the feed');
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      const posted = host.sent.map(({ event }) => event).sort(byId);
      equal(posted, [...feed].sort(byId), 'what was posted, and the feed');
      for (const { id, event, secrets, timestamp, at } of host.sent) {
        equal([id, secrets], [event.id, [webhook.secret]], 'the id and the secrets of a message');
        equal(timestamp, Math.floor(at / 1000), 'the time of a message');
      }
      await world.pass();
      const deliveries = await deliveriesOf(host, webhook.id);
      const ids = (all: readonly string[]) => [...all].sort();
      equal(ids(deliveries.map(({ event_id }) => event_id)), ids(idsOf(feed)), 'the deliveries');
      for (const { status, attempts, next_attempt_at } of deliveries) {
        equal([status, attempts.length, next_attempt_at], ['delivered', 1, null], 'a delivery');
      }
    });

    define('7.3/relay/pages-of-the-log', async (world) => {
      const host = world.host();
      await addWebhook(host, 'ordered', { ordered: true });
      await addWebhook(host, 'loose');
      await world.createDeal('a');
      for (let count = 0; count < 9; count += 1) await world.emit('a', 25);
      host.relay();
      await world.until(() => host.sent.length >= 450, 'all was posted');
      await world.emit('a');
      await world.until(() => host.sent.length >= 452, 'the last one was posted');
      const feed = idsOf(await feedOf(host));
      equal(idsOf(sentTo(host, 'ordered')), feed, 'what was posted in order');
      equal(sorted(idsOf(sentTo(host, 'loose'))), sorted(feed), 'what was posted in any order');
    });

    define('7.2/relay/types', async (world) => {
      const host = world.host();
      host.relay();
      await world.createDeal('before');
      await world.pass(second);
      await addWebhook(host, 'deals', { types: ['deal.created'] });
      await addWebhook(host, 'all', { types: [] });
      for (const name of ['a', 'b']) {
        await world.createDeal(name);
        await world.emit(name);
      }
      await world.until(() => sentTo(host, 'all').length >= 4, 'all events');
      await world.pass(5 * second);
      const wanted = await feedOf(host, 'deal.created');
      const posted = sentTo(host, 'deals').map(({ event }) => event);
      equal(sorted(idsOf(posted)), sorted(idsOf(wanted.slice(1))), 'those of one type');
      const all = sentTo(host, 'all').map(({ event }) => event.type);
      const types = ['custom.told', 'custom.told', 'deal.created', 'deal.created'];
      equal(sorted(all), types, 'those of every type');
    });

    define('7.2/relay/rotation', async (world) => {
      const host = world.host();
      const { id, secret: first } = await addWebhook(host);
      await world.createDeal('a');
      host.relay();
      const secretsOfNext = async () => {
        const before = host.sent.length;
        await world.emit('a');
        await world.until(() => host.sent.length > before, 'an event was posted');
        return host.sent.at(-1)?.secrets;
      };
      equal(await secretsOfNext(), [first], 'the secret before');
      const { secret: another } = okOf(await host.api.rotateWebhook(id), 'the rotation');
      check(another !== first, 'a rotation gives another secret');
      equal(await secretsOfNext(), [another, first], 'the secrets after it');
      await world.skip(day - 5 * minute);
      equal(await secretsOfNext(), [another, first], 'the secrets within a day');
      await world.skip(10 * minute);
      equal(await secretsOfNext(), [another], 'the secret after it');
    });

    define('7.7/relay/redelivery', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      await world.createDeal('a');
      host.relay();
      await world.emit('a');
      await world.until(() => host.sent.length === 1, 'the event was posted');
      await world.pass(second);
      const [delivery] = await deliveriesOf(host, id);
      const redelivered = okOf(await host.api.redeliver(id, delivery?.id ?? ''), 'the redelivery');
      equal(redelivered.status, 'pending', 'the delivery that is to be made again');
      await world.until(() => host.sent.length === 2, 'it was posted again');
      await world.pass(5 * second);
      const [first, again, ...rest] = idsOf(host.sent);
      equal([again, rest], [first, []], 'the ids of the messages');
      const [made] = await deliveriesOf(host, id);
      equal([made?.status, made?.attempts.length], ['delivered', 2], 'the delivery');
    });

    define('7.2/relay/deleted-webhook', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      await addWebhook(host, 'other');
      host.answer = ({ url }) => (url.includes('hook') ? refused : accepted);
      await world.createDeal('a');
      host.relay();
      await world.emit('a');
      await world.until(() => host.sent.length === 2, 'the event was posted');
      await world.pass();
      okOf(await host.api.deleteWebhook(id), 'the deletion');
      await world.emit('a');
      await world.until(() => sentTo(host, 'other').length === 2, 'what the other one gets');
      await world.skip(20 * minute);
      await world.skip(20 * minute);
      equal(sentTo(host).length, 1, 'the messages to the webhook that was deleted');
    });
  },
);
