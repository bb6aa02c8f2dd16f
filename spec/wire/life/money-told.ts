import { equal } from '../../expectations.js';
import { expectIssues, group, type Members, type Server } from '../server.js';
import {
  expectBalanced,
  expectFigures,
  figuresOf,
  forEachReporter,
  lastRequest,
  type Reporter,
  reportPayment,
} from './billing.js';
import { changesNothing, expectReason, type LivingDeal, silentAmount } from './deal.js';
import { addedBy, dataOf, eventsOf } from './events.js';
import { paidDeal, requestedDeal } from './reports.js';

const all = silentAmount;

/** Sends a report that is refused. */
const refused = (deal: LivingDeal, by: Reporter, body: Members) =>
  deal.give(by.payments, 'record-employer-payment', { body });

/** The kinds of events, with the amounts that moved. */
const movedBy = async (deal: LivingDeal, request: () => Promise<unknown>) =>
  (await addedBy(deal, request)).map((event) => [event['type'], dataOf(event)['amount']]);

/** A deal that was paid, and whose payment was charged back. */
async function chargedBackDeal(server: Server, by: Reporter, amount: string = all) {
  const { deal, payment_id } = await paidDeal(server, by);
  const report = { payment_id, status: 'charged_back', amount, reference: 'dispute' };
  await reportPayment(deal, by, report);
  return { deal, won: { ...report, status: 'charge_back_reversed' } };
}

/** Decisions 10.4 to 10.7: what a report says, and what is told of it. */
export const moneyTold = group(
  'what is told of money',
  {
    must: {
      '10.4/money/currency':
        'A report in another currency than that of the deal is refused, and changes nothing.',
      '10.4/money/currency-case':
        'The currency of a report counts without the case of its letters.',
      '10.4/money/amount-required':
        'A report of money that went back needs an amount if nothing has come of the payment.',
      '10.4/money/default-left':
        'A charge-back without an amount is of what is left: what came, less what was refunded.',
      '10.5/money/implied-amount':
        'A charge-back that is reported before its payment implies a payment of its own amount.',
      '10.5/money/refund-implied':
        'A failed refund that nobody waits for implies the refund: its money waits for the operator.',
      '10.6/money/won': 'A charge-back that was won is held again, and the payment is `paid`.',
      '10.6/money/won-default':
        'A charge-back that was won is by default all that was charged back.',
      '10.6/money/won-bound': 'No more than was charged back can be won.',
      '10.23/money/won-first':
        'A charge-back that is won before it is reported moves only the rest, if it has the same reference.',
      '10.7/money/event-moved': 'The event of a report has the amount that moved.',
      '10.7/money/event-part':
        'Each refund, also of a part, emits `employer_payment.refunded`, with the status of its payment.',
      '10.7/money/event-implied': 'What a report implies is told first, by an event of its own.',
      '10.7/money/event-nothing':
        'What takes back nothing that was told has the amount 0.00, and `asked` says of what.',
      '10.7/money/event-won':
        'A charge-back that was won emits `employer_payment.charge_back_reversed`.',
      '10.7/money/sums': 'The amounts of the events of money add up to the billing.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    defineForEach('10.4/money/currency', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'paid', amount: all, reference: 'bank' };
      const reply = await changesNothing(deal, () =>
        refused(deal, by, { ...report, currency: 'XAU' }),
      );
      expectIssues(reply, {
        path: ['currency'],
        code: 'currency_mismatch',
      });
    });

    defineForEach('10.4/money/currency-case', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const currency = String((await deal.details())['currency']).toLowerCase();
      const report = { payment_id, status: 'paid', amount: '40.00', currency, reference: 'bank' };
      await reportPayment(deal, by, report);
      equal(figuresOf(await deal.details()).paid, '40.00', 'the sum paid');
    });

    for (const status of [
      'refunded',
      'partially_refunded',
      'refund_failed',
      'charged_back',
      'charge_back_reversed',
    ]) {
      defineForEach(
        '10.4/money/amount-required',
        async (server, by) => {
          const { deal, payment_id } = await requestedDeal(server);
          const reply = await changesNothing(deal, () =>
            refused(deal, by, { payment_id, status, reference: 'bank' }),
          );
          expectIssues(reply, {
            path: ['amount'],
            code: 'required',
          });
        },
        status,
      );
    }

    defineForEach('10.4/money/default-left', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const part = { payment_id, status: 'refunded', amount: '60.00', reference: 'part' };
      await reportPayment(deal, by, part);
      await reportPayment(deal, by, { payment_id, status: 'charged_back', reference: 'bank' });
      const figures = { paid: all, refunded: '60.00', charged_back: '40.04', outstanding: all };
      expectFigures(await deal.details(), figures);
    });

    defineForEach('10.5/money/implied-amount', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'charged_back', amount: '40.00', reference: 'bank' };
      await reportPayment(deal, by, report);
      const figures = { paid: '40.00', charged_back: '40.00', outstanding: all };
      expectFigures(await deal.details(), figures);
    });

    defineForEach('10.5/money/refund-implied', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const report = { payment_id, status: 'refund_failed', amount: '40.00', reference: 'back' };
      await reportPayment(deal, by, report);
      const details = await deal.details();
      expectFigures(details, { paid: all, held: all });
      equal(details['attention'], ['refund_failed'], 'attention');
    });

    defineForEach('10.6/money/won', async (server, by) => {
      const { deal, won } = await chargedBackDeal(server, by);
      await reportPayment(deal, by, { ...won, amount: '60.00' });
      const part = { paid: all, held: '60.00', charged_back: '40.04', outstanding: '40.04' };
      expectFigures(await deal.details(), part);
      await reportPayment(deal, by, { ...won, amount: '40.04', reference: 'the rest' });
      const details = await deal.details();
      expectFigures(details, { paid: all, held: all });
      equal(lastRequest(details).status, 'paid', 'the status of the payment');
      expectBalanced(details);
    });

    defineForEach('10.6/money/won-default', async (server, by) => {
      const { deal, won } = await chargedBackDeal(server, by, '60.00');
      const { amount: _, ...report } = won;
      await reportPayment(deal, by, report);
      expectFigures(await deal.details(), { paid: all, held: all });
    });

    defineForEach('10.6/money/won-bound', async (server, by) => {
      const { deal, won } = await chargedBackDeal(server, by, '60.00');
      const reply = await changesNothing(deal, () =>
        refused(deal, by, { ...won, amount: '60.01' }),
      );
      expectReason(reply, 'amount_out_of_bounds');
    });

    defineForEach('10.23/money/won-first', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const won = { payment_id, status: 'charge_back_reversed', reference: 'dispute' };
      await reportPayment(deal, by, { ...won, amount: '60.00' });
      expectFigures(await deal.details(), { paid: all, held: all });
      await reportPayment(deal, by, { ...won, status: 'charged_back', amount: all });
      const figures = { paid: all, held: '60.00', charged_back: '40.04', outstanding: '40.04' };
      expectFigures(await deal.details(), figures);
    });

    defineForEach('10.7/money/event-moved', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      for (const [amount, reference] of [
        ['40.00', 'one'],
        ['20.00', 'two'],
      ]) {
        const report = { payment_id, status: 'paid', amount, reference };
        const moved = await movedBy(deal, () => reportPayment(deal, by, report));
        equal(moved, [['employer_payment.paid', amount]], 'what the events say');
      }
      const report = { payment_id, status: 'charged_back', amount: '10.00', reference: 'bank' };
      const moved = await movedBy(deal, () => reportPayment(deal, by, report));
      equal(moved, [['employer_payment.charged_back', '10.00']], 'what the event says');
    });

    defineForEach('10.7/money/event-part', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      for (const [amount, reference, expected] of [
        ['40.00', 'one', 'partially_refunded'],
        ['60.04', 'two', 'refunded'],
      ] as const) {
        const report = { payment_id, status: expected, amount, reference };
        const [event] = await addedBy(deal, () => reportPayment(deal, by, report));
        equal(event?.['type'], 'employer_payment.refunded', 'the type of the event');
        const { amount: moved, status, payment_status } = dataOf(event);
        equal([moved, status, payment_status], [amount, expected, expected], 'what it says');
      }
    });

    defineForEach('10.7/money/event-implied', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'charged_back', amount: '40.00', reference: 'bank' };
      const moved = await movedBy(deal, () => reportPayment(deal, by, report));
      equal(
        moved,
        [
          ['employer_payment.paid', '40.00'],
          ['employer_payment.charged_back', '40.00'],
        ],
        'what the events say',
      );
    });

    defineForEach('10.7/money/event-nothing', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const won = { payment_id, status: 'charge_back_reversed', amount: '40.00' };
      const [event] = await addedBy(deal, () =>
        reportPayment(deal, by, { ...won, reference: 'dispute' }),
      );
      const { amount, asked } = dataOf(event);
      equal([amount, asked], ['0.00', '40.00'], 'the amounts of the event');
    });

    defineForEach('10.7/money/event-won', async (server, by) => {
      const { deal, won } = await chargedBackDeal(server, by);
      const moved = await movedBy(deal, () => reportPayment(deal, by, won));
      equal(moved, [['employer_payment.charge_back_reversed', all]], 'what the event says');
    });

    defineForEach('10.7/money/sums', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      for (const [status, amount, reference] of story) {
        await reportPayment(deal, by, { payment_id, status, amount, reference });
      }
      const { paid, refunded, charged_back } = figuresOf(await deal.details());
      const events = await eventsOf(deal);
      const sumOf = (type: string) =>
        events
          .filter((event) => event['type'] === `employer_payment.${type}`)
          .reduce((sum, event) => sum + Math.round(Number(dataOf(event)['amount']) * 100), 0);
      equal(
        [sumOf('paid'), sumOf('refunded') - sumOf('refund_failed')],
        [hundredths(paid), hundredths(refunded)],
        'paid and refunded, in hundredths',
      );
      equal(
        sumOf('charged_back') - sumOf('charge_back_reversed'),
        hundredths(charged_back),
        'the sum charged back, in hundredths',
      );
    });
  },
);

const hundredths = (amount: string): number => Math.round(Number(amount) * 100);

/** Reports of one request, some of them before those that they follow. */
const story = [
  ['charged_back', '20.02', 'dispute'],
  ['paid', '60.00', 'one'],
  ['refunded', '10.01', 'back'],
  ['refund_failed', '10.01', 'back'],
  ['charge_back_reversed', '20.02', 'dispute'],
  ['refund_failed', '5.00', 'early'],
  ['refunded', '5.00', 'early'],
  ['paid', '30.03', 'two'],
  ['partially_refunded', '7.00', 'again'],
] as const;
