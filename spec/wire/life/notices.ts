import { check, equal, show } from '../../expectations.js';
import { group, type Json, type Server } from '../server.js';
import { because, dealIn, type LivingDeal, newDeal } from './deal.js';
import { dataOf, eventsOf } from './events.js';
import { advance, advanceTo, day, expectBefore, hour, moment } from './time.js';

const expiry = 'deal.expires_soon';
const review = 'deal.review_ends_soon';

const typesOf = async (deal: LivingDeal) => (await eventsOf(deal)).map(({ type }) => type);

const countOf = async (deal: LivingDeal, type: string) =>
  (await typesOf(deal)).filter((each) => each === type).length;

/** A new deal, and the moment at which it expires. */
async function expiringDeal(server: Server): Promise<{ deal: LivingDeal; end: number }> {
  const deal = await newDeal(server);
  const { created_at = null } = await deal.details();
  return { deal, end: moment(created_at, 'the member created_at') + 30 * day };
}

/** A deal whose stage was submitted, and the moment at which it is approved by itself. */
async function reviewedDeal(server: Server): Promise<{ deal: LivingDeal; end: number }> {
  const deal = await dealIn('delivered', server);
  const event = (await eventsOf(deal)).find(({ type }) => type === 'deal.delivered');
  return { deal, end: moment(event?.['at'] ?? null, 'the time of the delivery') + 7 * day };
}

/** Fails the case unless both are there once, in this order. */
function expectInOrder(types: readonly Json[], first: string, then: string): void {
  equal(
    types.filter((each) => each === first || each === then),
    [first, then],
    'the events in their order',
  );
}

/** Decision 7.10: what the clock tells before it acts. */
export const notices = group(
  'notices before a deadline',
  {
    must: {
      '7.10/notice/expiry': 'The clock emits `deal.expires_soon` 3 days before a deal expires.',
      '7.10/notice/expiry-not-before': '`deal.expires_soon` does not come earlier.',
      '7.10/notice/expiry-once': '`deal.expires_soon` comes once.',
      '7.10/notice/expiry-order':
        'A clock that moves past both emits `deal.expires_soon` before `deal.expired`.',
      '7.10/notice/expiry-accepted': 'A deal that was accepted does not expire soon.',
      '7.10/notice/review':
        'The clock emits `deal.review_ends_soon` with its `stage_ids` 2 days before stages are approved by it.',
      '7.10/notice/review-not-before': '`deal.review_ends_soon` does not come earlier.',
      '7.10/notice/review-once':
        '`deal.review_ends_soon` comes once for each time that a stage is submitted.',
      '7.10/notice/review-again': 'Of a stage that is submitted again it is told again.',
      '7.10/notice/review-order':
        'A clock that moves past both emits `deal.review_ends_soon` before `deal.approved`.',
      '7.10/notice/review-answered': 'The review of a stage that was sent back does not end soon.',
      '7.10/notice/actor': 'The actor of both events is the clock.',
      '7.10/notice/changes-nothing': 'Both events change nothing of the deal.',
    },
  },
  (define) => {
    define('7.10/notice/expiry', async (server) => {
      const { deal, end } = await expiringDeal(server);
      const now = await advanceTo(server, end - 3 * day);
      const types = await typesOf(deal);
      expectBefore(now, end);
      check(types.includes(expiry), `${expiry} is told\n  actual: ${show(types)}`);
      check(!types.includes('deal.expired'), 'the deal has not expired');
    });

    define('7.10/notice/expiry-not-before', async (server) => {
      const { deal, end } = await expiringDeal(server);
      const now = await advanceTo(server, end - 3 * day - hour);
      const count = await countOf(deal, expiry);
      expectBefore(now, end - 3 * day);
      equal(count, 0, 'the number of events');
    });

    define('7.10/notice/expiry-once', async (server) => {
      const { deal, end } = await expiringDeal(server);
      await advanceTo(server, end - 3 * day);
      await deal.done('partner', 'invite');
      await advanceTo(server, end - day);
      await advanceTo(server, end + day);
      equal(await countOf(deal, expiry), 1, 'the number of events');
    });

    define('7.10/notice/expiry-order', async (server) => {
      const { deal, end } = await expiringDeal(server);
      await advanceTo(server, end + day);
      expectInOrder(await typesOf(deal), expiry, 'deal.expired');
    });

    define('7.10/notice/expiry-accepted', async (server) => {
      const { deal, end } = await expiringDeal(server);
      await deal.done('freelancer', 'accept');
      await advanceTo(server, end);
      equal(await countOf(deal, expiry), 0, 'the number of events');
    });

    define('7.10/notice/review', async (server) => {
      const { deal, end } = await reviewedDeal(server);
      const now = await advanceTo(server, end - 2 * day);
      const events = await eventsOf(deal);
      const { stages } = await deal.details();
      expectBefore(now, end);
      const told = events.filter(({ type }) => type === review);
      equal(
        told.map((event) => dataOf(event)['stage_ids']),
        [stages.map(({ id }) => id)],
        'the stages of each event',
      );
      check(!events.some(({ type }) => type === 'deal.approved'), 'nothing is approved');
    });

    define('7.10/notice/review-not-before', async (server) => {
      const { deal, end } = await reviewedDeal(server);
      const now = await advanceTo(server, end - 2 * day - hour);
      const count = await countOf(deal, review);
      expectBefore(now, end - 2 * day);
      equal(count, 0, 'the number of events');
    });

    define('7.10/notice/review-once', async (server) => {
      const { deal, end } = await reviewedDeal(server);
      await advanceTo(server, end - 2 * day);
      await advanceTo(server, end - day);
      await advanceTo(server, end + day);
      equal(await countOf(deal, review), 1, 'the number of events');
    });

    define('7.10/notice/review-again', async (server) => {
      const { deal, end } = await reviewedDeal(server);
      const now = await advanceTo(server, end - 2 * day);
      expectBefore(now, end);
      await deal.done('partner', 'request-changes', because);
      await deal.upload();
      await deal.done('freelancer', 'deliver');
      await advance(server, 6 * day);
      equal(await countOf(deal, review), 2, 'the number of events');
    });

    define('7.10/notice/review-order', async (server) => {
      const { deal, end } = await reviewedDeal(server);
      await advanceTo(server, end + day);
      expectInOrder(await typesOf(deal), review, 'deal.approved');
    });

    define('7.10/notice/review-answered', async (server) => {
      const deal = await dealIn('changes_requested', server);
      await advance(server, 7 * day);
      equal(await countOf(deal, review), 0, 'the number of events');
    });

    define('7.10/notice/actor', async (server) => {
      const [{ deal }, other] = [await expiringDeal(server), await reviewedDeal(server)];
      await advance(server, 31 * day);
      for (const [each, type] of [
        [deal, expiry],
        [other.deal, review],
      ] as const) {
        const event = (await eventsOf(each)).find((one) => one['type'] === type);
        equal(event?.['actor'], 'clock', `the actor of ${type}`);
      }
    });

    for (const [make, notice, variant] of [
      [expiringDeal, 3, expiry],
      [reviewedDeal, 2, review],
    ] as const) {
      define(
        '7.10/notice/changes-nothing',
        async (server) => {
          const { deal, end } = await make(server);
          const before = await deal.details();
          const now = await advanceTo(server, end - notice * day);
          const after = await deal.details();
          expectBefore(now, end);
          equal(after, before, 'the details of the deal');
        },
        variant,
      );
    }
  },
);
