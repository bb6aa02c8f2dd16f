import { equal } from '../../expectations.js';
import { group, type Server } from '../server.js';
import { expectRefused, namesOf, pageOf, type Query, severalDeals } from './list.js';

/** Texts that are no RFC 3339 time, by the law. */
const noTimes = {
  '4/list/time-words': ['yesterday', 'now', '', '20260101T000000Z', '2026-W01-1T00:00:00Z'],
  '4/list/time-part': ['2026', '2026-01', '2026-01-01', '2026-01-01T00:00Z', '12:00:00Z'],
  '4/list/time-without-offset': ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000'],
  '4/list/time-impossible': [
    ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-02-30T00:00:00Z'],
    ...['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00+25:00'],
  ],
  '4/list/time-number': ['1767225600', '1767225600000', '0'],
} as const;

/** Section 4: `created_from` is inclusive, `created_to` exclusive, both RFC 3339. */
export const listTimes = group(
  'times of a list',
  {
    must: {
      '4/list/from-inclusive': 'The filter `created_from` finds a deal of exactly that time.',
      '4/list/from-later': 'The filter `created_from` does not find a deal of an earlier time.',
      '4/list/to-exclusive': 'The filter `created_to` does not find a deal of exactly that time.',
      '4/list/to-later': 'The filter `created_to` finds a deal of an earlier time.',
      '4/list/no-time': 'A list from one time to the same time is empty.',
      '4/list/time-offset': 'A time of a filter may have any offset, which counts.',
      '4/list/time-fraction': 'A time of a filter may have any number of digits of a second.',
      '4/list/time-lower-case': 'A time of a filter may have `t` and `z` in lower case.',
      '4/list/time-words': 'A time of a filter that is not RFC 3339 is refused.',
      '4/list/time-part': 'A time of a filter that is only a date, or has no seconds, is refused.',
      '4/list/time-without-offset': 'A time of a filter without an offset is refused.',
      '4/list/time-impossible': 'A time of a filter that no clock shows is refused.',
      '4/list/time-number': 'A number in place of a time is refused.',
    },
  },
  (define) => {
    define('4/list/from-inclusive', async (server) => {
      const { expectFound, time } = await dealAt(server);
      await expectFound({ created_from: time }, true);
    });

    define('4/list/from-later', async (server) => {
      const { expectFound, later } = await dealAt(server);
      await expectFound({ created_from: later }, false);
    });

    define('4/list/to-exclusive', async (server) => {
      const { expectFound, time } = await dealAt(server);
      await expectFound({ created_to: time }, false);
    });

    define('4/list/to-later', async (server) => {
      const { expectFound, later } = await dealAt(server);
      await expectFound({ created_to: later }, true);
    });

    define('4/list/no-time', async (server) => {
      const { expectFound, time } = await dealAt(server);
      await expectFound({ created_from: time, created_to: time }, false);
    });

    for (const [zone, minutes] of [
      ['+00:00', 0],
      ['-00:00', 0],
      ['+05:30', 330],
      ['-12:00', -720],
      ['+14:00', 840],
    ] as const) {
      define(
        '4/list/time-offset',
        (server) => expectSame(server, (time) => moved(time, minutes, zone)),
        zone,
      );
    }

    define('4/list/time-fraction', async (server) => {
      const { expectFound, time, later } = await dealAt(server);
      for (const zeros of ['000', '000000', '0000000000']) {
        const more = (each: string) => each.replace(/Z$/, `${zeros}Z`);
        await expectFound({ created_from: more(time), created_to: more(later) }, true);
      }
      // within a second of the epoch, no deal was created
      const query = { created_from: '1970-01-01T00:00:00Z', created_to: '1970-01-01T00:00:00.5Z' };
      await expectFound(query, false);
    });

    define('4/list/time-lower-case', (server) => expectSame(server, (time) => time.toLowerCase()));

    for (const [id, times] of Object.entries(noTimes) as [
      keyof typeof noTimes,
      readonly string[],
    ][]) {
      for (const name of ['created_from', 'created_to']) {
        define(
          id,
          async ({ partner }) => {
            for (const time of times) {
              await expectRefused(partner, { [name]: time }, name, 'invalid_timestamp');
            }
          },
          name,
        );
      }
    }
  },
);

/** A new deal, its time and a millisecond later; both have three digits of a second. */
async function dealAt(server: Server) {
  const { filter, names } = await severalDeals(server, 1);
  const { results } = await pageOf(server.partner, filter);
  const moment = Date.parse(String(results[0]?.['created_at']));
  return {
    time: new Date(moment).toISOString(),
    later: new Date(moment + 1).toISOString(),
    async expectFound(query: Query, isFound: boolean) {
      const found = namesOf(await pageOf(server.partner, { ...filter, ...query }));
      equal(found, isFound ? names : [], `the deals of the list with ${JSON.stringify(query)}`);
    },
  };
}

/** Fails the case unless times that are written so find the millisecond of a deal. */
async function expectSame(server: Server, written: (time: string) => string): Promise<void> {
  const { expectFound, time, later } = await dealAt(server);
  await expectFound({ created_from: written(time), created_to: written(later) }, true);
  await expectFound({ created_from: written(later) }, false);
  await expectFound({ created_to: written(time) }, false);
}

/** The same moment in another zone. */
function moved(time: string, minutes: number, zone: string): string {
  return new Date(Date.parse(time) + minutes * 60_000).toISOString().replace('Z', zone);
}
