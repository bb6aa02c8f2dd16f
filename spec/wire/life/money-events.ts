import { equal } from '../../expectations.js';
import { group, type Members } from '../server.js';
import {
  forEachReporter,
  lastPayout,
  lastRequest,
  ofSandbox,
  reportPayment,
  reportPayout,
} from './billing.js';
import { dealIn } from './deal.js';
import { addedBy, dataOf, eventsOf } from './events.js';
import { completedDeal } from './payouts.js';
import { paidDeal, requestedDeal } from './reports.js';

const typesOf = (events: readonly Members[]) => events.map(({ type }) => type);

/** Decision 6.7: what is said in events of money. */
export const moneyEvents = group(
  'events of money',
  {
    must: {
      '6.7/money/event-request':
        'A report that changes a payment emits `employer_payment.<status>`.',
      '6.7/money/event-money-back':
        'Money that goes back emits `employer_payment.charged_back` or `employer_payment.refunded`.',
      '6.7/money/event-refund-failed': 'A failed refund emits `employer_payment.refund_failed`.',
      '6.7/money/event-actor':
        'The actor of the event of a report by the operator is the operator.',
      '6.7/money/event-once': 'A report that is recorded already emits nothing.',
      '6.7/money/event-ignored': 'A report that changes nothing emits nothing.',
      '6.7/money/event-scheduled':
        'A payout that is scheduled emits `contractor_payment.scheduled`.',
      '6.7/money/event-completed':
        'The payout of the last stage emits `contractor_payment.paid` and `deal.completed`.',
      '6.7/money/event-completed-data':
        '`deal.completed` has its statuses and the stages that were paid.',
      '6.7/money/event-gateway': 'The actor of what a gateway reports is `payments`.',
      '6.7/money/event-returned': 'A payout that comes back emits `contractor_payment.returned`.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    for (const status of ['processing', 'failed', 'expired', 'paid']) {
      defineForEach(
        '6.7/money/event-request',
        async (server, by) => {
          const { deal, payment_id } = await requestedDeal(server);
          // less than a payout needs
          const report = { payment_id, status, amount: '40.00', reference: 'bank' };
          const added = await addedBy(deal, () => reportPayment(deal, by, report));
          equal(typesOf(added), [`employer_payment.${status}`], 'the types of the events');
        },
        status,
      );
    }

    for (const [status, amount] of [
      ['charged_back', '100.04'],
      ['refunded', '100.04'],
      ['partially_refunded', '40.00'],
    ] as const) {
      defineForEach(
        '6.7/money/event-money-back',
        async (server, by) => {
          const { deal, payment_id } = await paidDeal(server, by);
          const report = { payment_id, status, amount, reference: 'back' };
          const added = await addedBy(deal, () => reportPayment(deal, by, report));
          const type = status === 'charged_back' ? status : 'refunded';
          equal(typesOf(added), [`employer_payment.${type}`], 'the types of the events');
        },
        status,
      );
    }

    defineForEach('6.7/money/event-refund-failed', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      await reportPayment(deal, by, { payment_id, status: 'refunded', reference: 'back' });
      const report = { payment_id, status: 'refund_failed', reference: 'back' };
      const added = await addedBy(deal, () => reportPayment(deal, by, report));
      equal(typesOf(added), ['employer_payment.refund_failed'], 'the types of the events');
    });

    define('6.7/money/event-actor', async (server) => {
      const { deal, payment_id } = await requestedDeal(server);
      const body = { payment_id, status: 'failed', reference: 'bank' };
      const [event] = await addedBy(deal, () =>
        deal.done('operator', 'record-employer-payment', body),
      );
      equal(event?.['actor'], 'operator', 'the actor of the event');
    });

    defineForEach('6.7/money/event-once', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'paid', amount: '40.00', reference: 'bank' };
      await reportPayment(deal, by, report);
      equal(
        await addedBy(deal, () => reportPayment(deal, by, report)),
        [],
        'the events of the second',
      );
    });

    defineForEach('6.7/money/event-ignored', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const late = { payment_id, status: 'failed', reference: 'late' };
      equal(
        await addedBy(deal, () => reportPayment(deal, by, late)),
        [],
        'the events of the report',
      );
    });

    defineForEach('6.7/money/event-scheduled', async (server, by) => {
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      const report = { payment_id, status: 'paid', reference: 'bank' };
      const [first, second] = await addedBy(deal, () => reportPayment(deal, by, report));
      equal(
        [first?.['type'], second?.['type']],
        ['employer_payment.paid', 'contractor_payment.scheduled'],
        'the types of the first two events',
      );
    });

    defineForEach('6.7/money/event-completed', async (server, by) => {
      const types = typesOf(await eventsOf(await completedDeal(server, by)));
      equal(
        types.slice(types.indexOf('contractor_payment.paid')),
        ['contractor_payment.paid', 'deal.completed'],
        'the types of the last events',
      );
    });

    defineForEach('6.7/money/event-completed-data', async (server, by) => {
      const deal = await completedDeal(server, by);
      const { stages } = await deal.details();
      const { status, freelancer_status, stage_ids } = dataOf((await eventsOf(deal)).at(-1));
      equal(
        { status, freelancer_status, stage_ids },
        {
          status: 'completed',
          freelancer_status: 'finished',
          stage_ids: stages.map(({ id }) => id),
        },
        'the data of the last event',
      );
    });

    define('6.7/money/event-gateway', async (server) => {
      const events = await eventsOf(await completedDeal(server, ofSandbox));
      const event = events.find(({ type }) => type === 'contractor_payment.paid');
      equal(event?.['actor'], 'payments', 'the actor of the event');
    });

    defineForEach('6.7/money/event-returned', async (server, by) => {
      const deal = await completedDeal(server, by);
      const payment_id = lastPayout(await deal.details()).id;
      const report = { payment_id, status: 'returned', reference: 'came back' };
      const added = await addedBy(deal, () => reportPayout(deal, by, report));
      equal(typesOf(added), ['contractor_payment.returned'], 'the types of the events');
    });
  },
);
