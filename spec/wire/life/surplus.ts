import { equal } from '../../expectations.js';
import { group, membersOf, type Server } from '../server.js';
import {
  employerPayments,
  expectFigures,
  figuresOf,
  forEachReporter,
  lastRequest,
  ofSandbox,
  reportPayment,
  untilPaidOut,
} from './billing.js';
import {
  because,
  becomes,
  type Details,
  dealIn,
  expectReason,
  type LivingDeal,
  runEffects,
  silentAmount,
} from './deal.js';
import { addedBy, dataOf } from './events.js';

const all = silentAmount;
const by = ofSandbox;

interface Asked {
  readonly deal: LivingDeal;
  readonly payment_id: string;
}

/** An approved deal, which the employer was asked to pay. */
async function askedDeal(server: Server): Promise<Asked> {
  const deal = await dealIn('approved', server);
  return { deal, payment_id: lastRequest(await deal.details()).id };
}

/** Its payment is reported under two names, and its freelancer is paid. */
async function twiceDeal(server: Server): Promise<Asked> {
  const { deal, payment_id } = await askedDeal(server);
  for (const reference of ['first', 'second']) {
    await reportPayment(deal, by, { payment_id, status: 'paid', amount: all, reference });
  }
  await untilPaidOut(deal, by);
  return { deal, payment_id };
}

const nothingHeld = (deal: LivingDeal): Promise<Details> =>
  becomes(deal, 'the end of the held money', (details) => figuresOf(details).held === '0.00');

const lossOf = (amount: string) => ({ amount, ...because });

/** Decisions 10.11 and 10.12: money that comes too much, or never whole. */
export const surplus = group(
  'what comes too much, or never whole',
  {
    must: {
      '10.12/money/second-name':
        'What a second `paid` of a payment brings beyond what is owed is not refunded by itself.',
      '10.12/money/refund-surplus': '`refund-surplus` sends back what came beyond what is owed.',
      '10.12/money/refund-surplus-repeat':
        '`refund-surplus` is a success that changes nothing while it is on its way.',
      '10.12/money/no-surplus':
        '`refund-surplus` is `precondition_failed` where nothing came too much: `no_surplus`.',
      '10.12/money/voided': 'A `paid` that the operator reports as `voided` does not count.',
      '10.12/money/voided-by-payments': 'No one but the operator reports `voided`.',
      '10.12/money/event-overpaid':
        'Money beyond what is owed emits `employer_payment.overpaid`, with how much it is.',
      '10.12/money/event-voided': 'A `paid` that never came emits `employer_payment.voided`.',
      '10.11/money/write-off': '`write-off` takes its amount out of what is outstanding.',
      '10.11/money/write-off-twice': 'Two write-offs are two.',
      '10.11/money/write-off-bounds':
        '`write-off` of more than is outstanding is `precondition_failed`: `amount_out_of_bounds`.',
      '10.11/money/write-off-nothing':
        '`write-off` is `precondition_failed` where nothing is outstanding: `nothing_outstanding`.',
      '10.11/money/write-off-pays-out':
        'A payout may use what was written off: it is a loss once it was made.',
      '10.11/money/write-off-later': 'Money that comes later lessens what is written off.',
      '10.11/money/write-off-request': 'An open request for more than is due then expires.',
      '10.11/money/event-written-off':
        '`write-off` emits `deal.written_off` with the amount and the reason.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    define('10.12/money/second-name', async (server) => {
      const { deal } = await twiceDeal(server);
      await runEffects(server);
      expectFigures(await deal.details(), { paid: '200.08', held: all, released: all });
    });

    define('10.12/money/refund-surplus', async (server) => {
      const { deal } = await twiceDeal(server);
      await deal.done(by.operator, 'refund-surplus');
      const details = await nothingHeld(deal);
      expectFigures(details, { paid: '200.08', released: all, refunded: all });
    });

    define('10.12/money/refund-surplus-repeat', async (server) => {
      const { deal } = await twiceDeal(server);
      await deal.done('operator', 'refund-surplus');
      const events = await addedBy(deal, () => deal.done('operator', 'refund-surplus'));
      const own = events.filter(({ actor }) => actor === 'operator');
      equal(own, [], 'the events of the second');
    });

    defineForEach('10.12/money/no-surplus', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      expectReason(await deal.give(operator, 'refund-surplus'), 'no_surplus');
    });

    defineForEach('10.12/money/voided', async (server, { operator }) => {
      const { deal, payment_id } = await twiceDeal(server);
      const report = { payment_id, status: 'voided', reference: 'second' };
      await deal.done(operator, 'record-employer-payment', report);
      expectFigures(await deal.details(), { paid: all, released: all });
    });

    define('10.12/money/voided-by-payments', async (server) => {
      const { deal, payment_id } = await twiceDeal(server);
      const body = { payment_id, status: 'voided', reference: 'second' };
      const reply = await deal.give(by.payments, 'record-employer-payment', { body });
      equal(reply.status, 400, 'the status');
    });

    defineForEach('10.12/money/event-overpaid', async (server, reporter) => {
      const { deal, payment_id } = await askedDeal(server);
      const report = { payment_id, status: 'paid', amount: '150.00', reference: 'bank' };
      const events = await addedBy(deal, () => reportPayment(deal, reporter, report));
      const found = events.find(({ type }) => type === 'employer_payment.overpaid');
      equal(found && dataOf(found)['amount'], '49.96', 'the amount of the event');
    });

    defineForEach('10.12/money/event-voided', async (server, { operator }) => {
      const { deal, payment_id } = await twiceDeal(server);
      const report = { payment_id, status: 'voided', reference: 'second' };
      const [event] = await addedBy(deal, () =>
        deal.done(operator, 'record-employer-payment', report),
      );
      equal(event?.['type'], 'employer_payment.voided', 'the type of the event');
      equal(event && dataOf(event)['amount'], all, 'its amount');
    });

    defineForEach('10.11/money/write-off', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      await deal.done(operator, 'write-off', lossOf('40.04'));
      expectFigures(await deal.details(), { outstanding: '60.00' });
    });

    defineForEach('10.11/money/write-off-twice', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      for (const _ of [1, 2]) await deal.done(operator, 'write-off', lossOf('20.02'));
      expectFigures(await deal.details(), { outstanding: '60.00' });
    });

    defineForEach('10.11/money/write-off-bounds', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      const reply = await deal.give(operator, 'write-off', { body: lossOf('100.05') });
      expectReason(reply, 'amount_out_of_bounds');
    });

    defineForEach('10.11/money/write-off-nothing', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      await deal.done(operator, 'write-off', lossOf(all));
      const reply = await deal.give(operator, 'write-off', { body: lossOf('0.01') });
      expectReason(reply, 'nothing_outstanding');
    });

    define('10.11/money/write-off-pays-out', async (server) => {
      const { deal, payment_id } = await askedDeal(server);
      const report = { payment_id, status: 'paid', amount: '60.00', reference: 'bank' };
      await reportPayment(deal, by, report);
      await deal.done(by.operator, 'write-off', lossOf('40.04'));
      await untilPaidOut(deal, by);
      expectFigures(await deal.details(), { paid: '60.00', released: all, loss: '40.04' });
    });

    defineForEach('10.11/money/write-off-later', async (server, reporter) => {
      const { deal, payment_id } = await askedDeal(server);
      await deal.done(reporter.operator, 'write-off', lossOf('90.04'));
      const writtenOff = async () =>
        membersOf((await deal.details())['billing'], 'the billing')['written_off'];
      equal(await writtenOff(), '90.04', 'what is written off');
      // less than a payout needs
      const report = { payment_id, status: 'paid', amount: '30.00', reference: 'bank' };
      await reportPayment(deal, reporter, report);
      equal(await writtenOff(), '70.04', 'what is written off after money came');
    });

    defineForEach('10.11/money/write-off-request', async (server, { operator }) => {
      const { deal, payment_id } = await askedDeal(server);
      await deal.done(operator, 'write-off', lossOf('40.04'));
      const first = employerPayments(await deal.details()).find(({ id }) => id === payment_id);
      equal(first?.status, 'expired', 'the status of the request');
    });

    defineForEach('10.11/money/event-written-off', async (server, { operator }) => {
      const { deal } = await askedDeal(server);
      const [event] = await addedBy(deal, () => deal.done(operator, 'write-off', lossOf('40.04')));
      const { amount, reason } = dataOf(event);
      equal(
        [event?.['type'], amount, reason],
        ['deal.written_off', '40.04', because['reason']],
        'the event',
      );
    });
  },
);
