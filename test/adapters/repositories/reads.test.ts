import type { PartnerApi } from 'dealwright';
import type { DomainEvent, Tenant } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler, tokenOf } from '../../kit/service.js';
import { createMarketplaceOver, fetchFrom } from '../../kit/upstream.js';
import { additionV2Of } from './additions.js';
import { acme, json, recording, repositories } from './asking.js';

const upstreamOf = () => recording(fetchFrom(createTestHandler()));

async function withDeals(api: PartnerApi): Promise<number> {
  await api.registerContractor(contractor);
  const created = await api.createDeal(deal);
  await api.createDealV2(dealV2);
  return created._unsafeUnwrap().id;
}

describe('a deal of record', () => {
  it('is read with all that both versions say of it', async () => {
    const { fetch, sent } = upstreamOf();
    const id = await withDeals(createMarketplaceOver({ fetch }).partner(acme));
    const store = repositories({ fetch, token: tokenOf(acme) });
    sent.length = 0;
    const found = (await store.deals.byId(acme, id))._unsafeUnwrap();
    expect(found).toMatchObject({
      version: 0,
      value: {
        ...deal,
        id,
        budget: 100_000n,
        status: 'created',
        freelancer_status: 'new',
        stages: [{ name: deal.name, budget: 100_000n, status: 'pending', work_files: [] }],
      },
    });
    expect(sent).toHaveLength(2);
    const same = [
      await store.deals.byPartnerId(acme, deal.partner_id),
      await store.dealIndex.byPartnerId(acme, deal.partner_id),
    ].map((each) => each._unsafeUnwrap());
    expect(same).toEqual([found, { api_version: '1.0', ...found }]);
    expect(sent).toHaveLength(6);

    sent.length = 0;
    const second = (await store.dealsV2.byPartnerId(acme, dealV2.partner_id))._unsafeUnwrap();
    const payment_token = expect.stringMatching(/^[\w-]{22,}$/);
    expect(second?.value).toMatchObject({ ...dealV2, amount: 50_000n, payment_token });
    const indexed = await store.dealIndex.byPartnerId(acme, dealV2.partner_id);
    expect(indexed._unsafeUnwrap()).toEqual({ api_version: '2.0', ...second });
    expect(sent).toHaveLength(2);
  });

  it('is of one version, and is nobody else', async () => {
    const { fetch } = upstreamOf();
    const id = await withDeals(createMarketplaceOver({ fetch }).partner(acme));
    const store = repositories({ fetch, token: tokenOf(acme) });
    const nothing = [
      await store.deals.byId(acme, id + 1),
      await store.deals.byPartnerId(acme, dealV2.partner_id),
      await store.deals.byPartnerId(acme, 'none'),
      await store.dealsV2.byPartnerId(acme, deal.partner_id),
      await store.dealsV2.byPartnerId(acme, 'none'),
      await store.dealIndex.byPartnerId(acme, 'none'),
    ];
    expect(nothing.map((each) => each._unsafeUnwrap())).toEqual(nothing.map(() => undefined));
  });

  const details = {
    partner_id: 'order-2',
    api_version: '2.0',
    email_freelancer: 'freelancer@example.com',
    title: 'Title',
    description: 'Description',
    subcategory_id: 75,
    amount: '500.00',
    currency: 'PLN',
    copyright_transfer: 'none',
    freelancer_language: 'pl',
    status: 'created',
    freelancer_status: 'new',
    payment_token: 'a-payment-token-of-22-characters',
    billing: {
      currency: 'PLN',
      amount: '500.00',
      paid: '0.00',
      refunded: '0.00',
      released: '0.00',
      outstanding: '500.00',
      employer_payments: [],
      contractor_payments: [],
    },
    created_at: '2026-01-01T01:00:00+01:00',
  };

  it('is understood in any notation of its time', async () => {
    const store = repositories({ fetch: async () => json(200, { data: details }) });
    const found = (await store.dealsV2.byPartnerId(acme, 'order-2'))._unsafeUnwrap();
    expect(found?.value.created_at).toBe('2026-01-01T00:00:00.000Z');
  });

  it.each<[string, object]>([
    ['no token', { payment_token: null }],
    ['a token that is none', { payment_token: 'short' }],
    ['no terms', { copyright_transfer: null }],
    ['money that is none', { amount: 'much' }],
    ['a time that is none', { created_at: '7' }],
    ['a time without its offset', { created_at: '2026-01-01T00:00:00' }],
  ])('with %s is an answer that nobody understands', async (_, change) => {
    const store = repositories({
      fetch: async () => json(200, { data: { ...details, ...change } }),
    });
    for (const read of [store.dealsV2, store.dealIndex]) {
      const failed = (await read.byPartnerId(acme, 'order-2'))._unsafeUnwrapErr();
      expect(failed).toMatchObject({ outcome: 'none', retryable: false });
      expect(JSON.stringify(failed)).not.toContain('much');
    }
  });

  it.each<[string, unknown]>([
    ['api_version', '3.0'],
    ['partner_id', ''],
    ['partner_id', 'x'.repeat(41)],
    ['title', 'a\0b'],
    ['title', 'x'.repeat(201)],
    ['description', ''],
    ['description', '\ud800'],
    ['email_freelancer', 'nobody'],
    ['currency', 'EURO'],
    ['status', ''],
    ['payment_token', 'short'],
    ['amount', 'much'],
    ['created_at', '7'],
  ])('names the field %s that is no value of the interface: %j', async (field, value) => {
    const store = repositories({
      fetch: async () => json(200, { data: { ...details, [field]: value } }),
    });
    const failed = (await store.dealsV2.byPartnerId(acme, 'order-2'))._unsafeUnwrapErr();
    expect(failed).toMatchObject({
      retryable: false,
      cause: { code: 'malformed_answer', issues: [{ path: [field], code: 'malformed' }] },
    });
    const { payment_token: _, ...item } = { ...details, [field]: value };
    const page = { results: [item], next: null, previous: null };
    const list = repositories({ fetch: async () => json(200, { data: page }) });
    const listed = await list.dealIndex.page(acme, {}, { cursor: undefined, page_size: 1 });
    if (field !== 'payment_token' && field !== 'description') {
      expect(listed._unsafeUnwrapErr()).toMatchObject({ cause: { issues: [{ path: [field] }] } });
    }
  });

  it('is not made of two', async () => {
    const retrieved = {
      id: 7,
      partner_id: 'order-1',
      contractor_email: 'user@example.com',
      name: 'Name',
      description: 'Description',
      budget: '1.00',
      currency: 'EUR',
      work_days: 30,
      sub_category_id: 75,
      status: 'created',
      stages: [],
      billing: details.billing,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    const answer = (own: object) => ({
      fetch: async (url: string) =>
        json(200, { data: url.includes('/1.0/') ? retrieved : { ...details, ...own } }),
    });
    const first = { api_version: '1.0', payment_token: null, partner_id: 'order-1' };
    const good = repositories(answer({ ...first, id: 7 }));
    expect((await good.deals.byId(acme, 7))._unsafeUnwrap()?.value.id).toBe(7);
    for (const own of [
      { ...first, id: 8 },
      { ...first, id: 7, partner_id: 'order-9' },
    ]) {
      const failed = (await repositories(answer(own)).deals.byId(acme, 7))._unsafeUnwrapErr();
      expect(failed).toMatchObject({ retryable: false, cause: { code: 'malformed_answer' } });
    }
  });
});

describe('a list of record', () => {
  const page = { results: [], next: null, previous: null };

  it('is one request a page, at any depth, and bound to its filter', async () => {
    const ports = createPorts();
    const tenant: Tenant = acme;
    for (let index = 0; index < 3_000; index += 1) {
      const addition = additionV2Of(undefined, `deal-${index}`);
      const event = { id: `01KDVE${String(index).padStart(20, '0')}` } as DomainEvent;
      await ports.dealsV2.add(tenant, { ...addition, events: [event] });
    }
    const { fetch, sent } = recording(fetchFrom(createTestHandler(ports)));
    const api = createMarketplaceOver({ fetch }).partner(tenant);
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { page_size: 100, status: 'created' } as const;
      const each = await api.listEmployerDeals(cursor === null ? query : { ...query, cursor });
      const { results, next } = each._unsafeUnwrap();
      names.push(...results.map(({ partner_id }) => partner_id));
      cursor = next;
    } while (cursor !== null);
    expect(names).toEqual(Array.from({ length: 3_000 }, (_, index) => `deal-${2_999 - index}`));
    expect(sent).toHaveLength(30);
    expect(new URL(sent[1]?.url ?? '').searchParams.get('status')).toBe('created');
  });

  it('sends every part of a filter as it is understood', async () => {
    const { fetch, sent } = recording(async () => json(200, { data: page }));
    const api = createMarketplaceOver({ fetch }).partner(acme);
    await api.listEmployerDeals({
      page_size: 7,
      partner_id: 'a & b',
      status: 'created',
      freelancer_status: 'new',
      email_freelancer: 'User@Example.COM',
      created_from: '2026-01-01T01:00:00+01:00',
      created_to: '2026-01-02T00:00:00Z',
    });
    expect(Object.fromEntries(new URL(sent[0]?.url ?? '').searchParams)).toEqual({
      page_size: '7',
      partner_id: 'a & b',
      status: 'created',
      freelancer_status: 'new',
      email_freelancer: 'user@example.com',
      created_from: '2026-01-01T00:00:00.000Z',
      created_to: '2026-01-02T00:00:00.000Z',
    });
  });

  it('carries any cursor there and back, and none of another filter', async () => {
    const theirs = ' any & cursor = 😀 %2F\n';
    const { fetch, sent } = recording(async () => json(200, { data: { ...page, next: theirs } }));
    const api = createMarketplaceOver({ fetch }).partner(acme);
    const first = (await api.listEmployerDeals({}))._unsafeUnwrap();
    const cursor = first.next ?? '';
    const second = (await api.listEmployerDeals({ cursor }))._unsafeUnwrap();
    expect(new URL(sent[1]?.url ?? '').searchParams.get('cursor')).toBe(theirs);
    expect(second.next).toBe(cursor);
    const foreign = await api.listEmployerDeals({ cursor, status: 'created' });
    expect(foreign._unsafeUnwrapErr().code).toBe('invalid_cursor');
    expect(sent).toHaveLength(2);
  });

  const item = {
    partner_id: 'order-1',
    api_version: '2.0',
    title: 'Title',
    email_freelancer: 'user@example.com',
    amount: '500.00',
    currency: 'PLN',
    status: 'created',
    freelancer_status: 'new',
    created_at: '2026-01-01T00:00:00Z',
  };

  it.each<[string, object]>([
    ['more deals than were asked for', { results: [item, item] }],
    ['a deal that the filter does not let through', { results: [{ ...item, status: 'expired' }] }],
    ['money that is none', { results: [{ ...item, amount: '' }] }],
    ['a cursor that cannot travel', { next: '\ud800' }],
    ['a cursor that no text may hold', { previous: 'a\0' }],
  ])('with %s is not passed on', async (_, change) => {
    const fetch = async () => json(200, { data: { ...page, ...change } });
    const api = createMarketplaceOver({ fetch }).partner(acme);
    const failed = await api.listEmployerDeals({ page_size: 1, status: 'created' });
    expect(failed._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'dealIndex.page',
      outcome: 'none',
      retryable: false,
    });
  });

  it('has an invalid cursor where there was one', async () => {
    const { fetch, sent } = recording(async () => json(400, { code: 'invalid_cursor' }));
    const { dealIndex } = repositories({ fetch });
    const ask = (cursor: string | undefined) => dealIndex.page(acme, {}, { cursor, page_size: 1 });
    expect((await ask('x'))._unsafeUnwrap()).toBe('invalid_cursor');
    expect((await ask(undefined))._unsafeUnwrapErr()).toMatchObject({
      retryable: false,
      cause: { code: 'invalid_cursor' },
    });
    expect(sent).toHaveLength(2);
  });
});
