import { equal } from '../../expectations.js';
import { group, type Members, type Server } from '../server.js';
import {
  expectBalanced,
  expectFigures,
  type Figures,
  figuresOf,
  forEachReporter,
  lastRequest,
  type Reporter,
  reportPayment,
} from './billing.js';
import {
  arrayOf,
  changesNothing,
  expectStatuses,
  type LivingDeal,
  silentAmount,
  statusesIn,
} from './deal.js';
import { paidDeal, requestedDeal } from './reports.js';

const all = silentAmount;

/** Decisions 6.3 and 6.7: money of the employer that goes back. */
export const moneyBack = group(
  'money that goes back',
  {
    must: {
      '6.3/money/charged-back': 'A charge-back takes the held money; it is outstanding again.',
      '6.3/money/charged-back-part': 'A part that is charged back leaves the rest held.',
      '6.7/money/charge-back-implies-paid':
        'A charge-back that is reported before its payment implies the payment.',
      '6.7/money/refund-implies-paid':
        'A refund that is reported before its payment implies the payment.',
      '6.3/money/partially-refunded':
        'A part that was refunded makes the payment `partially_refunded`.',
      '6.3/money/refunded-rest': 'A payment whose parts were all refunded is `refunded`.',
      '6.7/money/refund-failed': 'A refund that failed is held again, and the payment is `paid`.',
      '6.7/money/refund-failed-attention': 'A refund that failed is shown as `attention`.',
      '6.7/money/attention-list':
        'A list with `attention=true` has only deals that need attention.',
      '6.7/money/refund-failed-once': 'A failed refund that is reported twice counts once.',
      '6.7/money/refund-failed-first':
        'A refund whose failure is reported first, by the same reference, moves nothing.',
      '6.7/money/any-order': 'The same reports in another order give the same sums.',
      '6.3/money/balanced':
        'What came in equals what is held and what went out, after every report.',
      '6.7/money/paid-back': '`cancel` is legal again once all that was paid was taken back.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    defineForEach('6.3/money/charged-back', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      await reportPayment(deal, by, { payment_id, status: 'charged_back', reference: 'bank' });
      const details = await deal.details();
      equal(lastRequest(details).status, 'charged_back', 'the status of the payment');
      expectFigures(details, { paid: all, charged_back: all, outstanding: all });
    });

    defineForEach('6.3/money/charged-back-part', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const report = { payment_id, status: 'charged_back', amount: '40.00', reference: 'bank' };
      await reportPayment(deal, by, report);
      const figures = { paid: all, charged_back: '40.00', held: '60.04', outstanding: '40.00' };
      expectFigures(await deal.details(), figures);
    });

    defineForEach('6.7/money/charge-back-implies-paid', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'charged_back', amount: all, reference: 'bank' };
      await reportPayment(deal, by, report);
      expectFigures(await deal.details(), { paid: all, charged_back: all, outstanding: all });
    });

    defineForEach('6.7/money/refund-implies-paid', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      const report = { payment_id, status: 'refunded', amount: all, reference: 'bank' };
      await reportPayment(deal, by, report);
      expectFigures(await deal.details(), { paid: all, refunded: all, outstanding: all });
    });

    defineForEach('6.3/money/partially-refunded', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      await reportPayment(deal, by, { ...partOf(payment_id), reference: 'one' });
      const details = await deal.details();
      equal(lastRequest(details).status, 'partially_refunded', 'the status of the payment');
      const figures = { paid: all, refunded: '40.00', held: '60.04', outstanding: '40.00' };
      expectFigures(details, figures);
    });

    defineForEach('6.3/money/refunded-rest', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      await reportPayment(deal, by, { ...partOf(payment_id), reference: 'one' });
      const rest = { payment_id, status: 'refunded', amount: '60.04', reference: 'two' };
      await reportPayment(deal, by, rest);
      const details = await deal.details();
      equal(lastRequest(details).status, 'refunded', 'the status of the payment');
      expectFigures(details, { paid: all, refunded: all, outstanding: all });
    });

    defineForEach('6.7/money/refund-failed', async (server, by) => {
      const deal = await failedRefund(server, by);
      const details = await deal.details();
      equal(lastRequest(details).status, 'paid', 'the status of the payment');
      expectFigures(details, { paid: all, held: all });
    });

    defineForEach('6.7/money/refund-failed-attention', async (server, by) => {
      const { deal } = await paidDeal(server, by);
      equal((await deal.details())['attention'], [], 'attention before');
      const failed = await failedRefund(server, by);
      equal((await failed.details())['attention'], ['refund_failed'], 'attention');
    });

    defineForEach('6.7/money/attention-list', async (server, by) => {
      const [plain, failed] = [await paidDeal(server, by), await failedRefund(server, by)];
      for (const [deal, expected] of [
        [plain.deal, []],
        [failed, [failed.partner_id]],
      ] as const) {
        const query = `attention=true&partner_id=${deal.partner_id}`;
        const { results } = await server.partner.data('GET', `/api/2.0/deal/?${query}`);
        equal(
          arrayOf(results, 'the results').map(({ partner_id }) => partner_id),
          expected,
          'the deals that need attention',
        );
      }
    });

    defineForEach('6.7/money/refund-failed-once', async (server, by) => {
      const deal = await failedRefund(server, by);
      const payment_id = lastRequest(await deal.details()).id;
      const report = { payment_id, status: 'refund_failed', reference: 'back' };
      await changesNothing(deal, () => reportPayment(deal, by, report));
    });

    defineForEach('6.7/money/refund-failed-first', async (server, by) => {
      const { deal, payment_id } = await paidDeal(server, by);
      const amount = all;
      for (const status of ['refund_failed', 'refunded']) {
        await reportPayment(deal, by, { payment_id, status, amount, reference: 'back' });
      }
      expectFigures(await deal.details(), { paid: all, held: all });
    });

    for (const reports of orders) {
      defineForEach(
        '6.7/money/any-order',
        async (server, by) => {
          const figures = await figuresAfter(server, by, reports);
          const turned = await figuresAfter(server, by, [...reports].reverse());
          equal(turned, figures, 'the sums after the same reports in turned order');
        },
        reports.map(({ status }) => status).join(', '),
      );
    }

    defineForEach('6.3/money/balanced', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      expectBalanced(await deal.details());
      for (const [index, report] of story.entries()) {
        await reportPayment(deal, by, { payment_id, reference: `step ${index}`, ...report });
        expectBalanced(await deal.details());
      }
    });

    for (const status of ['charged_back', 'refunded']) {
      defineForEach(
        '6.7/money/paid-back',
        async (server, by) => {
          const { deal, payment_id } = await paidDeal(server, by);
          await reportPayment(deal, by, { payment_id, status, reference: 'back' });
          await deal.done('partner', 'cancel');
          expectStatuses(await deal.details(), statusesIn.cancelled);
        },
        status,
      );
    }
  },
);

const partOf = (payment_id: string) => ({
  payment_id,
  status: 'partially_refunded',
  amount: '40.00',
});

/** A deal that was paid, refunded, and whose refund came back. */
export async function failedRefund(server: Server, by: Reporter): Promise<LivingDeal> {
  const { deal, payment_id } = await paidDeal(server, by);
  for (const status of ['refunded', 'refund_failed']) {
    await reportPayment(deal, by, { payment_id, status, reference: 'back' });
  }
  return deal;
}

/** Reports of one request, which stay below what a payout needs in every order. */
const orders: readonly (readonly { readonly status: string; readonly amount: string }[])[] = [
  [
    { status: 'paid', amount: '60.00' },
    { status: 'partially_refunded', amount: '20.00' },
  ],
  [
    { status: 'paid', amount: '60.00' },
    { status: 'charged_back', amount: '20.00' },
  ],
  [
    { status: 'paid', amount: '30.00' },
    { status: 'paid', amount: '31.00' },
    { status: 'charged_back', amount: '20.00' },
  ],
  [
    { status: 'processing', amount: '60.00' },
    { status: 'failed', amount: '60.00' },
    { status: 'paid', amount: '60.00' },
  ],
];

async function figuresAfter(
  server: Server,
  by: Reporter,
  reports: readonly Members[],
): Promise<Figures> {
  const { deal, payment_id } = await requestedDeal(server);
  for (const report of reports) {
    const reference = `${report['status']} ${report['amount']}`;
    await reportPayment(deal, by, { payment_id, reference, ...report });
  }
  const details = await deal.details();
  expectBalanced(details);
  return figuresOf(details);
}

const story: readonly Members[] = [
  { status: 'processing' },
  { status: 'paid', amount: '60.00' },
  { status: 'partially_refunded', amount: '10.01' },
  { status: 'charged_back', amount: '20.02' },
  { status: 'paid', amount: '30.03' },
  { status: 'charged_back', amount: '1.00' },
];
