import { check, equal } from '../../expectations.js';
import { expectError, group, type Server } from '../server.js';
import {
  contractorPayments,
  expectBalanced,
  expectFigures,
  figuresOf,
  forEachReporter,
  lastRequest,
  payUnasked,
  type Reporter,
  reportPayment,
} from './billing.js';
import {
  arrayOf,
  because,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  silentAmount,
  statusesIn,
} from './deal.js';

/** An approved deal, of which the employer is asked for the whole. */
export async function requestedDeal(
  server: Server,
): Promise<{ deal: LivingDeal; payment_id: string }> {
  const deal = await dealIn('approved', server);
  return { deal, payment_id: lastRequest(await deal.details()).id };
}

/** An accepted deal of which the whole was paid: no payout takes the money. */
export async function paidDeal(server: Server, by: Reporter, amount: string = silentAmount) {
  const deal = await dealIn('accepted', server);
  return { deal, payment_id: (await payUnasked(deal, by, amount)).id };
}

const all = silentAmount;

/** Decisions 6.3 and 6.7: what the provider tells of a payment of the employer. */
export const reportsOfPayments = group(
  'reports of payments of the employer',
  {
    must: {
      '6.3/money/paid': 'Money that came is paid and held, and no longer outstanding.',
      '6.7/money/paid-default-amount': 'The amount of a report is by default what was asked for.',
      '6.3/money/paid-part':
        'A smaller payment is held, leaves the rest outstanding and pays nothing out.',
      '6.7/money/amount-shown':
        'A payment shows what was asked for, until money came: then what came.',
      '6.7/money/references-add': 'Each new reference of `paid` adds to what came.',
      '6.7/money/reference-once': 'A report with the same reference and status counts once.',
      '6.7/money/reference-once-unasked':
        'A report without `payment_id` that is repeated makes no second payment.',
      '6.3/money/processing': 'A request that is `processing` is shown so, and moves no money.',
      '6.7/money/failed-then-paid': '`paid` counts after `failed` and after `expired`.',
      '6.7/money/late-report': 'A report of a lower rank than what is known changes nothing.',
      '6.7/money/equal-rank': 'A report of the same rank as what is known changes nothing.',
      '6.3/money/in-every-state': 'A report is recorded in every state of the deal.',
      '6.7/money/foreign-payment':
        'A report of a payment of another deal is refused as one of a payment that does not exist.',
      '6.7/money/report-form': 'A report without status or reference, or of a wrong form, is 400.',
      '6.2/money/already-paid': '`cancel` by the partner once something is paid is `already_paid`.',
      '6.2/money/dispute-paid': '`dispute` of an accepted deal is legal once something is paid.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    defineForEach('6.3/money/paid', async (server, by) => {
      const { deal } = await paidDeal(server, by);
      expectFigures(await deal.details(), { paid: all, held: all });
    });

    defineForEach('6.7/money/paid-default-amount', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      const details = await deal.details();
      equal(figuresOf(details).paid, all, 'the sum paid');
      equal(figuresOf(details).outstanding, '0.00', 'the sum outstanding');
      expectBalanced(details);
    });

    defineForEach('6.3/money/paid-part', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      await reportPayment(deal, by, {
        payment_id,
        status: 'paid',
        // no tolerance is as large as what is left
        amount: '90.03',
        reference: 'bank',
      });
      const details = await deal.details();
      expectFigures(details, { paid: '90.03', held: '90.03', outstanding: '10.01' });
      equal(contractorPayments(details), [], 'the payments of the contractor');
      expectStatuses(details, statusesIn.approved);
    });

    defineForEach('6.7/money/amount-shown', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      await reportPayment(deal, by, {
        payment_id,
        status: 'processing',
        amount: '50.00',
        reference: 'a',
      });
      equal(lastRequest(await deal.details()).amount, all, 'the amount while it is processing');
      await reportPayment(deal, by, {
        payment_id,
        status: 'paid',
        amount: '40.00',
        reference: 'a',
      });
      equal(lastRequest(await deal.details()).amount, '40.00', 'the amount once money came');
    });

    defineForEach('6.7/money/references-add', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      for (const [reference, amount] of [
        ['a', '40.00'],
        ['b', '20.00'],
      ]) {
        await reportPayment(deal, by, { payment_id, status: 'paid', amount, reference });
      }
      const details = await deal.details();
      expectFigures(details, { paid: '60.00', held: '60.00', outstanding: '40.04' });
      equal(lastRequest(details).amount, '60.00', 'the amount of the payment');
    });

    for (const [status, amount] of [
      ['paid', '40.00'],
      ['charged_back', '40.00'],
      ['partially_refunded', '40.00'],
    ] as const) {
      defineForEach(
        '6.7/money/reference-once',
        async (server, by) => {
          const { deal, payment_id } = await paidDeal(server, by);
          const report = { payment_id, status, amount, reference: 'again' };
          await reportPayment(deal, by, report);
          await changesNothing(deal, () => reportPayment(deal, by, report));
        },
        status,
      );
    }

    defineForEach('6.7/money/reference-once-unasked', async (server, by) => {
      const deal = await dealIn('accepted', server);
      const report = { status: 'paid', amount: '40.00', reference: 'again' };
      await reportPayment(deal, by, report);
      await changesNothing(deal, () => reportPayment(deal, by, report));
      expectFigures(await deal.details(), { paid: '40.00', held: '40.00', outstanding: '60.04' });
    });

    defineForEach('6.3/money/processing', async (server, by) => {
      const { deal, payment_id } = await requestedDeal(server);
      await reportPayment(deal, by, { payment_id, status: 'processing', reference: 'bank' });
      const details = await deal.details();
      equal(lastRequest(details).status, 'processing', 'the status of the payment');
      expectFigures(details, { outstanding: all });
    });

    for (const status of ['failed', 'expired']) {
      defineForEach(
        '6.7/money/failed-then-paid',
        async (server, by) => {
          const { deal, payment_id } = await requestedDeal(server);
          await reportPayment(deal, by, { payment_id, status, reference: 'first' });
          const amount = '40.00';
          await reportPayment(deal, by, {
            payment_id,
            status: 'paid',
            amount,
            reference: 'second',
          });
          const details = await deal.details();
          equal(lastRequest(details).status, 'paid', 'the status of the payment');
          expectFigures(details, { paid: amount, held: amount, outstanding: '60.04' });
        },
        status,
      );
    }

    for (const status of ['processing', 'failed', 'expired']) {
      defineForEach(
        '6.7/money/late-report',
        async (server, by) => {
          const { deal, payment_id } = await paidDeal(server, by);
          const late = { payment_id, status, reference: 'late' };
          await changesNothing(deal, () => reportPayment(deal, by, late));
        },
        `paid, ${status}`,
      );
    }
    for (const [first, second] of [
      ['failed', 'processing'],
      ['expired', 'processing'],
    ] as const) {
      defineForEach(
        '6.7/money/late-report',
        (server, by) => expectIgnored(server, by, first, second),
        `${first}, ${second}`,
      );
    }
    for (const [first, second] of [
      ['failed', 'expired'],
      ['expired', 'failed'],
      ['processing', 'processing'],
    ] as const) {
      defineForEach(
        '6.7/money/equal-rank',
        (server, by) => expectIgnored(server, by, first, second),
        `${first}, ${second}`,
      );
    }

    for (const state of ['created', 'delivered', 'disputed', 'cancelled', 'declined'] as const) {
      defineForEach(
        '6.3/money/in-every-state',
        async (server, by) => {
          const deal = await dealIn(state, server);
          await payUnasked(deal, by, '40.00');
          const details = await deal.details();
          equal(figuresOf(details).paid, '40.00', 'the sum paid');
          expectStatuses(details, statusesIn[state]);
        },
        state,
      );
    }

    defineForEach('6.7/money/foreign-payment', async (server, by) => {
      const { deal } = await requestedDeal(server);
      const { payment_id } = await requestedDeal(server);
      const answer = async (id: string) => {
        const body = { payment_id: id, status: 'paid', reference: 'bank' };
        const reply = await changesNothing(deal, () =>
          deal.give(by.payments, 'record-employer-payment', { body }),
        );
        check(reply.status >= 400 && reply.status < 500, `a refusal\n  actual: ${reply.status}`);
        const { request_id: _, instance: __, ...rest } = reply.members();
        return rest;
      };
      equal(await answer(payment_id), await answer('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 'the error');
    });

    for (const [variant, changes, path] of [
      ['no status', { status: undefined }, 'status'],
      ['no reference', { reference: undefined }, 'reference'],
      ['an unknown status', { status: 'lost' }, 'status'],
      ['a status of payouts', { status: 'scheduled' }, 'status'],
      ['an empty reference', { reference: '' }, 'reference'],
      ['a number', { amount: 40 }, 'amount'],
      ['three decimals', { amount: '40.001' }, 'amount'],
    ] as const) {
      defineForEach(
        '6.7/money/report-form',
        async (server, by) => {
          const deal = await dealIn('accepted', server);
          const body = { status: 'paid', amount: '40.00', reference: 'bank', ...changes };
          const reply = await deal.give(by.payments, 'record-employer-payment', { body });
          const { errors } = expectError(reply, 400, 'validation_failed');
          equal(
            arrayOf(errors, 'the issues').map((each) => each['path']),
            [[path]],
            'the paths of the issues',
          );
        },
        variant,
      );
    }

    for (const state of ['created', 'accepted'] as const) {
      defineForEach(
        '6.2/money/already-paid',
        async (server, by) => {
          const deal = await dealIn(state, server);
          await payUnasked(deal, by, '0.01');
          const reply = await changesNothing(deal, () => deal.give('partner', 'cancel'));
          expectReason(reply, 'already_paid');
        },
        state,
      );
    }

    for (const by of ['partner', 'freelancer'] as const) {
      defineForEach(
        '6.2/money/dispute-paid',
        async (server, reporter) => {
          const { deal } = await paidDeal(server, reporter, '0.01');
          await deal.done(by, 'dispute', because);
          expectStatuses(await deal.details(), ['disputed', 'accepted', 'pending']);
        },
        by,
      );
    }
  },
);

async function expectIgnored(
  server: Server,
  by: Reporter,
  first: string,
  second: string,
): Promise<void> {
  const { deal, payment_id } = await requestedDeal(server);
  await reportPayment(deal, by, { payment_id, status: first, reference: 'first' });
  const late = { payment_id, status: second, reference: 'second' };
  await changesNothing(deal, () => reportPayment(deal, by, late));
}
