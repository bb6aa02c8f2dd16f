import { check, equal, errOf, okOf } from '../expectations.js';
import { makeDeal, versions } from './deals.js';
import { invalid, missing, plain } from './errors.js';
import {
  about,
  endOf,
  endOfLive,
  feedOf,
  idsOf,
  isOwn,
  live,
  readOn,
  timeLineOf,
  typesOf,
  type Which,
  walkLine,
  walkTo,
} from './reading-feeds.js';
import { everyStranger, group, strangers } from './subject.js';

/** Garbage in place of a cursor. */
const noCursors = ['garbage', ' ', '-1', '[]', '😀', 'x'.repeat(1_000)];

/** Queries of a time line: an error of another kind would tell that the deal exists. */
const lineQueries = [{}, { page_size: 0 }, { after: 'garbage' }];

const reason = 'It was withdrawn.';

/** Decisions 7.1 and 7.6: how a partner reads its events. */
export const feeds = group(
  'feeds and time lines',
  {
    must: {
      '7.6/feed/pages':
        'Pages of any size have every event of the feed once and in order, 20 unless a size is asked for.',
      '7.6/feed/next':
        '`next` of a page is always a cursor to go on from: it gives what came later, each time.',
      '7.6/feed/end': '`after=end` gives the end of the feed, from which only later events follow.',
      '7.1/feed/types': 'A feed is filtered by one type of event or by several, known or not.',
      '7.6/feed/other-filter':
        'A cursor of a feed goes on with another filter: it is a position only.',
      '7.6/feed/invalid-query':
        'A malformed cursor of a feed or time line is `invalid_cursor`, and all other mistakes are named at once.',
      '7.1/time-line/own-events':
        'The time line of a deal has its events of the feed, and no others.',
      '7.1/time-line/any-partner-id':
        'A time line is found under any `partner_id` that a deal can have.',
      '2.5/time-line/no-deal':
        'The time line of a deal that does not exist, or is of another tenant, is `not_found`, whatever else is wrong.',
    },
  },
  (define) => {
    for (const version of versions) {
      define(
        '7.1/time-line/own-events',
        async (views) => {
          const { api, name } = views;
          const start = await endOf(api);
          const { partner_id } = await makeDeal(views, version);
          await makeDeal(views, version, name('other'));
          okOf(await api.invite(partner_id), 'an invitation');
          okOf(await api.invite(name('other')), 'another invitation');
          okOf(await api.cancel(partner_id, { reason }), 'a cancellation');
          const isLast = about(partner_id);
          const all = await walkTo(
            feedOf(api),
            { after: start },
            (event) => isLast(event) && event.type === 'deal.cancelled',
          );
          const own = all.filter(isLast);
          equal(typesOf(own), ['deal.created', 'deal.invited', 'deal.cancelled'], 'its events');
          equal(
            own.map(({ sequence }) => sequence),
            [1, 2, 3],
            'their sequence, without gaps',
          );
          const read = timeLineOf(api, partner_id);
          for (const page_size of [1, 2, 3, 100]) {
            equal(await walkLine(read, { page_size }), own, `in pages of ${page_size}`);
          }
          const { results } = okOf(await api.listDealEvents(partner_id), 'without a query');
          equal(results, own, 'the page');
        },
        version,
      );
    }

    define('7.6/feed/pages', async (views) => {
      const { api, dealV2, name } = views;
      const after = await endOf(api);
      const names = Array.from({ length: 21 }, (_, index) => name(`deal-${index}`));
      for (const partner_id of names) {
        okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
      }
      const isLast = about(names.at(-1) ?? '');
      const all = await walkTo(feedOf(api), { after, page_size: 100 }, isLast);
      equal(
        all.filter(isOwn(views)).map(({ subject }) => subject),
        names.map((partner_id) => `deal:${partner_id}`),
        'the own events',
      );
      for (const page_size of [1, 2, 3, 5, 7, 20, 21, 22, 99]) {
        const found = await walkTo(feedOf(api), { after, page_size }, isLast);
        equal(idsOf(found), idsOf(all), `in pages of ${page_size}`);
      }
      const { results } = await feedOf(api)({ after });
      equal(idsOf(results), idsOf(all.slice(0, 20)), 'twenty unless a size is said');
    });

    define('7.6/feed/next', async (views) => {
      const { api, dealV2, name } = views;
      const read = feedOf(api);
      const created = async (text: string) => {
        const partner_id = name(text);
        okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
        return about(partner_id);
      };
      const start = await endOf(api);
      const isFirst = await created('first');
      const { events: first, next } = await readOn(read, { after: start }, isFirst);
      equal(typesOf(first.filter(isFirst)), ['deal.created'], 'what came after the end');
      check(next !== start, 'the cursor has moved');
      const page = await read({ after: next });
      if (page.results.length === 0) equal(page.next, next, 'the cursor of an empty page');
      const isSecond = await created('second');
      for (const again of ['once', 'again']) {
        const { events } = await readOn(read, { after: next }, isSecond);
        equal(typesOf(events.filter(isOwn(views))), ['deal.created'], `what came later, ${again}`);
      }
      const all = await walkTo(read, { after: start }, isSecond);
      equal(all.filter(isOwn(views)).length, 2, 'all from the first cursor');
    });

    define('7.6/feed/end', async (views) => {
      const { api, dealV2, name } = views;
      const read = feedOf(api);
      const before = await read({ after: 'end' });
      equal(before.results, [], 'the end has no events');
      okOf(await api.createDealV2({ ...dealV2, partner_id: name('early') }), 'a deal');
      await walkTo(read, { after: before.next }, about(name('early')));
      const end = await read({ after: 'end' });
      equal(end.results, [], 'nothing that was before');
      okOf(await api.createDealV2({ ...dealV2, partner_id: name('late') }), 'a late deal');
      const isLate = about(name('late'));
      const rest = await walkTo(read, { after: end.next }, isLate);
      equal(rest.filter(isOwn(views)).length, 1, 'the late one alone');
      const whole = await walkTo(read, { after: before.next }, isLate);
      equal(whole.filter(isOwn(views)).length, 2, 'everything since the first end');
    });

    define('7.1/feed/types', async (views) => {
      const read = feedOf(views.api);
      const after = await endOf(views.api);
      const isLast = endOfLive(await live(views));
      const all = await walkTo(read, { after }, isLast);
      const cancelled = 'deal.cancelled';
      for (const type of [cancelled, `deal.created,${cancelled}`, `of.a.host,${cancelled}`]) {
        const expected = all.filter((event) => type.split(',').includes(event.type));
        for (const page_size of [1, 3, 100]) {
          const found = await walkTo(read, { after, type, page_size }, isLast);
          equal(idsOf(found), idsOf(expected), `of ${type} in pages of ${page_size}`);
        }
      }
      for (const type of ['of.a.host', 'deal', '']) {
        const { results } = await read({ after, type, page_size: 100 });
        check(
          results.every((event) => event.type === type),
          `others than ${type} are left out`,
        );
      }
    });

    define('7.6/feed/other-filter', async (views) => {
      const read = feedOf(views.api);
      const after = await endOf(views.api);
      const isLast = endOfLive(await live(views));
      const all = await walkTo(read, { after }, isLast);
      const isFirst: Which = (event) => isOwn(views)(event) && event.type === 'deal.cancelled';
      const filtered = { after, type: 'deal.cancelled', page_size: 1 };
      const { next } = await readOn(read, filtered, isFirst);
      const rest = await walkTo(read, { after: next }, isLast);
      equal(idsOf(rest), idsOf(all.slice(all.findIndex(isFirst) + 1)), 'all that follows');
    });

    define('7.1/time-line/any-partner-id', async ({ api, dealV2, prefix }) => {
      for (const text of ['.', '..', '/../', 'a/b', 'by-id', 'event', 'ł 😀', '?x=1&y', '%2F']) {
        const partner_id = `${prefix}${text}`;
        okOf(await api.createDealV2({ ...dealV2, partner_id }), `the deal ${partner_id}`);
        okOf(await api.invite(partner_id), 'the invitation');
        const first = await timeLineOf(api, partner_id)({ page_size: 1 });
        equal(typesOf(first.results), ['deal.created'], `the first event of ${partner_id}`);
        const rest = await timeLineOf(api, partner_id)({ after: first.next });
        equal(typesOf(rest.results), ['deal.invited'], `the rest of ${partner_id}`);
      }
    });

    define(
      '2.5/time-line/no-deal',
      async ({ api, name }) => {
        for (const query of lineQueries) {
          missing(errOf(await api.listDealEvents(name('none'), query), 'no deal'), 'deal');
        }
      },
      'no deal',
    );

    for (const stranger of everyStranger) {
      define(
        '2.5/time-line/no-deal',
        async ({ api, [stranger]: view, dealV2 }) => {
          okOf(await api.createDealV2(dealV2), 'a deal');
          for (const query of lineQueries) {
            const refused = await view.listDealEvents(dealV2.partner_id, query);
            missing(errOf(refused, "a stranger's deal"), 'deal');
          }
        },
        strangers[stranger],
      );
    }

    define(
      '7.6/feed/invalid-query',
      async ({ api }) => {
        for (const after of noCursors) {
          plain(errOf(await api.listEvents({ after }), `after ${after}`), 'invalid_cursor');
        }
        const broken = Object({ page_size: 0, after: 1, type: null });
        const refused = errOf(await api.listEvents(broken), 'a broken query');
        equal(refused.code, 'validation_failed', 'the code');
        check(refused.code === 'validation_failed', 'narrows the type');
        equal(
          refused.errors.map(({ path }) => path),
          [['after'], ['page_size'], ['type']],
          'every problem at once',
        );
      },
      'of a feed',
    );

    define(
      '7.6/feed/invalid-query',
      async ({ api, dealV2 }) => {
        const { partner_id } = dealV2;
        okOf(await api.createDealV2(dealV2), 'a deal');
        for (const after of noCursors) {
          const line = await api.listDealEvents(partner_id, { after }, { language: 'pl' });
          plain(errOf(line, `after ${after}`), 'invalid_cursor', 'pl');
        }
        invalid(errOf(await api.listDealEvents(partner_id, { page_size: 101 }), 'a large page'), [
          { path: ['page_size'], code: 'out_of_range' },
        ]);
      },
      'of a time line',
    );
  },
);
