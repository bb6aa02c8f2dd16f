import { check, equal } from '../expectations.js';
import {
  addWebhook,
  feedOf,
  group,
  idsOf,
  second,
  sentTo,
  sequencesOf,
  sorted,
} from './subject.js';
import { accepted, refused } from './world.js';

/** Several relays. */
export const relays = group(
  'several relays',
  {
    must: {
      '7.3/relay/no-duplicates':
        'Of several relays that run at once, one works for a webhook: each event is posted once, in the order of its subject.',
      '7.3/relay/takeover':
        'A relay takes over the webhooks of another one within seconds after that one died, and never while it lives.',
      '7.3/relay/handover':
        'A relay that stops ends what is under way and hands its webhooks over at once, so no event is posted twice.',
      '7.3/relay/attempts-of-another-relay':
        'A delivery that failed is tried again if another relay takes over, and one that succeeded is not posted again.',
    },
  },
  (define) => {
    define('7.3/relay/no-duplicates', async (world) => {
      const hosts = [world.host(), world.host(), world.host()];
      const [first] = hosts;
      check(first !== undefined, 'there are hosts');
      await addWebhook(first, 'hook', { ordered: true });
      await world.createDeal('a');
      await world.createDeal('b');
      await world.emit('a', 5);
      // each attempt takes time, so the others have time to repeat it
      for (const host of hosts) {
        host.answer = () =>
          new Promise((resolve) => {
            world.timer.sleep(second, () => resolve(accepted));
          });
        host.relay();
      }
      const all = () => hosts.flatMap(({ sent }) => sent);
      await world.until(() => all().length >= 2, 'the first events were posted');
      await world.emit('b', 3);
      await world.until(() => all().length >= 8, 'all events were posted');
      await world.pass(10 * second);
      await world.emit('b');
      await world.until(() => all().length >= 9, 'the last event was posted');
      await world.pass(10 * second);
      equal(sorted(idsOf(all())), sorted(idsOf(await feedOf(first))), 'what was posted');
      for (const { sent } of hosts) {
        const events = sent.map(({ event }) => event);
        const sequences = sequencesOf(events, 'a');
        equal(sequences, sorted(sequences), 'the order of what one of them posted');
      }
    });

    define('7.3/relay/takeover', async (world) => {
      const dying = world.host();
      await addWebhook(dying, 'hook', { ordered: true });
      await world.createDeal('a');
      dying.answer = () => new Promise(() => undefined);
      dying.relay();
      await world.emit('a', 3);
      await world.until(() => dying.sent.length === 1, 'the first event was posted');
      const host = world.host();
      host.relay();
      await world.pass(18 * second);
      equal(host.sent.length, 0, 'what another relay posts while the first one lives');
      dying.kill();
      await world.pass(12 * second);
      const sequences = host.sent.map(({ event }) => event.sequence);
      equal(sequences, [2, 3, 4], 'what another relay posts after that');
      equal(dying.sent.length, 1, 'what was posted by the one that died');
    });

    define('7.3/relay/handover', async (world) => {
      const [first, second] = [world.host(), world.host()];
      await addWebhook(first, 'hook', { ordered: true });
      await world.createDeal('a');
      const stopping = first.relay();
      await world.emit('a', 3);
      await world.until(() => first.sent.length === 3, 'the first relay works');
      await world.pass();
      let answer = () => {};
      first.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(accepted);
        });
      await world.emit('a', 3);
      await world.until(() => first.sent.length === 4, 'an event is under way');
      second.relay();
      const stopped = stopping.stop();
      await world.pass(1000);
      equal([first.sent.length, second.sent.length], [4, 0], 'what is posted while it stops');
      answer();
      await stopped;
      // a relay that looked while the first one worked looks again at new events
      await world.emit('a');
      await world.pass(1500);
      const sequences = second.sent.map(({ event }) => event.sequence);
      equal(sequences, [6, 7, 8], 'what the second relay posts');
      equal(first.sent.length, 4, 'what was posted by the one that stopped');
    });

    define('7.3/relay/attempts-of-another-relay', async (world) => {
      const [first, second] = [world.host(), world.host()];
      await addWebhook(first);
      await addWebhook(first, 'other');
      await world.createDeal('a');
      first.answer = ({ url }) => (url.includes('hook') ? refused : accepted);
      const relay = first.relay();
      await world.emit('a', 2);
      await world.until(() => first.sent.length === 4, 'the first attempts');
      await relay.stop();
      second.relay();
      await world.until(() => sentTo(second).length >= 2, 'the second attempts');
      await world.skip(600_000);
      const [before, after] = [sentTo(first), sentTo(second)];
      equal(sorted(idsOf(after)), sorted(idsOf(before)), 'what was tried again');
      equal(sentTo(second, 'other'), [], 'what is posted again to the other webhook');
    });
  },
);
