import { createRelay } from 'dealwright/relay';
import { describe, expect, it } from 'vitest';
import {
  addWebhook,
  type Commit,
  causes,
  deals,
  failingHost,
  isSaving,
  made,
  rejecting,
  second,
  takeOver,
} from './failing-host.js';
import { accepted, acme, createDeal, pass, refused, relayOf } from './kit.js';

describe('a relay that cannot write', () => {
  it('leaves a consumer to a relay that was quicker', async () => {
    const host = failingHost();
    const id = await addWebhook(host);
    const name = `webhook:${id}`;
    await createDeal(host.marketplace, 'a');
    host.fail(1, (path, given) => {
      if (!isSaving(path, given, 'consumer')) return made;
      return takeOver(host, name).then(() => host.inner.commit(...(given as Commit)));
    });
    const relay = relayOf(host.marketplace);
    await pass(host.timer, 7 * second);
    expect(deals(host)).toEqual([]);
    await pass(host.timer, 3 * second);
    expect(deals(host)).toEqual(['deal:a']);
    expect(relay.failures).toEqual([]);
    await relay.stop();
  });

  it.each([
    ['after a batch', 0],
    ['while an event is under way', 3 * second],
  ])('writes nothing once its lease was lost %s', async (_, delay) => {
    const host = failingHost();
    const id = await addWebhook(host);
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    let answer = () => {};
    host.receivers.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(accepted);
      });
    await pass(host.timer, second);
    await takeOver(host, `webhook:${id}`);
    await pass(host.timer, delay);
    host.receivers.answer = () => accepted;
    answer();
    await pass(host.timer);
    expect((await host.api.listDeliveries(id))._unsafeUnwrap().results).toEqual([]);
    await pass(host.timer, 20 * second);
    const { results } = (await host.api.listDeliveries(id))._unsafeUnwrap();
    expect(results).toMatchObject([{ status: 'delivered' }]);
    expect(deals(host)).toEqual(['deal:a', 'deal:a']);
    await relay.stop();
  });

  it('keeps a lease if one renewal fails', async () => {
    const host = failingHost();
    const id = await addWebhook(host);
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    let answer = () => {};
    host.receivers.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(accepted);
      });
    await pass(host.timer, second);
    host.fail(1, rejecting('commit'));
    await pass(host.timer, 10 * second);
    expect(host.left()).toBe(0);
    answer();
    await pass(host.timer, second);
    expect(deals(host)).toEqual(['deal:a']);
    const { results } = (await host.api.listDeliveries(id))._unsafeUnwrap();
    expect(results).toMatchObject([{ status: 'delivered' }]);
    expect(relay.failures).toEqual([]);
    await relay.stop();
  });

  it('tries again at once what it had not begun when its lease ended', async () => {
    const host = failingHost();
    await addWebhook(host, false);
    host.receivers.answer = () => refused;
    const before = relayOf(host.marketplace);
    for (const name of ['a', 'b', 'c']) await createDeal(host.marketplace, name);
    await pass(host.timer, second);
    await before.stop();
    expect(deals(host)).toHaveLength(3);
    // by now each of them is due
    host.timer.advance(6 * second);
    const ends: (() => void)[] = [];
    host.receivers.answer = () =>
      new Promise((resolve) => {
        ends.push(() => resolve(accepted));
      });
    const relay = relayOf(host.marketplace);
    await pass(host.timer, second);
    // not more are under way while none is delivered
    expect(deals(host)).toHaveLength(5);
    host.fail(Number.POSITIVE_INFINITY, rejecting('commit'));
    await pass(host.timer, 10 * second);
    host.fail(0, () => made);
    host.receivers.answer = () => accepted;
    for (const end of ends) end();
    await pass(host.timer, second);
    expect(deals(host)).toHaveLength(6);
    expect(new Set(deals(host).slice(3))).toEqual(new Set(['deal:a', 'deal:b', 'deal:c']));
    await relay.stop();
    expect([...before.failures, ...relay.failures]).toEqual([]);
  });

  it('says that there are no ids, and goes on once there are', async () => {
    const host = failingHost();
    await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    const relay = relayOf(host.marketplace);
    host.ids.isDown = true;
    await pass(host.timer, 2 * second);
    expect(causes(relay.failures)[0]).toBe('Error: no ids');
    expect(deals(host)).toEqual([]);
    host.ids.isDown = false;
    await pass(host.timer, 10 * second);
    expect(deals(host)).toEqual(['deal:a']);
    await relay.stop();
  });

  it.each([
    ['the record of an event', 200],
    ['the event of a webhook that is gone', 410],
  ])('posts again if there is no id for %s', async (_, status_code) => {
    const host = failingHost();
    await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    host.receivers.answer = () => {
      host.ids.isDown = host.receivers.received.length === 1;
      return { status_code, response: '' };
    };
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    host.ids.isDown = false;
    await pass(host.timer, 10 * second);
    expect(causes(relay.failures)[0]).toBe('Error: no ids');
    expect(deals(host)).toEqual(['deal:a', 'deal:a']);
    await relay.stop();
  });

  it('is not begun without an id of its own', () => {
    const host = failingHost();
    host.ids.isDown = true;
    expect(() => createRelay(host.marketplace).relayWebhooks()).toThrow(
      new TypeError('a relay needs ids'),
    );
  });

  it('records an attempt that ends with 410 after the webhook was deleted', async () => {
    const host = failingHost();
    const id = await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    host.receivers.answer = async () => {
      (await host.api.deleteWebhook(id))._unsafeUnwrap();
      return { status_code: 410, response: '' };
    };
    const relay = relayOf(host.marketplace);
    await pass(host.timer, 5 * second);
    const events = (await host.api.listEvents({ type: 'webhook.disabled' }))._unsafeUnwrap();
    expect(events.results).toEqual([]);
    const range = { direction: 'ascending', limit: 9 } as const;
    const rows = (await host.inner.records.list(acme, 'delivery', range))._unsafeUnwrap();
    expect(rows).toMatchObject([{ status: 'failed', tries: 1 }]);
    expect(relay.failures).toEqual([]);
    await relay.stop();
  });

  it('stops though a consumer cannot be given back', async () => {
    const host = failingHost();
    await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    host.fail(1, rejecting('commit'));
    await relay.stop();
    expect(host.left()).toBe(0);
    const next = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'b');
    await pass(host.timer, 9 * second);
    expect(deals(host)).toEqual(['deal:a', 'deal:b']);
    await next.stop();
  });
});
