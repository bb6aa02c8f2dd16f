import { type CategoryListEntry, createMarketplace, type DealListPage } from 'dealwright';
import { partnerApiContract } from 'dealwright/spec';
import { errAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { eventMistakes, type Mistake } from '../kit/broken-events.js';
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
    foundBy: 'createDealV2 repeats its first answer, as often as it is asked',
  },
  'speaks only English': {
    make: (api) => ({
      ...api,
      registerContractor: (input, { language: _, ...options } = {}) =>
        api.registerContractor(input, options),
    }),
    foundBy: 'answers in Polish on request',
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
    foundBy: 'createDeal lists every field that is one step outside of its rules',
  },
  'answers a little more than the interface': {
    make: (api) => ({
      ...api,
      registerContractor: (input, options) =>
        api.registerContractor(input, options).map((value) => ({ ...value, id: 1 })),
    }),
    foundBy: 'registers the documented contractor, once',
  },
  'gives errors that can be changed': {
    make: (api) => ({
      ...api,
      createDealV2: (input, options) =>
        api.createDealV2(input, options).mapErr((error) => ({ ...error })),
    }),
    foundBy: 'a partner_id is its own in each tenant',
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
    foundBy: 'a partner_id is compared code point by code point',
  },
  'names main categories in English alone': {
    make: (api) => ({
      ...api,
      listCategories: (options) =>
        api.listCategories().andThen((tree) => api.listCategories(options).map(mainNamesOf(tree))),
    }),
    foundBy: 'names categories in Polish on request',
  },
  'names categories in English alone': {
    make: (api) => ({ ...api, listCategories: () => api.listCategories() }),
    foundBy: 'names categories in Polish on request',
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
    foundBy: 'retrieves the documented deal by its id',
  },
  'finds a deal under a text that reads as its id': {
    make: (api) => ({
      ...api,
      retrieveDeal: (id, options) => api.retrieveDeal(Number(id), options),
    }),
    foundBy: 'finds no deal under any other name',
  },
  'forgets the token of a deal': {
    make: (api) => ({
      ...api,
      retrieveDealDetails: (partner_id, options) =>
        api
          .retrieveDealDetails(partner_id, options)
          .map((found) => ({ ...found, payment_token: null })),
    }),
    foundBy: 'gives the details of a deal of either version by its partner_id',
  },
  'lists the oldest first': {
    make: withPage((page) => ({ ...page, results: [...page.results].reverse() })),
    foundBy: 'orders deals by their creation, also within a millisecond',
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
    foundBy: 'cuts the list into pages of any size',
  },
  'knows no way back': {
    make: withPage((page) => ({ ...page, previous: null })),
    foundBy: 'goes back the way it came',
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
    foundBy: 'shows every deal once, forwards, while others are created',
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
    foundBy: 'refuses a malformed cursor, and one of another filter',
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
    foundBy: 'filters by time: from inclusive, to exclusive, in any notation',
  },
  'does not heed attention': {
    make: (api) => ({
      ...api,
      listDeals: (query = {}, options) => {
        const { attention, ...others } = query;
        return api.listDeals(attention === 'true' ? others : query, options);
      },
    }),
    foundBy: 'filters by each parameter, and by all together',
  },
  'takes names for paths': {
    make: (api) => ({
      ...api,
      uploadFile: (deal, upload, options) =>
        api
          .uploadFile(deal, upload, options)
          .map((file) => ({ ...file, name: file.name.split('/').at(-1) ?? '' })),
    }),
    foundBy: 'keeps any name as text',
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
    foundBy: 'believes a content before what is said of it',
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
    foundBy: 'repeats the first answer to an upload, and keeps one file',
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
    foundBy: 'takes a file of the most bytes, and none of one more',
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

  it.each(Object.entries({ ...mistakes, ...eventMistakes }))(
    'finds one that %s',
    async (_, { make, foundBy }) => {
      const { runner, failures } = createCollectingRunner();
      partnerApiContract(runner, subjectWith(make));
      expect(await failures(foundBy)).toEqual([foundBy]);
    },
  );
});
