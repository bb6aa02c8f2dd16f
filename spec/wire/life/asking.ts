import { check, equal, show } from '../../expectations.js';
import { group, membersOf } from '../server.js';
import {
  contractorPayments,
  employerPayments,
  expectFigures,
  forEachReporter,
  lastRequest,
  payUnasked,
  reportPayment,
} from './billing.js';
import { because, dealIn, expectStatuses, newDeal, silentAmount, statusesIn } from './deal.js';
import { resolution } from './operator.js';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Decisions 6.3 and 6.7: when the employer is asked, and for how much. */
export const requests = group(
  'requests for payment',
  {
    must: {
      '4/money/at-creation': 'The billing of a new deal is zero, but for what is outstanding.',
      '6.3/money/asked-on-approval': 'The employer is asked for what was approved.',
      '6.3/money/not-asked-before': 'Nothing is asked for before the approval.',
      '6.3/money/request-members':
        'A payment has id, amount, currency, status, reference and its times.',
      '6.7/money/asked-again':
        '`request-payment` after a failure asks again for what is outstanding.',
      '6.7/money/asked-again-by-operator': 'The operator asks again by `request-payment`, too.',
      '6.7/money/asked-rest': '`request-payment` after a smaller payment asks for the rest.',
      '6.7/money/unasked': 'Money that was not asked for is a payment of its own.',
      '6.7/money/unasked-lessens': 'Money that came before the approval lessens what is asked for.',
      '6.7/money/unasked-whole': 'Nothing is asked for on approval if all was paid before.',
      '6.7/money/request-ends': 'A request that is open when the deal ends becomes `expired`.',
      '6.7/money/resolve-asks':
        '`resolve` lets the old request expire and asks for the agreed amount.',
      '6.7/money/resolve-asks-first':
        '`resolve` of work that was not approved asks for its amount.',
      '6.7/money/outstanding-ends': 'Nothing is outstanding in a deal that was cancelled.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    define('4/money/at-creation', async (server) => {
      const details = await (await newDeal(server, { amount: '7.5', currency: 'EUR' })).details();
      expectFigures(details, { outstanding: '7.50' });
      const { amount, currency } = membersOf(details['billing'], 'the billing');
      equal({ amount, currency }, { amount: '7.50', currency: 'EUR' }, 'the billing');
      equal(employerPayments(details), [], 'the payments of the employer');
      equal(contractorPayments(details), [], 'the payments of the contractor');
    });

    define('6.3/money/asked-on-approval', async (server) => {
      const deal = await dealIn('delivered', server);
      await deal.done('partner', 'approve');
      const payments = employerPayments(await deal.details());
      equal(
        payments.map(({ amount, status }) => ({ amount, status })),
        [{ amount: silentAmount, status: 'requested' }],
        'the payments of the employer',
      );
    });

    for (const state of ['accepted', 'delivered', 'changes_requested'] as const) {
      define(
        '6.3/money/not-asked-before',
        async (server) => {
          const details = await (await dealIn(state, server)).details();
          equal(employerPayments(details), [], 'the payments of the employer');
        },
        state,
      );
    }

    define('6.3/money/request-members', async (server) => {
      const deal = await dealIn('approved', server, { currency: 'EUR' });
      const payment = lastRequest(await deal.details());
      equal(payment['currency'], 'EUR', 'the currency');
      equal(payment['reference'], null, 'the reference');
      check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(payment.id), `a ULID\n  actual: ${payment.id}`);
      for (const name of ['requested_at', 'updated_at']) {
        const text = String(payment[name]);
        check(time.test(text), `${name} is a time of RFC 3339\n  actual: ${show(text)}`);
      }
    });

    for (const status of ['failed', 'expired']) {
      defineForEach(
        '6.7/money/asked-again',
        async (server, by) => {
          const deal = await dealIn('approved', server);
          const { id } = lastRequest(await deal.details());
          await reportPayment(deal, by, { payment_id: id, status, reference: 'first' });
          await deal.done('partner', 'request-payment');
          const payments = employerPayments(await deal.details());
          equal(
            payments.map(({ amount, status }) => ({ amount, status })),
            [
              { amount: silentAmount, status },
              { amount: silentAmount, status: 'requested' },
            ],
            'the payments of the employer',
          );
        },
        status,
      );
    }

    defineForEach('6.7/money/asked-again-by-operator', async (server, by) => {
      const deal = await dealIn('approved', server);
      const { id } = lastRequest(await deal.details());
      await reportPayment(deal, by, { payment_id: id, status: 'failed', reference: 'first' });
      await deal.done(by.operator, 'request-payment');
      const payments = employerPayments(await deal.details());
      equal(
        payments.map(({ status }) => status),
        ['failed', 'requested'],
        'the statuses of the payments',
      );
    });

    defineForEach('6.7/money/asked-rest', async (server, by) => {
      const deal = await dealIn('approved', server);
      const { id } = lastRequest(await deal.details());
      const report = { payment_id: id, status: 'paid', amount: '40.00', reference: 'part' };
      await reportPayment(deal, by, report);
      await deal.done('partner', 'request-payment');
      const { amount, status } = lastRequest(await deal.details());
      equal({ amount, status }, { amount: '60.04', status: 'requested' }, 'the second request');
    });

    defineForEach('6.7/money/unasked', async (server, by) => {
      const deal = await dealIn('accepted', server);
      const { amount, status } = await payUnasked(deal, by, '40.00');
      equal({ amount, status }, { amount: '40.00', status: 'paid' }, 'the payment');
      expectFigures(await deal.details(), { paid: '40.00', held: '40.00', outstanding: '60.04' });
    });

    for (const [id, amount, asked] of [
      ['6.7/money/unasked-lessens', '40.00', ['60.04']],
      ['6.7/money/unasked-whole', silentAmount, []],
    ] as const) {
      defineForEach(id, async (server, by) => {
        const deal = await dealIn('delivered', server);
        const { id: own } = await payUnasked(deal, by, amount);
        await deal.done('partner', 'approve');
        const others = employerPayments(await deal.details()).filter((each) => each.id !== own);
        equal(
          others.map((each) => each.amount),
          asked,
          'the amounts that are asked for',
        );
      });
    }

    defineForEach('6.7/money/request-ends', async (server, by) => {
      const deal = await dealIn('approved', server);
      await deal.done(by.operator, 'cancel', because);
      const details = await deal.details();
      expectStatuses(details, statusesIn.cancelled);
      equal(lastRequest(details).status, 'expired', 'the status of the request');
    });

    defineForEach('6.7/money/resolve-asks', async (server, by) => {
      const deal = await dealIn('approved', server);
      await deal.done('partner', 'dispute', because);
      await deal.done(by.operator, 'resolve', resolution('40.00'));
      equal(
        employerPayments(await deal.details()).map(({ amount, status }) => ({ amount, status })),
        [
          { amount: silentAmount, status: 'expired' },
          { amount: '40.00', status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    defineForEach('6.7/money/resolve-asks-first', async (server, by) => {
      const deal = await dealIn('disputed', server);
      await deal.done(by.operator, 'resolve', resolution('40.00'));
      const details = await deal.details();
      equal(
        employerPayments(details).map(({ amount, status }) => ({ amount, status })),
        [{ amount: '40.00', status: 'requested' }],
        'the payments of the employer',
      );
      expectFigures(details, { outstanding: '40.00' });
    });

    defineForEach('6.7/money/outstanding-ends', async (server, by) => {
      const deal = await dealIn('approved', server);
      await deal.done(by.operator, 'cancel', because);
      expectFigures(await deal.details(), {});
    });
  },
);
