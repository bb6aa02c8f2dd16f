import { check, equal } from '../../expectations.js';
import { arrayOf, type By, type LivingDeal, newDeal } from '../life/deal.js';
import { group, type Json } from '../server.js';
import { acceptNow, amendment, dataAt, proposed, retitled } from './terms.js';

/** The most bytes of the results of a page, unless it has one. */
const longest = 256_000;

const bytesOf = (value: Json) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A hundred stages whose names have 800 bytes each: 80 kB in each of their terms. */
const stages = Array.from({ length: 100 }, (_, at) => ({
  name: `${'\u{1f600}'.repeat(190)} ${at}`,
  budget: '1.00',
}));

/** Gives a deal long terms, in five versions, and then in five proposals. */
async function withLongTerms(deal: LivingDeal): Promise<void> {
  await proposed(deal, 'partner', amendment({ amount: '100.00', stages }));
  for (let at = 1; at < 5; at += 1) await proposed(deal, 'partner', retitled(`Version ${at}`));
  await acceptNow(deal);
  for (let at = 0; at < 5; at += 1) await proposed(deal, 'partner', retitled(`Proposal ${at}`));
}

interface Page {
  readonly results: readonly Json[];
  readonly next: Json;
  readonly previous: Json;
}

async function pageAt(deal: LivingDeal, list: string, by: By, cursor: Json = null): Promise<Page> {
  const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const data = await dataAt(deal, `${list}/?page_size=100${query}`, by);
  const { next = null, previous = null } = data;
  return { results: arrayOf(data['results'], 'the results'), next, previous };
}

/** The pages from one of them on, so many at most. */
async function pagesFrom(
  first: Page,
  towards: 'next' | 'previous',
  read: (cursor: Json) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages = [first];
  for (let cursor = first[towards]; cursor !== null && pages.length < 30; ) {
    const page = await read(cursor);
    pages.push(page);
    cursor = page[towards];
  }
  return pages;
}

const textsOf = (pages: readonly Page[]) =>
  pages.flatMap(({ results }) => results.map((each) => JSON.stringify(each)));

const faces = ['partner', 'freelancer', 'operator'] as const;

/** Decision 9.11: a page of long proposals or versions. */
export const longPages = group(
  'pages of long terms',
  {
    must: {
      '9.11/pages/longest':
        'A page of proposals or versions has at most 256 kB of results, or one result.',
      '9.11/pages/go-on':
        'Pages that end earlier than `page_size` have every proposal and version once, in both directions.',
    },
  },
  (define) => {
    for (const [list, count] of [
      ['terms', 6],
      ['proposal', 10],
    ] as const) {
      define(
        '9.11/pages/longest',
        async (server) => {
          const deal = await newDeal(server);
          await withLongTerms(deal);
          for (const by of faces) {
            const { results } = await pageAt(deal, list, by);
            const bytes = bytesOf(results);
            const isShort = results.length === 1 || bytes <= longest;
            check(isShort, `the page has at most ${longest} bytes\n  actual: ${bytes}`);
          }
        },
        list,
      );
      define(
        '9.11/pages/go-on',
        async (server) => {
          const deal = await newDeal(server);
          await withLongTerms(deal);
          for (const by of faces) {
            const read = (cursor: Json) => pageAt(deal, list, by, cursor);
            const there = await pagesFrom(await read(null), 'next', read);
            const back = await pagesFrom(there.at(-1) ?? (await read(null)), 'previous', read);
            const all = textsOf(there);
            equal(all.length, count, 'how many all pages have');
            equal(new Set(all).size, count, 'how many of them differ');
            const other = textsOf([...back].reverse());
            check(all.join() === other.join(), 'the way back has the same');
          }
        },
        list,
      );
    }
  },
);
