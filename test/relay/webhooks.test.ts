import { describe, expect, it } from 'vitest';
import { accepted, createDeal, killableStore, pass, refused, relayHost, relayOf } from './kit.js';

const url = 'https://receiver.example/hooks';
const [second, minute, hour] = [1000, 60_000, 3_600_000];

async function endpoint(
  host: ReturnType<typeof relayHost>,
  more: { types?: string[]; ordered?: boolean; url?: string } = {},
) {
  return (await host.api.createWebhook({ url, ...more }))._unsafeUnwrap();
}

describe('the relay of webhooks', () => {
  it('posts each event once, as it is in the feed, signed with the secret', async () => {
    const host = relayHost();
    const webhook = await endpoint(host);
    const relay = relayOf(host.marketplace);
    for (const name of ['a', 'b', 'c']) await createDeal(host.marketplace, name);
    await pass(host.timer);
    const feed = (await host.api.listEvents({ type: 'deal.created' }))._unsafeUnwrap().results;
    expect(host.receivers.received.map(({ event }) => event)).toStrictEqual(feed);
    const [first] = host.receivers.received;
    expect(first).toMatchObject({ url, id: feed[0]?.id, secrets: [webhook.secret] });
    expect(first?.timestamp).toBe(host.timer.now() / 1000);
    const page = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap();
    expect(page.results.map(({ event_id }) => event_id)).toStrictEqual(
      feed.map(({ id }) => id).reverse(),
    );
    expect(page.results.every(({ status }) => status === 'delivered')).toBe(true);
    await relay.stop();
    expect(relay.failures).toStrictEqual([]);
  });

  it('tries again at the times of the schedule, and gives up after the last', async () => {
    const host = relayHost();
    const webhook = await endpoint(host);
    host.receivers.answer = () => refused;
    const relay = relayOf(host.marketplace);
    const times: number[] = [];
    host.receivers.answer = () => {
      times.push(host.timer.now());
      return refused;
    };
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const pauses = [
      5 * second,
      5 * minute,
      30 * minute,
      ...[2, 5, 10, 14, 20, 24].map((h) => h * hour),
    ];
    for (const [at, pause] of pauses.entries()) {
      const due = (times[at] ?? 0) + pause;
      await skip(host, due - 0.1 * pause - 1 - host.timer.now());
      expect(times).toHaveLength(at + 1);
      await skip(host, due + 0.1 * pause + 1 - host.timer.now());
      expect(times).toHaveLength(at + 2);
    }
    await skip(host, 30 * hour);
    expect(times).toHaveLength(10);
    const [delivery] = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap().results;
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery?.attempts.map(({ status_code, response }) => [status_code, response])).toEqual(
      Array.from({ length: 10 }, () => [500, 'no']),
    );
    await relay.stop();
  });

  it('sends nothing any more after 410, and says so by an event', async () => {
    const host = relayHost();
    const webhook = await endpoint(host);
    const relay = relayOf(host.marketplace);
    host.receivers.answer = () => ({ status_code: 410, response: '' });
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    await createDeal(host.marketplace, 'b');
    await pass(host.timer, 10 * second);
    expect(host.receivers.received).toHaveLength(1);
    expect((await host.api.retrieveWebhook(webhook.id))._unsafeUnwrap()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    });
    const { results } = (await host.api.listEvents({ type: 'webhook.disabled' }))._unsafeUnwrap();
    expect(results).toMatchObject([
      { subject: `webhook:${webhook.id}`, data: { webhook_id: webhook.id, reason: 'gone' } },
    ]);
    host.receivers.answer = () => accepted;
    (await host.api.enableWebhook(webhook.id))._unsafeUnwrap();
    await pass(host.timer, 10 * second);
    expect(host.receivers.received.slice(1).map(({ event }) => event.subject)).toEqual(['deal:b']);
    await relay.stop();
  });

  it('sends what was delivered again when it is asked to', async () => {
    const host = relayHost();
    const webhook = await endpoint(host);
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const [delivery] = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap().results;
    (await host.api.redeliver(webhook.id, delivery?.id ?? ''))._unsafeUnwrap();
    await pass(host.timer);
    expect(host.receivers.received.map(({ id }) => id)).toEqual(Array(2).fill(delivery?.event_id));
    await relay.stop();
  });

  it('takes over from a relay that died, within seconds, and not before', async () => {
    const host = relayHost();
    await endpoint(host);
    const killable = killableStore(host.ports.store);
    const dying = relayHost(killable.store, host.timer);
    dying.receivers.answer = () => new Promise(() => undefined);
    relayOf(dying.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer, 2 * second);
    expect(dying.receivers.received).toHaveLength(1);
    const relay = relayOf(host.marketplace);
    await pass(host.timer, 20 * second);
    // it hangs, but lives
    expect(host.receivers.received).toHaveLength(0);
    killable.kill();
    await pass(host.timer, 10 * second);
    expect(host.receivers.received).toHaveLength(1);
    await relay.stop();
  });
});

/** Lets time pass in large steps. */
async function skip({ timer }: ReturnType<typeof relayHost>, milliseconds: number) {
  for (let left = milliseconds; left > 0; left -= hour / 2) {
    timer.advance(Math.min(left, hour / 2));
    await pass(timer);
  }
}
