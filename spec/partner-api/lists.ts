import type { DealListItem, DealListPage } from '../../src/api/answers.js';
import type { DealListQuery } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import {
  contractor,
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  plain,
} from './subject.js';

/** Creates deals one after the other, of both versions in turn; their names, the newest first. */
export async function createSeveral(
  api: PartnerApi,
  count: number,
  prefix = 'deal',
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const partner_id = `${prefix}-${index}`;
    const created =
      index % 2 === 0
        ? await api.createDeal({ ...deal, partner_id })
        : await api.createDealV2({ ...dealV2, partner_id });
    okOf<unknown, unknown>(created, 'a deal');
    names.unshift(partner_id);
  }
  return names;
}

/** A page, which must be a success. */
export async function pageOf(api: PartnerApi, query: DealListQuery): Promise<DealListPage> {
  return okOf(await api.listDeals(query), 'a page');
}

/** All items that a query finds, page by page. */
export async function walk(api: PartnerApi, query: DealListQuery): Promise<DealListItem[]> {
  const found: DealListItem[] = [];
  let page = await pageOf(api, query);
  for (;;) {
    found.push(...page.results);
    if (page.next === null) return found;
    page = await pageOf(api, { ...query, cursor: page.next });
  }
}

const namesOf = (items: readonly DealListItem[]) => items.map(({ partner_id }) => partner_id);

/** Decision 4: every deal once, the newest first, in pages. */
export function lists(define: DefineCase): void {
  define('lists deals of both versions under the names of 2.0', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a 2.0 deal');
    const { results, next, previous } = okOf(await api.listDeals(), 'the list');
    equal([next, previous], [null, null], 'there is one page');
    const common = { status: 'created', freelancer_status: 'new' };
    const [second, first] = results;
    const ofSecond = {
      ...common,
      partner_id: 'second',
      api_version: '2.0',
      title: dealV2.title,
      email_freelancer: dealV2.email_freelancer,
      amount: '500.00',
      currency: 'PLN',
      created_at: second?.created_at,
    };
    const ofFirst = {
      ...common,
      partner_id: deal.partner_id,
      api_version: '1.0',
      id,
      title: deal.name,
      email_freelancer: deal.contractor_email,
      amount: '1000.00',
      currency: 'EUR',
      created_at: first?.created_at,
    };
    equal(results, [ofSecond, ofFirst], 'the newest first');
    for (const { partner_id, created_at } of results) {
      const details = okOf(await api.retrieveDealDetails(partner_id), partner_id);
      equal(details.created_at, created_at, 'the time of the deal itself');
    }
  });

  define('lists nothing if there is nothing', async ({ api }) => {
    const empty = { results: [], next: null, previous: null };
    equal(okOf(await api.listDeals(), 'no query'), empty, 'the page');
    equal(await pageOf(api, { page_size: 1, status: 'created' }), empty, 'the page of a filter');
  });

  define('orders deals by their creation, also within a millisecond', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const names = await createSeveral(api, 60);
    equal(namesOf(await walk(api, {})), names, 'the newest first, in pages of 20');
    const { results } = await pageOf(api, {});
    equal(results.length, 20, 'the page size unless one is said');
    const times = (await walk(api, { page_size: 100 })).map(({ created_at }) => created_at);
    equal(times, [...times].sort().reverse(), 'the times fall');
  });

  define('cuts the list into pages of any size', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const names = await createSeveral(api, 12);
    for (const page_size of [1, 2, 3, 5, 6, 11, 12, 13, 99, 100]) {
      let [cursor, at]: [string | null, number] = [null, 0];
      do {
        const page = await pageOf(api, { page_size, ...(cursor === null ? {} : { cursor }) });
        equal(namesOf(page.results), names.slice(at, at + page_size), `a page of ${page_size}`);
        equal(page.previous === null, at === 0, 'the first page has no previous page');
        at += page_size;
        equal(page.next === null, at >= names.length, 'the last page has no next page');
        cursor = page.next;
      } while (cursor !== null);
    }
  });

  define('goes back the way it came', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const names = await createSeveral(api, 13);
    const pages: DealListPage[] = [await pageOf(api, { page_size: 4 })];
    for (let { next } = pages[0] as DealListPage; next !== null; ) {
      const page = await pageOf(api, { page_size: 4, cursor: next });
      pages.push(page);
      next = page.next;
    }
    equal(
      pages.flatMap(({ results }) => namesOf(results)),
      names,
      'all, forwards',
    );
    let back = pages.pop();
    while (back !== undefined && back.previous !== null) {
      const page = await pageOf(api, { page_size: 4, cursor: back.previous });
      equal(page.results, pages.at(-1)?.results, 'the page before');
      const forward = await pageOf(api, { page_size: 4, cursor: page.next ?? '' });
      equal(forward.results, back.results, 'and the next page again');
      back = pages.pop();
    }
    equal(pages.length, 0, 'the first page is reached');
  });

  define('shows every deal once, forwards, while others are created', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const names = await createSeveral(api, 17);
    const found: string[] = [];
    let [cursor, round]: [string | null, number] = [null, 0];
    do {
      const page = await pageOf(api, { page_size: 3, ...(cursor === null ? {} : { cursor }) });
      found.push(...namesOf(page.results));
      await createSeveral(api, 2, `late-${round}`);
      cursor = page.next;
      round += 1;
    } while (cursor !== null);
    equal(found, names, 'what was there at the first page, in its order');
  });

  define(
    'shows every deal once, backwards, those that are created meanwhile too',
    async (views) => {
      const { api } = views;
      okOf(await api.registerContractor(contractor), 'the contractor');
      const names = [...(await createSeveral(api, 11))];
      let page = await pageOf(api, { page_size: 3 });
      while (page.next !== null) page = await pageOf(api, { page_size: 3, cursor: page.next });
      let found = namesOf(page.results);
      for (let round = 0; page.previous !== null; round += 1) {
        check(round < 20, 'going back comes to an end');
        if (round < 3) names.unshift(...(await createSeveral(api, 2, `late-${round}`)));
        page = await pageOf(api, { page_size: 3, cursor: page.previous });
        found = [...namesOf(page.results), ...found];
      }
      equal(found, names, 'all, the newest first');
    },
  );

  define('takes another page size with the same cursor', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const names = await createSeveral(api, 9);
    const { next } = await pageOf(api, { page_size: 2 });
    const page = await pageOf(api, { page_size: 5, cursor: next ?? '' });
    equal(namesOf(page.results), names.slice(2, 7), 'the page');
  });

  define('refuses a malformed cursor, and one of another filter', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    await createSeveral(api, 5);
    const page = await pageOf(api, { page_size: 2 });
    const second = await pageOf(api, { page_size: 2, cursor: page.next ?? '' });
    const cursors = [page.next ?? '', second.previous ?? '', second.next ?? ''];
    const garbage = [
      ...['', ' ', 'garbage', '0', '-1', '%', '../..', '[]', '{}', 'null', '😀', 'x'.repeat(4000)],
      ...cursors.flatMap((cursor) => [`${cursor}x`, `x${cursor}`, cursor.slice(0, -1)]),
    ];
    for (const cursor of garbage) {
      const refused = errOf(await api.listDeals({ cursor }), `the cursor ${cursor}`);
      plain(refused, 'invalid_cursor');
    }
    const filters: readonly DealListQuery[] = [
      { status: 'created' },
      { freelancer_status: 'new' },
      { partner_id: 'deal-1' },
      { email_freelancer: contractor.email },
      { created_from: '2000-01-01T00:00:00Z' },
      { created_to: '9000-01-01T00:00:00Z' },
    ];
    for (const filter of filters) {
      for (const cursor of cursors) {
        const foreign = await api.listDeals({ ...filter, cursor }, { language: 'pl' });
        plain(errOf(foreign, 'the cursor of no filter'), 'invalid_cursor', 'pl');
      }
    }
    const filtered = await pageOf(api, { status: 'created', page_size: 2 });
    for (const filter of [{}, { status: 'accepted' } as const, ...filters.slice(1)]) {
      const foreign = await api.listDeals({ ...filter, cursor: filtered.next ?? '' });
      plain(errOf(foreign, 'the cursor of another filter'), 'invalid_cursor');
    }
  });

  define('shows nothing of another tenant with any cursor', async (views) => {
    const { api, other, live } = views;
    for (const [index, view] of [api, other, live].entries()) {
      const email = `user-${index}@example.com`;
      okOf(await view.registerContractor({ ...contractor, email }), 'the contractor');
      for (let count = 0; count < 5; count += 1) {
        const input = { ...dealV2, title: `of ${index}`, partner_id: `deal-${count}` };
        okOf(await view.createDealV2(input), 'a deal');
      }
    }
    for (const [index, view] of [api, other, live].entries()) {
      const titles = (await walk(view, { page_size: 2 })).map(({ title }) => title);
      equal(
        titles,
        Array.from({ length: 5 }, () => `of ${index}`),
        'its own',
      );
      const { next } = await pageOf(view, { page_size: 2 });
      for (const stranger of [api, other, live]) {
        if (stranger === view) continue;
        const page = await stranger.listDeals({ page_size: 2, cursor: next ?? '' });
        if (page.isErr()) plain(page.error, 'invalid_cursor');
        else {
          const own = `of ${[api, other, live].indexOf(stranger)}`;
          check(
            page.value.results.every(({ title }) => title === own),
            'a cursor gives no right',
          );
        }
      }
    }
  });
}
