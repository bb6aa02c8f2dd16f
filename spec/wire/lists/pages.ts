import { check, equal, show } from '../../expectations.js';
import { expectError, group, type Server } from '../server.js';
import {
  another,
  expectRefused,
  manyDeals,
  namesOf,
  pageOf,
  pathOfList,
  type Query,
  severalDeals,
  walk,
} from './list.js';

/** Filters that differ from one of a freelancer alone, as a cursor has it. */
const otherFilters = (email_freelancer: string, name: string): Readonly<Record<string, Query>> => ({
  'no filter': {},
  'another freelancer': { email_freelancer: `other-${email_freelancer}` },
  'a status too': { email_freelancer, status: 'created' },
  'a status of the freelancer too': { email_freelancer, freelancer_status: 'new' },
  'a time too': { email_freelancer, created_from: '2000-01-01T00:00:00Z' },
  'a name too': { email_freelancer, partner_id: name },
});

/** Section 4: every deal once, the newest first, in pages. */
export const listPages = group(
  'pages of a list',
  {
    must: {
      '4/list/newest-first': 'A list has the newest deal first.',
      '4/list/times-fall': 'The times of the items of a list do not rise from one to the next.',
      '4/list/default-size': 'A page has 20 items unless the request says otherwise.',
      '4/list/size-1': 'A page may have one item.',
      '4/list/size-100': 'A page may have 100 items.',
      '4/list/size-below': 'A page size below 1 is refused.',
      '4/list/size-above': 'A page size above 100 is refused.',
      '4/list/size-fraction': 'A page size with a fraction is refused.',
      '4/list/size-text': 'A page size that is not a number is refused.',
      '4/list/each-once': 'The pages from the first to the last have each deal once, in order.',
      '4/list/first-page': 'The first page has no `previous`.',
      '4/list/last-page': 'The last page has no `next`, even if it is full.',
      '4/list/one-page': 'A list of one page has neither `next` nor `previous`.',
      '4/list/back': 'The way back by `previous` has the same pages as the way there.',
      '4/list/while-others-arrive':
        'Deals that arrive between two pages neither repeat nor hide a deal that was there before.',
      '4/list/cursor-again': 'A cursor gives the same page again.',
      '4/list/cursor-garbage': 'A cursor that no list gave is 400 `invalid_cursor`.',
      '4/list/cursor-of-other-filter': 'A cursor of another filter is 400 `invalid_cursor`.',
      '4/list/cursor-of-other-partner':
        'A cursor of another partner shows no deal of that partner.',
    },
  },
  (define) => {
    define('4/list/newest-first', async (server) => {
      const { filter, names } = await severalDeals(server, 5);
      equal(namesOf(await pageOf(server.partner, filter)), names, 'the deals of the list');
    });

    define('4/list/times-fall', async (server) => {
      const { filter } = await manyDeals(server, 12);
      const { results } = await pageOf(server.partner, filter);
      const times = results.map(({ created_at }) => Date.parse(String(created_at)));
      const falling = [...times].sort((a, b) => b - a);
      equal(times, falling, 'the times of the items');
    });

    define('4/list/default-size', async (server) => {
      const { filter } = await manyDeals(server, 22);
      const { results, next } = await pageOf(server.partner, filter);
      equal([results.length, next === null], [20, false], 'the size of the page, and its end');
    });

    for (const [id, size, count] of [
      ['4/list/size-1', 1, 3],
      ['4/list/size-100', 100, 101],
    ] as const) {
      define(id, async (server) => {
        const { filter } = await manyDeals(server, count);
        const { results } = await pageOf(server.partner, { ...filter, page_size: size });
        equal(results.length, size, 'the size of the page');
      });
    }

    for (const [id, sizes, code] of [
      ['4/list/size-below', ['0', '-1', '-100'], 'out_of_range'],
      ['4/list/size-above', ['101', '1000', '9007199254740991'], 'out_of_range'],
      ['4/list/size-fraction', ['1.5', '20.01'], 'not_an_integer'],
      ['4/list/size-text', ['many', '20x', 'NaN', '', '[20]'], 'wrong_type'],
    ] as const) {
      define(id, async ({ partner }) => {
        for (const page_size of sizes) {
          await expectRefused(partner, { page_size }, 'page_size', code);
        }
      });
    }

    define('4/list/each-once', async (server) => {
      const { filter, names } = await severalDeals(server, 7);
      for (const page_size of [1, 2, 3, 6]) {
        const pages = await walk(server.partner, { ...filter, page_size });
        equal(pages.flatMap(namesOf), names, `the deals of all pages of ${page_size}`);
      }
    });

    define('4/list/first-page', async (server) => {
      const { filter } = await manyDeals(server, 3);
      const { previous } = await pageOf(server.partner, { ...filter, page_size: 2 });
      equal(previous, null, 'the member previous');
    });

    define('4/list/last-page', async (server) => {
      const { filter } = await manyDeals(server, 4);
      const pages = await walk(server.partner, { ...filter, page_size: 2 });
      equal(pages.length, 2, 'the number of pages of 2 items for 4 deals');
    });

    define('4/list/one-page', async (server) => {
      const { filter } = await manyDeals(server, 2);
      const { next, previous } = await pageOf(server.partner, { ...filter, page_size: 2 });
      equal([next, previous], [null, null], 'next and previous');
    });

    define('4/list/back', async (server) => {
      const { filter } = await severalDeals(server, 7);
      const query = { ...filter, page_size: 3 };
      const pages = await walk(server.partner, query);
      let page = pages.pop();
      for (const before of pages.reverse()) {
        const cursor = page?.previous ?? '';
        check(cursor !== '', 'a page that is not the first has a cursor to the one before');
        page = await pageOf(server.partner, { ...query, cursor });
        equal(namesOf(page), namesOf(before), 'the deals of the page before');
      }
      equal(page?.previous, null, 'the member previous of the first page');
    });

    define('4/list/while-others-arrive', async (server) => {
      const { filter, names } = await severalDeals(server, 7);
      const query = { ...filter, page_size: 2 };
      const pages = await walk(server.partner, query, () => another(server, filter));
      equal(pages.flatMap(namesOf), names, 'the deals of all pages');
    });

    define('4/list/cursor-again', async (server) => {
      const { query, next } = await cut(server);
      const page = await pageOf(server.partner, { ...query, cursor: next });
      await pageOf(server.partner, query);
      equal(await pageOf(server.partner, { ...query, cursor: next }), page, 'the page again');
    });

    define('4/list/cursor-garbage', async ({ partner }) => {
      for (const cursor of ['garbage', '0', '-1', '{}', '../..', '%00', "' OR 1=1", '😀']) {
        const reply = await partner.send('GET', pathOfList({ cursor }));
        expectError(reply, 400, 'invalid_cursor');
      }
    });

    for (const name of Object.keys(otherFilters('', ''))) {
      define(
        '4/list/cursor-of-other-filter',
        async (server) => {
          const { query, next } = await cut(server);
          const other = otherFilters(query.email_freelancer, server.name())[name];
          const path = pathOfList({ ...other, page_size: 2, cursor: next });
          expectError(await server.partner.send('GET', path), 400, 'invalid_cursor');
        },
        name,
      );
    }

    define('4/list/cursor-of-other-partner', async (server) => {
      const { query, names, next } = await cut(server);
      const reply = await server.other.send('GET', pathOfList({ ...query, cursor: next }));
      if (reply.status === 400) return void expectError(reply, 400, 'invalid_cursor');
      const text = new TextDecoder().decode(reply.bytes);
      const shown = names.filter((each) => text.includes(each));
      check(shown.length === 0, `no deal of the partner is shown\n  actual: ${show(shown)}`);
    });
  },
);

/** A list of two pages, and the cursor of its first one. */
async function cut(server: Server) {
  const { filter, names } = await severalDeals(server, 4);
  const query = { ...filter, page_size: 2 };
  const { next } = await pageOf(server.partner, query);
  check(next !== null, 'a page that is not the last has a cursor to the next');
  return { query, names, next };
}
