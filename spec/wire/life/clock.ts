import { check, equal, show } from '../../expectations.js';
import { expectError, expectStatus, group, membersOf, type Server } from '../server.js';
import { employerPayments, lastRequest } from './billing.js';
import {
  arrayOf,
  because,
  changesNothing,
  type Details,
  dealIn,
  expectIllegal,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  type Statuses,
  silentAmount,
  statusesIn,
} from './deal.js';
import { eventsOf } from './events.js';
import { advance, advanceTo, clockPath, day, expectBefore, hour, moment } from './time.js';

const createdAt = (details: Details) => moment(details['created_at'], 'the member created_at');

const afterExpiry: Statuses = ['expired', 'expired', 'cancelled'];

/** Makes a deal of version 2.0 and lets it expire. */
async function expiredDeal(server: Server): Promise<LivingDeal> {
  const deal = await newDeal(server);
  await advanceTo(server, createdAt(await deal.details()) + 30 * day);
  return deal;
}

/** The time at which a stage was submitted is not before this one. */
async function submittedDeal(server: Server): Promise<{ deal: LivingDeal; since: number }> {
  const since = await advance(server, 1);
  return { deal: await dealIn('delivered', server), since };
}

/** Decisions 6.6 and 6.7: the time of a partner of the sandbox. */
export const clock = group(
  'the clock of the sandbox',
  {
    must: {
      '6.7/sandbox/clock-answer': 'The answer of the clock has the time `now`, and `due_left`.',
      '6.6/sandbox/clock-moves': 'The time of the partner moves forward by that many seconds.',
      '6.7/sandbox/clock-form':
        'The clock moves by a JSON integer of seconds, from 1 to ten years; anything else is 400.',
      '6.6/sandbox/clock-created': 'A deal that is created later is dated by the moved time.',
      '6.6/sandbox/clock-own': 'The time of another partner does not move.',
      '6.6/sandbox/clock-ids': 'The ids of events keep real time.',
    },
  },
  (define) => {
    define('6.7/sandbox/clock-answer', async ({ partner }) => {
      const { now, due_left } = await partner.data('POST', clockPath, {
        body: { advance_seconds: 1 },
      });
      moment(now, 'the member now of the answer');
      check(typeof due_left === 'boolean', `due_left is a boolean\n  actual: ${show(due_left)}`);
    });

    define('6.6/sandbox/clock-moves', async (server) => {
      const before = await advance(server, 1);
      const after = await advance(server, hour);
      check(after - before >= hour, `an hour later\n  actual: ${after - before} seconds`);
    });

    for (const value of [0, -1, 1.5, '60', null, true, undefined, 12 * 365 * day] as const) {
      define(
        '6.7/sandbox/clock-form',
        async ({ partner }) => {
          const body = { advance_seconds: value };
          const reply = await partner.send('POST', clockPath, { body });
          const { errors } = expectError(reply, 400, 'validation_failed');
          equal(
            arrayOf(errors, 'the issues').map((each) => each['path']),
            [['advance_seconds']],
            'the paths of the issues',
          );
        },
        show(value),
      );
    }

    define('6.6/sandbox/clock-created', async (server) => {
      const before = createdAt(await (await newDeal(server)).details());
      await advance(server, hour);
      const after = createdAt(await (await newDeal(server)).details());
      check(after - before >= hour, `an hour later\n  actual: ${after - before} seconds`);
    });

    define('6.6/sandbox/clock-own', async (server) => {
      const foreign = async () => {
        const body = server.dealV2();
        expectStatus(await server.other.send('POST', '/api/2.0/deal/', { body }), 201);
        const data = await server.other.data('GET', `/api/2.0/deal/${body['partner_id']}/`);
        return moment(data['created_at'], 'the member created_at');
      };
      const before = await foreign();
      await advance(server, day);
      const passed = (await foreign()) - before;
      check(passed < day, `less than a day for the other partner\n  actual: ${passed} seconds`);
    });

    define('6.6/sandbox/clock-ids', async (server) => {
      const timeOf = async () => {
        const [event] = await eventsOf(await newDeal(server));
        return { id: ulidTime(String(event?.['id'])), at: moment(event?.['at'], 'at') };
      };
      const before = await timeOf();
      await advance(server, day);
      const after = await timeOf();
      check(after.at - before.at >= day, 'the times of the events are a day apart');
      const apart = after.id - before.id;
      check(apart < day, `less than a day between the ids\n  actual: ${apart} seconds`);
    });
  },
);

/** The time in a ULID, in seconds. */
function ulidTime(id: string): number {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(id), `a ULID\n  actual: ${id}`);
  const time = [...id.slice(0, 10).toUpperCase()];
  return time.reduce((sum, each) => sum * 32 + digits.indexOf(each), 0) / 1000;
}

/** Decisions 6.1 to 6.3: what happens by the clock. */
export const deadlines = group(
  'deadlines',
  {
    must: {
      '6.2/sandbox/expires': 'A deal that is `created` expires 30 days after it was created.',
      '6.2/sandbox/expires-not-before':
        'A deal does not expire within 30 days after it was created.',
      '6.2/sandbox/v1-does-not-expire': 'A deal of version 1.0 does not expire by default.',
      '6.2/sandbox/accepted-does-not-expire': 'A deal that was accepted does not expire.',
      '6.2/sandbox/expired-is-final': 'An expired deal allows no command.',
      '6.1/sandbox/approves': 'A stage is approved 7 days after it was submitted.',
      '6.1/sandbox/approves-not-before':
        'A stage is not approved by time within 7 days after it was submitted.',
      '6.1/sandbox/approves-since-last':
        'The 7 days to the approval of a stage count from the last time that it was submitted.',
      '6.3/sandbox/approval-asks': 'An approval by the clock asks for the payment.',
      '6.7/sandbox/disputed-stays': 'No deadline passes while a deal is disputed.',
      '6.3/sandbox/request-expires': 'A request for payment expires after 14 days.',
      '6.3/sandbox/request-expires-not-before':
        'A request for payment does not expire within 14 days.',
      '6.3/sandbox/request-anew': '`request-payment` asks again for what has expired.',
      '6.7/sandbox/event-expired': 'The actor of `deal.expired` is the clock.',
      '6.7/sandbox/event-approved': 'The actor of an approval by time is the clock.',
    },
  },
  (define) => {
    define('6.2/sandbox/expires', async (server) => {
      expectStatuses(await (await expiredDeal(server)).details(), afterExpiry);
    });

    define('6.2/sandbox/expires-not-before', async (server) => {
      const deal = await newDeal(server);
      const deadline = createdAt(await deal.details()) + 30 * day;
      const now = await advanceTo(server, deadline - hour);
      const details = await deal.details();
      expectBefore(now, deadline);
      expectStatuses(details, statusesIn.created);
    });

    define('6.2/sandbox/v1-does-not-expire', async (server) => {
      const deal = await newDealV1(server);
      await advanceTo(server, createdAt(await deal.details()) + 31 * day);
      expectStatuses(await deal.details(), statusesIn.created);
    });

    define('6.2/sandbox/accepted-does-not-expire', async (server) => {
      const deal = await dealIn('accepted', server);
      await advanceTo(server, createdAt(await deal.details()) + 31 * day);
      expectStatuses(await deal.details(), statusesIn.accepted);
    });

    define('6.2/sandbox/expired-is-final', async (server) => {
      const deal = await expiredDeal(server);
      for (const [by, command] of [
        ['partner', 'cancel'],
        ['partner', 'invite'],
        ['freelancer', 'accept'],
        ['freelancer', 'decline'],
        ['freelancer', 'deliver'],
      ] as const) {
        const reply = await changesNothing(deal, () => deal.give(by, command));
        equal(expectIllegal(reply, afterExpiry), [], `the member legal after ${command}`);
      }
    });

    define('6.1/sandbox/approves', async (server) => {
      const { deal } = await submittedDeal(server);
      await advance(server, 7 * day);
      expectStatuses(await deal.details(), statusesIn.approved);
    });

    define('6.1/sandbox/approves-not-before', async (server) => {
      const { deal, since } = await submittedDeal(server);
      const now = await advanceTo(server, since + 7 * day - hour);
      const details = await deal.details();
      expectBefore(now, since + 7 * day);
      expectStatuses(details, statusesIn.delivered);
    });

    define('6.1/sandbox/approves-since-last', async (server) => {
      const { deal } = await submittedDeal(server);
      const since = await advance(server, 4 * day);
      await deal.done('partner', 'request-changes', because);
      await deal.upload();
      await deal.done('freelancer', 'deliver');
      const now = await advanceTo(server, since + 4 * day);
      const details = await deal.details();
      expectBefore(now, since + 7 * day);
      expectStatuses(details, statusesIn.delivered);
    });

    define('6.3/sandbox/approval-asks', async (server) => {
      const { deal } = await submittedDeal(server);
      await advance(server, 7 * day);
      equal(
        employerPayments(await deal.details()).map(({ amount }) => amount),
        [silentAmount],
        'the amounts of the payments of the employer',
      );
    });

    define('6.7/sandbox/disputed-stays', async (server) => {
      const { deal } = await submittedDeal(server);
      await deal.done('partner', 'dispute', because);
      await changesNothing(deal, async () => {
        await advance(server, 31 * day);
        return server.partner.send('GET', `${deal.path('partner')}/`);
      });
    });

    define('6.3/sandbox/request-expires', async (server) => {
      const deal = await dealIn('approved', server);
      await advance(server, 14 * day);
      equal(lastRequest(await deal.details()).status, 'expired', 'the status of the request');
    });

    define('6.3/sandbox/request-expires-not-before', async (server) => {
      const deal = await dealIn('approved', server);
      const asked = lastRequest(await deal.details())['requested_at'];
      const deadline = moment(asked, 'the member requested_at') + 14 * day;
      const now = await advanceTo(server, deadline - hour);
      const { status } = lastRequest(await deal.details());
      expectBefore(now, deadline);
      check(status !== 'expired', 'the request has not expired');
    });

    define('6.3/sandbox/request-anew', async (server) => {
      const deal = await dealIn('approved', server);
      await advance(server, 14 * day);
      await deal.done('partner', 'request-payment');
      equal(
        employerPayments(await deal.details()).map(({ amount, status }) => ({ amount, status })),
        [
          { amount: silentAmount, status: 'expired' },
          { amount: silentAmount, status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    define('6.7/sandbox/event-expired', async (server) => {
      const events = await eventsOf(await expiredDeal(server));
      const { type, actor } = membersOf(events.at(-1), 'the last event');
      equal({ type, actor }, { type: 'deal.expired', actor: 'clock' }, 'the last event');
    });

    define('6.7/sandbox/event-approved', async (server) => {
      const { deal } = await submittedDeal(server);
      await advance(server, 7 * day);
      const event = (await eventsOf(deal)).find(({ type }) => type === 'deal.approved');
      equal(event?.['actor'], 'clock', 'the actor of the event');
    });
  },
);
