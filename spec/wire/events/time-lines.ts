import { equal } from '../../expectations.js';
import { expectError, group, type Members, type Reply, type Server } from '../server.js';
import {
  endOf,
  eventsAfter,
  garbage,
  idsOf,
  invite,
  mentions,
  pageOf,
  readOn,
  timeLine,
  timeLineOf,
  typesOf,
  untilSettled,
  versions,
  withQuery,
} from './pages.js';

/** Decision 7.1: the events of one deal. */
export const timeLines = group(
  'time lines',
  {
    must: {
      '7.1/timeline/own': 'The time line of a new deal has the event `deal.created`.',
      '7.1/timeline/alone': 'The time line of a deal has no event of another deal.',
      '7.1/timeline/feed': 'The events of a time line are those of the feed, member by member.',
      '7.6/timeline/next': 'The `next` of a time line leads to the events that come later.',
      '7.6/timeline/pages': 'Pages of a time line, one after the other, have each event once.',
      '4/timeline/cursor-garbage': 'A cursor that is garbage is 400, `invalid_cursor`.',
      '6.7/timeline/by-id':
        'The time line of `by-id` with `?partner_id=` is that of the deal with this id.',
      '6.7/timeline/any-id': 'The time line of `by-id` is found for any partner id.',
      '2.5/timeline/none': 'The time line of a deal that does not exist is 404.',
      '2.5/timeline/of-others': 'The time line of a deal of another partner is 404.',
      '2.5/timeline/same-answer':
        'The time lines of a deal of another partner and of none get the same error, but for its id.',
    },
  },
  (define) => {
    for (const [version, make] of versions) {
      const defineOf = (
        id: Parameters<typeof define>[0],
        body: (server: Server) => Promise<void>,
      ) => define(id, body, version);

      defineOf('7.1/timeline/own', async (server) => {
        const { partner_id } = await make(server);
        equal(typesOf(await timeLine(server, partner_id)), ['deal.created'], 'the types');
      });

      defineOf('7.1/timeline/alone', async (server) => {
        const { partner_id } = await make(server);
        await untilSettled(server, make);
        const line = await timeLine(server, partner_id);
        equal(
          line.filter((event) => !mentions(partner_id)(event)),
          [],
          'the other events',
        );
      });

      defineOf('7.1/timeline/feed', async (server) => {
        const after = await endOf(server.partner);
        const { partner_id } = await make(server);
        const found = await eventsAfter(server, after, mentions(partner_id));
        equal(await timeLine(server, partner_id), found, 'the events of the deal');
      });

      defineOf('6.7/timeline/by-id', async (server) => {
        const { partner_id } = await make(server);
        const line = await timeLine(server, partner_id);
        equal(await byId(server, partner_id), line, 'the events by `by-id`');
      });

      defineOf('6.7/timeline/any-id', async (server) => {
        for (const name of ['/', '..', '%2F?&#', '\u0142 \u{1f600}']) {
          const partner_id = `${name}${server.name('x').slice(0, 30)}${name}`;
          await make(server, { partner_id });
          const types = await server.until('the event of the deal', async () => {
            const events = await byId(server, partner_id);
            return events.length === 0 ? undefined : typesOf(events);
          });
          equal(types, ['deal.created'], `the types of the events of ${partner_id}`);
        }
      });

      defineOf('2.5/timeline/of-others', async (server) => {
        const { partner_id } = await make(server, {}, server.other);
        expectError(await read(server, partner_id), 404, 'not_found');
      });

      defineOf('2.5/timeline/same-answer', async (server) => {
        const { partner_id } = await make(server, {}, server.other);
        const none = withoutId(await read(server, server.name()));
        equal(withoutId(await read(server, partner_id)), none, 'the error');
      });
    }

    define('2.5/timeline/none', async (server) => {
      expectError(await read(server, server.name()), 404, 'not_found');
    });

    define('4/timeline/cursor-garbage', async (server) => {
      const { partner_id } = await server.makeDealV2();
      for (const after of garbage) {
        const reply = await read(server, partner_id, { after });
        expectError(reply, 400, 'invalid_cursor');
      }
    });

    define('7.6/timeline/next', async (server) => {
      const { partner_id } = await server.makeDealV2();
      await timeLine(server, partner_id);
      const path = timeLineOf(partner_id);
      const { end } = await readOn(server.partner, path);
      await invite(server, partner_id);
      const later = await server.until('a later event', async () => {
        const { results } = await pageOf(server.partner, path, { after: end });
        return results.length === 0 ? undefined : results;
      });
      equal(typesOf(later), ['deal.invited'], 'the types of the later events');
    });

    define('7.6/timeline/pages', async (server) => {
      const { partner_id } = await server.makeDealV2();
      await invite(server, partner_id);
      const body = { reason: 'It was withdrawn.' };
      await server.partner.data('POST', `/api/2.0/deal/${partner_id}/cancel/`, { body });
      const line = await timeLine(server, partner_id, 3);
      for (const page_size of [1, 2]) {
        const { events } = await readOn(server.partner, timeLineOf(partner_id), { page_size });
        equal(idsOf(events), idsOf(line), `the ids of the events in pages of ${page_size}`);
      }
    });
  },
);

const read = ({ partner }: Server, partner_id: string, query: object = {}) =>
  partner.send('GET', withQuery(timeLineOf(partner_id), query));

/** The first page of the time line, by the parameter. */
async function byId({ partner }: Server, partner_id: string): Promise<readonly Members[]> {
  const path = withQuery('/api/2.0/deal/by-id/event/', { partner_id });
  return (await pageOf(partner, path, {})).results;
}

function withoutId(reply: Reply): object {
  const { request_id: _, instance: __, ...rest } = reply.members();
  return rest;
}
