import { check, equal, show } from '../../expectations.js';
import { figuresOf, forEachReporter, ofSandbox, payUnasked } from '../life/billing.js';
import {
  because,
  becomes,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  statusesIn,
} from '../life/deal.js';
import { dataOf, eventsOf } from '../life/events.js';
import { advance, advanceTo, day, expectBefore, hour, moment } from '../life/time.js';
import { expectError, group, type Json, type Members, type Server } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  dataAt,
  deliverStage,
  staged,
} from './terms.js';

const views = ['partner', 'freelancer', 'operator'] as const;

/** The UTC date of a moment in seconds. */
const dateOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

const dueDates = (details: { readonly stages: readonly Members[] }) =>
  details.stages.map(({ due_on }) => due_on);

/** The time of the last event of a type. */
async function timeOf(deal: LivingDeal, type: string): Promise<number> {
  const event = (await eventsOf(deal)).filter((each) => each['type'] === type).at(-1);
  return moment(event?.['at'], `the time of ${type}`);
}

/** A deal that was accepted, and the moment at which its one stage is due. */
async function dueDeal(server: Server, days = 30): Promise<{ deal: LivingDeal; due: number }> {
  const deal = await dealIn('accepted', server);
  return { deal, due: (await timeOf(deal, 'deal.accepted')) + days * day };
}

/** The `stage_ids` of each `deal.overdue`. */
async function toldOf(deal: LivingDeal): Promise<readonly Json[]> {
  const events = (await eventsOf(deal)).filter(({ type }) => type === 'deal.overdue');
  return events.map((event) => dataOf(event)['stage_ids']);
}

const idsOf = async (deal: LivingDeal) => (await deal.details()).stages.map(({ id }) => id);

/** Decision 9.13: work that never comes. */
export const overdue = group(
  'due dates',
  {
    must: {
      '9.13/due/default': 'A stage without days of its own is due 30 days after the acceptance.',
      '9.13/due/work-days': 'A stage is due its `work_days` after the acceptance.',
      '9.13/due/v1': 'A stage of version 1.0 is due its `work_days` after the acceptance.',
      '9.13/due/not-before-acceptance': 'Nothing is due before the acceptance.',
      '9.13/due/sent-back': 'A stage has at least 7 days from its last `request-changes`.',
      '9.13/due/amended': 'A stage has at least 7 days from an amendment of it.',
      '9.14/due/views':
        'Deal details, the offer and the view of the operator show `due_on` of each stage.',
      '9.16/due/none': 'Nothing is due of a bonus, and of a stage that is approved or cancelled.',
      '9.16/due/submitted': 'A stage that is `submitted` keeps its due date.',
      '9.16/due/added': 'A stage that is added later has its days from the amendment.',
      '9.16/due/below-zero': 'Days below 0 count as 0.',
      '9.16/due/beyond': 'Beyond the year 9999 nothing is due.',
      '9.13/overdue/told': 'The clock emits `deal.overdue` with the stages that are overdue.',
      '9.13/overdue/not-before': 'No stage is overdue before its due date has passed.',
      '9.13/overdue/once': '`deal.overdue` is told once for each due date.',
      '9.13/overdue/again': 'A new due date that passes is told, too.',
      '9.13/overdue/sent-back': 'A stage with `changes_requested` can be overdue.',
      '9.13/overdue/not-submitted': 'A stage that is `submitted` is not overdue.',
      '9.13/overdue/changes-nothing': '`deal.overdue` changes nothing of the deal.',
      '9.16/overdue/together': 'Stages that are told at once share one `deal.overdue`.',
      '9.13/cancel/paid': 'A deal with something paid cannot be cancelled before it is overdue.',
      '9.13/cancel/not-yet': 'Within 7 days after the due date `cancel` is `not_overdue`.',
      '9.13/cancel/overdue':
        'Seven days after the due date the partner may `cancel` though something is paid.',
      '9.13/cancel/sent-back': 'So may it if changes were requested.',
      '9.13/cancel/sent-back-not-yet':
        'If changes were requested, `cancel` before that is `not_overdue`.',
      '9.13/cancel/legal': '`legal` has `cancel` if changes were requested.',
      '9.13/cancel/refunds': 'What is held is refunded as an overdue deal is cancelled.',
      '9.13/cancel/submitted': 'An overdue deal with a `submitted` stage cannot be cancelled.',
      '9.13/decline/paid': 'The freelancer may give a deal back though something is paid.',
      '9.13/decline/sent-back': 'So may it if changes were requested.',
    },
  },
  (define) => {
    define('9.13/due/default', async (server) => {
      const { deal, due } = await dueDeal(server);
      equal(dueDates(await deal.details()), [dateOf(due)], 'the due dates');
    });

    define('9.13/due/work-days', async (server) => {
      const deal = await newDeal(server);
      await staged(deal);
      await acceptNow(deal);
      const since = await timeOf(deal, 'deal.accepted');
      equal(
        dueDates(await deal.details()).slice(-2),
        [dateOf(since + 10 * day), dateOf(since + 30 * day)],
        'the due dates',
      );
    });

    define('9.13/due/v1', async (server) => {
      const deal = await newDealV1(server, { work_days: 12 });
      await deal.done('partner', 'accept');
      const since = await timeOf(deal, 'deal.accepted');
      equal(dueDates(await deal.details()), [dateOf(since + 12 * day)], 'the due dates');
    });

    for (const make of [newDeal, newDealV1]) {
      define(
        '9.13/due/not-before-acceptance',
        async (server) => {
          equal(dueDates(await (await make(server)).details()), [null], 'the due dates');
        },
        make === newDeal ? '2.0' : '1.0',
      );
    }

    define('9.13/due/sent-back', async (server) => {
      const deal = await newDeal(server);
      const [first = 0] = await staged(deal);
      await acceptNow(deal);
      await deliverStage(deal, first);
      await advanceTo(server, (await timeOf(deal, 'deal.accepted')) + 5 * day);
      await deal.done('partner', 'request-changes', { ...because, stage_id: first });
      const least = (await timeOf(deal, 'deal.changes_requested')) + 7 * day;
      equal(dueDates(await deal.details()).at(-2), dateOf(least), 'the due date');
    });

    define('9.13/due/amended', async (server) => {
      const { deal } = await dueDeal(server);
      await agreed(deal, amendment({ work_days: 1 }));
      const least = (await timeOf(deal, 'deal.amended')) + 7 * day;
      equal(dueDates(await deal.details()), [dateOf(least)], 'the due dates');
      await agreed(deal, amendment({ work_days: 60 }));
      const since = await timeOf(deal, 'deal.accepted');
      equal(dueDates(await deal.details()), [dateOf(since + 60 * day)], 'those of 60 days');
    });

    for (const by of views) {
      define(
        '9.14/due/views',
        async (server) => {
          const { deal, due } = await dueDeal(server);
          const { stages } = await dataAt(deal, '', by);
          equal(dueDates({ stages: stages as readonly Members[] }), [dateOf(due)], 'the dates');
        },
        by,
      );
    }

    define('9.16/due/none', async (server) => {
      const deal = await newDeal(server);
      await approveFirst(deal);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      const dates = dueDates(await deal.details());
      equal(
        dates.map((each) => each === null),
        // the first stage was cancelled as the two halves came
        [true, true, false, true],
        'whether nothing is due',
      );
    });

    define('9.16/due/submitted', async (server) => {
      const { deal, due } = await dueDeal(server);
      await deal.upload();
      await deal.done('freelancer', 'deliver');
      equal(dueDates(await deal.details()), [dateOf(due)], 'the due dates');
    });

    define('9.16/due/added', async (server) => {
      const { deal, due } = await dueDeal(server);
      await advance(server, 3 * day);
      const [id] = await idsOf(deal);
      const stages = [{ id }, { name: 'One more', budget: '10.00', work_days: 20 }];
      await agreed(deal, amendment({ stages }));
      const since = await timeOf(deal, 'deal.amended');
      equal(
        dueDates(await deal.details()),
        [dateOf(due), dateOf(since + 20 * day)],
        'the due dates',
      );
    });

    define('9.16/due/below-zero', async (server) => {
      const deal = await newDealV1(server, { work_days: -5 });
      await deal.done('partner', 'accept');
      const since = await timeOf(deal, 'deal.accepted');
      equal(dueDates(await deal.details()), [dateOf(since)], 'the due dates');
    });

    define('9.16/due/beyond', async (server) => {
      for (const work_days of [8000 * 366, Number.MAX_SAFE_INTEGER]) {
        const deal = await newDealV1(server, { work_days });
        await deal.done('partner', 'accept');
        equal(dueDates(await deal.details()), [null], 'the due dates');
      }
    });

    define('9.13/overdue/told', async (server) => {
      const { deal, due } = await dueDeal(server);
      await advanceTo(server, due);
      equal(await toldOf(deal), [await idsOf(deal)], 'the stages of each event');
      const event = (await eventsOf(deal)).find(({ type }) => type === 'deal.overdue');
      equal(event?.['actor'], 'clock', 'the actor');
    });

    define('9.13/overdue/not-before', async (server) => {
      const { deal, due } = await dueDeal(server);
      const now = await advanceTo(server, due - hour);
      const told = await toldOf(deal);
      expectBefore(now, due);
      equal(told, [], 'the events');
    });

    define('9.13/overdue/once', async (server) => {
      const { deal, due } = await dueDeal(server);
      await advanceTo(server, due);
      await advance(server, 20 * day);
      equal((await toldOf(deal)).length, 1, 'the number of events');
    });

    define('9.13/overdue/again', async (server) => {
      const { deal, due } = await dueDeal(server);
      await advanceTo(server, due);
      await agreed(deal, amendment({ amount: '120.04' }));
      await advance(server, 8 * day);
      equal((await toldOf(deal)).length, 2, 'the number of events');
    });

    define('9.13/overdue/sent-back', async (server) => {
      const { deal, due } = await dueDeal(server);
      await deal.upload();
      await deal.done('freelancer', 'deliver');
      await deal.done('partner', 'request-changes', because);
      await advanceTo(server, due);
      equal(await toldOf(deal), [await idsOf(deal)], 'the stages of each event');
    });

    define('9.13/overdue/not-submitted', async (server) => {
      const deal = await newDealV1(server, { work_days: 2 });
      await deal.done('partner', 'accept');
      await deal.upload();
      await deal.done('partner', 'deliver');
      await advance(server, 3 * day);
      equal(await toldOf(deal), [], 'the events');
    });

    define('9.13/overdue/changes-nothing', async (server) => {
      const { deal, due } = await dueDeal(server);
      await changesNothing(deal, async () => {
        await advanceTo(server, due);
        return server.partner.send('GET', `${deal.path('partner')}/`);
      });
    });

    define('9.16/overdue/together', async (server) => {
      const deal = await newDeal(server);
      const half = { name: 'A half', budget: '50.02', work_days: 9 };
      const ids = await staged(deal, [half, half]);
      await acceptNow(deal);
      await advanceTo(server, (await timeOf(deal, 'deal.accepted')) + 9 * day);
      equal(await toldOf(deal), [ids], 'the stages of each event');
    });

    const defineForEach = forEachReporter(define);

    defineForEach('9.13/cancel/paid', async (server, by) => {
      const { deal } = await dueDeal(server);
      await payUnasked(deal, by, '40.00');
      const reply = await changesNothing(deal, () => deal.give('partner', 'cancel'));
      expectReason(reply, 'already_paid');
    });

    defineForEach('9.13/cancel/not-yet', async (server, by) => {
      const { deal, due } = await dueDeal(server);
      await payUnasked(deal, by, '40.00');
      const now = await advanceTo(server, due + 6 * day);
      const reply = await deal.give('partner', 'cancel');
      expectBefore(now, due + 7 * day);
      expectReason(reply, 'not_overdue');
    });

    defineForEach('9.13/cancel/overdue', async (server, by) => {
      const { deal, due } = await dueDeal(server);
      await payUnasked(deal, by, '40.00');
      await advanceTo(server, due + 7 * day);
      await deal.done('partner', 'cancel');
      expectStatuses(await deal.details(), statusesIn.cancelled);
    });

    for (const isPaid of [false, true]) {
      const variant = isPaid ? 'paid' : 'unpaid';
      const sentBack = async (server: Server) => {
        const { deal, due } = await dueDeal(server);
        if (isPaid) await payUnasked(deal, ofSandbox, '40.00');
        await deal.upload();
        await deal.done('freelancer', 'deliver');
        await deal.done('partner', 'request-changes', because);
        return { deal, due };
      };
      define(
        '9.13/cancel/sent-back',
        async (server) => {
          const { deal, due } = await sentBack(server);
          await advanceTo(server, due + 7 * day);
          await deal.done('partner', 'cancel');
          expectStatuses(await deal.details(), statusesIn.cancelled);
        },
        variant,
      );
      define(
        '9.13/cancel/sent-back-not-yet',
        async (server) => {
          const { deal } = await sentBack(server);
          const reply = await changesNothing(deal, () => deal.give('partner', 'cancel'));
          expectReason(reply, 'not_overdue');
        },
        variant,
      );
    }

    define('9.13/cancel/legal', async (server) => {
      const deal = await dealIn('changes_requested', server);
      const error = expectError(await deal.give('partner', 'invite'), 409, 'illegal_transition');
      const { legal } = error;
      check(Array.isArray(legal) && legal.includes('cancel'), `legal\n  actual: ${show(legal)}`);
    });

    define('9.13/cancel/refunds', async (server) => {
      const { deal, due } = await dueDeal(server);
      await payUnasked(deal, ofSandbox, '40.00');
      await advanceTo(server, due + 7 * day);
      await deal.done('partner', 'cancel');
      await becomes(deal, 'the refund', (each) => figuresOf(each).refunded === '40.00');
    });

    define('9.13/cancel/submitted', async (server) => {
      const deal = await newDeal(server);
      const [first = 0, second = 0] = await staged(deal);
      await acceptNow(deal);
      await payUnasked(deal, ofSandbox, '40.00');
      await advanceTo(server, (await timeOf(deal, 'deal.accepted')) + 17 * day);
      await deliverStage(deal, second);
      expectReason(await deal.give('partner', 'cancel'), 'work_delivered');
      await deal.done('partner', 'request-changes', { ...because, stage_id: second });
      await deal.done('partner', 'cancel');
      equal(
        (await deal.details()).stages.find(({ id }) => id === first)?.status,
        'cancelled',
        'it',
      );
    });

    defineForEach('9.13/decline/paid', async (server, by) => {
      const deal = await dealIn('accepted', server);
      await payUnasked(deal, by, '40.00');
      await deal.done('freelancer', 'decline');
      expectStatuses(await deal.details(), statusesIn.declined);
    });

    defineForEach('9.13/decline/sent-back', async (server, by) => {
      const deal = await dealIn('changes_requested', server);
      await payUnasked(deal, by, '40.00');
      await deal.done('freelancer', 'decline');
      expectStatuses(await deal.details(), statusesIn.declined);
    });
  },
);
