import { readFileSync } from 'node:fs';
import { createMarketplace } from 'dealwright';
import { createClient } from 'dealwright/client';
import { storeContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { createToyStore } from '../../examples/adapter-author.js';
import { runHost } from '../../examples/host.js';
import { commission } from '../../examples/integrator.js';
import { createPorts } from '../kit/ports.js';
import { contractor } from '../kit/requests.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const order = { number: '7', writer: 'user@example.com', price: '1000' };

describe('the example of a host', () => {
  it('serves a deal and hears of the request', async () => {
    const lines: string[] = [];
    await runHost((line) => lines.push(line));
    expect(lines).toEqual(['acme createDealV2 201', 'the deal is created']);
  });
});

describe('the example of an integrator', () => {
  it('commissions in process', async () => {
    const api = createMarketplace(createPorts()).partner(acme);
    expect((await commission(api, order))._unsafeUnwrapErr()).toBe(
      'contractor_email must be the e-mail address of a registered contractor',
    );
    (await api.registerContractor(contractor))._unsafeUnwrap();
    const first = (await commission(api, order))._unsafeUnwrap();
    expect((await commission(api, order))._unsafeUnwrap()).toEqual(first);
    expect((await commission(api, { ...order, price: '2000' })).isErr()).toBe(true);
  });

  it('commissions over HTTP with the same code', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    try {
      const api = createClient({ baseUrl, token: tokenOf(acme) });
      (await api.registerContractor(contractor))._unsafeUnwrap();
      const first = (await commission(api, order))._unsafeUnwrap();
      expect((await commission(api, order))._unsafeUnwrap()).toEqual(first);
    } finally {
      await close();
    }
  });

  it('asks again when the store loses its answer, and makes one deal', async () => {
    const ports = createPorts();
    let calls = 0;
    const marketplace = createMarketplace({
      ...ports,
      store: {
        ...ports.store,
        commit: async (tenant, write) => {
          const isDeal = write.insert.some(({ kind }) => kind === 'deal');
          if (isDeal) calls += 1;
          const answer = await ports.store.commit(tenant, write);
          if (isDeal && calls === 1) throw new Error('the connection was lost');
          return answer;
        },
      },
    });
    const api = marketplace.partner(acme);
    (await api.registerContractor(contractor))._unsafeUnwrap();
    const { id } = (await commission(api, order))._unsafeUnwrap();
    expect([calls, id]).toEqual([2, 1]);
  });
});

describe('the example of an adapter', () => {
  storeContract({ describe, it }, () => ({
    ...createToyStore(),
    close: async () => undefined,
  }));

  it('takes less than 280 lines, and over Redis less than 150', () => {
    const lines = readFileSync('examples/adapter-author.ts', 'utf8').split('\n').length - 1;
    expect(lines).toBeLessThan(280);
    const overRedis = readFileSync('examples/redis-store.ts', 'utf8').split('\n').length - 1;
    expect(overRedis).toBeLessThan(150);
  });

  it('is the one that the how-to names, beside those over Redis and LevelDB, which it shows', () => {
    const howTo = readFileSync('docs/how-to/plug-in-a-store.md', 'utf8');
    expect(howTo).toContain('`examples/adapter-author.ts`');
    expect(howTo).toContain('`examples/redis-store.ts`');
    expect(howTo).toContain(readFileSync('examples/level-store.ts', 'utf8'));
  });
});
