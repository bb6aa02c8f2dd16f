import { createMarketplace, type TermsPageQuery } from 'dealwright';
import type { Store } from 'dealwright/ports';
import * as fc from 'fast-check';
import type { ResultAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { acme, createWorld } from '../faces/world.js';
import { amending, type Offered, okOf, refusalOf, withOffer } from './terms-world.js';

interface Page<T> {
  readonly results: readonly T[];
  readonly next: string | null;
  readonly previous: string | null;
}
type List<T> = (query?: TermsPageQuery) => PromiseLike<Page<T>>;

const listed =
  <T>(list: (query?: TermsPageQuery) => ResultAsync<Page<T>, unknown>): List<T> =>
  (query) =>
    okOf(list(query));

/** All pages from the first to the last, and back again. */
async function walk<T>(list: List<T>, page_size: number) {
  const pages = [await list({ page_size })];
  for (let { next } = pages[0] as Page<T>; next !== null; ) {
    const page = await list({ page_size, cursor: next });
    pages.push(page);
    next = page.next;
  }
  const back = [pages.at(-1) as Page<T>];
  for (let { previous } = back[0] as Page<T>; previous !== null; ) {
    const page = await list({ page_size, cursor: previous });
    back.unshift(page);
    previous = page.previous;
  }
  return { pages, back };
}

const resultsOf = <T>(pages: readonly Page<T>[]) => pages.flatMap(({ results }) => results);

/** Lists of each face. */
const facesOf = ({ api, operatorDeals, freelancer, partner_id }: Offered) => ({
  proposals: [
    listed((query) => api.listProposals(partner_id, query)),
    listed((query) => operatorDeals.listProposals(partner_id, query)),
    listed((query) => freelancer.listProposals(query)),
  ] as const,
  terms: [
    listed((query) => api.listTerms(partner_id, query)),
    listed((query) => operatorDeals.listTerms(partner_id, query)),
    listed((query) => freelancer.listTerms(query)),
  ] as const,
});

describe('the pages of proposals', () => {
  it('hold each once, the newest first, the open one too, in both directions', async () => {
    for (const isOpen of [false, true]) {
      const deal = await withOffer();
      await deal.acceptOffer();
      const ids: string[] = [];
      for (let at = 0; at < 7; at += 1) {
        const side = at % 2 === 0 ? 'partner' : 'freelancer';
        const { id } = await deal.propose(side, amending({ title: `Title ${at}` }));
        ids.unshift(id);
      }
      if (!isOpen) await okOf(deal.api.withdrawProposal(deal.partner_id, String(ids[0])));
      const { proposals } = facesOf(deal);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...proposals),
          fc.integer({ min: 1, max: 9 }),
          async (list, page_size) => {
            const { pages, back } = await walk<{ readonly id: string }>(list, page_size);
            expect(resultsOf(pages).map(({ id }) => id)).toEqual(ids);
            expect(resultsOf(back).map(({ id }) => id)).toEqual(ids);
            expect(pages[0]?.previous).toBeNull();
            expect(pages.slice(0, -1).map(({ results }) => results.length)).toEqual(
              pages.slice(0, -1).map(() => page_size),
            );
          },
        ),
        { numRuns: 20 },
      );
    }
  });

  it('of a deal without any are empty', async () => {
    const deal = await withOffer();
    for (const list of facesOf(deal).proposals) {
      expect(await list()).toEqual({ results: [], next: null, previous: null });
    }
  });

  it('hold a proposal once that is closed while they are read', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id } = await deal.propose('partner', amending({ title: 'Else' }));
    const { store } = deal.ports;
    const slow: Store = {
      ...store,
      records: {
        ...store.records,
        async list(tenant, kind, range) {
          await deal.freelancer.rejectProposal(id);
          return store.records.list(tenant, kind, range);
        },
      },
    };
    const { partner } = createMarketplace({ ...deal.ports, store: slow });
    const { results } = await okOf(partner(acme).listProposals(deal.partner_id));
    expect(results.map((each) => each.id)).toEqual([id]);
  });
});

describe('the pages of terms', () => {
  it('hold each version once, the oldest first, in both directions', async () => {
    const deal = await withOffer();
    for (const count of [1, 2, 7]) {
      let { terms_version } = await deal.details();
      for (; terms_version < count; terms_version += 1) {
        await okOf(
          deal.api.propose(deal.partner_id, amending({ title: `Title ${terms_version}` })),
        );
      }
      const versions = Array.from({ length: count }, (_, at) => at + 1);
      for (const list of facesOf(deal).terms) {
        for (const page_size of [1, 2, 3, 6, 7, 20]) {
          const { pages, back } = await walk<{ readonly terms_version: number }>(list, page_size);
          for (const all of [pages, back]) {
            expect(resultsOf(all).map((each) => each.terms_version)).toEqual(versions);
          }
        }
      }
    }
  });

  it('hold the first version once that becomes a record while they are read', async () => {
    const deal = await withOffer();
    const before = await okOf(deal.api.listTerms(deal.partner_id));
    const { store } = deal.ports;
    let isFirst = true;
    const slow: Store = {
      ...store,
      records: {
        ...store.records,
        async list(tenant, kind, range) {
          if (isFirst) await deal.propose('partner', amending({ title: 'Else' }));
          isFirst = false;
          return store.records.list(tenant, kind, range);
        },
      },
    };
    const { partner } = createMarketplace({ ...deal.ports, store: slow });
    const { results } = await okOf(partner(acme).listTerms(deal.partner_id));
    expect(results.map((each) => each.terms_version)).toEqual([1, 2]);
    expect(results[0]).toStrictEqual(before.results[0]);
  });

  it('never change, but that the deal is accepted', async () => {
    const deal = await withOffer();
    await okOf(deal.api.propose(deal.partner_id, amending({ title: 'Else' })));
    const before = await okOf(deal.freelancer.listTerms());
    await deal.acceptOffer();
    await deal.deliver();
    await okOf(deal.api.addBonus(deal.partner_id, { amount: '5' }));
    const { results } = await okOf(deal.freelancer.listTerms());
    expect(results.slice(0, 2)).toStrictEqual(
      before.results.map((each) => ({ ...each, accepted_by: 'freelancer' })),
    );
    expect(results[2]).toMatchObject({
      kind: 'bonus',
      proposal_id: null,
      proposed_by: 'partner',
      accepted_by: 'partner',
      terms: { version: 3, amount: '505.00' },
    });
  });
});

describe('a query of a list', () => {
  it.each([
    [{ page_size: 0 }, 'validation_failed page_size:out_of_range'],
    [{ page_size: 101 }, 'validation_failed page_size:out_of_range'],
    [{ page_size: 1.5 }, 'validation_failed page_size:not_an_integer'],
    [null, 'validation_failed :null_not_allowed'],
    [{ cursor: '' }, 'invalid_cursor'],
    [{ cursor: 'n-' }, 'invalid_cursor'],
    [{ cursor: 'x-1' }, 'invalid_cursor'],
    [{ cursor: 'n-0' }, 'invalid_cursor'],
    [{ cursor: 'n-01' }, 'invalid_cursor'],
    [{ cursor: 'n-1e3' }, 'invalid_cursor'],
    [{ cursor: 'n-12345678901' }, 'invalid_cursor'],
  ])('%j: %s', async (query, refusal) => {
    const deal = await withOffer();
    const given = query as TermsPageQuery;
    const refusals = [
      refusalOf(deal.api.listTerms(deal.partner_id, given)),
      refusalOf(deal.freelancer.listTerms(given)),
      refusalOf(deal.api.listProposals(deal.partner_id, given)),
      refusalOf(deal.operatorDeals.listProposals(deal.partner_id, given)),
    ];
    for (const each of refusals) expect(await each).toBe(refusal);
    expect(await refusalOf(deal.api.listTerms('no-deal', query as TermsPageQuery))).toBe(
      'not_found deal',
    );
  });

  it('takes 100', async () => {
    const deal = await withOffer();
    await okOf(deal.api.listTerms(deal.partner_id, { page_size: 100 }));
  });
});

describe('pages of long texts', () => {
  it('end before 256 kB, and are read a few at a time', async () => {
    const deal = await withOffer();
    const reads: number[] = [];
    const { store } = deal.ports;
    const watched: Store = {
      ...store,
      records: {
        ...store.records,
        async list(tenant, kind, range) {
          const found = await store.records.list(tenant, kind, range);
          if (found.isOk()) reads.push(JSON.stringify(found.value).length);
          return found;
        },
      },
    };
    const marketplace = createMarketplace({ ...deal.ports, store: watched });
    const faces = facesOf({
      ...deal,
      api: marketplace.partner(acme),
      operatorDeals: marketplace.operator('sandbox').partner(acme.partner),
      freelancer: marketplace.freelancer('sandbox', deal.payment_token),
    });
    // a text of 10 kB, one of 80 kB, and one that JSON writes as six bytes a character, 120 kB
    const texts = ['a', '\u{1f600}', '\u0001'].map((each, at) =>
      each.repeat([10_000, 19_990][at] ?? 19_990),
    );
    const ids: string[] = [];
    for (let at = 0; at < 24; at += 1) {
      const description = `${texts[Math.floor(at / 8)]}${at}`;
      ids.unshift((await deal.propose('partner', amending({ description }))).id);
    }
    const bytesOf = (page: unknown) => Buffer.byteLength(JSON.stringify(page));
    const walks = [
      ...(await Promise.all(faces.proposals.map((list) => walk<unknown>(list, 100)))),
      ...(await Promise.all(faces.terms.map((list) => walk<unknown>(list, 100)))),
    ];
    const all = Array.from({ length: 25 }, (_, at) => at + 1);
    for (const [at, { pages, back }] of walks.entries()) {
      const isTerms = at >= faces.proposals.length;
      for (const way of [pages, back]) {
        const found = resultsOf(way).map((each) => Object(each)[isTerms ? 'terms_version' : 'id']);
        expect(found).toEqual(isTerms ? all : ids);
        for (const { results } of way) {
          if (results.length > 1) expect(bytesOf(results)).toBeLessThanOrEqual(256_000);
        }
      }
      // no page could take the first result of the next one
      for (const [index, { results }] of pages.slice(0, -1).entries()) {
        const whole = [...results, pages[index + 1]?.results[0]];
        expect(bytesOf(whole)).toBeGreaterThan(256_000 - 2_000);
      }
      expect(pages.length).toBeGreaterThan(isTerms ? 6 : 12);
    }
    // what is read is never much more than what a page shows
    expect(Math.max(...reads)).toBeLessThan(2_000_000);
  });

  it('hold one that alone is longer', async () => {
    const world = createWorld();
    await world.api.registerContractor(contractorBody);
    const description = 'a'.repeat(300_000);
    await okOf(world.api.createDeal({ ...dealBody, description }));
    const { partner_id } = dealBody;
    for (const title of ['One', 'Two', 'Three']) {
      await okOf(world.api.propose(partner_id, amending({ title })));
    }
    const reads: number[] = [];
    const { store } = world.ports;
    const watched: Store = {
      ...store,
      records: {
        ...store.records,
        async list(tenant, kind, range) {
          // versions, of which proposals are edits, are short
          if (kind === 'proposal') reads.push(range.limit);
          return store.records.list(tenant, kind, range);
        },
      },
    };
    const api = createMarketplace({ ...world.ports, store: watched }).partner(acme);
    const { pages, back } = await walk(
      listed((query) => api.listProposals(partner_id, query)),
      100,
    );
    for (const way of [pages, back]) {
      expect(way.map(({ results }) => results.length)).toEqual([1, 1, 1]);
    }
    expect(new Set(reads)).toEqual(new Set([1]));
  });
});

describe('many proposals', () => {
  it('are 500 of each side at most', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    for (let at = 0; at < 500; at += 1) {
      await deal.propose('freelancer', amending({ title: `Title ${at}` }));
    }
    const refused = 'precondition_failed too_many';
    expect(await refusalOf(deal.send('freelancer', amending({ title: 'x' })))).toBe(refused);
    // the other side has its own, and what is open can be decided
    const { id } = await deal.propose('partner', amending({ title: 'One' }));
    expect(await refusalOf(deal.send('freelancer', amending({ title: 'x' })))).toBe(refused);
    await okOf(deal.freelancer.rejectProposal(id));
    expect(await refusalOf(deal.send('freelancer', amending({ title: 'x' })))).toBe(refused);
    await deal.propose('partner', amending({ title: 'Two' }));
    const all = resultsOf(
      (await walk((query) => okOf(deal.api.listProposals(deal.partner_id, query)), 100)).pages,
    );
    expect(all.filter(({ by }) => by === 'freelancer')).toHaveLength(500);
    expect(new Set(all.map((each) => each.id)).size).toBe(502);
  });
});
