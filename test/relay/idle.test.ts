import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { failingHost, made, second } from './failing-host.js';
import { acme, createDeal, pass, relayHost, relayOf } from './kit.js';

/** A store whose calls take a turn of the loop, and are counted. */
function countedStore() {
  const counts = { all: 0, underWay: 0, most: 0 };
  const counted = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'object' && member !== null) return counted(member);
        if (typeof member !== 'function' || name === 'watch') return member;
        return async (...given: unknown[]) => {
          counts.all += 1;
          counts.underWay += 1;
          counts.most = Math.max(counts.most, counts.underWay);
          await new Promise((resolve) => setImmediate(resolve));
          counts.underWay -= 1;
          return Reflect.apply(member, target, given);
        };
      },
    });
  const inner = createMemoryStore();
  return { inner, store: counted<Store>(inner), counts };
}

/** Partners with so many webhooks each. */
async function withWebhooks(partners: number, each: number) {
  const { inner, store, counts } = countedStore();
  const timer = createManualClock();
  const { marketplace } = relayHost(inner, timer);
  for (let at = 0; at < partners; at += 1) {
    const api = marketplace.partner({ environment: 'sandbox', partner: `partner-${at}` });
    for (let hook = 0; hook < each; hook += 1) {
      const url = `https://a-${hook}.example/`;
      (await api.createWebhook({ url, types: ['deal.completed'] }))._unsafeUnwrap();
    }
  }
  return { counts, timer, host: relayHost(store, timer) };
}

describe('a relay with nothing to do', () => {
  it.each([
    [600, 1],
    [200, 3],
    [30, 20],
  ])(
    'reads no more than 4 times a second, for %i partners with %i webhooks each',
    async (...of) => {
      const { counts, timer, host } = await withWebhooks(...of);
      const relay = relayOf(host.marketplace);
      await pass(timer, 30 * second);
      // each was looked at once
      expect(counts.all).toBeGreaterThan(3 * 600);
      for (const seconds of [60, 120]) {
        const before = counts.all;
        await pass(timer, seconds * second);
        expect((counts.all - before) / seconds).toBeLessThan(4);
      }
      await relay.stop();
      expect(relay.failures).toEqual([]);
    },
  );

  it('asks for a few of very many partners at once', async () => {
    const { counts, timer, host } = await withWebhooks(600, 2);
    const relay = relayOf(host.marketplace);
    await pass(timer, 10 * second);
    expect(counts.all).toBeGreaterThan(3 * 1_200);
    // each of 32 reads two things at once, and one call reads the tenants
    expect(counts.most).toBeLessThanOrEqual(70);
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });
});

describe('a relay that looks again', () => {
  /** A relay that has delivered an event, and a second process without a relay. */
  async function delivered() {
    const host = failingHost();
    const { id } = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer, second);
    const sent = () => host.receivers.received.map(({ event }) => event.subject);
    expect(sent()).toContain('deal:a');
    return { host, id, relay, sent, other: relayHost(host.inner, host.timer) };
  }

  it('finds what another process was asked to send again, though the partner is busy', async () => {
    const { host, id, relay, sent, other } = await delivered();
    const { results } = (await other.api.listDeliveries(id))._unsafeUnwrap();
    const first = results.find(({ type }) => type === 'deal.created');
    (await other.api.redeliver(id, first?.id ?? ''))._unsafeUnwrap();
    for (let at = 0; at < 20; at += 1) {
      await createDeal(other.marketplace, `busy-${at}`);
      await pass(host.timer, 4 * second);
    }
    expect(sent().filter((subject) => subject === 'deal:a')).toHaveLength(2);
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });

  it('finds an event that its store showed later than the end of the log', async () => {
    const { host, relay, sent, other } = await delivered();
    await pass(host.timer, 10 * second);
    // while a slower write may still commit
    host.fail(Number.POSITIVE_INFINITY, (path, given, call) => {
      if (path !== 'events.after') return made;
      const page = call() as ReturnType<Store['events']['after']>;
      return Promise.resolve(page).then((found) =>
        found.map((each) => {
          if (each === 'invalid_cursor') return each;
          return { ...each, events: [], cursor: String(given[1]), end: String(given[1]) };
        }),
      );
    });
    await createDeal(other.marketplace, 'late');
    await pass(host.timer, 10 * second);
    expect(sent()).not.toContain('deal:late');
    host.fail(0, () => made);
    await pass(host.timer, 60 * second);
    expect(sent()).toContain('deal:late');
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });

  it('forgets a webhook that was deleted', async () => {
    const { host, id, relay } = await delivered();
    (await host.api.deleteWebhook(id))._unsafeUnwrap();
    await pass(host.timer, 10 * second);
    const asked: string[] = [];
    host.fail(Number.POSITIVE_INFINITY, (path) => {
      asked.push(path);
      return made;
    });
    await pass(host.timer, 90 * second);
    expect(new Set(asked)).toEqual(new Set(['tenants']));
    host.fail(0, () => made);
    expect(await host.inner.tenants(undefined, 1)).toMatchObject({ value: [{ tenant: acme }] });
    await relay.stop();
  });
});
