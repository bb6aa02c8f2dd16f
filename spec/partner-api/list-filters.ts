import type { DealListItem } from '../../src/api/answers.js';
import type { DealListQuery } from '../../src/api/inputs.js';
import { dealStatuses, freelancerStatuses } from '../../src/domain/values/status.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { invalid } from './errors.js';
import { createSeveral, ownOf, pageOf, walk } from './lists.js';
import { group } from './subject.js';

/** A refused parameter, and why. */
type Refused = readonly [input: object, field: string, code: string];

const size: readonly Refused[] = [
  ...[0, -1, 101, 1000].map((page_size): Refused => [{ page_size }, 'page_size', 'out_of_range']),
  [{ page_size: 1.5 }, 'page_size', 'not_an_integer'],
  ...['twenty', '020', '2e1', ' 20', ''].map(
    (page_size): Refused => [{ page_size }, 'page_size', 'wrong_type'],
  ),
];

const text: readonly Refused[] = [
  [{ partner_id: '' }, 'partner_id', 'too_short'],
  [{ partner_id: 'x'.repeat(41) }, 'partner_id', 'too_long'],
  [{ partner_id: 'nul\0' }, 'partner_id', 'forbidden_character'],
  ...['', 'Created', 'new', 'created ', 'constructor', '__proto__'].map(
    (status): Refused => [{ status }, 'status', 'not_allowed'],
  ),
  ...['', 'NEW', 'created', 'toString'].map(
    (freelancer_status): Refused => [{ freelancer_status }, 'freelancer_status', 'not_allowed'],
  ),
  ...['', 'false', 'TRUE', '1', 'payout_returned'].map(
    (attention): Refused => [{ attention }, 'attention', 'not_allowed'],
  ),
  [{ email_freelancer: '' }, 'email_freelancer', 'too_short'],
  [{ email_freelancer: 'nobody' }, 'email_freelancer', 'invalid_email'],
  [{ email_freelancer: 'a@b@c' }, 'email_freelancer', 'invalid_email'],
];

const noTimes = [
  ...['', 'yesterday', '2026', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z'],
  ...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '1767225600000'],
  ...['2026-01-01T00:00:00+25:00', '2026-01-01T00:00:00 01:00', '+002026-01-01T00:00:00Z'],
];

const times: readonly Refused[] = noTimes.flatMap((time): readonly Refused[] => [
  [{ created_from: time }, 'created_from', 'invalid_timestamp'],
  [{ created_to: time }, 'created_to', 'invalid_timestamp'],
]);

/** Decision 4: the deals of a list, and the parameters that it refuses. */
export const listFilters = group(
  'filters of lists',
  {
    must: {
      '4/list/refused-parameters':
        'A parameter of a list that breaks its rule is refused, and is named with its code.',
      '1.8/list/problems-at-once':
        'All parameters of a list that break their rules are named at once, in the language of the call.',
      '1.7/list/unknown-members': 'Unknown members of the query of a list are ignored.',
      '4/list/filters': 'Each parameter of a list filters the deals, and all together do.',
      '4/list/filter-by-time':
        '`created_from` is inclusive and `created_to` exclusive, in any notation of RFC 3339.',
    },
  },
  (define) => {
    define('4/list/refused-parameters', async ({ api }) => {
      for (const [input, field, code] of [...size, ...text, ...times]) {
        const error = errOf(await api.listDeals(input as DealListQuery), JSON.stringify(input));
        invalid(error, [{ path: [field], code }]);
      }
    });

    define('1.8/list/problems-at-once', async ({ api }) => {
      const query = {
        created_to: 'later',
        created_from: 'earlier',
        email_freelancer: 'nobody',
        attention: 'none',
        freelancer_status: 'none',
        status: 'none',
        partner_id: '',
        page_size: 0,
      } as object;
      for (const language of ['en', 'pl'] as const) {
        const error = errOf(await api.listDeals(query, { language }), 'a list');
        const issues = [
          { path: ['page_size'], code: 'out_of_range' },
          { path: ['partner_id'], code: 'too_short' },
          { path: ['status'], code: 'not_allowed' },
          { path: ['freelancer_status'], code: 'not_allowed' },
          { path: ['attention'], code: 'not_allowed' },
          { path: ['email_freelancer'], code: 'invalid_email' },
          { path: ['created_from'], code: 'invalid_timestamp' },
          { path: ['created_to'], code: 'invalid_timestamp' },
        ];
        invalid(error, issues, language);
        check(error.code === 'validation_failed', 'narrows the type');
        equal(error.errors[0]?.params, { min: 1, max: 100 }, 'what was allowed');
      }
    });

    define('1.7/list/unknown-members', async (views) => {
      const { api, dealV2 } = views;
      okOf(await api.createDealV2(dealV2), 'a deal');
      const query = { ...ownOf(views), more: 'x', constructor: 'y' };
      const page = await pageOf(api, query as DealListQuery);
      equal(page.results.length, 1, 'the page');
    });

    define('4/list/filters', async (views) => {
      const { api, contractor, dealV2, email, name } = views;
      await createSeveral(views, 7);
      const others = [email('A.B'), email("o'brien"), email('x+y')];
      for (const [index, email_freelancer] of others.entries()) {
        const partner_id = name(`o & ${index} = 100 %`);
        okOf(await api.createDealV2({ ...dealV2, partner_id, email_freelancer }), 'a deal');
      }
      const addresses = [...others, contractor.email];
      const all: DealListItem[] = [];
      for (const email_freelancer of addresses)
        all.push(...(await walk(api, { email_freelancer })));
      equal(all.length, 10, 'all');
      const holds = async (query: DealListQuery, passes: (item: DealListItem) => boolean) => {
        const expected = all.filter(passes);
        equal(await walk(api, { ...query, page_size: 3 }), expected, JSON.stringify(query));
        return expected.length;
      };
      for (const { partner_id } of all) {
        equal(await holds({ partner_id }, (each) => each.partner_id === partner_id), 1, 'one');
      }
      const upper = name('deal-1').toUpperCase();
      equal(await holds({ partner_id: upper }, () => false), 0, 'another case is another id');
      const isOf = (address: string) => (each: DealListItem) =>
        each.email_freelancer.toLowerCase() === address.toLowerCase();
      for (const address of addresses) {
        for (const written of [address, address.toUpperCase(), address.toLowerCase()]) {
          check((await holds({ email_freelancer: written }, isOf(address))) > 0, 'in any case');
        }
      }
      equal(await holds({ email_freelancer: email('nobody') }, () => false), 0, 'nobody');
      const own = ownOf(views);
      for (const status of Object.keys(dealStatuses) as (keyof typeof dealStatuses)[]) {
        const isOwn = isOf(contractor.email);
        await holds({ ...own, status }, (each) => isOwn(each) && each.status === status);
        const { results } = await pageOf(api, { status, page_size: 100 });
        check(
          results.every((each) => each.status === status),
          `all others are ${status} too`,
        );
      }
      for (const each of Object.keys(freelancerStatuses) as (keyof typeof freelancerStatuses)[]) {
        const isOwn = isOf(contractor.email);
        const query = { ...own, freelancer_status: each };
        await holds(query, (item) => isOwn(item) && item.freelancer_status === each);
      }
      equal(await holds({ ...own, attention: 'true' }, () => false), 0, 'none needs somebody');

      const one = all[4] as DealListItem;
      const everything: DealListQuery = {
        partner_id: one.partner_id,
        status: 'created',
        freelancer_status: 'new',
        email_freelancer: one.email_freelancer.toUpperCase(),
        created_from: one.created_at,
        created_to: '9999-12-31T23:59:59Z',
      };
      equal(await holds(everything, ({ partner_id }) => partner_id === one.partner_id), 1, 'one');
      const changes = [{ status: 'accepted' }, { attention: 'true' }];
      for (const change of [...changes, { email_freelancer: email('nobody') }]) {
        const query = { ...everything, ...change } as DealListQuery;
        equal(await holds(query, () => false), 0, 'all of them count');
      }
    });

    define('4/list/filter-by-time', async (views) => {
      const { api } = views;
      await createSeveral(views, 9);
      const found = async (query: DealListQuery) => await walk(api, { ...ownOf(views), ...query });
      const all = await found({});
      for (const { created_at } of all) {
        for (const time of notationsOf(created_at)) {
          const later = all.filter((each) => each.created_at >= created_at);
          equal(await found({ created_from: time }), later, `from ${time}`);
          const earlier = all.filter((each) => each.created_at < created_at);
          equal(await found({ created_to: time }), earlier, `to ${time}`);
        }
        equal(await found({ created_from: created_at, created_to: created_at }), [], 'no time');
        const atOnce = new Date(Date.parse(created_at) + 1).toISOString();
        equal(
          await found({ created_from: created_at, created_to: atOnce }),
          all.filter((each) => each.created_at === created_at),
          'one millisecond',
        );
      }
      const [first, last] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
      equal(await found({ created_from: first, created_to: last }), all, 'all the time there is');
      equal(await found({ created_from: last }), [], 'the end of time');
      equal(await found({ created_to: first }), [], 'its beginning');
    });
  },
);

/** The same moment in other notations. */
function notationsOf(time: string): readonly string[] {
  const elsewhere = (minutes: number, zone: string) =>
    new Date(Date.parse(time) + minutes * 60_000).toISOString().replace('Z', zone);
  return [
    time,
    time.toLowerCase(),
    time.replace('Z', '000Z'),
    elsewhere(0, '+00:00'),
    elsewhere(0, '-00:00'),
    elsewhere(330, '+05:30'),
    elsewhere(-720, '-12:00'),
  ];
}
