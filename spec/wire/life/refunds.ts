import { equal } from '../../expectations.js';
import { group, type Server } from '../server.js';
import {
  expectFigures,
  figuresOf,
  lastRequest,
  ofSandbox,
  payUnasked,
  reportPayment,
} from './billing.js';
import {
  because,
  becomes,
  type Details,
  dealIn,
  expectStatuses,
  type LivingDeal,
  runEffects,
  type State,
  silentAmount,
  statusesIn,
} from './deal.js';
import { resolution } from './operator.js';

const all = silentAmount;
const by = ofSandbox;

/** A deal of which money is held, in a state before its approval. */
async function heldDeal(state: State, server: Server, amount: string = all): Promise<LivingDeal> {
  const deal = await dealIn(state, server);
  await payUnasked(deal, by, amount);
  return deal;
}

/** Waits until the gateway has nothing left to do with the money. */
const nothingHeld = (deal: LivingDeal): Promise<Details> =>
  becomes(deal, 'the end of the held money', (details) => figuresOf(details).held === '0.00');

/** Ways in which a deal ends while all of it is held. */
const ends = {
  '6.2/money/cancel-refunds': (deal) => deal.done(by.operator, 'cancel', because),
  '6.2/money/decline-refunds': (deal) => deal.done('freelancer', 'decline'),
  async '6.2/money/resolve-nothing-refunds'(deal) {
    await deal.done('partner', 'dispute', because);
    await deal.done(by.operator, 'resolve', resolution('0'));
  },
} as const satisfies Readonly<Record<string, (deal: LivingDeal) => Promise<unknown>>>;

const freelancerAfter: Readonly<Record<keyof typeof ends, string>> = {
  '6.2/money/cancel-refunds': 'removed',
  '6.2/money/decline-refunds': 'declined',
  '6.2/money/resolve-nothing-refunds': 'removed',
};

/** Decisions 6.3 and 6.7: held money that is meant for nothing, where a gateway refunds it. */
export const refunds = group(
  'refunds',
  {
    must: {
      '6.2/money/cancel-refunds': 'What is held is refunded as the operator cancels the deal.',
      '6.2/money/decline-refunds': 'What is held is refunded as the freelancer declines the deal.',
      '6.2/money/resolve-nothing-refunds': 'What is held is refunded after `resolve` with 0.',
      '6.7/money/resolve-surplus':
        'The agreed part is paid out after `resolve`, and the rest of what is held is refunded.',
      '6.7/money/overpaid': 'What was paid too much is refunded when the deal ends.',
      '6.7/money/overpaid-held': 'What was paid too much is held until the deal ends.',
      '6.7/money/late-money':
        'Money for a request that ended with its deal is recorded and refunded.',
      '6.3/money/refund-ends': 'The payment whose money was refunded is `refunded`.',
      '6.7/money/retry-refund': '`retry-refund` asks for a failed refund anew.',
      '6.7/money/retry-refund-attention': 'A refund that was made at last needs no `attention`.',
    },
  },
  (define) => {
    for (const [id, end] of Object.entries(ends) as [
      keyof typeof ends,
      (deal: LivingDeal) => Promise<unknown>,
    ][]) {
      define(id, async (server) => {
        const deal = await heldDeal('accepted', server);
        await end(deal);
        const details = await nothingHeld(deal);
        expectFigures(details, { paid: all, refunded: all });
        expectStatuses(details, ['cancelled', freelancerAfter[id], 'cancelled']);
      });
    }

    define('6.3/money/refund-ends', async (server) => {
      const deal = await heldDeal('accepted', server);
      await ends['6.2/money/cancel-refunds'](deal);
      equal(lastRequest(await nothingHeld(deal)).status, 'refunded', 'the status of the payment');
    });

    define('6.7/money/resolve-surplus', async (server) => {
      const deal = await heldDeal('accepted', server);
      await deal.done('partner', 'dispute', because);
      await deal.done(by.operator, 'resolve', resolution('40.00'));
      const details = await nothingHeld(deal);
      expectFigures(details, { paid: all, released: '40.00', refunded: '60.04' });
      expectStatuses(details, ['completed', 'finished', 'paid']);
    });

    define('6.7/money/overpaid', async (server) => {
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      const report = { payment_id, status: 'paid', amount: '150.00', reference: 'bank' };
      await reportPayment(deal, by, report);
      const details = await nothingHeld(deal);
      expectFigures(details, { paid: '150.00', released: all, refunded: '49.96' });
    });

    define('6.7/money/overpaid-held', async (server) => {
      const deal = await heldDeal('delivered', server, '150.00');
      await runEffects(server);
      expectFigures(await deal.details(), { paid: '150.00', held: '150.00' });
    });

    define('6.7/money/late-money', async (server) => {
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      await deal.done(by.operator, 'cancel', because);
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'late' });
      const details = await nothingHeld(deal);
      expectFigures(details, { paid: all, refunded: all });
      expectStatuses(details, statusesIn.cancelled);
    });

    define('6.7/money/retry-refund', async (server) => {
      const deal = await failedRefund(server);
      expectFigures(await deal.details(), { paid: all, held: all });
      await deal.done(by.operator, 'retry-refund');
      expectFigures(await nothingHeld(deal), { paid: all, refunded: all });
    });

    define('6.7/money/retry-refund-attention', async (server) => {
      const deal = await failedRefund(server);
      equal((await deal.details())['attention'], ['refund_failed'], 'attention before');
      await deal.done(by.operator, 'retry-refund');
      equal((await nothingHeld(deal))['attention'], [], 'attention');
    });
  },
);

/** A cancelled deal whose refund the gateway has made, and which then came back. */
async function failedRefund(server: Server): Promise<LivingDeal> {
  const deal = await heldDeal('accepted', server);
  await ends['6.2/money/cancel-refunds'](deal);
  const { id, reference } = lastRequest(await nothingHeld(deal));
  await reportPayment(deal, by, { payment_id: id, status: 'refund_failed', reference });
  return deal;
}
