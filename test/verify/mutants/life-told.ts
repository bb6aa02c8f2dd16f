import { billed, employers, hearing, lost, requests } from './billings.js';
import { bodied, details, inEvents, playingAt, saying, swapping, timeLine } from './life-deals.js';
import type { Mutant } from './mutant.js';

/** Changes the data of the events of money. */
const ofMoney = (change: (data: Record<string, unknown>) => object) =>
  inEvents((event) =>
    String(event['type']).startsWith('employer_payment.')
      ? { ...event, data: change({ ...Object(event['data']) }) }
      : event,
  );

/** A report gets this amount, if it gives none. */
const always = (amount: string) => bodied(employers, (body) => ({ amount, ...body }));

/** Mistakes in what a report says, and in what is told of it. */
export const mutants: readonly Mutant[] = [
  {
    name: 'money counts in any currency',
    law: '10.4/money/currency',
    fetch: bodied(employers, ({ currency: _, ...body }) => body),
  },
  {
    name: 'a currency counts by its letters',
    law: '10.4/money/currency-case',
    fetch: bodied(employers, (body) => ('currency' in body ? { ...body, currency: 'XAU' } : body)),
  },
  {
    name: 'what went back has some amount',
    law: '10.4/money/amount-required',
    fetch: always('1.00'),
  },
  {
    name: 'a charge-back is of all that came',
    law: '10.4/money/default-left',
    fetch: hearing(employers, 'charged_back', { amount: '100.04' }),
  },
  {
    name: 'a charge-back implies the whole payment',
    law: '10.5/money/implied-amount',
    fetch: swapping(details, 'paid', '40.00', '100.04'),
  },
  {
    name: 'a failed refund that nobody waits for is lost',
    law: '10.5/money/refund-implied',
    fetch: lost(employers, 'refund_failed'),
  },
  {
    name: 'what was won stays charged back',
    law: '10.6/money/won',
    fetch: requests((payment) => {
      if (payment['status'] === 'paid') payment['status'] = 'charged_back';
    }),
  },
  {
    name: 'a charge-back is won in part',
    law: '10.6/money/won-default',
    fetch: bodied(employers, (body) =>
      body['status'] === 'charge_back_reversed' ? { amount: '1.00', ...body } : body,
    ),
  },
  {
    name: 'more is won than was lost',
    law: '10.6/money/won-bound',
    fetch: bodied(employers, (body) =>
      body['amount'] === '60.01' ? { ...body, amount: '60.00' } : body,
    ),
  },
  {
    name: 'what is won before it is lost is forgotten',
    law: '10.23/money/won-first',
    fetch: playingAt(employers, async (request, forward) =>
      (await request.clone().text()).includes('charge_back_reversed')
        ? Response.json({ data: {} })
        : forward(request),
    ),
  },
  {
    name: 'an event says what the payment is worth',
    law: '10.7/money/event-moved',
    fetch: swapping(timeLine, 'amount', '20.00', '60.00'),
  },
  {
    name: 'a part that went back has an event of its own',
    law: '10.7/money/event-part',
    fetch: inEvents((event) =>
      Object(event['data']).status === 'partially_refunded'
        ? { ...event, type: 'employer_payment.partially_refunded' }
        : event,
    ),
  },
  {
    name: 'what is implied is not told',
    law: '10.7/money/event-implied',
    fetch: inEvents((event) => (event['type'] === 'employer_payment.paid' ? undefined : event)),
  },
  {
    name: 'what took nothing back says an amount',
    law: '10.7/money/event-nothing',
    fetch: ofMoney(({ asked, ...data }) =>
      asked === undefined ? data : { ...data, amount: asked },
    ),
  },
  {
    name: 'a charge-back that was won is told as a payment',
    law: '10.7/money/event-won',
    fetch: swapping(
      timeLine,
      'type',
      'employer_payment.charge_back_reversed',
      'employer_payment.paid',
    ),
  },
  {
    name: 'events leave out the small change',
    law: '10.7/money/sums',
    fetch: saying(timeLine, 'amount', (amount) => String(amount).replace(/\d$/, '0')),
  },
  {
    name: 'the sandbox loses what it wins',
    law: '10.23/sandbox/wins',
    fetch: billed((billing) => {
      if (billing['paid'] === '100.07') billing['charged_back'] = '100.07';
    }),
  },
];
