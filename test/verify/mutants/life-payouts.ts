import { anew, billed, contractors, countingTwice, employers, lost, payouts } from './billings.js';
import { refusal } from './changes.js';
import {
  bodied,
  command,
  dataOf,
  details,
  editing,
  erring,
  ignoring,
  inEvents,
  listOf,
  nameOf,
  ofFreelancer,
  offer,
  ofPartner,
  playingAt,
  saying,
  succeeding,
  swapping,
  timeLine,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

/** Mistakes in what is paid out, and goes back. */
const ofPayouts: readonly Mutant[] = [
  {
    name: 'the payout keeps a fee',
    law: '6.3/money/paid-out',
    fetch: swapping(details, 'released', '100.04', '95.04'),
  },
  {
    name: 'a payout names no stages',
    law: '6.3/money/payout',
    fetch: payouts((payment) => {
      payment['stage_ids'] = [];
    }),
  },
  {
    name: 'money that was not asked for is not paid out',
    law: '6.7/money/paid-out-before-asked',
    fetch: swapping(details, 'status', 'completed', 'approved'),
  },
  {
    name: 'a completed deal can be disputed',
    law: '6.3/money/completed',
    fetch: erring(ofPartner('.*'), (error) =>
      Object.assign(error, { legal: ['dispute', 'request-payment'] }),
    ),
  },
  {
    name: 'a freelancer can dispute a completed deal',
    law: '6.3/freelancer/completed',
    fetch: succeeding(ofFreelancer('dispute')),
  },
  {
    name: 'a freelancer who has finished cannot repeat its acceptance',
    law: '6.7/freelancer/repeat-finished',
    fetch: playingAt(ofFreelancer('accept'), async (request, forward) =>
      (await dataOf(request, forward))['freelancer_status'] === 'finished'
        ? refusal(409, 'illegal_transition')
        : forward(request),
    ),
  },
  {
    name: 'the operator can cancel a completed deal',
    law: '6.2/operator/completed',
    fetch: succeeding(command('cancel')),
  },
  {
    name: 'the freelancer sees no payouts',
    law: '6.5/freelancer/payouts',
    fetch: saying(offer, 'contractor_payments', () => []),
  },
  {
    name: 'a payout that comes back opens its stage again',
    law: '6.7/money/returned',
    fetch: billed((billing, deal) => {
      const [payout] = listOf(billing, 'contractor_payments');
      if (payout?.['status'] === 'returned') deal['status'] = 'approved';
    }),
  },
  {
    name: 'a failure after the payout is late',
    law: '6.7/money/returned-failed',
    fetch: lost(contractors, 'failed'),
  },
  {
    name: 'a payout that came back needs no attention',
    law: '6.7/money/returned-attention',
    fetch: saying(details, 'attention', () => []),
  },
  {
    name: 'a payout comes back each time',
    law: '6.7/money/returned-once',
    fetch: countingTwice(contractors, 'came back'),
  },
  {
    name: 'a retry pays, and keeps the attention',
    law: '6.7/money/retry-payout',
    fetch: editing(details, (data) => {
      if (data['status'] === 'completed') data['attention'] = ['payout_returned'];
    }),
  },
  {
    name: 'a report of an old attempt is of the new one',
    law: '6.7/money/old-attempt',
    fetch: anew(contractors),
  },
  {
    name: 'each retry is an attempt of its own',
    law: '6.7/money/retry-payout-repeat',
    fetch: (() => {
      let count = 0;
      return (forward) => (request) => {
        if (command('retry-payout').test(nameOf(request))) count += 1;
        return payouts((payment) => {
          payment['attempts'] = count;
        })(forward)(request);
      };
    })(),
  },
  {
    name: 'a payout that came back is released still',
    law: '6.3/money/balanced-to-the-end',
    fetch: billed((billing) => {
      if (listOf(billing, 'contractor_payments').length > 0) billing['released'] = '100.04';
    }),
  },
  {
    name: 'a loss is taken from what was released',
    law: '6.7/money/loss',
    fetch: billed((billing) => {
      if (billing['loss'] !== '0.00') billing['released'] = '0.00';
    }),
  },
  {
    name: 'a payout that was cancelled is not released',
    law: '6.7/money/loss-any-order',
    fetch: (() => {
      const cancelled = new Set<unknown>();
      return billed((billing) => {
        const [payout] = listOf(billing, 'contractor_payments');
        if (payout?.['status'] === 'cancelled') cancelled.add(payout['id']);
        if (cancelled.has(payout?.['id'])) billing['released'] = '0.00';
      });
    })(),
  },
  {
    name: 'a completed deal asks for nothing',
    law: '9.10/money/asked-after-loss',
    fetch: ignoring(ofPartner('request-payment')),
  },
  {
    name: 'a loss is for ever',
    law: '9.10/money/loss-made-up',
    fetch: swapping(details, 'loss', '60.04', '100.04'),
  },
  {
    name: 'what comes after a loss is refunded, all of it',
    law: '9.10/money/surplus-after-loss',
    fetch: swapping(details, 'refunded', '49.96', '150.00'),
  },
  {
    name: 'a resolution does not wait for a payout',
    law: '6.7/money/processing-resolve',
    fetch: succeeding(command('resolve')),
  },
  {
    name: 'an end does not wait for a payout',
    law: '6.7/money/processing-cancel',
    fetch: erring(command('cancel'), (error) => Object.assign(error, { reason: 'not_now' })),
  },
  {
    name: 'what is held is lost as a deal is cancelled',
    law: '6.2/money/cancel-refunds',
    fetch: swapping(details, 'refunded', '100.04', '0.00'),
  },
  {
    name: 'a freelancer who declines is removed if something was held',
    law: '6.2/money/decline-refunds',
    fetch: swapping(details, 'freelancer_status', 'declined', 'removed'),
  },
  {
    name: 'a resolution with nothing pays out',
    law: '6.2/money/resolve-nothing-refunds',
    fetch: bodied(command('resolve'), (body) => ({ ...body, agreed_amount: '100.04' })),
  },
  {
    name: 'a payment whose money went back is paid',
    law: '6.3/money/refund-ends',
    fetch: swapping(details, 'status', 'refunded', 'paid'),
  },
  {
    name: 'the rest of a resolution is rounded',
    law: '6.7/money/resolve-surplus',
    fetch: swapping(details, 'refunded', '60.04', '60.00'),
  },
  {
    name: 'what was paid too much is released',
    law: '6.7/money/overpaid',
    fetch: swapping(details, 'released', '100.04', '150.00'),
  },
  {
    name: 'what is paid too much is refunded at once',
    law: '6.7/money/overpaid-held',
    fetch: swapping(details, 'held', '150.00', '100.04'),
  },
  {
    name: 'money for a deal that has ended is not recorded',
    law: '6.7/money/late-money',
    fetch: playingAt(employers, async (request, forward) =>
      (await dataOf(request, forward))['status'] === 'cancelled'
        ? refusal(409, 'illegal_transition')
        : forward(request),
    ),
  },
  {
    name: 'a refund that failed is not made again',
    law: '6.7/money/retry-refund',
    fetch: playingAt(command('retry-refund'), () => refusal(409, 'precondition_failed')),
  },
  {
    name: 'a refund that was made at last needs attention',
    law: '6.7/money/retry-refund-attention',
    fetch: editing(details, (data) => {
      if (data['status'] === 'cancelled') data['attention'] = ['refund_failed'];
    }),
  },
];

/** Mistakes in the events of money. */
const ofMoneyEvents: readonly Mutant[] = [
  {
    name: 'a failure is told as an expiry',
    law: '6.7/money/event-request',
    fetch: swapping(timeLine, 'type', 'employer_payment.failed', 'employer_payment.expired'),
  },
  {
    name: 'a charge-back is told with a hyphen',
    law: '6.7/money/event-money-back',
    fetch: swapping(
      timeLine,
      'type',
      'employer_payment.charged_back',
      'employer_payment.charge-back',
    ),
  },
  {
    name: 'a failed refund is told as a payment',
    law: '6.7/money/event-refund-failed',
    fetch: swapping(timeLine, 'type', 'employer_payment.refund_failed', 'employer_payment.paid'),
  },
  {
    name: 'every report is told as one of the gateway',
    law: '6.7/money/event-actor',
    fetch: swapping(timeLine, 'actor', 'operator', 'payments'),
  },
  {
    name: 'a report is told each time',
    law: '6.7/money/event-once',
    fetch: toldEachTime(),
  },
  {
    name: 'a late report is told',
    law: '6.7/money/event-ignored',
    fetch: toldEachTime(),
  },
  {
    name: 'a payout is told once it is paid',
    law: '6.7/money/event-scheduled',
    fetch: inEvents((event) =>
      event['type'] === 'contractor_payment.scheduled' ? undefined : event,
    ),
  },
  {
    name: 'a completed deal is told as a paid stage',
    law: '6.7/money/event-completed',
    fetch: swapping(timeLine, 'type', 'deal.completed', 'deal.stage_paid'),
  },
  {
    name: 'the event of a completed deal names no stages',
    law: '6.7/money/event-completed-data',
    fetch: saying(timeLine, 'stage_ids', () => []),
  },
  {
    name: 'the gateway acts as an operator',
    law: '6.7/money/event-gateway',
    fetch: swapping(timeLine, 'actor', 'payments', 'operator'),
  },
  {
    name: 'a payout that comes back is told as a failure',
    law: '6.7/money/event-returned',
    fetch: swapping(timeLine, 'type', 'contractor_payment.returned', 'contractor_payment.failed'),
  },
];

/** Tells of every report, also of one that changes nothing. */
function toldEachTime(): Mutant['fetch'] {
  let reports = 0;
  return (forward) => (request) => {
    if (employers.test(nameOf(request))) reports += 1;
    return editing(timeLine, (data) => {
      const events = listOf(data, 'results');
      data['results'] = [...events, ...Array.from({ length: reports }, () => events[0])];
    })(forward)(request);
  };
}

export const mutants: readonly Mutant[] = [...ofPayouts, ...ofMoneyEvents];
