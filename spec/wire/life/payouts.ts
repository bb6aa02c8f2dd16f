import { check, equal } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import { expectStatus, group, type Reply, type Server } from '../server.js';
import {
  contractorPayments,
  expectBalanced,
  expectFigures,
  figuresOf,
  forEachReporter,
  lastPayout,
  lastRequest,
  ofSandbox,
  payUnasked,
  type Reporter,
  reportPayment,
  reportPayout,
  untilPaidOut,
} from './billing.js';
import {
  because,
  becomes,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  type Statuses,
  silentAmount,
} from './deal.js';
import { resolution } from './operator.js';

const all = silentAmount;
const afterPayout: Statuses = ['completed', 'finished', 'paid'];

/** A deal that was approved, paid and paid out. */
export async function completedDeal(server: Server, by: Reporter): Promise<LivingDeal> {
  const deal = await dealIn('approved', server);
  const payment_id = lastRequest(await deal.details()).id;
  await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
  await untilPaidOut(deal, by);
  return deal;
}

/** The same, whose payout then came back. */
async function returnedDeal(server: Server, by: Reporter, status = 'returned') {
  const deal = await completedDeal(server, by);
  const { id } = lastPayout(await deal.details());
  await reportPayout(deal, by, { payment_id: id, status, reference: 'came back' });
  return deal;
}

/** Decisions 6.3 and 6.7: what the contractor is paid, and what comes back of it. */
export const payouts = group(
  'payouts',
  {
    must: {
      '6.3/money/paid-out':
        'An approved stage is paid out once enough is held; its deal is `completed`.',
      '6.3/money/payout': 'A payout has the amount of its stage, its currency and its `stage_ids`.',
      '6.7/money/paid-out-before-asked':
        'A deal that was paid before its approval is paid out, too.',
      '6.3/money/completed':
        'A completed deal allows no command of the partner but `request-payment`.',
      '6.3/freelancer/completed': 'A completed deal allows no command of the freelancer.',
      '6.7/freelancer/repeat-finished': '`accept` by a freelancer who has `finished` is a repeat.',
      '6.2/operator/completed': '`cancel` by the operator of a completed deal is illegal.',
      '6.5/freelancer/payouts':
        'The freelancer sees its payout, and nothing of what the employer paid.',
      '6.7/money/returned':
        'A payout that comes back is held again; its stage and deal stay as they are.',
      '6.7/money/returned-failed': '`failed` after `paid` is a return, too.',
      '6.7/money/returned-attention': 'A payout that came back is shown as `attention`.',
      '6.7/money/returned-once': 'A payout comes back once, however often it is reported.',
      '6.7/money/retry-payout': '`retry-payout` pays a payout that came back again.',
      '6.7/money/retry-payout-repeat':
        '`retry-payout` once nothing is left to retry changes nothing.',
      '6.7/money/old-attempt': 'A reference of an attempt before the retry is ignored.',
      '6.3/money/balanced-to-the-end':
        'What came in equals what is held and what went out, after every step of the life of a deal.',
      '6.7/money/loss': 'A charge-back after the payout is a loss.',
      '6.7/money/loss-any-order': 'A charge-back before and after the payout give the same sums.',
      '9.10/money/asked-after-loss': 'A completed deal with something outstanding is asked for it.',
      '9.10/money/loss-made-up': 'Money that comes later makes up the loss first.',
      '9.10/money/surplus-after-loss': 'What comes beyond the loss is refunded.',
      '6.7/money/processing-resolve': '`resolve` waits for a payout that is `processing`.',
      '6.7/money/processing-cancel':
        '`cancel` by the operator waits for a payout that is `processing`.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    defineForEach('6.3/money/paid-out', async (server, by) => {
      const details = await (await completedDeal(server, by)).details();
      expectStatuses(details, afterPayout);
      expectFigures(details, { paid: all, released: all });
    });

    defineForEach('6.3/money/payout', async (server, by) => {
      const details = await (await completedDeal(server, by)).details();
      equal(
        contractorPayments(details).map(({ amount, currency, status, stage_ids }) => ({
          amount,
          currency,
          status,
          stage_ids,
        })),
        [
          {
            amount: all,
            currency: details['currency'],
            status: 'paid',
            stage_ids: details.stages.map(({ id }) => id),
          },
        ],
        'the payments of the contractor',
      );
    });

    defineForEach('6.7/money/paid-out-before-asked', async (server, by) => {
      const deal = await dealIn('delivered', server);
      await payUnasked(deal, by, all);
      await deal.done('partner', 'approve');
      const details = await untilPaidOut(deal, by);
      expectStatuses(details, afterPayout);
      expectFigures(details, { paid: all, released: all });
    });

    for (const command of ['cancel', 'dispute', 'invite']) {
      defineForEach(
        '6.3/money/completed',
        async (server, by) => {
          const deal = await completedDeal(server, by);
          const reply = await deal.give('partner', command, { body: because });
          equal(expectIllegal(reply, afterPayout), ['request-payment'], 'the member legal');
        },
        command,
      );
    }

    for (const command of ['decline', 'dispute']) {
      defineForEach(
        '6.3/freelancer/completed',
        async (server, by) => {
          const deal = await completedDeal(server, by);
          const reply = await deal.give('freelancer', command, { body: because });
          equal(expectIllegal(reply, afterPayout), [], 'the member legal');
        },
        command,
      );
    }

    defineForEach('6.7/freelancer/repeat-finished', async (server, by) => {
      const deal = await completedDeal(server, by);
      expectStatus(await changesNothing(deal, () => deal.give('freelancer', 'accept')), 200);
    });

    defineForEach('6.2/operator/completed', async (server, by) => {
      const deal = await completedDeal(server, by);
      expectIllegal(await deal.give(by.operator, 'cancel', { body: because }), afterPayout);
    });

    defineForEach('6.5/freelancer/payouts', async (server, by) => {
      const deal = await completedDeal(server, by);
      const reply = await server.freelancer(deal.payment_token).send('GET', '/api/2.0/offer/');
      expectStatus(reply, 200);
      const details = await deal.details();
      const { data } = reply.members();
      equal(
        Object(data).contractor_payments,
        contractorPayments(details),
        'the payments of the contractor',
      );
      const { id } = lastRequest(details);
      const isHeld = new TextDecoder().decode(reply.bytes).includes(id);
      check(!isHeld, `the offer does not hold the id ${id} of the employer's payment`);
    });

    for (const [id, status] of [
      ['6.7/money/returned', 'returned'],
      ['6.7/money/returned-failed', 'failed'],
    ] as const) {
      defineForEach(id, async (server, by) => {
        const details = await (await returnedDeal(server, by, status)).details();
        equal(lastPayout(details).status, 'returned', 'the status of the payout');
        expectStatuses(details, afterPayout);
        expectFigures(details, { paid: all, held: all });
      });
    }

    defineForEach('6.7/money/returned-attention', async (server, by) => {
      const deal = await returnedDeal(server, by);
      equal((await deal.details())['attention'], ['payout_returned'], 'attention');
    });

    for (const [status, reference] of [
      ['returned', 'came back'],
      ['returned', 'came back again'],
      ['failed', 'came back again'],
    ] as const) {
      defineForEach(
        '6.7/money/returned-once',
        async (server, by) => {
          const deal = await returnedDeal(server, by);
          const payment_id = lastPayout(await deal.details()).id;
          const report = { payment_id, status, reference };
          await changesNothing(deal, () => reportPayout(deal, by, report));
        },
        `${status}, ${reference}`,
      );
    }

    defineForEach('6.7/money/retry-payout', async (server, by) => {
      const deal = await returnedDeal(server, by);
      await deal.done(by.operator, 'retry-payout');
      const details = await untilPaidOut(deal, by);
      expectFigures(details, { paid: all, released: all });
      equal(details['attention'], [], 'attention');
    });

    defineForEach('6.7/money/old-attempt', async (server, by) => {
      const deal = await returnedDeal(server, by);
      const payment_id = lastPayout(await deal.details()).id;
      await deal.done(by.operator, 'retry-payout');
      await untilPaidOut(deal, by);
      const report = { payment_id, status: 'failed', reference: 'came back' };
      await changesNothing(deal, () => reportPayout(deal, by, report));
    });

    defineForEach('6.7/money/retry-payout-repeat', async (server, by) => {
      const deal = await returnedDeal(server, by);
      await deal.done(by.operator, 'retry-payout');
      await untilPaidOut(deal, by);
      await changesNothing(deal, () => deal.give(by.operator, 'retry-payout'));
    });

    defineForEach('6.3/money/balanced-to-the-end', async (server, by) => {
      const deal = await newDeal(server);
      for (const step of wholeLife) {
        await step(deal, by);
        expectBalanced(await deal.details());
      }
    });

    defineForEach('6.7/money/loss', async (server, by) => {
      const details = await (await lossDeal(server, by)).details();
      expectFigures(details, {
        ...{ paid: all, released: all, charged_back: all, loss: all, outstanding: all },
      });
      expectStatuses(details, afterPayout);
    });

    defineForEach('6.7/money/loss-any-order', async (server, by) => {
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      const { id } = lastPayout(await deal.details());
      await reportPayment(deal, by, { payment_id, status: 'charged_back', reference: 'bank' });
      // the gateway may have paid it before the charge-back, or be doing so
      await untilPaidOut(deal, by);
      const details = await deal.details();
      equal(
        contractorPayments(details).map((each) => each.id),
        [id],
        'the ids of the payouts',
      );
      equal(
        figuresOf(details),
        figuresOf(await (await lossDeal(server, by)).details()),
        'the sums',
      );
    });

    defineForEach('9.10/money/asked-after-loss', async (server, by) => {
      const deal = await lossDeal(server, by);
      await deal.done('partner', 'request-payment');
      const { amount, status } = lastRequest(await deal.details());
      equal({ amount, status }, { amount: all, status: 'requested' }, 'the last request');
    });

    defineForEach('9.10/money/loss-made-up', async (server, by) => {
      const deal = await lossDeal(server, by);
      await payUnasked(deal, by, '40.00');
      const details = await deal.details();
      expectFigures(details, {
        ...{ paid: '140.04', released: all, charged_back: all },
        ...{ loss: '60.04', outstanding: '60.04' },
      });
      expectBalanced(details);
    });

    define(
      '9.10/money/surplus-after-loss',
      async (server) => {
        const by = ofSandbox;
        const deal = await lossDeal(server, by);
        // beyond what is owed, money that was not asked for waits for the operator (10.12)
        await deal.done('partner', 'request-payment');
        const payment_id = lastRequest(await deal.details()).id;
        const report = { payment_id, status: 'paid', amount: '150.00', reference: 'again' };
        await reportPayment(deal, by, report);
        const details = await becomes(
          deal,
          'the refund of the surplus',
          (each) => figuresOf(each).held === '0.00',
        );
        expectFigures(details, {
          ...{ paid: '250.04', released: all, charged_back: all, refunded: '49.96' },
        });
      },
      'sandbox',
    );

    for (const [id, commands] of [
      ['6.7/money/processing-resolve', ['dispute', 'resolve']],
      ['6.7/money/processing-cancel', ['cancel']],
    ] as const) {
      defineForEach(id, async (server, by) => {
        const reply = await whileProcessing(server, by, commands);
        expectReason(reply, 'payout_processing');
      });
    }
  },
);

/** A deal that was paid out, and whose employer then took the money back. */
async function lossDeal(server: Server, by: Reporter): Promise<LivingDeal> {
  const deal = await completedDeal(server, by);
  const payment_id = lastRequest(await deal.details()).id;
  await reportPayment(deal, by, { payment_id, status: 'charged_back', reference: 'bank' });
  return deal;
}

/** The steps of a life in which everything happens to its money. */
const wholeLife: readonly ((deal: LivingDeal, by: Reporter) => Promise<unknown>)[] = [
  (deal) => deal.done('freelancer', 'accept'),
  (deal) => deal.upload(),
  (deal, by) => payUnasked(deal, by, '40.00'),
  (deal) => deal.done('freelancer', 'deliver'),
  (deal) => deal.done('partner', 'approve'),
  (deal, by) => payUnasked(deal, by, '70.00'),
  untilPaidOut,
  async (deal, by) => {
    const { id } = lastPayout(await deal.details());
    await reportPayout(deal, by, { payment_id: id, status: 'returned', reference: 'came back' });
  },
  (deal, by) => deal.done(by.operator, 'retry-payout'),
  untilPaidOut,
  async (deal, by) => {
    const { id } = lastRequest(await deal.details());
    await reportPayment(deal, by, { payment_id: id, status: 'charged_back', reference: 'bank' });
  },
  (deal, by) => payUnasked(deal, by, '30.00'),
];

/** How often a gateway may be faster than the case. */
const mostTries = 5;

/**
 * Gives commands to a deal whose payout is `processing`; returns the answer to the last one. In a
 * sandbox the gateway may pay in between: then another deal is taken.
 */
async function whileProcessing(
  server: Server,
  by: Reporter,
  commands: readonly string[],
): Promise<Reply> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const deal = await dealIn('approved', server);
    const payment_id = lastRequest(await deal.details()).id;
    await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
    const { id } = lastPayout(await deal.details());
    await reportPayout(deal, by, { payment_id: id, status: 'processing', reference: 'begun' });
    let reply: Reply | undefined;
    for (const command of commands) {
      reply = await deal.give(command === 'dispute' ? 'partner' : by.operator, command, {
        body: resolution('40.00'),
      });
    }
    const isProcessing = lastPayout(await deal.details()).status === 'processing';
    if (isProcessing && reply !== undefined) return reply;
  }
  throw new NotApplicable('the gateway pays out before anything else can happen');
}
