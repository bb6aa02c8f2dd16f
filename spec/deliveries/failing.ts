import { check, equal, okOf } from '../expectations.js';
import {
  addWebhook,
  day,
  deliveriesOf,
  feedOf,
  group,
  hour,
  idsOf,
  minute,
  pauses,
  second,
  sentTo,
} from './subject.js';
import { accepted, gone, refused } from './world.js';

/** Failing webhooks. */
export const failing = group(
  'webhooks that fail',
  {
    must: {
      '7.7/relay/schedule':
        'A delivery that fails is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, each +-10 %, and is then `failed`.',
      '7.7/relay/later-attempt':
        'A delivery that succeeds at a later attempt is `delivered`, and is not tried again.',
      '7.8/relay/gone':
        'A webhook that answers 410 is disabled with the reason `gone`, gets nothing more, and an event `webhook.disabled` says so.',
      '7.8/relay/enabled-again':
        'An ordered webhook that is enabled again gets each event that came meanwhile once, in the order of its subject.',
      '7.3/relay/five-days-of-failure':
        'A webhook that has accepted nothing for five days is disabled with the reason `failing`, and an event says so.',
    },
  },
  (define) => {
    define('7.7/relay/schedule', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      host.answer = () => refused;
      await world.createDeal('a');
      host.relay();
      await world.emit('a');
      await world.until(() => host.sent.length === 1, 'the first attempt');
      await world.pass();
      for (const [at, pause] of pauses.entries()) {
        const due = (host.sent[at]?.at ?? 0) + pause;
        await world.skip(due - 0.1 * pause - second - world.timer.now());
        equal(host.sent.length, at + 1, `the attempts before number ${at + 2} is due`);
        await world.skip(due + 0.1 * pause + second - world.timer.now());
        equal(host.sent.length, at + 2, `the attempts once number ${at + 2} is due`);
      }
      await world.skip(day);
      await world.skip(day);
      equal(host.sent.length, 10, 'the attempts in the end');
      equal(new Set(idsOf(host.sent)).size, 1, 'the ids of the messages');
      const [delivery, ...others] = await deliveriesOf(host, id);
      equal(others, [], 'other deliveries');
      equal([delivery?.status, delivery?.next_attempt_at], ['failed', null], 'the delivery');
      const answered = delivery?.attempts.map(({ status_code, response }) => [
        status_code,
        response,
      ]);
      const kept = [...Array(9).fill([500, null]), [500, 'no']];
      equal(answered, kept, 'what is kept of the attempts: the response of the last one');
    });

    define('7.7/relay/later-attempt', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      host.answer = () => (host.sent.length === 1 ? refused : accepted);
      await world.createDeal('a');
      host.relay();
      await world.emit('a');
      await world.until(() => host.sent.length === 2, 'the second attempt');
      await world.pass();
      await world.skip(10 * minute);
      await world.skip(hour);
      equal(host.sent.length, 2, 'the attempts');
      const [delivery] = await deliveriesOf(host, id);
      equal([delivery?.status, delivery?.next_attempt_at], ['delivered', null], 'the delivery');
    });

    define('7.8/relay/gone', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      await addWebhook(host, 'other', { types: [] });
      host.answer = ({ url }) => (url.includes('hook') ? gone : accepted);
      await world.createDeal('a');
      host.relay();
      await world.emit('a');
      await world.until(() => sentTo(host).length === 1, 'the event was posted');
      await world.pass(second);
      for (let count = 2; count <= 4; count += 1) {
        await world.emit('a');
        await world.until(
          () =>
            sentTo(host, 'other').filter(({ event }) => event.type === 'custom.told').length ===
            count,
          'what the other webhook gets',
        );
        await world.pass(10 * second);
      }
      equal(sentTo(host).length, 1, 'the messages to a webhook that answered 410');
      const webhook = okOf(await host.api.retrieveWebhook(id), 'the webhook');
      equal([webhook.status, webhook.disabled_reason], ['disabled', 'gone'], 'the webhook');
      const events = await feedOf(host, 'webhook.disabled');
      const told = events.map(({ subject, sequence, data }) => ({ subject, sequence, data }));
      const data = { webhook_id: id, status: 'disabled', reason: 'gone' };
      equal(told, [{ subject: `webhook:${id}`, sequence: 2, data }], 'the event of it');
      const sent = sentTo(host, 'other').filter(({ event }) => event.type === 'webhook.disabled');
      equal(idsOf(sent), idsOf(events), 'that event, posted to the other webhook');
    });

    define('7.8/relay/enabled-again', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host, 'hook', { ordered: true });
      host.answer = () => gone;
      await world.createDeal('a');
      await world.createDeal('b');
      host.relay();
      await world.emit('a');
      await world.until(() => host.sent.length === 1, 'the event was posted');
      await world.pass(second);
      await world.emit('a', 2);
      await world.emit('b', 2);
      await world.pass(5 * second);
      equal(host.sent.length, 1, 'the messages while it is disabled');
      host.answer = () => accepted;
      const enabled = okOf(await host.api.enableWebhook(id), 'the webhook');
      equal([enabled.status, enabled.disabled_reason], ['enabled', null], 'the webhook');
      await world.until(() => host.sent.length >= 5, 'what came meanwhile');
      await world.emit('b');
      await world.until(() => host.sent.length >= 6, 'what came after it');
      const told = (deal: string) =>
        host.sent
          .slice(1)
          .filter(({ event }) => event.subject === `deal:${deal}`)
          .map(({ event }) => event.sequence);
      equal(
        [told('a'), told('b')],
        [
          [3, 4],
          [2, 3, 4],
        ],
        'the sequences of what was posted',
      );
    });

    define('7.3/relay/five-days-of-failure', async (world) => {
      const host = world.host();
      const { id } = await addWebhook(host);
      host.answer = () => refused;
      await world.createDeal('a');
      host.relay();
      const statusAfter = async (milliseconds: number) => {
        await world.skip(milliseconds);
        await world.emit('a');
        // the lease ends meanwhile: the time of the first failure is read from the store
        await world.pass(30 * second);
        const { status, disabled_reason } = okOf(await host.api.retrieveWebhook(id), 'the webhook');
        return [status, disabled_reason];
      };
      equal(await statusAfter(0), ['enabled', null], 'the webhook at first');
      equal(await statusAfter(2 * day), ['enabled', null], 'the webhook after two days');
      host.answer = () => accepted;
      equal(await statusAfter(day), ['enabled', null], 'the webhook that took something');
      host.answer = () => refused;
      equal(await statusAfter(0), ['enabled', null], 'the webhook that fails again');
      equal(await statusAfter(3 * day), ['enabled', null], 'the webhook after three days of that');
      equal(await statusAfter(2 * day - hour), ['enabled', null], 'the webhook before five days');
      equal(await statusAfter(2 * hour), ['disabled', 'failing'], 'the webhook after five days');
      const before = host.sent.length;
      await world.emit('a');
      await world.skip(day);
      equal(host.sent.length, before, 'the messages after that');
      const [event, ...others] = await feedOf(host, 'webhook.disabled');
      equal(others, [], 'other events');
      check(event !== undefined && 'reason' in event.data, 'there is an event of it');
      equal(event.data.reason, 'failing', 'what it says');
    });
  },
);
