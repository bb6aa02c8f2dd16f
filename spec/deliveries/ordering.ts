import { check, equal } from '../expectations.js';
import {
  addWebhook,
  group,
  hour,
  minute,
  numbersFrom,
  second,
  sentTo,
  sequencesOf,
  sorted,
} from './subject.js';
import { accepted, type Host, type Received, refused } from './world.js';

/** Makes a webhook refuse some events; the accepted ones are kept. */
function refusing(host: Host, isRefused: (received: Received) => boolean): Received[] {
  const taken: Received[] = [];
  host.answer = (received) => {
    if (isRefused(received)) return refused;
    taken.push(received);
    return accepted;
  };
  return taken;
}

const isFirst = ({ event }: Received) => event.subject === 'deal:a' && event.sequence === 2;
const eventsOf = (all: readonly Received[]) => all.map(({ event }) => event);

/** The order of deliveries. */
export const ordering = group(
  'what waits',
  {
    must: {
      '7.3/relay/ordered':
        'While an event fails at an ordered webhook, later events of its subject wait, and those of other subjects do not.',
      '7.7/relay/after-last-attempt':
        'After the last attempt of an event at an ordered webhook, the later events of its subject are posted.',
      '7.3/relay/ordered-over-restart':
        'Events that wait for an earlier one still wait after a restart of the relay, and come once each, in their order.',
      '7.3/relay/not-ordered':
        'An event that fails at a webhook that is not ordered holds back no other event.',
      '7.3/relay/separate-webhooks':
        'A webhook that fails or never answers holds back no other webhook.',
    },
  },
  (define) => {
    define('7.3/relay/ordered', async (world) => {
      const host = world.host();
      await addWebhook(host, 'hook', { ordered: true });
      let isBroken = true;
      const taken = refusing(host, (received) => isBroken && isFirst(received));
      await world.createDeal('a');
      await world.createDeal('b');
      host.relay();
      await world.emit('a', 2);
      await world.until(() => host.sent.length > 0, 'the first attempt');
      await world.emit('b', 2);
      await world.emit('a', 2);
      await world.emit('b');
      await world.until(() => sequencesOf(eventsOf(taken), 'b').length === 3, 'what does not wait');
      await world.skip(minute);
      await world.pass(second);
      equal(sequencesOf(eventsOf(taken), 'b'), [2, 3, 4], 'the events of the other subject');
      equal(new Set(sequencesOf(eventsOf(host.sent), 'a')).size, 1, 'what was tried of the first');
      isBroken = false;
      await world.skip(10 * minute);
      await world.until(() => sequencesOf(eventsOf(taken), 'a').length >= 4, 'what waited');
      await world.emit('a');
      await world.until(() => sequencesOf(eventsOf(taken), 'a').includes(6), 'what comes later');
      equal(sequencesOf(eventsOf(taken), 'a'), [2, 3, 4, 5, 6], 'the events of the first subject');
    });

    define('7.7/relay/after-last-attempt', async (world) => {
      const host = world.host();
      await addWebhook(host, 'hook', { ordered: true });
      const taken = refusing(host, isFirst);
      await world.createDeal('a');
      await world.createDeal('b');
      host.relay();
      await world.emit('a', 3);
      await world.until(() => host.sent.length > 0, 'the first attempt');
      // more than the sum of the pauses, each with 10 % more and the length of the steps
      for (let hours = 0; hours < 120; hours += 6) {
        // a webhook that accepts an event now and then is not disabled
        await world.emit('b');
        await world.skip(6 * hour);
      }
      equal(
        sequencesOf(eventsOf(host.sent), 'a').filter((each) => each === 2).length,
        10,
        'attempts',
      );
      equal(sequencesOf(eventsOf(taken), 'a'), [3, 4], 'the events that waited for it');
    });

    define('7.3/relay/ordered-over-restart', async (world) => {
      const first = world.host();
      await addWebhook(first, 'hook', { ordered: true });
      refusing(first, isFirst);
      await world.createDeal('a');
      await world.createDeal('b');
      const relay = first.relay();
      await world.emit('a', 3);
      await world.emit('b');
      await world.until(() => first.sent.length >= 2, 'the first attempts');
      await relay.stop();
      await world.emit('a', 2);
      const second = world.host();
      let isBroken = true;
      const taken = refusing(second, (received) => isBroken && isFirst(received));
      second.relay();
      await world.until(() => second.sent.length > 0, 'the second attempt');
      await world.emit('b', 2);
      await world.until(() => sequencesOf(eventsOf(taken), 'b').length === 2, 'what does not wait');
      equal(sequencesOf(eventsOf(taken), 'a'), [], 'what was taken of what waits');
      isBroken = false;
      await world.skip(10 * minute);
      await world.until(() => sequencesOf(eventsOf(taken), 'a').length >= 5, 'what waited');
      await world.pass(1000);
      equal(sequencesOf(eventsOf(taken), 'a'), numbersFrom(2, 6), 'what was taken in the end');
      equal(sequencesOf(eventsOf(taken), 'b'), [3, 4], 'what was taken of the other subject');
    });

    define('7.3/relay/not-ordered', async (world) => {
      const host = world.host();
      await addWebhook(host);
      const taken = refusing(host, isFirst);
      await world.createDeal('a');
      host.relay();
      await world.emit('a', 3);
      await world.emit('a', 2);
      await world.until(() => taken.length === 4, 'the other events');
      equal(sorted(sequencesOf(eventsOf(taken), 'a')), [3, 4, 5, 6], 'what was taken');
    });

    define('7.3/relay/separate-webhooks', async (world) => {
      const host = world.host();
      for (const name of ['failing', 'silent', 'other']) {
        await addWebhook(host, name, { ordered: true });
      }
      host.answer = ({ url }) => {
        if (url.includes('silent')) return new Promise(() => undefined);
        return url.includes('failing') ? refused : accepted;
      };
      await world.createDeal('a');
      host.relay();
      const expected: number[] = [];
      for (let sequence = 2; sequence < 12; sequence += 1) {
        expected.push(sequence);
        await world.emit('a');
        await world.until(
          () => sentTo(host, 'other').length === expected.length,
          'the other webhook',
        );
      }
      equal(sequencesOf(eventsOf(sentTo(host, 'other')), 'a'), expected, 'what was posted to it');
      check(sentTo(host, 'silent').length === 1, 'what is under way is not posted again');
    });
  },
);
