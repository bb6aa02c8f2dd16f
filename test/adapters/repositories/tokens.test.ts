import type { Tenant } from 'dealwright';
import { contractTenants } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { contractor, dealV2 } from '../../kit/requests.js';
import { createTestHandler, tokenOf } from '../../kit/service.js';
import { createMarketplaceOver, fetchFrom } from '../../kit/upstream.js';
import { additionV2Of } from './additions.js';
import { acme, came, json, recording, repositories, token } from './asking.js';

const live: Tenant = { environment: 'production', partner: 'acme' };
const globex: Tenant = { environment: 'sandbox', partner: 'globex' };

const noToken = {
  failure: {
    code: 'unavailable',
    outcome: 'none',
    retryable: false,
    cause: { code: 'no_token' },
  },
};

describe('the token of a tenant', () => {
  it('goes with its requests, and with nobody else', async () => {
    const { fetch, sent } = recording(fetchFrom(createTestHandler()));
    const marketplace = createMarketplaceOver({ fetch });
    for (const tenant of contractTenants) {
      const created = await marketplace.partner(tenant).createDealV2(dealV2);
      expect(created.isOk()).toBe(true);
      expect(sent.at(-1)?.request.headers['Authorization']).toBe(`Token ${tokenOf(tenant)}`);
    }
    expect(sent).toHaveLength(contractTenants.length);
  });

  it('that is one text is that of one tenant, in one environment', async () => {
    const { fetch, sent } = recording(async () => json(409, {}));
    const { dealsV2 } = repositories({ fetch });
    for (const tenant of [live, globex, { ...acme, partner: 'ACME' }]) {
      expect(came(await dealsV2.add(tenant, additionV2Of()))).toEqual(noToken);
    }
    expect(sent).toEqual([]);
    await dealsV2.add(acme, additionV2Of());
    expect(sent).toHaveLength(1);
  });

  it.each<[string, (tenant: Tenant) => string | undefined]>([
    ['is missing', () => undefined],
    ['is none', () => 7 as never],
    ['cannot be sent', () => 'to ken\r\n'],
    [
      'is not to be had',
      () => {
        throw new Error(token);
      },
    ],
  ])('that %s leaves every door closed', async (_, find) => {
    const { fetch, sent } = recording(async () => json(200, {}));
    const store = createMarketplaceOver({ fetch, token: find }).partner(acme);
    const answers = [
      await store.registerContractor(contractor),
      await store.createDealV2(dealV2),
      await store.retrieveDeal(1),
      await store.retrieveDealDetails('order-1'),
      await store.listEmployerDeals(),
      await store.uploadFile(1, { name: 'a', content: 'YWJj' }),
    ];
    for (const answer of answers) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        outcome: 'none',
        retryable: false,
        cause: { code: 'no_token' },
      });
    }
    expect(sent).toEqual([]);
  });

  it('of another tenant is not used, whoever hands it out', async () => {
    const { fetch, sent } = recording(async () => json(409, {}));
    const { dealsV2 } = repositories({ fetch, token: () => token });
    const ask = async (tenant: Tenant) => came(await dealsV2.add(tenant, additionV2Of()));
    await ask(acme);
    expect(await ask(live)).toEqual(noToken);
    expect(await ask(globex)).toEqual(noToken);
    await ask(acme);
    expect(sent).toHaveLength(2);
  });

  it('may be renewed, and the old one is free again', async () => {
    const { fetch, sent } = recording(async () => json(409, {}));
    let current = new Map([['acme', 'first']]);
    const store = repositories({ fetch, token: ({ partner }) => current.get(partner) });
    const ask = async (tenant: Tenant) => came(await store.dealsV2.add(tenant, additionV2Of()));
    await ask(acme);
    current = new Map([
      ['acme', 'second'],
      ['globex', 'first'],
    ]);
    await ask(acme);
    await ask(globex);
    expect(sent.map(({ request }) => request.headers['Authorization'])).toEqual([
      'Token first',
      'Token second',
      'Token first',
    ]);
  });
});
