import {
  createMarketplace,
  type DealListPage,
  type DealListQuery,
  describeError,
  type PartnerApi,
} from 'dealwright';
import { eachDeal, eachPage } from 'dealwright/client';
import { okAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { dealV2, tenant } from '../../kit/requests.js';
import { createOfflineClient } from './service.js';

const apis: Readonly<Record<string, () => PartnerApi>> = {
  'in process': () => createMarketplace(createPorts()).partner(tenant),
  'over the client': () => createOfflineClient(),
};

for (const [name, make] of Object.entries(apis)) {
  describe(`a list ${name}`, () => {
    it('comes page by page, and deal by deal', async () => {
      const api = make();
      for (let n = 0; n < 7; n += 1) await api.createDealV2({ ...dealV2, partner_id: `deal-${n}` });
      const sizes: number[] = [];
      for await (const page of eachPage(api, { page_size: 3 })) {
        sizes.push(page._unsafeUnwrap().results.length);
      }
      expect(sizes).toEqual([3, 3, 1]);
      const ids: string[] = [];
      for await (const deal of eachDeal(api, { page_size: 2 })) {
        ids.push(deal._unsafeUnwrap().partner_id);
      }
      expect(ids).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `deal-${n}`));
      let first: DealListPage | undefined;
      for await (const page of eachPage(api, { page_size: 3 })) {
        first = page._unsafeUnwrap();
        break;
      }
      const rest: string[] = [];
      const from = { page_size: 3, ...(first?.next ? { cursor: first.next } : {}) };
      for await (const deal of eachDeal(api, from)) rest.push(deal._unsafeUnwrap().partner_id);
      expect(rest).toEqual(ids.slice(3));
    });

    it('of nothing is one empty page', async () => {
      const pages = [];
      for await (const page of eachPage(make())) pages.push(page._unsafeUnwrap());
      expect(pages).toEqual([{ results: [], next: null, previous: null }]);
      for await (const deal of eachDeal(make())) expect(deal).toBeUndefined();
    });

    it('ends with an error', async () => {
      const codes: (string | undefined)[] = [];
      for await (const page of eachPage(make(), { cursor: 'garbage' }, { language: 'pl' })) {
        codes.push(page.isErr() ? page.error.code : undefined);
      }
      for await (const deal of eachDeal(make(), { page_size: 0 })) {
        codes.push(deal.isErr() ? deal.error.code : undefined);
      }
      expect(codes).toEqual(['invalid_cursor', 'validation_failed']);
    });
  });
}

it('goes on by next after a page that is short, or empty', async () => {
  const pages = [
    { results: [], next: 'a', previous: null },
    { results: [], next: 'b', previous: null },
    { results: [], next: null, previous: null },
  ];
  const asked: unknown[] = [];
  const api = {
    listDeals(query?: DealListQuery) {
      asked.push(query?.cursor);
      return okAsync<DealListPage, never>(pages[asked.length - 1] as DealListPage);
    },
  };
  const read = [];
  for await (const page of eachPage(api, { page_size: 100 })) read.push(page._unsafeUnwrap());
  expect(read).toEqual(pages);
  expect(asked).toEqual([undefined, 'a', 'b']);
});

it.each([
  ['itself', ['a'], undefined],
  ['the one before it', ['a', 'b'], undefined],
  ['one long before it', ['a', 'b', 'c', 'd', 'e'], undefined],
  ['the one that it began with', ['b', 'a'], 'a'],
])('a list with a page that leads to %s ends with an error', async (_, cursors, cursor) => {
  let asked = 0;
  const api = {
    listDeals() {
      const next = cursors[asked % cursors.length] ?? null;
      asked += 1;
      if (asked > 100) throw new Error('it has no end');
      return okAsync<DealListPage>({ results: [], next, previous: null });
    },
  };
  const codes: (string | undefined)[] = [];
  const query = cursor === undefined ? {} : { cursor };
  for await (const page of eachPage(api, query, { language: 'pl' })) {
    codes.push(page.isErr() ? page.error.message : undefined);
  }
  const pages = Array(cursors.length + (cursor === undefined ? 1 : 0)).fill(undefined);
  expect(codes).toEqual([...pages, describeError('unexpected_response', 'pl')]);
  expect(asked).toBe(pages.length);
  for await (const deal of eachDeal(api)) expect(deal._unsafeUnwrapErr()).toHaveProperty('status');
});
