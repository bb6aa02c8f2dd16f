import { equal } from '../../expectations.js';
import { expectStatus, group, membersOf, type Server } from '../server.js';
import {
  contractorPayments,
  employerPayments,
  expectFigures,
  figuresOf,
  lastPayout,
  lastRequest,
  ofSandbox,
  reportPayout,
  untilPaidOut,
} from './billing.js';
import {
  because,
  becomes,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  silentAmount,
  statusesIn,
} from './deal.js';
import { dataOf, eventsOf } from './events.js';
import { resolution } from './operator.js';

type Version = '1.0' | '2.0';

/** A deal of an amount, approved. Its freelancer acts in the sandbox: elsewhere nothing is judged. */
async function approvedDeal(server: Server, version: Version, amount: string): Promise<LivingDeal> {
  const isFirst = version === '1.0';
  const deal = await (isFirst
    ? newDealV1(server, { budget: amount })
    : newDeal(server, { amount }));
  await deal.done('sandbox/freelancer', 'accept');
  await deal.upload();
  await deal.done('sandbox/freelancer', 'deliver');
  await deal.done('partner', 'approve');
  return deal;
}

/** A deal whose freelancer has an address with a tag. */
async function dealWithTag(server: Server, version: Version, tag: string): Promise<LivingDeal> {
  // only a sandbox has this path: elsewhere nothing is judged
  const moved = await server.partner.send('POST', '/api/2.0/sandbox/clock/', { body: {} });
  expectStatus(moved, 400);
  const email = `${server.name('who')}+${tag}@example.com`;
  if (version === '2.0') return newDeal(server, { email_freelancer: email });
  const body = server.contractor({ email });
  await server.partner.data('POST', '/api/1.0/contractor/', { body });
  return newDealV1(server, { contractor_email: email });
}

/** Decision 6.6: the magic values of the sandbox. */
export const magic = group(
  'magic values of the sandbox',
  {
    must: {
      '6.6/sandbox/accept': 'A freelancer whose address has the tag `+accept` accepts by itself.',
      '6.6/sandbox/decline':
        'A freelancer whose address has the tag `+decline` declines by itself.',
      '6.6/sandbox/pays': 'An approved deal of the sandbox is paid and paid out by itself.',
      '6.6/sandbox/fails': 'A payment of a deal whose amount ends in `.01` fails.',
      '6.7/sandbox/fails-every-time':
        'A payment of a deal whose amount ends in `.01` fails each time that it is asked for.',
      '6.6/sandbox/returns': 'The payout of a deal whose amount ends in `.02` is returned.',
      '6.6/sandbox/returns-once':
        'The payout of a deal whose amount ends in `.02` is returned once: a retry pays it.',
      '6.6/sandbox/charged-back': 'A payment of a deal whose amount ends in `.03` is charged back.',
      '6.7/sandbox/charged-back-once':
        'One payment of a deal whose amount ends in `.03` is charged back: the next is paid out.',
      '10.23/sandbox/wins':
        'The charge-back of a payment of a deal whose amount ends in `.07` is won: the deal is paid out.',
      '6.7/sandbox/silent': 'A payment of a deal whose amount ends in `.04` is never answered.',
      '10.23/sandbox/pays-less':
        'The employer of a deal whose amount ends in `.05` pays 0.01 less than it was asked for.',
      '10.23/sandbox/pays-more':
        'The employer of a deal whose amount ends in `.06` pays 1.00 more than it was asked for.',
      '10.23/sandbox/refuses':
        'The first call for the payout of a deal whose amount ends in `.08` is refused.',
      '10.1/sandbox/waits':
        'A payout that the provider refuses for now is `scheduled`, with the reason as `waits_for`.',
      '10.1/sandbox/nothing-reserved':
        'A payout that the provider has refused for now does not hinder `resolve`, and ends with a dispute.',
      '10.17/sandbox/refuses-for-good':
        'A payout that the provider refuses for good has `failed`, with the reason: the first one of a deal whose amount ends in `.09`.',
      '10.23/sandbox/refuses-once':
        'The first payout of a deal whose amount ends in `.09` is refused: a retry pays it.',
      '10.5/sandbox/returned-first':
        'A payout that is told to have come back before it is told to be `paid` is `returned`, and its stage `paid`.',
      '10.23/sandbox/arrives-twice':
        'The first payout of a deal whose amount ends in `.11` fails, and arrives with the one that is sent again.',
      '10.3/sandbox/paid-twice':
        'Two attempts of a payout that both arrive are two in `released`, of the payout and of the deal, and their deal shows `paid_twice`.',
      '10.3/sandbox/attempts':
        'Each attempt of a payout that arrives has an event of its own, with `attempt` from 1.',
      '10.3/sandbox/comes-back':
        'While one of two attempts that arrived stays, a payout whose other one came back stays `paid`.',
      '10.3/sandbox/nothing-to-retry':
        'What came back while another attempt is paid is not sent again: `nothing_to_retry`.',
    },
  },
  (define) => {
    for (const version of ['1.0', '2.0'] as const) {
      for (const [tag, state] of [
        ['accept', 'accepted'],
        ['decline', 'declined'],
      ] as const) {
        define(
          `6.6/sandbox/${tag}`,
          async (server) => {
            const deal = await dealWithTag(server, version, tag);
            const details = await becomes(
              deal,
              'the answer of the freelancer',
              ({ freelancer_status }) => freelancer_status !== 'new',
            );
            expectStatuses(details, statusesIn[state]);
          },
          version,
        );
      }

      define(
        '6.6/sandbox/pays',
        async (server) => {
          const deal = await approvedDeal(server, version, '100.00');
          const details = await becomes(deal, 'the end', ({ status }) => status !== 'approved');
          expectStatuses(details, ['completed', 'finished', 'paid']);
          expectFigures(details, { paid: '100.00', released: '100.00' });
        },
        version,
      );

      define(
        '6.6/sandbox/fails',
        async (server) => {
          await expectFailed(await approvedDeal(server, version, '100.01'), 1);
        },
        version,
      );

      define(
        '6.6/sandbox/returns',
        async (server) => {
          const details = await whenReturned(await approvedDeal(server, version, '100.02'));
          expectStatuses(details, statusesIn.approved);
          expectFigures(details, { paid: '100.02', held: '100.02' });
        },
        version,
      );

      define(
        '6.6/sandbox/charged-back',
        async (server) => {
          const deal = await approvedDeal(server, version, '100.03');
          const details = await whenChargedBack(deal);
          equal(figuresOf(details).charged_back, '100.03', 'the sum charged back');
        },
        version,
      );

      define(
        '6.7/sandbox/silent',
        async (server) => {
          const silent = await approvedDeal(server, version, silentAmount);
          // what is asked for later is answered
          const other = await approvedDeal(server, version, '100.00');
          await becomes(other, 'the end of another deal', ({ status }) => status === 'completed');
          const details = await silent.details();
          expectStatuses(details, statusesIn.approved);
          expectFigures(details, { outstanding: silentAmount });
        },
        version,
      );
    }

    define('6.7/sandbox/fails-every-time', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.01');
      await expectFailed(deal, 1);
      await deal.done('partner', 'request-payment');
      await expectFailed(deal, 2);
    });

    define('6.6/sandbox/returns-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.02');
      await whenReturned(deal);
      await deal.done('sandbox/operator', 'retry-payout');
      const details = await untilPaidOut(deal, ofSandbox);
      expectFigures(details, { paid: '100.02', released: '100.02' });
    });

    for (const version of ['1.0', '2.0'] as const) {
      define(
        '10.23/sandbox/refuses',
        async (server) => {
          const details = await whenRefused(await approvedDeal(server, version, '100.08'));
          equal(lastPayout(details)['waits_for'], 'payee_missing', 'what the payout waits for');
          expectFigures(details, { paid: '100.08', held: '100.08' });
        },
        version,
      );
    }

    define('10.23/sandbox/pays-less', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.05');
      const details = await becomes(deal, 'the payment', (each) => figuresOf(each).paid !== '0.00');
      equal(figuresOf(details).paid, '100.04', 'the sum paid');
    });

    define('10.23/sandbox/pays-more', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.06');
      const details = await becomes(
        deal,
        'the refund',
        (each) => figuresOf(each).refunded !== '0.00',
      );
      expectFigures(details, { paid: '101.06', released: '100.06', refunded: '1.00' });
    });

    define('10.1/sandbox/waits', async (server) => {
      const details = await whenRefused(await approvedDeal(server, '2.0', '100.08'));
      const { status, waits_for, reason } = lastPayout(details);
      equal([status, waits_for, reason], ['scheduled', 'payee_missing', null], 'the payout');
      expectStatuses(details, statusesIn.approved);
    });

    define('10.1/sandbox/nothing-reserved', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.08');
      await whenRefused(deal);
      await deal.done('partner', 'dispute', because);
      equal(lastPayout(await deal.details()).status, 'cancelled', 'the payout');
      await deal.done('sandbox/operator', 'resolve', resolution('0'));
      expectStatuses(await deal.details(), statusesIn.cancelled);
    });

    define('10.17/sandbox/refuses-for-good', async (server) => {
      const details = await whenReturned(await approvedDeal(server, '2.0', '100.09'));
      const { status, waits_for, reason } = lastPayout(details);
      equal([status, waits_for, reason], ['failed', null, 'closed_account'], 'the payout');
      expectFigures(details, { paid: '100.09', held: '100.09' });
    });

    define('10.23/sandbox/refuses-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.09');
      await whenReturned(deal);
      await deal.done('sandbox/operator', 'retry-payout');
      const details = await untilPaidOut(deal, ofSandbox);
      expectFigures(details, { paid: '100.09', released: '100.09' });
    });

    define('10.23/sandbox/wins', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.07');
      const details = await becomes(deal, 'the end', ({ status }) => status === 'completed');
      expectFigures(details, { paid: '100.07', released: '100.07' });
      const types = (await eventsOf(deal)).map(({ type }) => type);
      const told = ['charged_back', 'charge_back_reversed'].map(
        (each) => `employer_payment.${each}`,
      );
      equal(
        types.filter((type) => told.includes(String(type))),
        told,
        'the events of the charge-back',
      );
    });

    define('10.5/sandbox/returned-first', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.02');
      const { id } = lastPayout(await whenReturned(deal));
      await reportPayout(deal, ofSandbox, { payment_id: id, status: 'paid', reference: 'late' });
      const details = await deal.details();
      const { status, released } = lastPayout(details);
      equal([status, released], ['returned', '0.00'], 'the payout, and what went out by it');
      expectStatuses(details, ['completed', 'finished', 'paid']);
      expectFigures(details, { paid: '100.02', held: '100.02' });
    });

    define('10.23/sandbox/arrives-twice', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.11');
      expectFigures(await whenReturned(deal), { paid: '100.11', held: '100.11' });
      await deal.done('sandbox/operator', 'retry-payout');
      const details = await untilPaidOut(deal, ofSandbox);
      expectFigures(details, { paid: '100.11', released: '200.22', loss: '100.11' });
    });

    for (const version of ['1.0', '2.0'] as const) {
      define(
        '10.3/sandbox/paid-twice',
        async (server) => {
          const details = await (await paidTwice(server, version)).details();
          const { status, released } = lastPayout(details);
          equal([status, released], ['paid', '200.22'], 'the payout, and what went out by it');
          equal(figuresOf(details).released, '200.22', 'what went out');
          equal(details['attention'], ['paid_twice'], 'attention');
        },
        version,
      );
    }

    define('10.3/sandbox/attempts', async (server) => {
      const deal = await paidTwice(server, '2.0');
      const told = (await arrivalsOf(deal)).map(({ attempt }) => attempt);
      equal([...told].sort(), [1, 2], 'the attempts that are told to have arrived');
    });

    define('10.3/sandbox/comes-back', async (server) => {
      const details = await (await oneCameBack(server)).details();
      const { status, released } = lastPayout(details);
      equal([status, released], ['paid', '100.11'], 'the payout, and what went out by it');
      expectFigures(details, { paid: '100.11', released: '100.11' });
      equal(details['attention'], [], 'attention');
    });

    define('10.3/sandbox/nothing-to-retry', async (server) => {
      const deal = await oneCameBack(server);
      expectReason(await deal.give('sandbox/operator', 'retry-payout'), 'nothing_to_retry');
      equal(figuresOf(await deal.details()).released, '100.11', 'what went out');
    });

    define('6.7/sandbox/charged-back-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.03');
      await whenChargedBack(deal);
      await deal.done('partner', 'request-payment');
      const details = await becomes(deal, 'the end', ({ status }) => status === 'completed');
      expectFigures(details, { paid: '200.06', released: '100.03', charged_back: '100.03' });
    });
  },
);

/** A deal whose payout was sent again, and arrived twice. */
async function paidTwice(server: Server, version: Version): Promise<LivingDeal> {
  const deal = await approvedDeal(server, version, '100.11');
  await whenReturned(deal);
  await deal.done('sandbox/operator', 'retry-payout');
  await untilPaidOut(deal, ofSandbox);
  return deal;
}

/** The same, of which the last attempt came back. */
async function oneCameBack(server: Server): Promise<LivingDeal> {
  const deal = await paidTwice(server, '2.0');
  const { id } = lastPayout(await deal.details());
  const second = (await arrivalsOf(deal)).find(({ attempt }) => attempt === 2);
  const { reference } = membersOf(second, 'the event of the second attempt');
  await reportPayout(deal, ofSandbox, { payment_id: id, status: 'returned', reference });
  return deal;
}

/** What is told of the attempts that arrived. */
const arrivalsOf = async (deal: LivingDeal) =>
  (await eventsOf(deal)).filter(({ type }) => type === 'contractor_payment.paid').map(dataOf);

async function expectFailed(deal: LivingDeal, times: number): Promise<void> {
  const isOpen = ({ status }: { readonly status: string }) =>
    status === 'requested' || status === 'processing';
  const details = await becomes(
    deal,
    'the answer to the request',
    (each) => !employerPayments(each).some(isOpen),
  );
  equal(
    employerPayments(details).map(({ status }) => status),
    Array.from({ length: times }, () => 'failed'),
    'the statuses of the payments',
  );
}

const whenReturned = (deal: LivingDeal) =>
  becomes(
    deal,
    'the return of the payout',
    (details) =>
      Number(figuresOf(details).paid) > 0 &&
      !['scheduled', 'processing'].includes(lastPayout(details).status),
  );

const whenRefused = (deal: LivingDeal) =>
  becomes(deal, 'a payout that waits', (details) =>
    contractorPayments(details).some(({ waits_for }) => (waits_for ?? null) !== null),
  );

const whenChargedBack = (deal: LivingDeal) =>
  becomes(
    deal,
    'the charge-back',
    (details) => !['requested', 'processing', 'paid'].includes(lastRequest(details).status),
  );
