import type { OperatorDealItem, OperatorDealQuery } from 'dealwright';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createWorld, day, file } from '../faces/world.js';
import { okOf, refusalOf } from './terms-world.js';

const partners = ['acme', 'globex', 'initech'];
const emails = ['ann@example.com', 'Bob@Example.com', 'cy@example.com'];
const statuses = ['created', 'accepted', 'delivered', 'approved', 'disputed', 'cancelled'] as const;
const alerts = ['disputed', 'payment_overdue', 'overdue', 'payout_failed'] as const;

/** Deals of three partners in all states, some of them waiting for weeks. */
async function filled() {
  const world = createWorld({ mode: 'invoice', defaultWorkDays: 9 });
  const { marketplace, operator, clock } = world;
  const files = new Map<string, string>();
  for (let made = 0; made < 60; made += 1) {
    const partner = partners[made % 3] ?? '';
    const api = marketplace.partner({ environment: 'sandbox', partner });
    // each name is one of two partners
    const partner_id = `deal ${made >> 1}`;
    const { payment_token } = await okOf(
      api.createDealV2({
        ...dealV2Body,
        ...{ partner_id, title: `Title ${made % 7}`, amount: made % 4 === 0 ? '100.04' : '300' },
        email_freelancer: emails[made % emails.length] ?? '',
      }),
    );
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    const state = made % 6;
    if (state > 0 && state < 5) await okOf(freelancer.accept({}));
    if (state > 1 && state < 5) {
      const { id } = await okOf(freelancer.uploadFile(file));
      files.set(`${partner} ${partner_id}`, id);
      await okOf(freelancer.deliver({}));
    }
    if (state === 3) await okOf(api.approve(partner_id, {}));
    if (state === 4) await okOf(freelancer.dispute({ reason: 'no brief' }));
    if (state === 5) await okOf(api.cancel(partner_id, { reason: 'no need' }));
    if (made % 3 === 0) clock.advance(1 + ((made * 7919) % day));
  }
  clock.advance(9 * day - 30 * 60 * 1000);
  const all: OperatorDealItem[] = [];
  for (const partner of partners) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { partner, page_size: 100, ...(cursor !== undefined && { cursor }) };
      const page = await okOf(operator.listDeals(query));
      all.push(...page.results);
      cursor = page.next;
    }
  }
  expect(all).toHaveLength(60);
  return { ...world, files, all, now: clock.now() };
}

let world: Awaited<ReturnType<typeof filled>>;
beforeAll(async () => {
  world = await filled();
});

/** The deals of a list as its documentation says; those of one moment are in any order. */
function expected(all: readonly OperatorDealItem[], query: OperatorDealQuery, now: number) {
  const { partner, partner_id, email_freelancer, status, alert, stuck_since } = query;
  const { created_from, created_to, freelancer_status } = query;
  const found = all.filter(
    (deal) =>
      deal.partner === (partner ?? deal.partner) &&
      deal.partner_id === (partner_id ?? deal.partner_id) &&
      deal.status === (status ?? deal.status) &&
      deal.freelancer_status === (freelancer_status ?? deal.freelancer_status) &&
      deal.email_freelancer.toLowerCase() ===
        (email_freelancer ?? deal.email_freelancer).toLowerCase() &&
      deal.created_at >= (created_from ?? '') &&
      deal.created_at < (created_to ?? '~') &&
      (stuck_since === undefined || String(deal.status_since) < stuck_since) &&
      (alert === undefined || (deal.alert === alert && Date.parse(String(deal.alert_at)) <= now)),
  );
  if (partner_id !== undefined) return { found, order: undefined };
  if (alert !== undefined) return { found, order: ['alert_at', 1] as const };
  if (stuck_since !== undefined && status !== undefined) {
    return { found, order: ['status_since', 1] as const };
  }
  const isByStatus =
    partner === undefined && status !== undefined && email_freelancer === undefined;
  return { found, order: [isByStatus ? 'status_since' : 'created_at', -1] as const };
}

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);

describe('the list of all deals', () => {
  it('has the deals that pass its filter, once each, in order, from both ends', async () => {
    const { all, operator, now } = world;
    const times = all.map(({ created_at }) => created_at);
    const filters = {
      partner: some([...partners, 'nobody']),
      partner_id: some(['deal 1', 'deal 2', 'none']),
      email_freelancer: some([...emails, 'CY@example.com']),
      status: some(statuses),
      freelancer_status: some(['new', 'accepted', 'removed'] as const),
      alert: some(alerts),
      stuck_since: some(times),
      created_from: some(times),
      created_to: some(times),
    };
    type Name = keyof typeof filters;
    // with more of them, nearly all lists would be empty
    const query = fc
      .subarray(Object.keys(filters) as Name[], { maxLength: 3 })
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filters[name]]))));
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 70 }), async (filter, page_size) => {
        const { found, order } = expected(all, filter, now);
        const pages = [await okOf(operator.listDeals({ ...filter, page_size }))];
        for (let next = pages[0]?.next; next != null; next = pages.at(-1)?.next) {
          pages.push(await okOf(operator.listDeals({ ...filter, page_size, cursor: next })));
          expect(pages.length).toBeLessThan(100);
        }
        const names = (deals: readonly OperatorDealItem[]) =>
          deals.map(({ partner, partner_id }) => `${partner} ${partner_id}`);
        const listed = pages.flatMap(({ results }) => results);
        expect(names(listed).sort()).toEqual(names(found).sort());
        if (order !== undefined) {
          const [field, sign] = order;
          const column = listed.map((deal) => String(deal[field]));
          const sorted = [...column].sort();
          expect(column).toEqual(sign === 1 ? sorted : sorted.reverse());
        }
        // and back again
        const back = [...(pages.at(-1)?.results ?? [])];
        for (let to = pages.at(-1)?.previous; to != null; ) {
          const page = await okOf(operator.listDeals({ ...filter, page_size, cursor: to }));
          back.unshift(...page.results);
          to = page.previous;
        }
        expect(names(back)).toEqual(names(listed));
        expect(pages[0]?.previous).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a cursor of another filter, and what no filter is', async () => {
    const { operator } = world;
    const { next } = await okOf(operator.listDeals({ page_size: 2 }));
    const other = { page_size: 2, status: 'created', cursor: String(next) } as const;
    expect(await refusalOf(operator.listDeals(other))).toBe('invalid_cursor');
    const wrong = { partner: '', alert: 'sad', stuck_since: 'soon', page_size: 101 } as never;
    expect(await refusalOf(operator.listDeals(wrong))).toBe(
      'validation_failed partner:too_short page_size:out_of_range alert:not_allowed stuck_since:invalid_timestamp',
    );
  });
});

describe('what needs the operator', () => {
  it('is counted by its reason, with the time of the oldest', async () => {
    const { all, operator, now } = world;
    const { results } = await okOf(operator.summarize());
    for (const { reason, count, is_more, since } of results) {
      const times = all
        .filter(({ alert, alert_at }) => alert === reason && Date.parse(`${alert_at}`) <= now)
        .map(({ alert_at }) => alert_at)
        .sort();
      expect({ reason, count, is_more, since }).toEqual({
        ...{ reason, is_more: false },
        ...{ count: times.length, since: times[0] ?? null },
      });
    }
    const counted = results.filter(({ count }) => count > 0).map(({ reason }) => reason);
    expect(counted).toEqual(expect.arrayContaining(['disputed', 'overdue']));
  });
});

describe('a search', () => {
  const found = async (text: string, page_size = 100) => {
    const { results } = await okOf(world.operator.searchDeals({ text, page_size }));
    return results.map(({ partner, partner_id, match }) => `${match} ${partner} ${partner_id}`);
  };

  it('finds deals by what names them', async () => {
    expect(await found('deal 1')).toEqual(['partner_id acme deal 1', 'partner_id initech deal 1']);
    const ofAnn = world.all.filter(({ email_freelancer }) => email_freelancer === emails[0]);
    expect(await found('ANN@example.com')).toHaveLength(ofAnn.length);
    expect(await found('none of them')).toEqual([]);
  });

  it('finds titles by their beginning, with its first letter in either case', async () => {
    const threes = world.all.filter(({ title }) => title === 'Title 3').length;
    for (const text of ['Title 3', 'title 3']) expect(await found(text)).toHaveLength(threes);
    expect(await found('itle 3')).toEqual([]);
    expect(await found('TITLE 3')).toEqual([]);
    expect(await found('Title', 100)).toHaveLength(60);
    const first = await okOf(world.operator.searchDeals({ text: 'Title', page_size: 5 }));
    expect([first.results.length, first.is_more]).toEqual([5, true]);
  });

  it('finds deals by a payment, its reference and a work file', async () => {
    const { marketplace, operator } = world;
    const approved = world.all.find(({ status }) => status === 'approved');
    const { partner = '', partner_id = '' } = approved ?? {};
    const api = marketplace.partner({ environment: 'sandbox', partner });
    const { billing } = await okOf(api.retrieveDealDetails(partner_id));
    const [payment] = billing.employer_payments;
    await okOf(
      operator.partner(partner).recordEmployerPayment(partner_id, {
        ...{ payment_id: String(payment?.id), status: 'paid' },
        ...{ amount: String(payment?.amount), reference: 'wire 77' },
      }),
    );
    const work = world.files.get(`${partner} ${partner_id}`);
    const of = (match: string) => [`${match} ${partner} ${partner_id}`];
    expect(await found(String(payment?.id))).toEqual(of('payment'));
    expect(await found('wire 77')).toEqual(of('reference'));
    expect(await found(String(work))).toEqual(of('work_file'));
    const paid = await okOf(api.retrieveDealDetails(partner_id));
    const [payout] = paid.billing.contractor_payments;
    expect(await found(String(payout?.id))).toEqual(of('payment'));
  });

  it('is refused without a text, or with one that is too long', async () => {
    const ask = (text?: string) => refusalOf(world.operator.searchDeals({ text } as never));
    expect(await ask()).toBe('validation_failed text:required');
    expect(await ask('')).toBe('validation_failed text:too_short');
    expect(await ask('x'.repeat(201))).toBe('validation_failed text:too_long');
    expect(await found('x'.repeat(200))).toEqual([]);
  });
});
