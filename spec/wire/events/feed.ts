import { check, equal, show } from '../../expectations.js';
import {
  type Caller,
  expectError,
  expectStatus,
  group,
  type Json,
  type Members,
  membersOf,
  type Server,
} from '../server.js';
import {
  type EventQuery,
  endOf,
  eventsAfter,
  feed,
  garbage,
  idsOf,
  invite,
  type Make,
  makeDeal,
  makeSome,
  mentions,
  mostPages,
  pageOf,
  readOn,
  typesOf,
  untilSettled,
  versions,
  withQuery,
} from './pages.js';

/** Decisions 7.1 and 7.6: how a partner reads its events. */
export const eventFeed = group(
  'the feed of events',
  {
    must: {
      '7.1/events/feed': 'A page of a feed is `{data: {results, next}}`, with a list of events.',
      '7.1/events/own': 'The feed of a partner has the events of what the partner made.',
      '2.1/events/of-others': 'The feed of a partner has no event of another partner.',
      '4/events/cursor-of-others': 'A cursor of another partner leads to none of its events.',
      '7/events/order': 'A feed has its events in the order in which they happened.',
      '7/events/again': 'The same cursor gives the same events again.',
      '7.6/events/next': 'The `next` of a page with events is a cursor.',
      '7.6/events/next-of-empty': 'The `next` of a page without events is a cursor too.',
      '7.6/events/go-on': 'The cursor of the end of a feed leads to the events that come later.',
      '7.6/events/pages': 'Pages of any size, one after the other, have each event once, in order.',
      '7.6/events/page-size':
        'A page has as many events as `page_size` says, if there are so many.',
      '7.6/events/page-size-default': 'Without `page_size`, a page has 20 events.',
      '7.6/events/page-size-100': 'A `page_size` of 100 is allowed.',
      '7.6/events/page-size-101': 'A `page_size` of more than 100 is 400.',
      '7.6/events/page-size-0': 'A `page_size` of less than 1 is 400.',
      '1.6/events/page-size-form': 'A `page_size` that is not an integer is 400.',
      '7.1/events/type': 'With `type`, a feed has events of that type alone.',
      '7.1/events/type-whole': 'With `type`, a feed lacks no event of that type.',
      '7.9/events/type-unknown': 'A `type` that the server does not know finds nothing.',
      '7.6/events/type-later': 'A cursor of a feed without `type` goes on with a `type`.',
      '7.6/events/type-before': 'A cursor of a feed with a `type` goes on without one.',
      '4/events/cursor-garbage': 'A cursor that is garbage is 400, `invalid_cursor`.',
    },
  },
  (define) => {
    for (const [version, make] of versions) {
      const defineOf = (
        id: Parameters<typeof define>[0],
        body: (server: Server) => Promise<void>,
      ) => define(id, body, version);

      defineOf('7.1/events/feed', async (server) => {
        await make(server);
        const reply = await server.partner.send('GET', feed);
        expectStatus(reply, 200);
        const { results } = membersOf(reply.members()['data'], 'the member data of the answer');
        check(Array.isArray(results), `results is an array\n  actual: ${show(results)}`);
        for (const each of results) check('type' in membersOf(each, 'an event'), 'it has a type');
      });

      defineOf('7.1/events/own', async (server) => {
        const after = await endOf(server.partner);
        const { partner_id } = await make(server);
        const found = await eventsAfter(server, after, mentions(partner_id));
        equal(typesOf(found), ['deal.created'], 'the types of the events of a new deal');
      });

      defineOf('7/events/order', async (server) => {
        const { names, after, isOwn } = await makeSome(server, make, 4);
        const found = await eventsAfter(server, after, isOwn, { count: 4 });
        const order = found.map((event) => names.findIndex((name) => mentions(name)(event)));
        equal(order, [0, 1, 2, 3], 'the order of the deals in the feed');
      });

      defineOf('7/events/again', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 3);
        const first = await eventsAfter(server, after, isOwn, { count: 3 });
        const second = await eventsAfter(server, after, isOwn, { count: 3 });
        equal(second, first, 'the events after the same cursor');
      });

      defineOf('7.6/events/next', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 1);
        await eventsAfter(server, after, isOwn);
        expectCursor((await pageOf(server.partner, feed, { after, page_size: 1 })).next);
      });

      defineOf('7.6/events/go-on', async (server) => {
        const end = await endOf(server.partner);
        const { next } = await pageOf(server.partner, feed, { after: end });
        const after = expectCursor(next);
        const { partner_id } = await make(server);
        await eventsAfter(server, after, mentions(partner_id));
      });

      defineOf('7.6/events/pages', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 5);
        await eventsAfter(server, after, isOwn, { count: 5 });
        const whole = (await readOn(server.partner, feed, { after })).events;
        for (const page_size of [1, 2, 3]) {
          const { events } = await readOn(server.partner, feed, { after, page_size });
          const ids = idsOf(events).slice(0, whole.length);
          equal(ids, idsOf(whole), `the ids of the events in pages of ${page_size}`);
        }
      });

      defineOf('7.6/events/page-size', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 4);
        await eventsAfter(server, after, isOwn, { count: 4 });
        for (const page_size of [1, 2, 4]) {
          const { results } = await pageOf(server.partner, feed, { after, page_size });
          equal(results.length, page_size, `the number of events of a page of ${page_size}`);
        }
      });

      defineOf('7.6/events/page-size-default', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 21);
        await eventsAfter(server, after, isOwn, { count: 21 });
        const { results } = await pageOf(server.partner, feed, { after });
        equal(results.length, 20, 'the number of events of a page without page_size');
      });

      defineOf('7.1/events/type-whole', async (server) => {
        const { after, names } = await makeSome(server, make, 3);
        await untilSettled(server, make);
        const query = { after, type: 'deal.created', page_size: 2 };
        const { events } = await readOn(server.partner, feed, query);
        const found = names.filter((name) => events.some(mentions(name)));
        equal(found, names, 'the deals whose creation is in the feed of deal.created');
      });

      defineOf('7.9/events/type-unknown', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 1);
        await eventsAfter(server, after, isOwn);
        for (const type of ['of.no.server', 'deal', 'DEAL.CREATED']) {
          const { events } = await readOn(server.partner, feed, { after, type });
          equal(events, [], `the events of the type ${type}`);
        }
      });

      defineOf('7.6/events/type-later', (server) =>
        changeFilter(server, make, undefined, 'deal.created'),
      );

      defineOf('7.6/events/type-before', (server) =>
        changeFilter(server, make, 'deal.created', undefined),
      );

      defineOf('2.1/events/of-others', async (server) => {
        const { other } = server;
        const after = await endOf(other);
        const { partner_id } = await make(server);
        const own = await make(server, {}, other);
        await eventsAfter(server, after, mentions(own.partner_id), { caller: other });
        const { events } = await readOn(other, feed, { after });
        equal(events.filter(mentions(partner_id)), [], 'the events of the first partner');
      });

      defineOf('4/events/cursor-of-others', async (server) => {
        const { after, isOwn } = await makeSome(server, make, 2);
        await eventsAfter(server, after, isOwn, { count: 2 });
        const { status } = await server.other.send('GET', withQuery(feed, { after }));
        // it may be refused
        if (status === 400) return;
        const { events } = await readOn(server.other, feed, { after });
        equal(events.filter(isOwn), [], 'the events of the first partner');
      });
    }

    define(
      '7.1/events/type',
      async (server) => {
        const { after, isOwn } = await makeSome(server, makeDeal, 2);
        await eventsAfter(server, after, isOwn, { count: 2 });
        await expectType(server, after, 'deal.created');
      },
      '1.0, with events of contractors',
    );

    define(
      '7.1/events/type',
      async (server) => {
        const after = await endOf(server.partner);
        const { partner_id } = await server.makeDealV2();
        await invite(server, partner_id);
        await eventsAfter(server, after, mentions(partner_id), { count: 2 });
        await expectType(server, after, 'deal.invited');
      },
      '2.0, with an invitation',
    );

    define('7.6/events/next-of-empty', async ({ partner }) => {
      const after = await endOf(partner);
      expectCursor((await pageOf(partner, feed, { after })).next);
      expectCursor((await pageOf(partner, feed, { after, type: 'of.no.server' })).next);
    });

    define('7.6/events/page-size-100', async ({ partner }) => {
      expectStatus(await partner.send('GET', withQuery(feed, { page_size: 100 })), 200);
    });

    const sizes = {
      '7.6/events/page-size-101': ['101', '1000', '9007199254740993'],
      '7.6/events/page-size-0': ['0', '-1'],
      '1.6/events/page-size-form': ['x', '1.5', '2 0'],
    } as const;
    for (const [id, values] of Object.entries(sizes)) {
      define(id as keyof typeof sizes, async ({ partner }) => {
        for (const page_size of values) {
          const reply = await partner.send('GET', withQuery(feed, { page_size }));
          const { errors } = expectError(reply, 400, 'validation_failed');
          const [first] = Array.isArray(errors) ? errors : [];
          equal(Object(first).path, ['page_size'], `the path of the issue of ${page_size}`);
        }
      });
    }

    define('4/events/cursor-garbage', async ({ partner }) => {
      for (const after of garbage) {
        expectError(await partner.send('GET', withQuery(feed, { after })), 400, 'invalid_cursor');
      }
    });
  },
);

/** Fails the case unless the events of a type after a position are all of that type. */
async function expectType(server: Server, after: string | undefined, type: string) {
  const { events } = await readOn(server.partner, feed, { after, type });
  equal([...new Set(typesOf(events))], [type], 'the types of the events');
}

/** Fails the case unless this is a cursor. */
function expectCursor(next: Json): string {
  check(typeof next === 'string' && next !== '', `next is a cursor\n  actual: ${show(next)}`);
  return next;
}

/** The cursor behind a deal, read with one filter, must lead to a later deal with another one. */
async function changeFilter(
  server: Server,
  make: Make,
  before: string | undefined,
  later: string | undefined,
): Promise<void> {
  const { after, names, isOwn } = await makeSome(server, make, 1);
  await eventsAfter(server, after, isOwn);
  const cursor = await cursorBehind(server.partner, isOwn, { after, type: before });
  const second = await make(server);
  const isEither = (event: Members) => isOwn(event) || mentions(second.partner_id)(event);
  const found = await eventsAfter(server, cursor, isEither, { type: later });
  equal(
    found.map((event) => (isOwn(event) ? names[0] : second.partner_id)),
    [second.partner_id],
    'the deals whose creation comes after the cursor',
  );
}

/** Reads event by event up to one that is wanted; returns the cursor behind it. */
async function cursorBehind(
  caller: Caller,
  isWanted: (event: Members) => boolean,
  query: EventQuery,
): Promise<string> {
  let { after } = query;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { results, next } = await pageOf(caller, feed, { ...query, after, page_size: 1 });
    after = expectCursor(next);
    if (results.some(isWanted)) return after;
  }
  throw new Error(`the event was not reached in ${mostPages} pages`);
}
