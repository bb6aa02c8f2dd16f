import { check, equal } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import {
  contractorPayments,
  employerPayments,
  expectBalanced,
  expectFigures,
  figuresOf,
  forEachReporter,
  lastRequest,
  ofSandbox,
  payUnasked,
  type Reporter,
  reportPayment,
  untilPaidOut,
} from '../life/billing.js';
import {
  becomes,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  statusesIn,
} from '../life/deal.js';
import { group, type Server } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  deliverStage,
  proposed,
  staged,
} from './terms.js';

/** The amounts and the statuses of what the employer was asked for. */
const asked = async (deal: LivingDeal) =>
  employerPayments(await deal.details()).map(({ amount, status }) => ({ amount, status }));

const amount = (sum: string) => amendment({ amount: sum });

/** A deal with two stages: the first one is approved, paid, and paid out. */
async function firstPaid(server: Server, by: Reporter) {
  const deal = await newDeal(server);
  const [first, second] = await approveFirst(deal);
  const payment_id = lastRequest(await deal.details()).id;
  await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
  await untilPaidOut(deal, by);
  return { deal, first, second };
}

/** Decision 9.7: what new terms mean for the money of a deal that is paid after approval. */
export const moneyOfTerms = group(
  'money of new terms',
  {
    must: {
      '9.7/money/outstanding': 'What is outstanding follows the terms.',
      '9.7/money/amount': 'The amount of the billing follows the terms.',
      '9.7/money/not-asked-before': 'An amendment asks for nothing earlier than the approval does.',
      '9.7/money/asked-on-approval': 'The approval asks for what was agreed last.',
      '9.7/money/approved-stays': 'What an approved stage was asked for stays as it is.',
      '9.7/money/payout-untouched': 'No amendment touches a payout that is planned or made.',
      '9.7/money/cancelled-not-owed': 'A stage that was left out is not owed.',
      '9.7/money/added-owed': 'A stage that was added is asked for, paid and paid out.',
      '9.7/money/balanced': 'What came in equals what is held and went out after each amendment.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    for (const sum of ['140.04', '60.04']) {
      define(
        '9.7/money/outstanding',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await agreed(deal, amount(sum));
          equal(figuresOf(await deal.details()).outstanding, sum, 'the sum outstanding');
        },
        sum,
      );
      define(
        '9.7/money/amount',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await agreed(deal, amount(sum));
          equal(Object((await deal.details())['billing']).amount, sum, 'the amount');
        },
        sum,
      );
      define(
        '9.7/money/not-asked-before',
        async (server) => {
          const deal = await dealIn('delivered', server);
          await agreed(deal, amount(sum));
          equal(await asked(deal), [], 'the payments of the employer');
        },
        sum,
      );
      define(
        '9.7/money/asked-on-approval',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await agreed(deal, amount(sum));
          await deal.upload();
          await deal.done('freelancer', 'deliver');
          await deal.done('partner', 'approve');
          equal(await asked(deal), [{ amount: sum, status: 'requested' }], 'the payments');
        },
        sum,
      );
    }

    define('9.7/money/approved-stays', async (server) => {
      const deal = await newDeal(server);
      const [first, second] = await approveFirst(deal);
      const before = await asked(deal);
      equal(before, [{ amount: '60.04', status: 'requested' }], 'the payments before');
      const stages = [{ id: first }, { id: second, budget: '5.00' }];
      await agreed(deal, amendment({ stages }));
      equal(await asked(deal), before, 'the payments after');
    });

    defineForEach('9.7/money/payout-untouched', async (server, by) => {
      const { deal, first, second } = await firstPaid(server, by);
      const before = contractorPayments(await deal.details());
      await agreed(deal, amendment({ stages: [{ id: first }, { id: second, budget: '5.00' }] }));
      equal(contractorPayments(await deal.details()), before, 'the payouts');
    });

    define('9.7/money/cancelled-not-owed', async (server) => {
      const deal = await newDeal(server);
      const [, second] = await staged(deal);
      await acceptNow(deal);
      await agreed(deal, amendment({ stages: [{ id: second }] }));
      equal(figuresOf(await deal.details()).outstanding, '40.00', 'the sum outstanding');
    });

    defineForEach('9.7/money/added-owed', async (server, by) => {
      const { deal, first } = await firstPaid(server, by);
      const stages = [{ id: first }, { name: 'One more', budget: '10.00' }];
      await agreed(deal, amendment({ stages }));
      const id = (await deal.details()).stages.at(-1)?.id ?? 0;
      await deliverStage(deal, id);
      await deal.done('partner', 'approve', { stage_id: id });
      const request = lastRequest(await deal.details());
      equal(request.amount, '10.00', 'the amount of the request');
      const report = { payment_id: request.id, status: 'paid', reference: 'bank 2' };
      await reportPayment(deal, by, report);
      const payouts = await deal.server.until('the second payout', async () => {
        const all = contractorPayments(await untilPaidOut(deal, by));
        return all.length > 1 ? all : undefined;
      });
      equal(
        payouts.map((each) => each.amount),
        ['60.04', '10.00'],
        'the amounts of the payouts',
      );
      equal((await deal.details()).status, 'completed', 'the status of the deal');
    });

    defineForEach('9.7/money/balanced', async (server, by) => {
      const deal = await newDeal(server);
      await staged(deal);
      await acceptNow(deal);
      await payUnasked(deal, by, '70.00');
      const ids = (await deal.details()).stages.slice(-2).map(({ id }) => id);
      for (const stages of [
        [{ id: ids[0], budget: '90.00' }, { id: ids[1] }],
        [{ id: ids[0], budget: '5.00' }, { id: ids[1] }],
        [{ id: ids[1], name: 'The rest' }],
      ]) {
        await agreed(deal, amendment({ stages }));
        expectBalanced(await deal.details());
      }
    });
  },
);

const notPrepaid = 'the employer is asked for the payment after the work, not before';

/** A deal whose employer is asked for the whole as it is accepted. */
export async function prepaidDeal(server: Server): Promise<LivingDeal> {
  const deal = await dealIn('accepted', server);
  if (employerPayments(await deal.details()).length === 0) throw new NotApplicable(notPrepaid);
  return deal;
}

/** The same, paid. */
export async function prepaidAndPaid(server: Server, by: Reporter): Promise<LivingDeal> {
  const deal = await prepaidDeal(server);
  const payment_id = lastRequest(await deal.details()).id;
  await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
  return deal;
}

/** Waits until a sum has gone back to the employer. */
const refunded = (deal: LivingDeal, sum: string) =>
  becomes(deal, `the refund of ${sum}`, (details) => figuresOf(details).refunded === sum);

/** Decision 9.7: the same for a deal that is paid before the work. */
export const prepaidTerms = group(
  'new terms of prepaid deals',
  {
    must: {
      '9.7/prepaid/rise-asked': 'A rise is asked for at once, the difference alone.',
      '9.7/prepaid/rise-unpaid':
        'A rise before the first payment is asked for by a request of its own.',
      '9.7/prepaid/deliver-waits': '`deliver` waits for the payment of a rise.',
      '9.7/prepaid/fall-refunds': 'A fall refunds at once what is paid beyond what is owed.',
      '9.7/prepaid/fall-in-created': 'A fall in `created` refunds at once, too.',
      '9.7/prepaid/fall-asks-less':
        'A request that asks for too much becomes `expired`, and a new one is for the rest.',
      '9.7/prepaid/fall-paid-in-part': 'A fall to what is paid leaves no request.',
      '9.7/prepaid/processing-stays': 'A request that is `processing` stays as terms fall.',
      '9.7/prepaid/processing-rest':
        'A rise after the fall asks only for what the request that is `processing` does not bring.',
      '9.16/prepaid/processing-beyond':
        'What comes too much for a request that was `processing` goes back at once.',
      '9.9/prepaid/bonus-no-delivery': 'A bonus is not among what `deliver` wants paid.',
      '9.9/prepaid/bonus-asked': 'A bonus of a prepaid deal is asked for at once.',
      '9.13/prepaid/not-due-before': 'Nothing is due before the whole is paid.',
      '9.13/prepaid/due-from-payment': 'The days of a stage count from the payment of the whole.',
      '9.16/prepaid/not-due-after-charge-back': 'Nothing is due after a charge-back.',
    },
  },
  (define) => {
    const by = ofSandbox;

    define('9.7/prepaid/rise-asked', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      await agreed(deal, amount('150.04'));
      equal(
        await asked(deal),
        [
          { amount: '100.04', status: 'paid' },
          { amount: '50.00', status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    define('9.7/prepaid/rise-unpaid', async (server) => {
      const deal = await prepaidDeal(server);
      await agreed(deal, amount('150.04'));
      equal(
        await asked(deal),
        [
          { amount: '100.04', status: 'requested' },
          { amount: '50.00', status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    define('9.7/prepaid/deliver-waits', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      await agreed(deal, amount('150.04'));
      await deal.upload();
      expectReason(await deal.give('freelancer', 'deliver'), 'not_paid');
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank 2' });
      await deal.done('freelancer', 'deliver');
      expectStatuses(await deal.details(), statusesIn.delivered);
    });

    define('9.7/prepaid/fall-refunds', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      await agreed(deal, amount('60.04'));
      const details = await refunded(deal, '40.00');
      expectFigures(details, { paid: '100.04', held: '60.04', refunded: '40.00' });
      expectStatuses(details, statusesIn.accepted);
    });

    define('9.7/prepaid/fall-in-created', async (server) => {
      await prepaidDeal(server);
      const deal = await newDeal(server);
      await payUnasked(deal, by, '100.04');
      await proposed(deal, 'partner', amount('60.04'));
      const details = await refunded(deal, '40.00');
      expectFigures(details, { paid: '100.04', held: '60.04', refunded: '40.00' });
    });

    define('9.7/prepaid/fall-asks-less', async (server) => {
      const deal = await prepaidDeal(server);
      await agreed(deal, amount('60.04'));
      equal(
        await asked(deal),
        [
          { amount: '100.04', status: 'expired' },
          { amount: '60.04', status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    define('9.7/prepaid/fall-paid-in-part', async (server) => {
      const deal = await prepaidDeal(server);
      await payUnasked(deal, by, '60.04');
      await agreed(deal, amount('60.04'));
      const open = (await asked(deal)).filter(({ status }) => status === 'requested');
      equal(open, [], 'the open requests');
      equal(figuresOf(await deal.details()).held, '60.04', 'the sum held');
    });

    const processing = async (server: Server) => {
      const deal = await prepaidDeal(server);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'processing', reference: 'bank' });
      await agreed(deal, amount('60.04'));
      return { deal, payment_id };
    };

    define('9.7/prepaid/processing-stays', async (server) => {
      const { deal } = await processing(server);
      equal(await asked(deal), [{ amount: '100.04', status: 'processing' }], 'the payments');
    });

    define('9.7/prepaid/processing-rest', async (server) => {
      const { deal } = await processing(server);
      await agreed(deal, amount('70.04'));
      const [first, ...others] = await asked(deal);
      equal(first, { amount: '100.04', status: 'processing' }, 'the first payment');
      const sum = others.reduce((total, each) => total + Number(each.amount), 0);
      check(sum <= 10, `at most 10.00 is asked for besides\n  actual: ${sum}`);
    });

    define('9.16/prepaid/processing-beyond', async (server) => {
      const { deal, payment_id } = await processing(server);
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      const details = await refunded(deal, '40.00');
      expectFigures(details, { paid: '100.04', held: '60.04', refunded: '40.00' });
    });

    define('9.9/prepaid/bonus-no-delivery', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      const [stage] = (await deal.details()).stages;
      await deliverStage(deal, stage?.id ?? 0);
    });

    define('9.9/prepaid/bonus-asked', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      equal(
        (await asked(deal)).at(-1),
        { amount: '10.00', status: 'requested' },
        'the last payment of the employer',
      );
    });

    const dueOn = async (deal: LivingDeal) =>
      (await deal.details()).stages.map(({ due_on }) => due_on);

    define('9.13/prepaid/not-due-before', async (server) => {
      const deal = await prepaidDeal(server);
      equal(await dueOn(deal), [null], 'the due dates');
    });

    define('9.13/prepaid/due-from-payment', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      const { updated_at } = lastRequest(await deal.details());
      const end = Date.parse(String(updated_at)) + 30 * 24 * 60 * 60 * 1000;
      equal(await dueOn(deal), [new Date(end).toISOString().slice(0, 10)], 'the due dates');
    });

    define('9.16/prepaid/not-due-after-charge-back', async (server) => {
      const deal = await prepaidAndPaid(server, by);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'charged_back', reference: 'bank' });
      equal(await dueOn(deal), [null], 'the due dates');
    });
  },
);
