import type { Tenant } from 'dealwright';
import type { Authenticator } from 'dealwright/ports';
import { contractTenants } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createTestGateway } from '../../kit/gateway.js';
import { contractor, dealV2 } from '../../kit/requests.js';
import { tokenOf } from '../../kit/service.js';
import { acme, errorOf, json, recording, through, token } from './asking.js';

const live: Tenant = { environment: 'production', partner: 'acme' };
const globex: Tenant = { environment: 'sandbox', partner: 'globex' };

const noToken = {
  code: 'unavailable',
  port: 'transport',
  outcome: 'none',
  retryable: false,
  cause: 'the tenant has no token of its own',
};

describe('a list of API tokens', () => {
  it('is that of the authenticator here: those of the service are not shown', async () => {
    const { fetch, sent } = recording();
    const own = { name: 'Order system', start: null, created_at: null, last_used_at: null };
    const listing = (list: () => ReturnType<NonNullable<Authenticator['list']>>) =>
      createTestGateway({ fetch, authenticator: { authenticate: () => ok(undefined), list } });
    const gateway = listing(() => ok([own]));
    expect((await gateway.partner(acme).listTokens())._unsafeUnwrap()).toEqual([own]);
    expect(gateway.hasTokenLists).toBe(true);
    const broken = listing(() => ok([{ ...own, name: '' }]));
    const port = 'authenticator.list';
    expect(await errorOf(broken.partner(acme).listTokens())).toMatchObject({ port });
    for (const none of [{}, { authenticator: 'host' as const }]) {
      const without = createTestGateway({ fetch, ...none });
      expect(await errorOf(without.partner(acme).listTokens())).toMatchObject({
        code: 'not_found',
        resource: 'operation',
      });
      expect(without.hasTokenLists).toBe(false);
    }
    expect(sent).toEqual([]);
  });
});

describe('the token of a tenant', () => {
  it('goes only with its requests', async () => {
    const { fetch, sent } = recording();
    const gateway = createTestGateway({ fetch });
    for (const tenant of contractTenants) {
      expect((await gateway.partner(tenant).createDealV2(dealV2)).isOk()).toBe(true);
      expect(sent.at(-1)?.request.headers['Authorization']).toBe(`Token ${tokenOf(tenant)}`);
    }
    expect(sent).toHaveLength(contractTenants.length);
  });

  it.each<[string, (tenant: Tenant) => string | undefined]>([
    ['is missing', () => undefined],
    ['is not a text', () => 7 as never],
    ['cannot be sent', () => 'to ken\r\n'],
    [
      'cannot be had',
      () => {
        throw new Error(token);
      },
    ],
  ])('that %s means that nothing is sent', async (_, find) => {
    const { fetch, sent } = recording(async () => json(200, {}));
    const api = through({ fetch, token: find });
    const answers = [
      api.registerContractor(contractor),
      api.createDealV2(dealV2),
      api.retrieveDeal(1),
      api.retrieveDealDetails('order-1'),
      api.listDeals(),
      api.uploadFile({ id: 1 }, { name: 'a', content: 'YWJj' }),
    ];
    for (const answer of answers) expect(await errorOf(answer)).toMatchObject(noToken);
    expect((await api.listCategories()).isOk()).toBe(true);
    expect(sent).toEqual([]);
  });

  it('is asked for with the tenant, and with nothing else of its object', async () => {
    const asked: unknown[] = [];
    const find = (tenant: Tenant) => {
      asked.push(tenant);
      return token;
    };
    const gateway = createTestGateway({ token: find, fetch: async () => json(409, {}) });
    await gateway.partner({ ...acme, secret: 'x' } as Tenant).createDealV2(dealV2);
    expect(asked).toEqual([acme]);
  });

  it('of another tenant is never used', async () => {
    const { fetch, sent } = recording(async () => json(409, {}));
    const gateway = createTestGateway({ fetch, token: () => token });
    const ask = (tenant: Tenant) => errorOf(gateway.partner(tenant).createDealV2(dealV2));
    await ask(acme);
    expect(await ask(live)).toMatchObject(noToken);
    expect(await ask(globex)).toMatchObject(noToken);
    await ask(acme);
    expect(sent).toHaveLength(2);
  });

  it('may be renewed, and the old one is free again', async () => {
    const { fetch, sent } = recording(async () => json(409, {}));
    let current = new Map([['acme', 'first']]);
    const gateway = createTestGateway({ fetch, token: ({ partner }) => current.get(partner) });
    const [own, other] = [gateway.partner(acme), gateway.partner(globex)];
    await own.createDealV2(dealV2);
    current = new Map([
      ['acme', 'second'],
      ['globex', 'first'],
    ]);
    for (const api of [own, other]) await api.createDealV2(dealV2);
    expect(sent.map(({ request }) => request.headers['Authorization'])).toEqual([
      'Token first',
      'Token second',
      'Token first',
    ]);
  });
});
