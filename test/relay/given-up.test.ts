import { describe, expect, it } from 'vitest';
import { acme, createDeal, pass, refused, relayHost, relayOf } from './kit.js';

const [minute, hour] = [60_000, 3_600_000];
/** More than the pauses between attempts. */
const pauses = [6_000, 6 * minute, 35 * minute].concat(
  [2, 5, 10, 14, 20, 24].map((hours) => hours * 1.2 * hour),
);
const many = 250;

/** Lets a relay work until something is so. */
async function until({ timer }: ReturnType<typeof relayHost>, isSo: () => Promise<boolean>) {
  for (let turn = 0; turn < 500 && !(await isSo()); turn += 1) await pass(timer, 500);
  expect(await isSo()).toBe(true);
}

describe('deliveries that were given up', () => {
  it('are each in one page of the list, with their webhook, and are sent again all at once', async () => {
    const host = relayHost();
    const { api, marketplace, receivers, timer } = host;
    receivers.answer = () => refused;
    const since = new Date(timer.now()).toISOString();
    const url = 'https://receiver.example/hooks';
    const { id } = (await api.createWebhook({ url, types: ['deal.created'] }))._unsafeUnwrap();
    for (let at = 0; at < many; at += 1) await createDeal(marketplace, `deal ${at}`);
    const deals = marketplace.operator('sandbox').partner(acme.partner);

    const failedIn = async (pages: typeof api) => {
      const found: (readonly [id: string, webhook_id: string])[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { page_size: 40, ...(cursor !== undefined && { cursor }) };
        const page = (await pages.listFailedDeliveries(query))._unsafeUnwrap();
        found.push(...page.results.map((each) => [each.id, each.webhook_id] as const));
        for (const { status, next_attempt_at } of page.results) {
          expect([status, next_attempt_at]).toEqual(['failed', null]);
        }
        cursor = page.next;
      }
      return found;
    };
    const failing = async () => {
      const page = (await marketplace.operator('sandbox').listFailing())._unsafeUnwrap();
      return page.results.map(({ webhook }) => webhook?.id);
    };

    const relay = relayOf(marketplace);
    const isTried = (times: number) => async () => receivers.received.length >= many * times;
    await until(host, isTried(1));
    expect(await failing()).toEqual([]);
    for (const [at, pause] of pauses.entries()) {
      expect(await failedIn(api)).toEqual([]);
      timer.advance(pause);
      await until(host, isTried(at + 2));
    }
    await pass(timer, 1_000);
    expect(receivers.received).toHaveLength(many * (pauses.length + 1));
    expect(await failing()).toEqual([id]);
    const failed = await failedIn(api);
    expect(new Set(failed.map(([each]) => each)).size).toBe(many);
    expect(failed).toHaveLength(many);
    expect(new Set(failed.map(([, each]) => each))).toEqual(new Set([id]));
    const byOperator = (await deals.listFailedDeliveries({ page_size: 100 }))._unsafeUnwrap();
    expect(byOperator.results.map((each) => each.id)).toEqual(
      failed.slice(0, 100).map(([each]) => each),
    );

    receivers.answer = () => ({ status_code: 204, response: '' });
    receivers.received.length = 0;
    const again = (await deals.redeliverAll(id, { since }))._unsafeUnwrap();
    expect(again).toEqual({ count: many, next: null });
    expect(await failedIn(api)).toEqual([]);
    await until(host, isTried(1));
    await pass(timer, 1_000);
    expect(receivers.received).toHaveLength(many);
    expect(await failing()).toEqual([]);
    // nothing has failed since
    const none = (await api.redeliverAll(id, { since }))._unsafeUnwrap();
    expect(none).toEqual({ count: 0, next: null });
    await relay.stop();
    expect(relay.failures).toEqual([]);
  }, 60_000);

  it('are mended by the operator, who enables a webhook that was disabled', async () => {
    const host = relayHost();
    const { api, marketplace, receivers } = host;
    receivers.answer = () => ({ status_code: 410, response: '' });
    const url = 'https://receiver.example/hooks';
    const { id } = (await api.createWebhook({ url }))._unsafeUnwrap();
    await createDeal(marketplace, 'deal');
    const relay = relayOf(marketplace);
    const deals = marketplace.operator('sandbox').partner(acme.partner);
    const statusOf = async () => (await deals.listWebhooks())._unsafeUnwrap()[0]?.status;
    await until(host, async () => (await statusOf()) === 'disabled');
    const failed = (await deals.listFailedDeliveries())._unsafeUnwrap().results;
    expect(failed.map(({ webhook_id, type }) => [webhook_id, type])).toEqual([
      [id, 'deal.created'],
    ]);
    receivers.answer = () => ({ status_code: 204, response: '' });
    expect((await deals.enableWebhook(id))._unsafeUnwrap().status).toBe('enabled');
    const events = (await api.listEvents({ page_size: 100 }))._unsafeUnwrap();
    const enabled = events.results.find(({ type }) => type === 'webhook.enabled');
    expect(enabled?.actor).toBe('operator');
    const [delivery] = (await deals.listDeliveries(id))._unsafeUnwrap().results.slice(-1);
    expect((await deals.redeliver(id, String(delivery?.id)))._unsafeUnwrap().status).toBe(
      'pending',
    );
    await until(host, async () => {
      const { results } = (await deals.listDeliveries(id))._unsafeUnwrap();
      return results.every(({ status }) => status === 'delivered');
    });
    // a webhook of another partner is as one that does not exist
    const others = marketplace.operator('sandbox').partner('globex');
    expect((await others.listWebhooks())._unsafeUnwrap()).toEqual([]);
    expect((await others.enableWebhook(id))._unsafeUnwrapErr().code).toBe('not_found');
    await relay.stop();
  });
});
