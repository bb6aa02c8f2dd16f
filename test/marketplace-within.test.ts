import { createMarketplace, type Marketplace } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { createPorts } from './kit/ports.js';
import { dealV2, tenant } from './kit/requests.js';

describe('marketplace.within', () => {
  it('writes to and reads from the store that it is given, and no other', async () => {
    const ports = createPorts();
    const outer = createMarketplace(ports);
    const inner = outer.within(createMemoryStore());
    (await inner.partner(tenant).createDealV2(dealV2))._unsafeUnwrap();
    const id = dealV2.partner_id;
    const found = await inner.partner(tenant).retrieveDealDetails(id);
    expect(found._unsafeUnwrap()).toMatchObject({ title: dealV2.title });
    const outside = await outer.partner(tenant).retrieveDealDetails(id);
    expect(outside._unsafeUnwrapErr().code).toBe('not_found');
    const operatorDeals = inner.operator('sandbox').partner(tenant.partner);
    expect((await operatorDeals.retrieveDeal(id)).isOk()).toBe(true);
    expect((await inner.ready()).isOk()).toBe(true);
  });

  it('has the same rules and values, and nothing that runs by itself', () => {
    const outer = createMarketplace(createPorts(), { fileLimit: 7 });
    const inner: Marketplace = outer.within(createMemoryStore());
    const { lifecycle, valueSets, fileLimit, hasWebhooks, hasTokenLists } = outer;
    const has = { hasWebhooks, hasTokenLists };
    expect(inner).toMatchObject({ lifecycle, valueSets, fileLimit, ...has });
    expect(inner.lifecycle).toBe(lifecycle);
    expect(Object.keys(inner)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/subscribe|relay|sweep|within/)]),
    );
  });

  it('does not wait for a command that waits for it', async () => {
    const ports = createPorts();
    const { store } = ports;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const outer = createMarketplace({
      ...ports,
      store: {
        ...store,
        async commit(...args) {
          if (args[1].change.length > 0) await held;
          return store.commit(...args);
        },
      },
    });
    (await outer.partner(tenant).createDealV2(dealV2))._unsafeUnwrap();
    const waiting = outer.partner(tenant).cancel(dealV2.partner_id);
    const inner = outer.within(store).partner(tenant);
    expect((await inner.cancel(dealV2.partner_id)).isOk()).toBe(true);
    letGo();
    await waiting;
  });

  it('throws for a store that lacks methods, and names them', () => {
    const { within } = createMarketplace(createPorts());
    const { commit: _, events: __, ...rest } = createMemoryStore();
    const broken: object = rest;
    expect(() => within(broken as Store)).toThrow(
      new TypeError(
        'within: these methods are missing: store.commit, store.events.after, store.events.of',
      ),
    );
  });
});
