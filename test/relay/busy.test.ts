import type { WebhookReply } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { second } from './failing-host.js';
import { accepted, createDeal, globex, pass, relayHost, relayOf } from './kit.js';

const url = 'https://receiver.example/hooks';
const types = ['deal.created'];

/** A host of which one partner has endpoints that hang, with more deliveries than may be under way. */
async function hangingHost(endpoints: number) {
  const host = relayHost();
  const { marketplace, receivers } = host;
  for (let at = 0; at < endpoints; at += 1) {
    (await host.api.createWebhook({ url: `${url}/hangs/${at}`, types }))._unsafeUnwrap();
  }
  for (let at = 0; at < 16; at += 1) await createDeal(marketplace, `hangs-${at}`);
  const ends: (() => void)[] = [];
  receivers.answer = (message): WebhookReply | Promise<WebhookReply> =>
    message.url.includes('hangs')
      ? new Promise((resolve) => ends.push(() => resolve({ error: 'timeout' })))
      : accepted;
  const endAll = () => {
    for (const end of ends.splice(0)) end();
  };
  return { ...host, endAll };
}

describe('a relay with more deliveries than may be under way', () => {
  it('delivers for another partner at its next turn', async () => {
    const { marketplace, receivers, timer, endAll } = await hangingHost(4);
    (await marketplace.partner(globex).createWebhook({ url, types }))._unsafeUnwrap();
    const relay = relayOf(marketplace, { concurrency: 2 });
    await pass(timer);
    await createDeal(marketplace, 'other', globex);
    await pass(timer, 2 * second);
    const others = receivers.received.filter((each) => each.url === url);
    expect(others.map(({ event }) => event.subject)).toEqual(['deal:other']);
    // those of the partner that hang still wait
    expect(receivers.received.length).toBeLessThan(4 * 16);
    const stopped = relay.stop();
    await pass(timer, second);
    endAll();
    await stopped;
  });

  it('begins none of those that wait once it is stopped, and sends them later', async () => {
    const { marketplace, receivers, timer, endAll, api } = await hangingHost(1);
    const relay = relayOf(marketplace, { concurrency: 2 });
    await pass(timer);
    const stopped = relay.stop();
    await pass(timer, 5 * second);
    expect(receivers.received).toHaveLength(2);
    endAll();
    await stopped;
    receivers.answer = () => accepted;
    const next = relayOf(marketplace);
    await pass(timer, 20 * second);
    const arrived = new Set(receivers.received.map(({ event }) => event.subject));
    expect(arrived.size).toBe(16);
    const [webhook] = (await api.listWebhooks())._unsafeUnwrap();
    const page = await api.listDeliveries(webhook?.id ?? '', { page_size: 100 });
    const statuses = page._unsafeUnwrap().results.map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 16 }, () => 'delivered'));
    await next.stop();
    expect(next.failures).toEqual([]);
  });
});
