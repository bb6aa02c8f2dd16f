import { equal } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import {
  employerPayments,
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
} from '../life/billing.js';
import {
  because,
  becomes,
  changesNothing,
  type Details,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
} from '../life/deal.js';
import { group, type Reply, type Server } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  decide,
  deliverStage,
  propose,
  proposed,
  settlement,
  sides,
  staged,
} from './terms.js';

const states = ['accepted', 'delivered', 'changes_requested', 'approved', 'disputed'] as const;

/** What a settlement leaves of each stage that was open. */
const shares = ({ stages }: Details, count: number) =>
  stages.slice(-count).map(({ status, agreed_amount }) => ({ status, agreed_amount }));

/** A deal with two stages, both delivered. */
async function bothDelivered(server: Server): Promise<LivingDeal> {
  const deal = await newDeal(server);
  const ids = await staged(deal);
  await acceptNow(deal);
  for (const id of ids) await deliverStage(deal, id);
  return deal;
}

/** How often a gateway may be faster than the case. */
const mostTries = 5;

/** Asks while the payout of the first stage is `processing`; the gateway may be faster. */
async function whileProcessing(
  server: Server,
  by: Reporter,
  ask: (deal: LivingDeal) => Promise<Reply | undefined>,
): Promise<Reply> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const deal = await newDeal(server);
    await approveFirst(deal);
    const payment_id = lastRequest(await deal.details()).id;
    await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
    const { id } = lastPayout(await deal.details());
    await reportPayout(deal, by, { payment_id: id, status: 'processing', reference: 'begun' });
    const reply = await ask(deal);
    const isProcessing = lastPayout(await deal.details()).status === 'processing';
    if (isProcessing && reply !== undefined) return reply;
  }
  throw new NotApplicable('the gateway pays out before anything else can happen');
}

/** Decision 9.8: a settlement is `resolve` by consent. */
export const settlements = group(
  'settlements',
  {
    must: {
      '9.8/settlement/approves': 'An accepted settlement approves the open stage for its amount.',
      '9.8/settlement/agreed-amount': 'Deal and stage show the `agreed_amount` of a settlement.',
      '9.8/settlement/in-order':
        'Open stages are approved in order up to the amount, the last one partly, the rest is cancelled.',
      '9.8/settlement/nothing':
        'A settlement with nothing cancels the deal and removes the freelancer.',
      '9.8/settlement/asks': 'A settlement asks for what was agreed.',
      '9.8/settlement/asks-anew': 'A settlement lets the old request expire, and makes a new one.',
      '9.8/settlement/bound':
        'A settlement beyond what the open stages are worth is `amount_out_of_bounds`.',
      '9.8/settlement/bound-after-payout':
        'A stage that is paid does not count for the bound of a settlement.',
      '9.8/settlement/as-resolve': 'A settlement has the effects of `resolve` with its amount.',
      '9.8/settlement/paid-out':
        'The agreed amount is paid out, and a surplus goes back at the end.',
      '9.8/settlement/processing': 'A settlement waits for a payout that is `processing`.',
      '9.8/settlement/failed-payout':
        'A settlement cancels a payout that has failed, and makes one of the agreed amount.',
      '9.16/settlement/amount-stays': 'After a settlement the amount of the deal stays.',
      '9.16/settlement/amount-amended':
        'The amount of a settled deal changes as an amendment changes its stages.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    for (const state of states) {
      for (const by of sides) {
        define(
          '9.8/settlement/approves',
          async (server) => {
            const deal = await dealIn(state, server);
            await agreed(deal, settlement('50.00'), by);
            expectStatuses(await deal.details(), ['approved', 'accepted', 'approved']);
          },
          `${state}, ${by}`,
        );
      }
      define(
        '9.8/settlement/agreed-amount',
        async (server) => {
          const deal = await dealIn(state, server);
          await agreed(deal, settlement('50.00'));
          const details = await deal.details();
          equal(details['agreed_amount'], '50.00', 'the agreed amount of the deal');
          equal(details.stages[0]?.['agreed_amount'], '50.00', 'that of its stage');
        },
        state,
      );
      define(
        '9.8/settlement/nothing',
        async (server) => {
          const deal = await dealIn(state, server);
          await agreed(deal, settlement('0'));
          expectStatuses(await deal.details(), ['cancelled', 'removed', 'cancelled']);
        },
        state,
      );
    }

    for (const [sum, expected] of [
      ['80.00', ['approved 60.04', 'approved 19.96']],
      ['60.04', ['approved 60.04', 'cancelled 0.00']],
      ['30.00', ['approved 30.00', 'cancelled 0.00']],
      ['100.04', ['approved 60.04', 'approved 40.00']],
    ] as const) {
      define(
        '9.8/settlement/in-order',
        async (server) => {
          const deal = await newDeal(server);
          await staged(deal);
          await acceptNow(deal);
          await agreed(deal, settlement(sum));
          const all = shares(await deal.details(), 2);
          equal(
            all.map(({ status, agreed_amount }) => `${status} ${agreed_amount}`),
            expected,
            'the two stages',
          );
        },
        sum,
      );
    }

    define('9.8/settlement/asks', async (server) => {
      const deal = await dealIn('accepted', server);
      await agreed(deal, settlement('50.00'));
      equal(lastRequest(await deal.details()).amount, '50.00', 'the amount of the request');
    });

    define('9.8/settlement/asks-anew', async (server) => {
      const deal = await dealIn('approved', server);
      await agreed(deal, settlement('50.00'));
      equal(
        employerPayments(await deal.details()).map(({ amount, status }) => ({ amount, status })),
        [
          { amount: '100.04', status: 'expired' },
          { amount: '50.00', status: 'requested' },
        ],
        'the payments of the employer',
      );
    });

    for (const state of states) {
      define(
        '9.8/settlement/bound',
        async (server) => {
          const deal = await dealIn(state, server);
          for (const by of sides) {
            const body = settlement('100.05');
            const reply = await changesNothing(deal, () => propose(deal, by, body));
            expectReason(reply, 'amount_out_of_bounds');
          }
          await proposed(deal, 'partner', settlement('100.04'));
        },
        state,
      );
    }

    defineForEach('9.8/settlement/bound-after-payout', async (server, by) => {
      const deal = await newDeal(server);
      await approveFirst(deal);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      await untilPaidOut(deal, by);
      expectReason(await propose(deal, 'partner', settlement('40.01')), 'amount_out_of_bounds');
      await agreed(deal, settlement('40.00'));
    });

    for (const sum of ['0.00', '30.00', '80.00']) {
      define(
        '9.8/settlement/as-resolve',
        async (server) => {
          const [settled, resolved] = [await bothDelivered(server), await bothDelivered(server)];
          await agreed(settled, settlement(sum));
          await resolved.done('partner', 'dispute', because);
          await resolved.done('sandbox/operator', 'resolve', { agreed_amount: sum });
          const [one, other] = [await settled.details(), await resolved.details()];
          const seen = (details: Details) => ({
            status: details.status,
            freelancer_status: details.freelancer_status,
            agreed_amount: details['agreed_amount'],
            stages: shares(details, 2),
            figures: figuresOf(details),
            asked: employerPayments(details).map(({ amount, status }) => ({ amount, status })),
          });
          equal(seen(one), seen(other), 'the deal that was settled, and the one that was resolved');
        },
        sum,
      );
    }

    define(
      '9.8/settlement/paid-out',
      async (server) => {
        const by = ofSandbox;
        const deal = await dealIn('accepted', server);
        await payUnasked(deal, by, '100.04');
        await agreed(deal, settlement('60.00'));
        const details = await becomes(deal, 'the end of the held money', (each) => {
          return figuresOf(each).held === '0.00';
        });
        expectFigures(details, { paid: '100.04', released: '60.00', refunded: '40.04' });
        expectStatuses(details, ['completed', 'finished', 'paid']);
      },
      'sandbox',
    );

    defineForEach('9.8/settlement/processing', async (server, by) => {
      const reply = await whileProcessing(server, by, (deal) =>
        propose(deal, 'partner', settlement('40.00')),
      );
      expectReason(reply, 'payout_processing');
    });
    defineForEach(
      '9.8/settlement/processing',
      async (server, by) => {
        const reply = await whileProcessing(server, by, async (deal) => {
          const payout = lastPayout(await deal.details()).id;
          const failed = { payment_id: payout, status: 'failed', reference: 'failed' };
          await reportPayout(deal, by, failed);
          // it may be paid out by then
          if (lastPayout(await deal.details()).status !== 'failed') return undefined;
          const open = await proposed(deal, 'partner', settlement('40.00'));
          await deal.done(by.operator, 'retry-payout');
          const begun = { payment_id: payout, status: 'processing', reference: 'begun again' };
          await reportPayout(deal, by, begun);
          return decide(deal, 'freelancer', open, 'accept');
        });
        expectReason(reply, 'payout_processing');
      },
      'as it is accepted',
    );

    define('9.8/settlement/failed-payout', async (server) => {
      const by = ofSandbox;
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      const { id } = lastPayout(await deal.details());
      await reportPayout(deal, by, { payment_id: id, status: 'failed', reference: 'failed' });
      if (lastPayout(await deal.details()).status !== 'failed') {
        throw new NotApplicable('the gateway pays out before anything else can happen');
      }
      await agreed(deal, settlement('60.00'));
      const billing = Object((await deal.details())['billing']);
      const payouts: readonly { readonly amount: unknown; readonly status: unknown }[] =
        billing.contractor_payments;
      equal(
        payouts.map(({ amount, status }) => ({ amount, status: status === 'cancelled' })),
        [
          { amount: '100.04', status: true },
          { amount: '60.00', status: false },
        ],
        'the amounts of the payouts, and whether they are cancelled',
      );
    });

    define('9.16/settlement/amount-stays', async (server) => {
      const deal = await dealIn('accepted', server);
      await agreed(deal, settlement('50.00'));
      equal((await deal.details())['amount'], '100.04', 'the amount');
    });

    define('9.16/settlement/amount-amended', async (server) => {
      const deal = await dealIn('accepted', server);
      await agreed(deal, settlement('50.00'));
      const [stage] = (await deal.details()).stages;
      const stages = [{ id: stage?.id }, { name: 'One more', budget: '10.00' }];
      await agreed(deal, amendment({ stages }));
      equal((await deal.details())['amount'], '60.00', 'the amount');
    });
  },
);
