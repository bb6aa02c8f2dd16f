import type { Store } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { describe, expect, it } from 'vitest';
import {
  addWebhook,
  causes,
  deals,
  down,
  emitMore,
  failingHost,
  isSaving,
  made,
  rejecting,
  second,
} from './failing-host.js';
import {
  accepted,
  acme,
  createDeal,
  globex,
  pass,
  type ReceivedEvent,
  refused,
  relayOf,
} from './kit.js';

describe('a relay whose ports fail', () => {
  it.each([
    ['the tenants cannot be read', 'tenants', undefined],
    ['the webhooks cannot be read', 'records.list', 'webhook'],
    ['a consumer cannot be read', 'records.byKey', 'consumer'],
    ['the log cannot be read', 'events.after', undefined],
    ['what is due cannot be read', 'due', 'delivery'],
    ['nothing can be written', 'commit', undefined],
  ])('says that %s, and goes on later', async (_, path, kind) => {
    const host = failingHost();
    await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    host.fail(3, rejecting(path, kind));
    const relay = relayOf(host.marketplace);
    await pass(host.timer, 500);
    expect(deals(host)).toEqual([]);
    await pass(host.timer, 10 * second);
    expect(host.left()).toBe(0);
    expect(causes(relay.failures)).toEqual(Array(relay.failures.length).fill(String(down)));
    expect(relay.failures.length).toBeGreaterThan(0);
    expect(deals(host)).toEqual(['deal:a']);
    await relay.stop();
  });

  it('asks ever less often for as long as the store is down', async () => {
    const host = failingHost();
    await addWebhook(host);
    await createDeal(host.marketplace, 'a');
    let calls = 0;
    host.fail(Number.POSITIVE_INFINITY, () => {
      calls += 1;
      return Promise.reject(down);
    });
    const relay = relayOf(host.marketplace);
    await pass(host.timer, 6 * second);
    expect(calls).toBe(3); // at once, after 1 s and after 3 s
    await pass(host.timer, 80 * second);
    expect(calls).toBe(13);
    host.fail(0, () => made);
    await pass(host.timer, 8 * second);
    expect(deals(host)).toEqual(['deal:a']);
    await relay.stop();
  });

  it('looks again if a webhook cannot be read anew before a batch', async () => {
    const host = failingHost();
    await addWebhook(host);
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    host.fail(1, rejecting('records.byKey', 'webhook'));
    await createDeal(host.marketplace, 'b');
    await pass(host.timer);
    expect(relay.failures).toMatchObject([{ tenant: acme, cause: down }]);
    expect(deals(host)).toEqual(['deal:a']);
    await pass(host.timer, 2 * second);
    expect(deals(host)).toEqual(['deal:a', 'deal:b']);
    await relay.stop();
  });

  it('posts again what it could not record, and not what it recorded without an answer', async () => {
    for (const isMade of [false, true]) {
      const host = failingHost();
      const id = await addWebhook(host);
      const relay = relayOf(host.marketplace);
      await pass(host.timer);
      host.fail(1, (path, given, call) => {
        if (!isSaving(path, given, 'delivery')) return made;
        if (isMade) call();
        return Promise.reject(down);
      });
      await createDeal(host.marketplace, 'a');
      await pass(host.timer, 10 * second);
      expect(causes(relay.failures)).toEqual([String(down)]);
      expect(deals(host)).toEqual(Array(isMade ? 1 : 2).fill('deal:a'));
      const { results } = (await host.api.listDeliveries(id))._unsafeUnwrap();
      expect(results).toMatchObject([{ status: 'delivered' }]);
      await relay.stop();
    }
  });

  it.each([
    ['what is tried again', 1],
    ['what waits', 2],
  ])('says that the events of a subject cannot be read for %s, and goes on', async (_, nth) => {
    const host = failingHost();
    await addWebhook(host);
    const relay = relayOf(host.marketplace);
    host.receivers.answer = () => refused;
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    host.receivers.answer = () => accepted;
    let calls = 0;
    host.fail(1, (path) => {
      if (path !== 'events.of') return made;
      calls += 1;
      return calls === nth ? Promise.reject(down) : made;
    });
    await emitMore(host, 'a');
    await pass(host.timer, 20 * second);
    expect(relay.failures).toMatchObject([{ tenant: acme, cause: down }]);
    const taken = host.receivers.received.map(({ event }) => event.sequence);
    expect([...new Set(taken)]).toEqual([1, 2]);
    await relay.stop();
  });

  it('says that the log does not have the position of a subscription', async () => {
    const host = failingHost();
    await createDeal(host.marketplace, 'a');
    const failures: unknown[] = [];
    const got: ReceivedEvent[] = [];
    const running = createRelay(host.marketplace).subscribe((event) => got.push(event), {
      from: () => 'nowhere',
      onFailure: (failure) => failures.push(failure),
    });
    await pass(host.timer, 3 * second);
    expect(got).toEqual([]);
    const consumer = 'subscription:default';
    expect(failures[0]).toMatchObject({ tenant: acme, consumer });
    expect(causes(failures)[0]).toBe(`Error: the log does not have the position of ${consumer}`);
    expect(failures.length).toBeLessThan(6);
    await running.stop();
  });

  it('reports a host that throws when it is asked for a beginning, and asks again', async () => {
    const host = failingHost();
    await createDeal(host.marketplace, 'a');
    await createDeal(host.marketplace, 'b', globex);
    const failures: unknown[] = [];
    const got: string[] = [];
    let isBroken = true;
    const running = createRelay(host.marketplace).subscribe((event) => got.push(event.subject), {
      from({ partner }) {
        if (isBroken && partner === acme.partner) throw new Error('no beginning');
        return undefined;
      },
      onFailure: (failure) => failures.push(failure),
    });
    await pass(host.timer, 3 * second);
    expect(got).toEqual(['deal:b']);
    expect(failures[0]).toMatchObject({ tenant: acme });
    expect(new Set(causes(failures))).toEqual(new Set(['Error: no beginning']));
    expect(failures.length).toBeLessThan(6);
    isBroken = false;
    await pass(host.timer, 4 * second);
    expect(got).toEqual(['deal:b', 'deal:a']);
    await running.stop();
  });

  it.each(['rejects', 'does not know its own cursor'])(
    'does not pass what was left of a page if the log %s',
    async (what) => {
      const host = failingHost();
      for (const name of ['a', 'b', 'c']) await createDeal(host.marketplace, name);
      const got: string[] = [];
      let release = () => {};
      const handler = (event: { readonly subject: string }) => {
        got.push(event.subject);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      };
      const running = createRelay(host.marketplace).subscribe(handler);
      await pass(host.timer);
      expect(got).toEqual(['deal:a']);
      const stopped = running.stop();
      host.fail(1, (path, _, call) => {
        if (path !== 'events.after') return made;
        if (what === 'rejects') return Promise.reject(down);
        const answer = call() as ReturnType<Store['events']['after']> & { value: unknown };
        return Object.assign(Object.create(Object.getPrototypeOf(answer)), answer, {
          value: 'invalid_cursor',
        });
      });
      release();
      await stopped;
      const again: string[] = [];
      const next = createRelay(host.marketplace).subscribe((event) => again.push(event.subject));
      await pass(host.timer, 10 * second);
      expect(again).toEqual(['deal:a', 'deal:b', 'deal:c']);
      await next.stop();
    },
  );

  it('goes on though the host throws when a failure is reported to it', async () => {
    for (const onFailure of [
      () => {
        throw new Error('the host fails, too');
      },
      () => Promise.reject(new Error('the host fails, too')),
    ]) {
      const host = failingHost();
      await addWebhook(host);
      await createDeal(host.marketplace, 'a');
      const got: string[] = [];
      let isPoisoned = true;
      const relay = createRelay(host.marketplace).relayWebhooks({ onFailure });
      const running = createRelay(host.marketplace).subscribe(
        ({ subject }) => {
          if (isPoisoned) throw new Error('poisoned');
          got.push(subject);
        },
        { onFailure, types: ['deal.created'] },
      );
      host.fail(4, rejecting('tenants'));
      await pass(host.timer, 5 * second);
      isPoisoned = false;
      await pass(host.timer, 20 * second);
      expect([deals(host), got]).toEqual([['deal:a'], ['deal:a']]);
      await Promise.all([relay.stop(), running.stop()]);
    }
  });
});
