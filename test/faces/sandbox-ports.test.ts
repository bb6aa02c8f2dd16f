import { createMarketplace } from 'dealwright';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { acme } from './world.js';

const start = Date.UTC(2026, 0, 1);
let now = start;
const tagged = { ...dealV2Body, email_freelancer: 'user+accept@example.com' };

function portsOf(): MarketplacePorts {
  return {
    ...createPorts(),
    clock: { now: () => now },
    paymentTokens: createOpaqueTokenIssuer(),
  };
}

const down = new Error('down');
const fail = () => {
  throw down;
};

describe('the clock of the sandbox', () => {
  const advance = (change: (ports: MarketplacePorts) => MarketplacePorts) =>
    createMarketplace(change(portsOf())).sandbox(acme).advanceClock({ advance_seconds: 60 });

  it.each([
    ['clock.now', (ports: MarketplacePorts) => ({ ...ports, clock: { now: fail } })],
    [
      'store.records.byKey',
      (ports: MarketplacePorts) => {
        const byKey = () => unavailable({ outcome: 'none' });
        return { ...ports, store: { ...ports.store, records: { ...ports.store.records, byKey } } };
      },
    ],
    [
      'store.commit',
      (ports: MarketplacePorts) => ({
        ...ports,
        store: { ...ports.store, commit: () => unavailable({ outcome: 'none' }) },
      }),
    ],
  ])('reports %s if it fails', async (port, change) => {
    expect((await advance(change))._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port });
  });

  it('is of the sandbox alone', () => {
    const marketplace = createMarketplace(portsOf());
    const live = { environment: 'production', partner: 'acme' } as const;
    expect(() => marketplace.sandbox(live)).toThrow(TypeError);
  });
});

describe('a freelancer who answers by itself', () => {
  it('is no deal if its intent gets no id', async () => {
    const ports = portsOf();
    for (const failing of [1, 2, 3]) {
      let asked = 0;
      const ids = {
        next: () => {
          asked += 1;
          return asked === failing ? fail() : ports.ids.next();
        },
      };
      const api = createMarketplace({ ...ports, ids }).partner(acme);
      const created = await api.createDealV2(tagged);
      if (failing <= 2) expect(created._unsafeUnwrapErr().code).toBe('unavailable');
      else expect(created.isOk()).toBe(true);
    }
  });

  it('is asked again if the store fails, and left alone if the deal has ended', async () => {
    const ports = portsOf();
    const marketplace = createMarketplace(ports);
    const api = marketplace.partner(acme);
    (await api.createDealV2(tagged))._unsafeUnwrap();
    let commits = 0;
    const commit: MarketplacePorts['store']['commit'] = (tenant, write) => {
      commits += 1;
      return commits === 2 ? unavailable({ outcome: 'none' }) : ports.store.commit(tenant, write);
    };
    const broken = createMarketplace({ ...ports, store: { ...ports.store, commit } });
    const failed = await broken.operator('sandbox').runEffects();
    expect(failed._unsafeUnwrap()).toMatchObject({ done: 0, failed: 1 });
    (await api.cancel(tagged.partner_id))._unsafeUnwrap();
    const { sandbox } = marketplace;
    // payments are due in real time: moving the clock does not make them earlier
    (await sandbox(acme).advanceClock({ advance_seconds: 600 }))._unsafeUnwrap();
    expect((await marketplace.operator('sandbox').runEffects())._unsafeUnwrap().done).toBe(0);
    now += 600_000;
    const ran = await marketplace.operator('sandbox').runEffects();
    expect(ran._unsafeUnwrap()).toEqual({ done: 1, failed: 0, failures: [] });
    const { status } = (await api.retrieveDealDetails(tagged.partner_id))._unsafeUnwrap();
    expect(status).toBe('cancelled');
  });
});
