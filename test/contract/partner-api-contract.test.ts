import { type CategoryListEntry, createMarketplace, type DealListPage } from 'dealwright';
import { defaultCategoryTree } from 'dealwright/categories';
import { partnerApiContract } from 'dealwright/spec';
import { errAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { eventMistakes, type Mistake } from '../kit/broken-events.js';
import { termsMistakes } from '../kit/broken-terms.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { createPorts } from '../kit/ports.js';

/** Gives main categories the names of another tree. */
const mainNamesOf = (other: readonly CategoryListEntry[]) => (tree: readonly CategoryListEntry[]) =>
  tree.map((main, index) => ({ ...main, name: other[index]?.name ?? '' }));

const mistakes: Readonly<Record<string, { readonly make: Mistake; readonly foundBy: string }>> = {
  'forgets the key': {
    make: (api) => ({
      ...api,
      createDealV2: (input, { idempotencyKey: _, ...options } = {}) =>
        api.createDealV2(input, options),
    }),
    foundBy: '2.7/replay (createDealV2)',
  },
  'speaks only English': {
    make: (api) => ({
      ...api,
      registerContractor: (input, { language: _, ...options } = {}) =>
        api.registerContractor(input, options),
    }),
    foundBy: '1.8/language-of-the-call (registerContractor)',
  },
  'names the first problem only': {
    make: (api) => ({
      ...api,
      createDeal: (input, options) =>
        api
          .createDeal(input, options)
          .mapErr((error) =>
            error.code === 'validation_failed'
              ? Object.freeze({ ...error, errors: Object.freeze(error.errors.slice(0, 1)) })
              : error,
          ),
    }),
    foundBy: '1.1/outside-a-rule (createDeal)',
  },
  'answers a little more than the interface': {
    make: (api) => ({
      ...api,
      registerContractor: (input, options) =>
        api.registerContractor(input, options).map((value) => ({ ...value, id: 1 })),
    }),
    foundBy: 'i1.0/contractor/created-once',
  },
  'gives errors that can be changed': {
    make: (api) => ({
      ...api,
      createDealV2: (input, options) =>
        api.createDealV2(input, options).mapErr((error) => ({ ...error })),
    }),
    foundBy: '2.1/partner-id-of-each-tenant (another partner, 2.0)',
  },
  'trims what it is given': {
    make: (api) => ({
      ...api,
      createDealV2: (input, options) =>
        api.createDealV2(
          typeof input?.partner_id === 'string'
            ? { ...input, partner_id: input.partner_id.trim() }
            : input,
          options,
        ),
    }),
    foundBy: '2.2/code-points (2.0)',
  },
  'lists API tokens with their digests': {
    make: (api) => ({
      ...api,
      listTokens: (options) =>
        api.listTokens(options).map((all) => all.map((each) => ({ ...each, digest: 'f00d' }))),
    }),
    foundBy: '5.13/tokens/list',
  },
  'lists API tokens by more than their start': {
    make: (api) => ({
      ...api,
      listTokens: (options) =>
        api.listTokens(options).map((all) => all.map((each) => ({ ...each, start: 'token-of-' }))),
    }),
    foundBy: '5.13/tokens/list',
  },
  'names main categories in English alone': {
    make: (api) => ({
      ...api,
      listCategories: (options) =>
        api.listCategories().andThen((tree) => api.listCategories(options).map(mainNamesOf(tree))),
    }),
    foundBy: '4/categories/in-both-languages',
  },
  'names categories in English alone': {
    make: (api) => ({ ...api, listCategories: () => api.listCategories() }),
    foundBy: '4/categories/in-both-languages',
  },
  'shows money as it was written': {
    make: (api) => ({
      ...api,
      retrieveDeal: (id, options) =>
        api.retrieveDeal(id, options).map((found) => ({
          ...found,
          budget: found.budget.replace(/\.00$/, ''),
        })),
    }),
    foundBy: '4/deal/as-created',
  },
  'finds a deal under a text that reads as its id': {
    make: (api) => ({
      ...api,
      retrieveDeal: (id, options) => api.retrieveDeal(Number(id), options),
    }),
    foundBy: '4/not-found/other-names (1.0)',
  },
  'forgets the token of a deal': {
    make: (api) => ({
      ...api,
      retrieveDealDetails: (partner_id, options) =>
        api
          .retrieveDealDetails(partner_id, options)
          .map((found) => ({ ...found, payment_token: null })),
    }),
    foundBy: '4/details/as-created (2.0)',
  },
  'lists the oldest first': {
    make: withPage((page) => ({ ...page, results: [...page.results].reverse() })),
    foundBy: '4/list/order-of-creation (2.0)',
  },
  'repeats the last deal of a page on the next': {
    make: (api) => ({
      ...api,
      listDeals: (query, options) =>
        api.listDeals(query, options).map((page) => ({
          ...page,
          results:
            query?.cursor === undefined
              ? page.results
              : page.results.slice(0, 1).concat(page.results),
        })),
    }),
    foundBy: '4/list/pages (2.0)',
  },
  'knows no way back': {
    make: withPage((page) => ({ ...page, previous: null })),
    foundBy: '4/list/previous',
  },
  'counts pages instead of seeking': {
    make: (api) => ({
      ...api,
      listDeals: (query, options) => {
        const { cursor, page_size = 20, ...filter } = query ?? {};
        if (cursor !== undefined && !/^\d+$/.test(cursor)) return api.listDeals(query, options);
        const at = Number(cursor ?? 0);
        return api.listDeals({ ...filter, page_size: 100 }, options).map((page) => ({
          results: page.results.slice(at, at + page_size),
          next: at + page_size < page.results.length ? String(at + page_size) : null,
          previous: at === 0 ? null : String(Math.max(0, at - page_size)),
        }));
      },
    }),
    foundBy: '4/list/forwards-while-created',
  },
  'takes a cursor of any filter': {
    make: (api) => ({
      ...api,
      listDeals: (query, options) =>
        api
          .listDeals(query, options)
          .orElse((error) =>
            error.code === 'invalid_cursor' ? api.listDeals({}, options) : errAsync(error),
          ),
    }),
    foundBy: '4/list/invalid-cursor',
  },
  'does not heed created_to': {
    make: (api) => ({
      ...api,
      listDeals: ({ created_to, ...query } = {}, options) =>
        api.listDeals(
          created_to?.startsWith('2026') ? query : { ...query, ...(created_to && { created_to }) },
          options,
        ),
    }),
    foundBy: '4/list/filter-by-time',
  },
  'does not heed attention': {
    make: (api) => ({
      ...api,
      listDeals: (query = {}, options) => {
        const { attention, ...others } = query;
        return api.listDeals(attention === 'true' ? others : query, options);
      },
    }),
    foundBy: '4/list/filters',
  },
  'takes names for paths': {
    make: (api) => ({
      ...api,
      uploadFile: (deal, upload, options) =>
        api
          .uploadFile(deal, upload, options)
          .map((file) => ({ ...file, name: file.name.split('/').at(-1) ?? '' })),
    }),
    foundBy: '4/file/any-name (1.0)',
  },
  'believes what is said of a content': {
    make: (api) => ({
      ...api,
      uploadFile: (deal, upload, options) =>
        api.uploadFile(deal, upload, options).map((file) => ({
          ...file,
          content_type: upload.content_type ?? file.content_type,
        })),
    }),
    foundBy: '4/file/type-of-content (1.0)',
  },
  'keeps a file each time it is sent': {
    make: (api) => ({
      ...api,
      uploadFile: (deal, upload, options = {}) => {
        const { idempotencyKey, ...rest } = options;
        const isKey = typeof idempotencyKey === 'string' && /^[!-~]{1,255}$/.test(idempotencyKey);
        return api.uploadFile(deal, upload, isKey ? rest : options);
      },
    }),
    foundBy: '2.7/file/replay (1.0)',
  },
  'does not say how much it takes': {
    make: (api) => ({
      ...api,
      uploadFile: (deal, upload, options) =>
        api.uploadFile(deal, upload, options).mapErr((error) => {
          if (error.code !== 'payload_too_large') return error;
          const { code, message } = error;
          return Object.freeze({ code, message });
        }),
    }),
    foundBy: '5.2/file/limit-is-named (1.0)',
  },
};

/** A list with a change in every page. */
function withPage(change: (page: DealListPage) => DealListPage): Mistake {
  return (api) => ({
    ...api,
    listDeals: (query, options) => api.listDeals(query, options).map(change),
  });
}

const subjectWith = (mistake: Mistake) => () => {
  const fileLimit = 64 * 1024;
  const marketplace = createMarketplace(createPorts(), { fileLimit });
  return {
    fileLimit,
    webhooks: true,
    categories: defaultCategoryTree,
    api: (tenant: Parameters<typeof marketplace.partner>[0]) =>
      mistake(marketplace.partner(tenant)),
    close: async () => undefined,
  };
};

describe('the contract of PartnerApi', () => {
  it('passes an implementation without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    partnerApiContract(
      runner,
      subjectWith((api) => api),
    );
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(70);
  });

  it.each(Object.entries({ ...mistakes, ...eventMistakes, ...termsMistakes }))(
    'finds one that %s',
    async (_, { make, foundBy }) => {
      const { runner, failures } = createCollectingRunner();
      partnerApiContract(runner, subjectWith(make));
      expect(await failures(foundBy)).toEqual([foundBy]);
    },
  );
});
