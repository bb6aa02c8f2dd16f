import { anew, billed, countingTwice, employers, hearing, lost, requests } from './billings.js';
import { askedAt, refusal } from './changes.js';
import {
  bodied,
  command,
  dataOf,
  details,
  listOf,
  nameOf,
  ofPartner,
  playingAt,
  refusing,
  saying,
  succeeding,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

/** Mistakes in what the employer is asked for. */
const ofRequests: readonly Mutant[] = [
  {
    name: 'nothing is outstanding before it is asked for',
    law: '4/money/at-creation',
    fetch: billed((billing, { status }) => {
      if (status === 'created') billing['outstanding'] = '0.00';
    }),
  },
  {
    name: 'requests are for whole units',
    law: '6.3/money/asked-on-approval',
    fetch: requests((payment) => {
      payment['amount'] = Number(payment['amount']).toFixed(0);
    }),
  },
  {
    name: 'the employer is asked as the deal is accepted',
    law: '6.3/money/not-asked-before',
    fetch: billed((billing, { status }) => {
      if (status === 'accepted') billing['employer_payments'] = [{ id: '1', status: 'requested' }];
    }),
  },
  {
    name: 'a request is dated by a number',
    law: '6.3/money/request-members',
    fetch: saying(details, 'requested_at', (at) => Date.parse(String(at))),
  },
  {
    name: 'a failed request is opened again',
    law: '6.7/money/asked-again',
    fetch: requests((payment, all) => {
      if (payment['status'] === 'failed' && all.length > 1) payment['status'] = 'requested';
    }),
  },
  {
    name: 'only the partner asks again',
    law: '6.7/money/asked-again-by-operator',
    fetch: playingAt(/operator\/.*request-payment\/$/, () => refusal(404, 'not_found')),
  },
  {
    name: 'the whole is asked for again',
    law: '6.7/money/asked-rest',
    fetch: requests((payment) => {
      if (payment['status'] === 'requested') payment['amount'] = '100.04';
    }),
  },
  {
    name: 'money that was not asked for is refused',
    law: '6.7/money/unasked',
    fetch: playingAt(employers, async (request, forward) =>
      (await request.clone().text()).includes('payment_id')
        ? forward(request)
        : refusal(400, 'validation_failed'),
    ),
  },
  {
    name: 'money that was not asked for is not counted on',
    law: '6.7/money/unasked-lessens',
    fetch: requests((payment) => {
      if (payment['status'] === 'requested') payment['amount'] = '100.04';
    }),
  },
  {
    name: 'a request for nothing is made',
    law: '6.7/money/unasked-whole',
    fetch: billed((billing, { status }) => {
      const all = listOf(billing, 'employer_payments');
      if (status !== 'delivered')
        billing['employer_payments'] = [...all, { id: '1', amount: '0.00' }];
    }),
  },
  {
    name: 'a request outlives its deal',
    law: '6.7/money/request-ends',
    fetch: swapping(details, 'status', 'expired', 'requested'),
  },
  {
    name: 'a resolution asks for no more than before',
    law: '6.7/money/resolve-asks',
    fetch: billed((billing) => {
      billing['employer_payments'] = listOf(billing, 'employer_payments').slice(0, 1);
    }),
  },
  {
    name: 'a resolution asks for the whole',
    law: '6.7/money/resolve-asks-first',
    fetch: requests((payment) => {
      payment['amount'] = '100.04';
    }),
  },
  {
    name: 'a cancelled deal has its amount outstanding',
    law: '6.7/money/outstanding-ends',
    fetch: billed((billing, { status }) => {
      if (status === 'cancelled') billing['outstanding'] = '100.04';
    }),
  },
];

/** Mistakes in what is made of reports. */
const ofReports: readonly Mutant[] = [
  {
    name: 'money that came is outstanding still',
    law: '6.3/money/paid',
    fetch: saying(details, 'outstanding', () => '100.04'),
  },
  {
    name: 'a report needs an amount',
    law: '6.7/money/paid-default-amount',
    fetch: playingAt(employers, async (request, forward) =>
      (await request.clone().text()).includes('amount')
        ? forward(request)
        : refusal(400, 'validation_failed'),
    ),
  },
  {
    name: 'a smaller payment counts as the whole',
    law: '6.3/money/paid-part',
    fetch: hearing(employers, 'paid', { amount: undefined }),
  },
  {
    name: 'a payment always shows what was asked for',
    law: '6.7/money/amount-shown',
    fetch: requests((payment) => {
      payment['amount'] = '100.04';
    }),
  },
  {
    name: 'a payment is paid once',
    law: '6.7/money/references-add',
    fetch: playingAt(employers, async (request, forward) => {
      const billing = Object((await dataOf(request, forward))['billing']);
      const isPaid = listOf(billing, 'employer_payments').some((each) => each['status'] === 'paid');
      return isPaid ? Response.json({ data: await dataOf(request, forward) }) : forward(request);
    }),
  },
  {
    name: 'a report counts each time that it comes',
    law: '6.7/money/reference-once',
    fetch: anew(employers),
  },
  {
    name: 'money that was not asked for counts each time',
    law: '6.7/money/reference-once-unasked',
    fetch: anew(employers),
  },
  {
    name: 'processing is not shown',
    law: '6.3/money/processing',
    fetch: lost(employers, 'processing'),
  },
  {
    name: 'a failure is final',
    law: '6.7/money/failed-then-paid',
    fetch: playingAt(employers, async (request, forward) => {
      const deal = await dataOf(request, forward);
      const [payment] = listOf(Object(deal['billing']), 'employer_payments');
      return payment?.['status'] === 'failed' ? Response.json({ data: deal }) : forward(request);
    }),
  },
  {
    name: 'the last report is right',
    law: '6.7/money/late-report',
    fetch: (() => {
      let last = '';
      return lasting(
        (status) => {
          last = status;
        },
        () => last,
      );
    })(),
  },
  {
    name: 'an expiry after a failure is shown',
    law: '6.7/money/equal-rank',
    fetch: (() => {
      let last = '';
      return lasting(
        (status) => {
          last = status;
        },
        () => last,
      );
    })(),
  },
  {
    name: 'a charge-back is no longer outstanding',
    law: '6.3/money/charged-back',
    fetch: billed((billing) => {
      if (billing['charged_back'] !== '0.00') billing['outstanding'] = '0.00';
    }),
  },
  {
    name: 'a charge-back is of the whole',
    law: '6.3/money/charged-back-part',
    fetch: hearing(employers, 'charged_back', { amount: undefined }),
  },
  {
    name: 'a charge-back of what was not paid is lost',
    law: '6.7/money/charge-back-implies-paid',
    fetch: lost(employers, 'charged_back'),
  },
  {
    name: 'a refund of what was not paid is lost',
    law: '6.7/money/refund-implies-paid',
    fetch: lost(employers, 'refunded'),
  },
  {
    name: 'a part of a refund counts as a refund',
    law: '6.3/money/partially-refunded',
    fetch: swapping(details, 'status', 'partially_refunded', 'refunded'),
  },
  {
    name: 'a payment that was refunded in parts stays so',
    law: '6.3/money/refunded-rest',
    fetch: swapping(details, 'status', 'refunded', 'partially_refunded'),
  },
  {
    name: 'a refund that failed counts as made',
    law: '6.7/money/refund-failed',
    fetch: lost(employers, 'refund_failed'),
  },
  {
    name: 'nothing needs attention',
    law: '6.7/money/refund-failed-attention',
    fetch: saying(details, 'attention', () => []),
  },
  {
    name: 'a list does not know attention',
    law: '6.7/money/attention-list',
    fetch: playingAt(/^GET \/api\/2\.0\/deal\/$/, (request, forward) =>
      forward(askedAt(request, (path) => path.replace('attention=true&', ''))),
    ),
  },
  {
    name: 'a failed refund counts each time',
    law: '6.7/money/refund-failed-once',
    fetch: countingTwice(employers, 'refund_failed'),
  },
  {
    name: 'a refund after its failure counts',
    law: '6.7/money/refund-failed-first',
    fetch: lost(employers, 'refund_failed'),
  },
  {
    name: 'a charge-back counts only after its payment',
    law: '6.7/money/any-order',
    fetch: playingAt(employers, async (request, forward) => {
      const deal = await dataOf(request, forward);
      const isBack = /charged_back|refunded/.test(await request.clone().text());
      return isBack && Object(deal['billing']).paid === '0.00'
        ? Response.json({ data: deal })
        : forward(request);
    }),
  },
  {
    name: 'a charge-back stays held',
    law: '6.3/money/balanced',
    fetch: billed((billing) => {
      if (billing['charged_back'] !== '0.00') billing['held'] = billing['paid'];
    }),
  },
  {
    name: 'a disputed deal takes no reports',
    law: '6.3/money/in-every-state',
    fetch: playingAt(employers, async (request, forward) =>
      (await dataOf(request, forward))['status'] === 'disputed'
        ? refusal(409, 'illegal_transition')
        : forward(request),
    ),
  },
  {
    name: 'a report of a payment of another deal is a success',
    law: '6.7/money/foreign-payment',
    fetch: succeeding(employers, 400),
  },
  {
    name: 'a report needs no reference',
    law: '6.7/money/report-form',
    fetch: bodied(employers, (body) => ({ reference: 'none', ...body })),
  },
  {
    name: 'a deal that is paid can be cancelled by the partner',
    law: '6.2/money/already-paid',
    fetch: succeeding(ofPartner('cancel')),
  },
  {
    name: 'what was ever paid keeps a deal from being cancelled',
    law: '6.7/money/paid-back',
    fetch: playingAt(ofPartner('cancel'), async (request, forward) => {
      const { billing } = await dataOf(request, forward);
      return Object(billing).paid === '0.00' ? forward(request) : refusal(409, 'already_paid');
    }),
  },
  {
    name: 'an accepted deal is disputed only if all is paid',
    law: '6.2/money/dispute-paid',
    fetch: refusing(command('dispute'), 200, 409, 'precondition_failed'),
  },
];

/** The status of the last report is that of its payment. */
function lasting(heard: (status: string) => void, last: () => string): Mutant['fetch'] {
  return (forward) => async (request) => {
    if (employers.test(nameOf(request))) {
      heard(/"status":"(\w+)"/.exec(await request.clone().text())?.[1] ?? '');
    }
    return requests((payment) => {
      payment['status'] = last();
    })(forward)(request);
  };
}

export const mutants: readonly Mutant[] = [...ofRequests, ...ofReports];
