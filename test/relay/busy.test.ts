import type { Store, WebhookReply } from 'dealwright/ports';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { second } from './failing-host.js';
import { accepted, acme, createDeal, globex, pass, relayHost, relayOf } from './kit.js';

const url = 'https://receiver.example/hooks';
const types = ['deal.created'];

/** Appends events of a deal, as a host's own commands do. */
async function emit(store: Store, name: string, count: number): Promise<void> {
  const attempt = ulid();
  const row = { answer_key: `attempt ${attempt}`, fingerprint: '', answer: '{}', ends_at: null };
  const committed = await store.commit(acme, {
    attempt,
    expect: [
      { absent: 'answer', key: row.answer_key },
      { present: 'deal', key: name },
    ],
    insert: [{ kind: 'answer', row }],
    change: [],
    subject: { kind: 'deal', key: name },
    events: Array.from({ length: count }, () => ({
      id: ulid(),
      type: 'host.told',
      subject: `deal:${name}`,
      at: '2026-01-01T00:00:00.000Z',
      actor: 'partner' as const,
      cause: null,
      data: { partner_id: name },
    })),
  });
  expect(committed._unsafeUnwrap().outcome).toBe('committed');
}

/** A host with one partner whose webhooks hang, with more deliveries than may be under way. */
async function hangingHost(webhooks: number) {
  const host = relayHost();
  const { marketplace, receivers } = host;
  for (let at = 0; at < webhooks; at += 1) {
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
    // deliveries of the partner whose webhooks hang still wait
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

  it('begins no later event of a subject once it is stopped, and sends them in order later', async () => {
    const { marketplace, receivers, timer, api, ports } = relayHost();
    (await api.createWebhook({ url, ordered: true }))._unsafeUnwrap();
    await createDeal(marketplace, 'long');
    await emit(ports.store, 'long', 20);
    await createDeal(marketplace, 'last');
    const ends: (() => void)[] = [];
    receivers.answer = () => new Promise((resolve) => ends.push(() => resolve(accepted)));
    const relay = relayOf(marketplace);
    await pass(timer);
    const stopped = relay.stop();
    expect(ends).toHaveLength(2);
    for (const end of ends) end();
    await stopped;
    expect(receivers.received).toHaveLength(2);
    receivers.answer = () => accepted;
    const next = relayOf(marketplace);
    await pass(timer, 10 * second);
    const sent = receivers.received.map(({ event }) => [event.subject, event.sequence]);
    const long = sent.filter(([subject]) => subject === 'deal:long').map(([, at]) => at);
    expect(long).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
    expect(sent).toHaveLength(22);
    await next.stop();
    expect([...relay.failures, ...next.failures]).toEqual([]);
  });
});
