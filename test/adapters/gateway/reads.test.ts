import { describe, expect, it } from 'vitest';
import { createTestGateway } from '../../kit/gateway.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { acme, answering, errorOf, json, recording, through } from './asking.js';

const payment = {
  currency: 'PLN',
  reason: null,
  reference: null,
  requested_at: '2026-01-01T01:00:00+01:00',
  updated_at: '2026-01-02T01:00:00+01:00',
};
/** The billing of a service with payments, in its own notation. */
const billing = {
  currency: 'PLN',
  amount: '500.00',
  paid: '500.00',
  refunded: '100.00',
  released: '150.50',
  outstanding: '0.00',
  held: '244.50',
  fees: '5.00',
  employer_fee: '5.00',
  total: '505.00',
  charged_back: '0.00',
  loss: '0.00',
  written_off: '0.00',
  employer_payments: [{ ...payment, id: 'in-1', amount: '500.00', status: 'received' }],
  contractor_payments: [
    {
      ...{ ...payment, id: 'out-1', amount: '150.50', status: 'sent', waits_for: null },
      ...{ released: '0.00', stage_ids: [8] },
    },
  ],
};
const stage = {
  id: 8,
  name: 'First',
  budget: '500.00',
  work_days: 30,
  status: 'a_later_status',
  agreed_amount: null,
  due_on: null,
  due_at: null,
  review_ends_at: null,
  work_files: [],
};
const common = {
  partner_id: 'order-2',
  currency: 'PLN',
  description: 'Description',
  status: 'a_later_status',
  billing,
  agreed_amount: null,
  stages: [stage],
  legal: ['cancel', 'a-later-command'],
  legal_proposals: ['propose-amendment', 'a-later-kind'],
  expires_at: '2026-01-31T00:00:00.000Z',
  partner_name: 'Acme Ltd',
  created_at: '2026-01-01T01:00:00+01:00',
};
const details = {
  ...common,
  api_version: '2.0',
  email_freelancer: 'freelancer@example.com',
  title: 'Title',
  subcategory_id: 75,
  amount: '500.00',
  copyright_transfer: 'none',
  freelancer_language: 'de',
  freelancer_status: 'invited',
  payment_token: 'of another make',
  terms_version: 1,
  terms_sha256: null,
  proposal: null,
  attention: [],
};
const retrieved = {
  ...common,
  id: 7,
  contractor_email: contractor.email,
  name: 'Name',
  budget: '500.00',
  work_days: 30,
  sub_category_id: 75,
};

describe('a deal', () => {
  it('is passed on as the service says it, billing and later statuses included', async () => {
    const { fetch, sent } = recording(async (url) =>
      json(200, { data: url.includes('/1.0/') ? retrieved : details }),
    );
    const api = answering(fetch);
    expect((await api.retrieveDeal(7))._unsafeUnwrap()).toEqual(retrieved);
    expect((await api.retrieveDealDetails('order-2'))._unsafeUnwrap()).toEqual(details);
    expect(sent).toHaveLength(2);
  });

  it('of a service of ours is read with one request', async () => {
    const { fetch, sent } = recording();
    const api = through({ fetch });
    await api.registerContractor(contractor);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    await api.createDealV2(dealV2);
    sent.length = 0;
    expect((await api.retrieveDeal(id))._unsafeUnwrap()).toMatchObject({ ...deal, id });
    for (const { partner_id } of [deal, dealV2]) {
      const found = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
      expect(found.partner_id).toBe(partner_id);
    }
    expect(sent).toHaveLength(3);
  });

  it.each<[string, object]>([
    ['no billing', { billing: undefined }],
    ['money as a number', { billing: { ...billing, paid: 500 } }],
    ['no time', { created_at: null }],
  ])('with %s is not a deal', async (_, change) => {
    const api = answering(async () => json(200, { data: { ...retrieved, ...details, ...change } }));
    for (const read of [api.retrieveDeal(7), api.retrieveDealDetails('order-2')]) {
      expect(await errorOf(read)).toMatchObject({
        code: 'unavailable',
        outcome: 'none',
        retryable: false,
        cause: { code: 'unexpected_response', status: 200 },
      });
    }
  });

  it('that does not exist is not found, in the language of the call', async () => {
    const api = answering(async () => json(404, { code: 'not_found', detail: 'Nicht da.' }));
    const polish = { language: 'pl' } as const;
    for (const read of [api.retrieveDeal(7, polish), api.retrieveDealDetails('7', polish)]) {
      const error = await errorOf(read);
      expect(error).toEqual({
        code: 'not_found',
        message: 'Nie ma takiego zlecenia.',
        resource: 'deal',
      });
    }
  });

  it('of another partner is asked for as one that does not exist', async () => {
    const { fetch, sent } = recording();
    const gateway = createTestGateway({ fetch });
    const [owner, stranger] = [acme, { ...acme, partner: 'globex' }].map((tenant) =>
      gateway.partner(tenant),
    );
    await owner?.registerContractor(contractor);
    const id = (await owner?.createDeal(deal))?._unsafeUnwrap().id ?? 0;
    const file = { name: 'draft.txt', content: 'YWJj' };
    const ask = async (of: number, partner_id: string) => {
      sent.length = 0;
      const answers = [
        await stranger?.retrieveDeal(of),
        await stranger?.retrieveDealDetails(partner_id),
        await stranger?.listDeals({ partner_id }),
        await stranger?.uploadFile({ id: of }, file),
        await stranger?.uploadFile({ id: of }, { ...file, name: '' }),
      ];
      const told = answers.map((each) => (each?.isErr() ? each.error.code : each?._unsafeUnwrap()));
      return [told, sent.map(({ request }) => request.method)];
    };
    const page = { results: [], next: null, previous: null };
    const none = await ask(id + 1, 'none');
    expect(none[0]).toEqual(['not_found', 'not_found', page, 'not_found', 'not_found']);
    expect(await ask(id, deal.partner_id)).toEqual(none);
  });
});

describe('a list', () => {
  const page = { results: [], next: null, previous: null };

  it('is one request a page, at any depth', async () => {
    const { fetch, sent } = recording();
    const api = through({ fetch });
    const names = Array.from({ length: 25 }, (_, index) => `deal-${index}`);
    for (const partner_id of names) await api.createDealV2({ ...dealV2, partner_id });
    sent.length = 0;
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { page_size: 5, status: 'created' } as const;
      const each = await api.listDeals(cursor === null ? query : { ...query, cursor });
      const { results, next } = each._unsafeUnwrap();
      found.push(...results.map(({ partner_id }) => partner_id));
      cursor = next;
    } while (cursor !== null);
    expect(found).toEqual(names.reverse());
    expect(sent).toHaveLength(5);
  });

  it('is asked for with every part of its filter as it was given', async () => {
    const { fetch, sent } = recording(async () => json(200, { data: page }));
    const query = {
      page_size: 7,
      partner_id: 'a & b',
      status: 'created',
      freelancer_status: 'new',
      email_freelancer: 'User@Example.COM',
      created_from: '2026-01-01T01:00:00+01:00',
      created_to: '2026-01-02T00:00:00Z',
    } as const;
    await through({ fetch }).listDeals(query);
    const { searchParams } = new URL(sent[0]?.url ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ ...query, page_size: '7' });
  });

  it('passes cursors on as they are, both ways', async () => {
    const theirs = ' any & cursor = 😀 %2F\n';
    const data = { ...page, next: theirs, previous: `${theirs}2` };
    const { fetch, sent } = recording(async () => json(200, { data }));
    const api = through({ fetch });
    const first = (await api.listDeals({}))._unsafeUnwrap();
    expect(first).toEqual(data);
    for (const cursor of [first.next ?? '', first.previous ?? '']) {
      await api.listDeals({ cursor });
      expect(new URL(sent.at(-1)?.url ?? '').searchParams.get('cursor')).toBe(cursor);
    }
  });

  it('passes on that a cursor is not one', async () => {
    const answer = async () => json(400, { code: 'invalid_cursor', detail: 'Nein.' });
    const listed = answering(answer).listDeals({ cursor: 'x' }, { language: 'pl' });
    const message = expect.stringMatching(/^Kursor /);
    expect(await errorOf(listed)).toEqual({ code: 'invalid_cursor', message });
  });

  it('passes deals on as the service says them', async () => {
    const { billing: _, description: __, stages: _s, agreed_amount: _a, ...shown } = details;
    const { terms_version: _v, terms_sha256: _h, proposal: _p, ...others } = shown;
    const { legal: _l, legal_proposals: _lp, expires_at: _e, partner_name: _n, ...item } = others;
    const { subcategory_id: ___, copyright_transfer: ____, ...rest } = item;
    const { freelancer_language: _____, payment_token: ______, attention: _t, ...listed } = rest;
    const data = { ...page, results: [listed, { ...listed, api_version: '1.0', id: 7 }] };
    const api = answering(async () => json(200, { data }));
    expect((await api.listDeals({ page_size: 1 }))._unsafeUnwrap()).toEqual(data);
  });
});
