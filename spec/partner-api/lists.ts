import type { DealListItem, DealListPage } from '../../src/api/answers.js';
import type { DealListQuery } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { createDocumentedDeal, namesIn, type Version, versions } from './deals.js';
import { plain } from './errors.js';
import { everyStranger, group, strangers, type Views } from './subject.js';

/** The versions of the deals of a case: a service may have lists, and deals of 2.0 alone. */
export const mixtures: readonly (readonly [variant: string, versions: readonly Version[]])[] = [
  ['2.0', ['2.0']],
  ['both versions', versions],
];

/** Creates deals one after the other, of these versions in turn; their names, the newest first. */
export async function createSeveral(
  { api, name, operations }: Views,
  count: number,
  text = 'deal',
  of: readonly Version[] = ['2.0'],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const version of of) await operations[namesIn[version].create].prepare(api);
  for (let index = 0; index < count; index += 1) {
    const partner_id = name(`${text}-${index}`);
    const { call, input } = operations[namesIn[of[index % of.length] ?? '2.0'].create];
    okOf(await call(api, { ...input, partner_id }), 'a deal');
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

/** The filter that finds the deals of the case, and no others. */
export const ownOf = ({ contractor }: Views) => ({ email_freelancer: contractor.email });

const idsOf = (items: readonly DealListItem[]) => items.map(({ partner_id }) => partner_id);

/** Decision 4: every deal once, the newest first, in pages. */
export const lists = group(
  'lists of deals',
  {
    must: {
      '4/list/items': 'A list has deals of both versions, under the names of 2.0.',
      '4/list/no-deals': 'A list of no deals is one page without results and without cursors.',
      '4/list/order-of-creation':
        'A list has the newest deal first, also of deals of the same millisecond.',
      '4/list/page-size': 'A page has 20 deals unless another size from 1 to 100 is asked for.',
      '4/list/pages':
        'Pages of any size have every deal once, in order; only the first has no `previous`, and only the last no `next`.',
      '4/list/previous':
        '`previous` of a page gives the page before it, whose `next` gives it again.',
      '4/list/forwards-while-created':
        'Every deal that was there at the first page is shown once, forwards, while others are created.',
      '4/list/backwards-while-created':
        'Every deal is shown once, backwards, also those that are created meanwhile.',
      '4/list/size-with-cursor': 'A cursor goes on with pages of another size.',
      '4/list/invalid-cursor':
        'A malformed cursor, and one of another filter, is refused with `invalid_cursor`.',
      '2.1/list/own-deals': 'A list shows no deal of another tenant, with any cursor.',
    },
  },
  (define) => {
    const common = { status: 'created', freelancer_status: 'new' };

    define(
      '4/list/items',
      async (views) => {
        const { api, dealV2 } = views;
        okOf(await api.createDealV2(dealV2), 'a deal');
        const { partner_id, title, email_freelancer, amount, currency } = dealV2;
        const { created_at } = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
        const item = { partner_id, title, email_freelancer, amount, currency, created_at };
        const page = await pageOf(api, ownOf(views));
        equal(
          page,
          { results: [{ ...common, ...item, api_version: '2.0' }], next: null, previous: null },
          'the page',
        );
      },
      '2.0',
    );

    define(
      '4/list/items',
      async (views) => {
        const { api, deal } = views;
        const { id } = await createDocumentedDeal(views);
        const { partner_id, name: title, contractor_email: email_freelancer, currency } = deal;
        const { created_at } = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
        const item = { partner_id, title, email_freelancer, currency, created_at };
        const { results } = await pageOf(api, ownOf(views));
        equal(
          results,
          [{ ...common, ...item, id, amount: '1000.00', api_version: '1.0' }],
          'the list',
        );
      },
      '1.0',
    );

    define('4/list/no-deals', async ({ api, email }) => {
      const empty = { results: [], next: null, previous: null };
      const filter = { email_freelancer: email('nobody') };
      equal(await pageOf(api, filter), empty, 'the page');
      const other = { ...filter, page_size: 1, status: 'created' } as const;
      equal(await pageOf(api, other), empty, 'the page of another filter');
    });

    for (const [variant, of] of mixtures) {
      define(
        '4/list/order-of-creation',
        async (views) => {
          const { api } = views;
          const names = await createSeveral(views, 60, 'deal', of);
          equal(idsOf(await walk(api, ownOf(views))), names, 'the newest first, in pages of 20');
          for (const filter of [{}, ownOf(views)]) {
            const { results } = await pageOf(api, { ...filter, page_size: 100 });
            const times = results.map(({ created_at }) => created_at);
            equal(times, [...times].sort().reverse(), 'the times fall');
          }
        },
        variant,
      );

      define(
        '4/list/pages',
        async (views) => {
          const { api } = views;
          const names = await createSeveral(views, 12, 'deal', of);
          for (const page_size of [1, 2, 3, 5, 6, 11, 12, 13, 99, 100]) {
            const query = { ...ownOf(views), page_size };
            let [cursor, at]: [string | null, number] = [null, 0];
            do {
              const page = await pageOf(api, { ...query, ...(cursor === null ? {} : { cursor }) });
              equal(idsOf(page.results), names.slice(at, at + page_size), `a page of ${page_size}`);
              equal(page.previous === null, at === 0, 'the first page has no previous page');
              at += page_size;
              equal(page.next === null, at >= names.length, 'the last page has no next page');
              cursor = page.next;
            } while (cursor !== null);
          }
        },
        variant,
      );
    }

    define('4/list/page-size', async (views) => {
      const { api } = views;
      await createSeveral(views, 21);
      for (const filter of [{}, ownOf(views)]) {
        equal((await pageOf(api, filter)).results.length, 20, 'the size unless one is said');
        equal((await pageOf(api, { ...filter, page_size: 21 })).results.length, 21, 'that is said');
      }
      const one = { partner_id: views.name('deal-0') };
      for (let page_size = 1; page_size <= 100; page_size += 1) {
        const { results } = await pageOf(api, { ...one, page_size });
        equal(results.length, 1, `a page of ${page_size}`);
      }
    });

    define('4/list/previous', async (views) => {
      const { api } = views;
      const names = await createSeveral(views, 13);
      const query = { ...ownOf(views), page_size: 4 };
      const pages: DealListPage[] = [await pageOf(api, query)];
      for (let { next } = pages[0] as DealListPage; next !== null; ) {
        const page = await pageOf(api, { ...query, cursor: next });
        pages.push(page);
        next = page.next;
      }
      equal(
        pages.flatMap(({ results }) => idsOf(results)),
        names,
        'all, forwards',
      );
      let back = pages.pop();
      while (back !== undefined && back.previous !== null) {
        const page = await pageOf(api, { ...query, cursor: back.previous });
        equal(page.results, pages.at(-1)?.results, 'the page before');
        const forward = await pageOf(api, { ...query, cursor: page.next ?? '' });
        equal(forward.results, back.results, 'and the next page again');
        back = pages.pop();
      }
      equal(pages.length, 0, 'the first page is reached');
    });

    define('4/list/forwards-while-created', async (views) => {
      const { api } = views;
      const names = await createSeveral(views, 17);
      const query = { ...ownOf(views), page_size: 3 };
      const found: string[] = [];
      let [cursor, round]: [string | null, number] = [null, 0];
      do {
        const page = await pageOf(api, { ...query, ...(cursor === null ? {} : { cursor }) });
        found.push(...idsOf(page.results));
        await createSeveral(views, 2, `late-${round}`);
        cursor = page.next;
        round += 1;
      } while (cursor !== null);
      equal(found, names, 'what was there at the first page, in its order');
    });

    define('4/list/backwards-while-created', async (views) => {
      const { api } = views;
      const names = [...(await createSeveral(views, 11))];
      const query = { ...ownOf(views), page_size: 3 };
      let page = await pageOf(api, query);
      while (page.next !== null) page = await pageOf(api, { ...query, cursor: page.next });
      let found = idsOf(page.results);
      for (let round = 0; page.previous !== null; round += 1) {
        check(round < 20, 'going back comes to an end');
        if (round < 3) names.unshift(...(await createSeveral(views, 2, `late-${round}`)));
        page = await pageOf(api, { ...query, cursor: page.previous });
        found = [...idsOf(page.results), ...found];
      }
      equal(found, names, 'all, the newest first');
    });

    define('4/list/size-with-cursor', async (views) => {
      const { api } = views;
      const names = await createSeveral(views, 9);
      const { next } = await pageOf(api, { ...ownOf(views), page_size: 2 });
      const page = await pageOf(api, { ...ownOf(views), page_size: 5, cursor: next ?? '' });
      equal(idsOf(page.results), names.slice(2, 7), 'the page');
    });

    define('4/list/invalid-cursor', async (views) => {
      const { api, contractor, name } = views;
      await createSeveral(views, 5);
      const page = await pageOf(api, { page_size: 2 });
      const second = await pageOf(api, { page_size: 2, cursor: page.next ?? '' });
      const cursors = [page.next ?? '', second.previous ?? '', second.next ?? ''];
      const garbage = [
        ...[
          '',
          ' ',
          'garbage',
          '0',
          '-1',
          '%',
          '../..',
          '[]',
          '{}',
          'null',
          '😀',
          'x'.repeat(4000),
        ],
        ...cursors.flatMap((cursor) => [`${cursor}x`, `x${cursor}`, cursor.slice(0, -1)]),
      ];
      for (const cursor of garbage) {
        const refused = errOf(await api.listDeals({ cursor }), `the cursor ${cursor}`);
        plain(refused, 'invalid_cursor');
      }
      const filters: readonly DealListQuery[] = [
        { status: 'created' },
        { freelancer_status: 'new' },
        { partner_id: name('deal-1') },
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

    for (const stranger of everyStranger) {
      define(
        '2.1/list/own-deals',
        async (views) => {
          const tenants = [views.api, views[stranger]];
          const titles = tenants.map((_, index) => `of tenant ${index}`);
          for (const [index, view] of tenants.entries()) {
            for (let count = 0; count < 5; count += 1) {
              const partner_id = views.name(`deal-${count}`);
              const input = { ...views.dealV2, title: titles[index] ?? '', partner_id };
              okOf(await view.createDealV2(input), 'a deal');
            }
          }
          const query = { ...ownOf(views), page_size: 2 };
          for (const [index, view] of tenants.entries()) {
            const isOwn = ({ title }: DealListItem) => title === titles[index];
            const own = await walk(view, query);
            check(own.length === 5 && own.every(isOwn), 'its own');
            for (const { next } of await Promise.all(tenants.map((each) => pageOf(each, query)))) {
              const page = await view.listDeals({ ...query, cursor: next ?? '' });
              if (page.isErr()) plain(page.error, 'invalid_cursor');
              else check(page.value.results.every(isOwn), 'a cursor gives no right');
            }
          }
        },
        strangers[stranger],
      );
    }
  },
);
