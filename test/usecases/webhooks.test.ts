import { createMarketplace, type PartnerApi } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { Store, WebhookSender } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { answers, faults, type MethodPath, withFault } from 'dealwright/testing';
import { createWebhookSender } from 'dealwright/webhooks';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { acme, createDeal, globex, pass, relayHost, relayOf } from '../relay/kit.js';
import { failureOf } from './marketplace-with.js';

const url = 'https://receiver.example/hooks';

/** A back end with a webhook and a delivery, through ports with one broken method. */
async function broken(port: 'store' | 'webhooks' | 'secrets' | 'clock' | 'ids', method: string) {
  const host = relayHost();
  const { id } = (await host.api.createWebhook({ url }))._unsafeUnwrap();
  const tested = { id: '01J00000000000000000000000' };
  const { ports } = host;
  const whole = ports[port] as object;
  const faulty = withFault(whole, method as MethodPath<object>, faults.throws);
  const marketplace = createMarketplace({ ...ports, [port]: faulty });
  return { host, id, delivery: tested.id, api: marketplace.partner(acme) };
}

/** A store as written by a version without host names and ends. */
function earlier(store: Store): Store {
  const changed = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'ends_at'));
  return {
    ...store,
    commit: (tenant, write) =>
      store.commit(tenant, {
        ...write,
        insert: write.insert.map((each) =>
          each.kind === 'webhook' ? { ...each, row: { ...each.row, host: null } } : each,
        ),
        change: write.change.map((each) => ({ ...each, set: changed(each.set) })),
      } as typeof write),
  };
}

type Ids = { readonly id: string; readonly delivery: string };
type Answer = ReturnType<PartnerApi<never>[keyof PartnerApi<never>]>;
type Call = (api: PartnerApi<never>, ids: Ids) => Answer;

const create = (api: PartnerApi<never>) => api.createWebhook({ url });

const calls: readonly (readonly [port: Parameters<typeof broken>[0], method: string, Call])[] = [
  ['webhooks', 'check', create],
  ['webhooks', 'createSecret', create],
  ['secrets', 'seal', create],
  ['store', 'events.after', create],
  ['clock', 'now', create],
  ['store', 'commit', create],
  ['store', 'records.list', (api) => api.listWebhooks()],
  ['store', 'records.byKey', (api, { id }) => api.retrieveWebhook(id)],
  ['store', 'records.byKey', (api, { id }) => api.deleteWebhook(id)],
  ['store', 'commit', (api, { id }) => api.deleteWebhook(id)],
  ['clock', 'now', (api, { id }) => api.deleteWebhook(id)],
  ['webhooks', 'createSecret', (api, { id }) => api.rotateWebhook(id)],
  ['store', 'commit', (api, { id }) => api.rotateWebhook(id)],
  ['store', 'records.byKey', (api, { id }) => api.testWebhook(id)],
  ['ids', 'next', (api, { id }) => api.testWebhook(id)],
  ['store', 'records.byKey', (api, { id }) => api.listDeliveries(id)],
  ['store', 'records.list', (api, { id }) => api.listDeliveries(id)],
  ['store', 'records.byKey', (api, { id, delivery }) => api.redeliver(id, delivery)],
  ['store', 'events.after', (api) => api.listEvents()],
  ['store', 'events.after', (api) => api.listEvents({ after: 'end' })],
];

describe('webhooks over ports that fail', () => {
  it.each(calls)('say that %s.%s is unavailable (%#)', async (port, method, call) => {
    const { api, host, ...ids } = await broken(port, method);
    const before = (await host.api.listWebhooks())._unsafeUnwrap();
    const error = await failureOf(call(api, ids));
    expect(error).toMatchObject({ code: 'unavailable', port: `${port}.${method}` });
    expect((await host.api.listWebhooks())._unsafeUnwrap()).toStrictEqual(before);
  });

  it('count an attempt as failed if its secret cannot be read, or the sender fails', async () => {
    for (const [port, method, error] of [
      ['secrets', 'open', 'secret_unavailable'],
      ['webhooks', 'send', 'sender_failed'],
    ] as const) {
      const { api, id } = await broken(port, method);
      const tested = (await api.testWebhook(id))._unsafeUnwrap();
      expect(tested).toMatchObject({ status: 'failed', attempts: [{ error, status_code: null }] });
    }
  });
});

describe('webhooks', () => {
  it('are not found if the host has not wired them', async () => {
    const { webhooks: _, secrets: __, ...ports } = relayHost().ports;
    const marketplace = createMarketplace(ports);
    const api = marketplace.partner(acme);
    const id = '01J00000000000000000000000';
    for (const answer of [
      api.createWebhook({ url }),
      api.listWebhooks(),
      api.retrieveWebhook(id),
      api.deleteWebhook(id),
      api.rotateWebhook(id),
      api.enableWebhook(id),
      api.testWebhook(id),
      api.listDeliveries(id),
      api.redeliver(id, id),
    ]) {
      expect((await answer)._unsafeUnwrapErr()).toMatchObject({ code: 'not_found' });
    }
    await createRelay(marketplace).relayWebhooks().stop();
  });

  it('are at most a thousand of a partner, though many are made at once, deleted ones apart', async () => {
    const { api, marketplace } = relayHost();
    const make = (at: number) => api.createWebhook({ url: `https://h${at % 50}.example/` });
    for (let made = 0; made < 990; made += 1) (await make(made))._unsafeUnwrap();
    const made = await Promise.all(Array.from({ length: 50 }, (_, at) => make(at)));
    expect(made.filter((each) => each.isOk())).toHaveLength(10);
    expect((await make(0))._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['url'], code: 'too_many_webhooks', params: { max: 1_000 } }],
    });
    expect((await marketplace.partner(globex).createWebhook({ url })).isOk()).toBe(true);
    const [first] = (await api.listWebhooks())._unsafeUnwrap();
    (await api.deleteWebhook(String(first?.id)))._unsafeUnwrap();
    const again = (await make(0))._unsafeUnwrap();
    const listed = (await api.listWebhooks())._unsafeUnwrap();
    expect(listed).toHaveLength(1_000);
    expect(listed.at(-1)?.id).toBe(again.id);
  });

  it('are at most a hundred with one host name', async () => {
    const { api } = relayHost();
    const spelled = ['https://one.example/', 'https://ONE.example/x', 'https://one.example:443'];
    const made = await Promise.all(
      Array.from({ length: 150 }, (_, at) => api.createWebhook({ url: spelled[at % 3] ?? '' })),
    );
    expect(made.filter((each) => each.isOk())).toHaveLength(100);
    expect(made.at(-1)?._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['url'], code: 'too_many_webhooks_of_host', params: { max: 100 } }],
    });
    expect((await api.createWebhook({ url: 'https://two.example/' })).isOk()).toBe(true);
  });

  it('are at most a hundred with one host name, those from before it was kept among them', async () => {
    const store = createMemoryStore();
    const before = relayHost(earlier(store)).api;
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      ids.push((await before.createWebhook({ url }))._unsafeUnwrap().id);
    }
    (await before.createWebhook({ url: 'https://other.example/' }))._unsafeUnwrap();
    const { api } = relayHost(store);
    const make = () => api.createWebhook({ url: 'https://RECEIVER.example/more' });
    const made = await Promise.all(Array.from({ length: 120 }, make));
    expect(made.filter((each) => each.isOk())).toHaveLength(97);
    expect(made.at(-1)?._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['url'], code: 'too_many_webhooks_of_host', params: { max: 100 } }],
    });
    (await api.deleteWebhook(ids[0] ?? ''))._unsafeUnwrap();
    expect((await make()).isOk()).toBe(true);
    expect((await make()).isErr()).toBe(true);
  });

  it.each([
    ['', 'now'],
    [', though the version that deleted them gave them no end', 'earlier'],
  ])('leave nothing thirty days after they were deleted%s', async (_, version) => {
    const store = createMemoryStore();
    const then = relayHost(version === 'now' ? store : earlier(store));
    const { timer } = then;
    const { id } = (await then.api.createWebhook({ url }))._unsafeUnwrap();
    const kept = (await then.api.createWebhook({ url: 'https://kept.example/' }))._unsafeUnwrap();
    const relay = relayOf(then.marketplace);
    await createDeal(then.marketplace, 'a');
    await pass(timer, 1_000);
    await relay.stop();
    (await then.api.deleteWebhook(id))._unsafeUnwrap();
    const consumer = `webhook:${id}`;
    const find = async () => {
      const { records } = store;
      const range = { under: consumer, direction: 'ascending', limit: 10 } as const;
      const found = [
        (await records.byKey(acme, 'webhook', id))._unsafeUnwrap(),
        (await records.byKey(acme, 'consumer', consumer))._unsafeUnwrap(),
        ...(await records.list(acme, 'delivery', range))._unsafeUnwrap(),
      ];
      return found.filter((each) => each !== undefined);
    };
    expect((await find()).length).toBeGreaterThan(3);
    const { marketplace, api } = relayHost(store, timer);
    const pruneAll = async () => {
      while ((await marketplace.prune())._unsafeUnwrap().isMore);
    };
    const day = 24 * 60 * 60 * 1000;
    timer.advance(30 * day - 1);
    await pruneAll();
    expect((await find()).length).toBeGreaterThan(3);
    timer.advance(1);
    await pruneAll();
    expect(await find()).toEqual([]);
    expect((await api.listDeliveries(kept.id))._unsafeUnwrap().results).not.toEqual([]);
  });

  it('have no end yet of very many partners: each is looked through once', async () => {
    const store = createMemoryStore();
    const then = relayHost(earlier(store));
    const tenants = Array.from(
      { length: 230 },
      (_, at) => ({ environment: 'sandbox', partner: `partner-${at}` }) as const,
    );
    for (const tenant of tenants) {
      const api = then.marketplace.partner(tenant);
      const { id } = (await api.createWebhook({ url }))._unsafeUnwrap();
      (await api.deleteWebhook(id))._unsafeUnwrap();
    }
    then.timer.advance(31 * 24 * 60 * 60 * 1000);
    let looks = 0;
    const counted: Store = {
      ...store,
      tenants(...given) {
        looks += 1;
        return store.tenants(...given);
      },
    };
    const { marketplace } = relayHost(counted, then.timer);
    let deleted = 0;
    for (;;) {
      const pruned = (await marketplace.prune())._unsafeUnwrap();
      deleted += pruned.deleted;
      if (!pruned.isMore) break;
    }
    // each has a webhook, its consumer, and a record of its deletion
    expect(deleted).toBe(3 * tenants.length);
    const before = looks;
    (await marketplace.prune())._unsafeUnwrap();
    expect(looks).toBe(before);
  });

  it('keep the port that they were made with, though no new one may have it', async () => {
    const store = createMemoryStore();
    const old = { url: 'https://receiver.example:8443/hooks' };
    const judgedBy = (host: ReturnType<typeof relayHost>, webhookPorts: readonly number[]) => {
      const { check } = createWebhookSender({ webhookPorts });
      const webhooks = { ...host.ports.webhooks, check } as WebhookSender;
      return relayHost(store, host.timer, { webhooks });
    };
    const host = relayHost(store);
    const then = judgedBy(host, [8443]);
    const { id } = (await then.api.createWebhook(old))._unsafeUnwrap();
    const { api, marketplace, timer } = judgedBy(host, []);
    expect((await api.createWebhook(old))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['url'], code: 'port_not_allowed' }],
    });
    expect((await api.rotateWebhook(id))._unsafeUnwrap().url).toBe(old.url);
    const relay = relayOf(marketplace);
    await createDeal(marketplace, 'a');
    await pass(timer, 1_000);
    await relay.stop();
    const sent = host.receivers.received;
    expect(sent.map(({ event }) => event.subject)).toContain('deal:a');
    expect((await api.testWebhook(id))._unsafeUnwrap().status).toBe('delivered');
  });

  it('change as if one after the other if they are changed at once', async () => {
    const store = createMemoryStore();
    const { api } = relayHost(store);
    const { id } = (await api.createWebhook({ url }))._unsafeUnwrap();
    // each change reads before any of them writes
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.rotateWebhook(id)));
    const secrets = answers.map((answer) => answer._unsafeUnwrap().secret);
    expect(new Set(secrets).size).toBe(6);
    const events = (await api.listEvents({ type: 'webhook.rotated' }))._unsafeUnwrap().results;
    expect(events.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('give up if others are quicker each time', async () => {
    const store = createMemoryStore();
    const host = relayHost(store);
    const { id } = (await host.api.createWebhook({ url }))._unsafeUnwrap();
    const commit = () => ok({ outcome: 'refused', expectation: 1 } as const);
    const api = createMarketplace({ ...host.ports, store: { ...store, commit } }).partner(acme);
    expect((await api.deleteWebhook(id))._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'store.commit',
    });
  });

  it('get what was before them, too, if the log does not say its end', async () => {
    const store = createMemoryStore();
    const host = relayHost(store);
    await createDeal(host.marketplace, 'a');
    const lost = withFault(store, 'events.after', answers(ok('invalid_cursor')));
    const api = createMarketplace({ ...host.ports, store: lost }).partner(acme);
    (await api.createWebhook({ url }))._unsafeUnwrap();
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    expect(host.receivers.received.map(({ event }) => event.type)).toContain('deal.created');
    await relay.stop();
  });

  it('change nothing if they are enabled already, and know no other ids', async () => {
    const { api } = relayHost();
    const { secret: _, ...webhook } = (await api.createWebhook({ url }))._unsafeUnwrap();
    expect((await api.enableWebhook(webhook.id))._unsafeUnwrap()).toStrictEqual(webhook);
    const { results } = (await api.listEvents())._unsafeUnwrap();
    expect(results.map(({ type }) => type)).toEqual(['webhook.created']);
    for (const id of ['', 'x', webhook.id.toLowerCase(), '01J00000000000000000000000']) {
      expect((await api.retrieveWebhook(id)).isErr()).toBe(true);
      expect((await api.redeliver(webhook.id, id)).isErr()).toBe(true);
    }
  });

  it('do not send a test again, nor the delivery of another webhook', async () => {
    const host = relayHost();
    const [one, other] = [await create(host.api), await create(host.api)].map((made) =>
      made._unsafeUnwrap(),
    );
    const tested = (await host.api.testWebhook(one?.id ?? ''))._unsafeUnwrap();
    expect(tested).toMatchObject({ type: 'webhook.test', status: 'delivered' });
    // the members in its schema and on its page
    const [posted] = host.receivers.received;
    expect(posted?.event).toEqual({
      ...{ id: tested.event_id, type: 'webhook.test', ...acme, subject: `webhook:${one?.id}` },
      ...{ sequence: 0, at: expect.any(String), actor: 'partner', cause: null },
      data: { webhook_id: one?.id },
    });
    const again = await host.api.redeliver(one?.id ?? '', tested.id);
    expect(again._unsafeUnwrapErr().code).toBe('not_found');
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    // the other webhook was created after the first one, and the first one gets that event
    const [delivery] = (await host.api.listDeliveries(one?.id ?? ''))._unsafeUnwrap().results;
    expect(delivery?.type).toBe('webhook.created');
    expect((await host.api.redeliver(other?.id ?? '', delivery?.id ?? '')).isErr()).toBe(true);
    await relay.stop();
  });

  it('list deliveries by pages, and take no other cursor', async () => {
    const host = relayHost();
    const { id } = (await create(host.api))._unsafeUnwrap();
    const relay = relayOf(host.marketplace);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await createDeal(host.marketplace, name);
      await pass(host.timer, 1);
    }
    await relay.stop();
    const whole = (await host.api.listDeliveries(id))._unsafeUnwrap();
    expect([whole.results.length, whole.next]).toEqual([6, null]);
    const ids = whole.results.map((delivery) => delivery.id);
    expect(ids).toEqual([...ids].sort().reverse());
    const paged: unknown[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const query = { page_size: 2, ...(cursor !== undefined && { cursor }) };
      const page = (await host.api.listDeliveries(id, query))._unsafeUnwrap();
      paged.push(...page.results);
      pages += 1;
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(paged).toStrictEqual(whole.results);
    // six are three pages, none of them empty
    expect(pages).toBe(3);
    expect((await host.api.listDeliveries(id, { cursor: 'x' }))._unsafeUnwrapErr().code).toBe(
      'invalid_cursor',
    );
    expect((await host.api.listDeliveries(id, { page_size: 101 }))._unsafeUnwrapErr().code).toBe(
      'validation_failed',
    );
  });
});
