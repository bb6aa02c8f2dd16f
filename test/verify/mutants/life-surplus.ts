import { billed, requests } from './billings.js';
import { refusal } from './changes.js';
import {
  bodied,
  command,
  details,
  erring,
  ignoring,
  inEvents,
  ofSandbox,
  playingAt,
  succeeding,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

const refundSurplus = command('refund-surplus');
const writeOff = command('write-off');

/** Mistakes with what comes too much, or never whole. */
export const mutants: readonly Mutant[] = [
  {
    name: 'what came twice is refunded at the end',
    law: '10.12/money/second-name',
    fetch: billed((billing) => {
      if (billing['held'] !== '100.04' || billing['released'] !== '100.04') return;
      Object.assign(billing, { held: '0.00', refunded: '100.04' });
    }),
  },
  {
    name: 'what came too much stays where it is',
    law: '10.12/money/refund-surplus',
    fetch: ignoring(refundSurplus),
  },
  {
    name: 'a surplus is sent back once, and then refused',
    law: '10.12/money/refund-surplus-repeat',
    fetch: (() => {
      let count = 0;
      return playingAt(refundSurplus, async (request, forward) => {
        const response = await forward(request);
        if (response.ok) count += 1;
        return response.ok && count % 2 === 0 ? refusal(409, 'precondition_failed') : response;
      });
    })(),
  },
  {
    name: 'a surplus of nothing is refunded',
    law: '10.12/money/no-surplus',
    fetch: succeeding(refundSurplus),
  },
  {
    name: 'a report that was wrong counts',
    law: '10.12/money/voided',
    fetch: swapping(details, 'paid', '100.04', '200.08'),
  },
  {
    name: 'everybody knows what never came',
    law: '10.12/money/voided-by-payments',
    fetch: succeeding(ofSandbox('payments', 'record-employer-payment'), 400),
  },
  {
    name: 'a surplus is told by all that came',
    law: '10.12/money/event-overpaid',
    fetch: inEvents((event) => {
      const data = Object(event['data']);
      if (event['type'] === 'employer_payment.overpaid') data['amount'] = '150.00';
      return event;
    }),
  },
  {
    name: 'what never came is told as a refund',
    law: '10.12/money/event-voided',
    fetch: inEvents((event) =>
      event['type'] === 'employer_payment.voided'
        ? { ...event, type: 'employer_payment.refunded' }
        : event,
    ),
  },
  {
    name: 'what is written off is outstanding',
    law: '10.11/money/write-off',
    fetch: swapping(details, 'outstanding', '60.00', '100.04'),
  },
  {
    name: 'the second write-off is the first one again',
    law: '10.11/money/write-off-twice',
    fetch: swapping(details, 'outstanding', '60.00', '80.02'),
  },
  {
    name: 'more is written off than is outstanding',
    law: '10.11/money/write-off-bounds',
    fetch: bodied(writeOff, (body) =>
      body['amount'] === '100.05' ? { ...body, amount: '1' } : body,
    ),
  },
  {
    name: 'nothing is too much to be written off',
    law: '10.11/money/write-off-nothing',
    fetch: erring(writeOff, (error) => {
      if (error['reason'] === 'nothing_outstanding') error['reason'] = 'amount_out_of_bounds';
    }),
  },
  {
    name: 'the contractor bears what is written off',
    law: '10.11/money/write-off-pays-out',
    fetch: billed((billing) => {
      if (billing['loss'] !== '40.04') return;
      Object.assign(billing, { released: '60.00', loss: '0.00' });
    }),
  },
  {
    name: 'what is written off stays so',
    law: '10.11/money/write-off-later',
    fetch: swapping(details, 'written_off', '70.04', '90.04'),
  },
  {
    name: 'a request for too much stays open',
    law: '10.11/money/write-off-request',
    fetch: requests((payment) => {
      if (payment['status'] === 'expired') payment['status'] = 'requested';
    }),
  },
  {
    name: 'a write-off is told without its reason',
    law: '10.11/money/event-written-off',
    fetch: inEvents((event) => {
      const data = Object(event['data']);
      if (event['type'] === 'deal.written_off') data['reason'] = null;
      return event;
    }),
  },
];
