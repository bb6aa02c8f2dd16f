import type { DealFilter } from '../../src/domain/deals/deal-list.js';
import type { Row } from '../../src/domain/records/records.js';
import { check, equal } from '../expectations.js';
import { acme, ask, group, type StoreSubject } from './subject.js';
import { absent, committed, insertOf, newDeal, numbers, writeOf } from './writes.js';

/** The number of deals that are not on a page, and of those made in one write. */
const others = 5_000;
const atOnce = 100;

/** Deals that pass the filter: so few that a page is half of them. */
const listed = 40;

/** A page may take this many times as long, and this many milliseconds more. */
const [mostTimes, slack] = [5, 0.05];

/**
 * The reads of a page in a round, and the rounds, so that other work on the machine does not count.
 */
const [reads, rounds] = [12, 6];

const rare = {
  status: 'accepted',
  freelancer_status: 'invited',
  email_key: 'rare@example.com',
  attention: 'true',
} as const satisfies DealFilter;

const filters: readonly DealFilter[] = [
  ...[{}, { status: rare.status }, { freelancer_status: rare.freelancer_status }],
  ...[{ email_key: rare.email_key }, { attention: rare.attention }, rare],
];

/** A list seeks its page: its cost does not depend on the number of other deals. */
export const listCosts = group(
  'what a list costs',
  {
    should: {
      '4/store/cost-of-a-page':
        'A page of a list, with any filter, takes about as long among 5,000 other deals as without them.',
    },
  },
  (define) => {
    define('4/store/cost-of-a-page', async (store) => {
      await createDeals(store, 'rare', listed, 1_000, {
        ...rare,
        email_freelancer: rare.email_key,
      });
      const before: number[] = [];
      for (const filter of filters) before.push(await quickest(store, filter, () => false));
      // as many before the page as after it
      await createDeals(store, 'other', others, (listed * 1_000) / others, { attention: null });
      await store.analysed?.();
      for (const [at, filter] of filters.entries()) {
        const most = (before[at] ?? 0) * mostTimes + slack;
        const after = await quickest(store, filter, (time) => time <= most);
        const said = `${after.toFixed(2)} ms among ${others} deals, and ${before[at]?.toFixed(2)} ms among ${listed}`;
        check(after <= most, `a page of ${JSON.stringify(filter)} takes ${said}: it has no index`);
      }
    });
  },
);

/** The time of the fastest of many reads of a page in the middle. */
async function quickest(
  store: StoreSubject,
  filter: DealFilter,
  isEnough: (time: number) => boolean,
): Promise<number> {
  const from = { created_at: timeOf((listed / 2) * 1_000), attempt: '' };
  const range = { direction: 'older', from, limit: listed / 4 } as const;
  let time = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && !isEnough(time); round += 1) {
    for (let read = 0; read < reads; read += 1) {
      const start = performance.now();
      const page = await ask(store.deals.list(acme, filter, range));
      time = Math.min(time, performance.now() - start);
      equal(page.length, range.limit, 'how many deals the page has');
    }
  }
  return time;
}

/** Creates deals at intervals in milliseconds, many in a write. */
async function createDeals(
  store: StoreSubject,
  name: string,
  count: number,
  apart: number,
  given: Partial<Row<'deal'>>,
): Promise<void> {
  const ids = await numbers(store, acme, count);
  for (let first = 0; first < count; first += atOnce) {
    const insert = ids.slice(first, first + atOnce).map((id, at) => {
      const created_at = timeOf((first + at) * apart);
      const own = { partner_id: `${name} ${first + at}`, id, created_at, payment_token: null };
      return insertOf('deal', { ...newDeal, ...given, ...own });
    });
    const write = writeOf({ expect: [absent('deal', `${name} ${first}`)], insert });
    equal(await ask(store.commit(acme, write)), committed, 'many deals');
  }
}

function timeOf(millisecond: number): string {
  return new Date(Date.UTC(2026, 0, 1) + millisecond).toISOString();
}
