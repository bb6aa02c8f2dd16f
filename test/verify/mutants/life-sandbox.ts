import { payouts } from './billings.js';
import { askedAt, askedWith, refusal } from './changes.js';
import {
  bodied,
  command,
  dataOf,
  details,
  editing,
  erring,
  ignoring,
  listOf,
  nameOf,
  ofSandbox,
  playing,
  playingAt,
  refusing,
  saying,
  succeeding,
  swapping,
  timeLine,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

const ofPartnerInSandbox = ofSandbox('[a-z]+', '.*');
const clock = /^POST \/api\/2\.0\/sandbox\/clock\/$/;

/** Mistakes of the sandbox. */
const ofTheSandbox: readonly Mutant[] = [
  {
    name: 'the sandbox answers, and does nothing',
    law: '6.6/sandbox/command',
    fetch: ignoring(ofPartnerInSandbox),
  },
  {
    name: 'the sandbox has no provider of payments',
    law: '6.6/sandbox/report',
    fetch: refusing(ofSandbox('payments', '.*'), 200, 404, 'not_found'),
  },
  {
    name: 'the sandbox has no freelancer of version 1.0',
    law: '6.7/sandbox/v1-freelancer',
    fetch: playingAt(ofSandbox('freelancer', '.*'), async (request, forward) =>
      (await dataOf(request, forward))['payment_token'] === null
        ? refusal(404, 'not_found')
        : forward(request),
    ),
  },
  {
    name: 'the sandbox has no guards',
    law: '6.6/sandbox/guards',
    fetch: succeeding(ofSandbox('freelancer', 'deliver')),
  },
  {
    name: 'the sandbox needs no reasons',
    law: '6.6/sandbox/form',
    fetch: bodied(ofPartnerInSandbox, (body) => ({ reason: 'None.', ...body })),
  },
  {
    name: 'everything is legal in the sandbox',
    law: '6.6/sandbox/illegal',
    fetch: succeeding(ofPartnerInSandbox),
  },
  {
    name: 'legal is of the partner for every actor of the sandbox',
    law: '6.6/sandbox/legal',
    fetch: erring(ofSandbox('freelancer', '.*'), (error) =>
      Object.assign(error, { legal: ['cancel', 'invite'] }),
    ),
  },
  {
    name: 'the sandbox needs a body',
    law: '6.7/sandbox/no-body',
    fetch: playingAt(ofPartnerInSandbox, async (request, forward) =>
      (await request.clone().text()) === '' ? refusal(400, 'invalid_json') : forward(request),
    ),
  },
  {
    name: 'every actor has every command in the sandbox',
    law: '6.7/sandbox/no-route',
    fetch: refusing(ofPartnerInSandbox, 404, 409, 'illegal_transition'),
  },
  {
    name: 'the sandbox lets the clock act',
    law: '6.7/sandbox/no-actor',
    fetch: refusing(ofSandbox('clock', '.*'), 404, 409, 'precondition_failed'),
  },
  {
    name: 'by-id is an id in the sandbox',
    law: '6.7/sandbox/by-id',
    fetch: playingAt(/\/sandbox\/deal\/by-id\//, (request, forward) =>
      forward(askedAt(request, (path) => path.replace(/\?.*/, ''))),
    ),
  },
  {
    name: 'the sandbox opens the deals of others',
    law: '2.5/sandbox/foreign-deal',
    fetch: playingAt(ofPartnerInSandbox, (request, forward) =>
      forward(askedWith(request, { authorization: 'Token sandbox-acme' })),
    ),
  },
  {
    name: 'the sandbox has no keys',
    law: '6.7/sandbox/key',
    fetch: playingAt(ofPartnerInSandbox, (request, forward) =>
      forward(askedWith(request, { 'idempotency-key': undefined })),
    ),
  },
  {
    name: 'the actors of the sandbox share their keys',
    law: '6.7/sandbox/key-per-actor',
    fetch: (() => {
      const used = new Map<string, string>();
      return playingAt(ofPartnerInSandbox, (request, forward) => {
        const key = request.headers.get('idempotency-key');
        if (key === null) return forward(request);
        const name = used.get(key) ?? nameOf(request);
        used.set(key, name);
        return name === nameOf(request) ? forward(request) : refusal(422, 'idempotency_key_reused');
      });
    })(),
  },
  {
    name: 'the tag +accept declines',
    law: '6.6/sandbox/accept',
    fetch: swapping(details, 'freelancer_status', 'accepted', 'declined'),
  },
  {
    name: 'the tag +decline cancels',
    law: '6.6/sandbox/decline',
    fetch: swapping(details, 'freelancer_status', 'declined', 'removed'),
  },
  {
    name: 'the payout of the sandbox keeps a fee',
    law: '6.6/sandbox/pays',
    fetch: swapping(details, 'released', '100.00', '99.00'),
  },
  {
    name: 'a payment that is to fail expires',
    law: '6.6/sandbox/fails',
    fetch: swapping(details, 'status', 'failed', 'expired'),
  },
  {
    name: 'a payment fails once',
    law: '6.7/sandbox/fails-every-time',
    fetch: editing(details, (data) => {
      const [, second] = listOf(Object(data['billing']), 'employer_payments');
      if (second?.['status'] === 'failed') second['status'] = 'paid';
    }),
  },
  {
    name: 'a payout that is to return is paid',
    law: '6.6/sandbox/returns',
    fetch: swapping(details, 'held', '100.02', '0.00'),
  },
  {
    name: 'a payout that was returned stays held',
    law: '6.6/sandbox/returns-once',
    fetch: swapping(details, 'held', '0.00', '100.02'),
  },
  {
    name: 'an employer pays all that it was asked for',
    law: '10.23/sandbox/pays-less',
    fetch: swapping(details, 'paid', '100.04', '100.05'),
  },
  {
    name: 'what came too much is not counted',
    law: '10.23/sandbox/pays-more',
    fetch: swapping(details, 'paid', '101.06', '100.06'),
  },
  {
    name: 'a payout without an account leaves nothing held',
    law: '10.23/sandbox/refuses',
    fetch: swapping(details, 'held', '100.08', '0.00'),
  },
  {
    name: 'a payout that waits is processing',
    law: '10.1/sandbox/waits',
    fetch: payouts((payment) => {
      if (payment['waits_for'] !== null) payment['status'] = 'processing';
    }),
  },
  {
    name: 'a payout that was refused counts as on its way',
    law: '10.1/sandbox/nothing-reserved',
    fetch: playingAt(ofSandbox('operator', 'resolve'), () => refusal(409, 'precondition_failed')),
  },
  {
    name: 'a payout that was refused for good does not say why',
    law: '10.17/sandbox/refuses-for-good',
    fetch: payouts((payment) => {
      payment['reason'] = null;
    }),
  },
  {
    name: 'a payout that was refused stays held',
    law: '10.23/sandbox/refuses-once',
    fetch: swapping(details, 'held', '0.00', '100.09'),
  },
  {
    name: 'a payout that came back is paid once it is told to be',
    law: '10.5/sandbox/returned-first',
    fetch: payouts((payment, all) => {
      if (all.length === 1 && payment['status'] === 'returned') payment['status'] = 'paid';
    }),
  },
  {
    name: 'a payout that failed does not arrive',
    law: '10.23/sandbox/arrives-twice',
    fetch: swapping(details, 'loss', '100.11', '0.00'),
  },
  {
    name: 'two attempts of a payout are one',
    law: '10.3/sandbox/paid-twice',
    fetch: payouts((payment) => {
      if (payment['released'] === '200.22') payment['released'] = '100.11';
    }),
  },
  {
    name: 'all attempts of a payout are told as the first',
    law: '10.3/sandbox/attempts',
    fetch: editing(timeLine, (data) => {
      for (const event of listOf(data, 'results')) {
        const told: unknown = event['data'];
        if (typeof told === 'object' && told !== null && 'attempt' in told) told.attempt = 1;
      }
    }),
  },
  {
    name: 'a payout came back once one of its attempts has',
    law: '10.3/sandbox/comes-back',
    fetch: payouts((payment) => {
      if (payment['released'] === '100.11') payment['status'] = 'returned';
    }),
  },
  {
    name: 'what came back is sent again though another attempt is paid',
    law: '10.3/sandbox/nothing-to-retry',
    fetch: succeeding(ofSandbox('operator', 'retry-payout')),
  },
  {
    name: 'half of the payment is charged back',
    law: '6.6/sandbox/charged-back',
    fetch: swapping(details, 'charged_back', '100.03', '50.01'),
  },
  {
    name: 'a payment is charged back every time',
    law: '6.7/sandbox/charged-back-once',
    fetch: swapping(details, 'charged_back', '100.03', '200.06'),
  },
  {
    name: 'a silent employer pays',
    law: '6.7/sandbox/silent',
    fetch: swapping(details, 'outstanding', '100.04', '0.00'),
  },
];

/** Mistakes of the clock. */
const ofClock: readonly Mutant[] = [
  {
    name: 'due_left is a text',
    law: '6.7/sandbox/clock-answer',
    fetch: saying(clock, 'due_left', () => 'false'),
  },
  {
    name: 'the clock moves by milliseconds',
    law: '6.6/sandbox/clock-moves',
    fetch: bodied(clock, (body) =>
      Number(body['advance_seconds']) > 1
        ? { advance_seconds: Math.ceil(Number(body['advance_seconds']) / 1000) }
        : body,
    ),
  },
  {
    name: 'the clock may stand still',
    law: '6.7/sandbox/clock-form',
    fetch: playingAt(clock, async (request, forward) =>
      (await request.clone().text()) === '{"advance_seconds":0}'
        ? Response.json({ data: { now: new Date().toISOString(), due_left: false } })
        : forward(request),
    ),
  },
  {
    name: 'deals are dated by real time',
    law: '6.6/sandbox/clock-created',
    fetch: saying(details, 'created_at', () => new Date().toISOString()),
  },
  {
    name: 'the time of all partners moves',
    law: '6.6/sandbox/clock-own',
    fetch: playingAt(clock, async (request, forward) => {
      await forward(askedWith(request.clone(), { authorization: 'Token sandbox-globex' }));
      return forward(request);
    }),
  },
  {
    name: 'ids are of the moved time',
    law: '6.6/sandbox/clock-ids',
    fetch: editing(timeLine, (data) => {
      for (const event of listOf(data, 'results')) {
        event['id'] = ulidOf(Date.parse(String(event['at'])));
      }
    }),
  },
  {
    name: 'a deal expires without a word to its freelancer',
    law: '6.2/sandbox/expires',
    fetch: swapping(details, 'freelancer_status', 'expired', 'new'),
  },
  {
    name: 'a deal expires a day early',
    law: '6.2/sandbox/expires-not-before',
    fetch: early(24),
  },
  {
    name: 'deals of version 1.0 expire',
    law: '6.2/sandbox/v1-does-not-expire',
    fetch: editing(details, (data) => {
      if (data['payment_token'] === null) data['status'] = 'expired';
    }),
  },
  {
    name: 'what is not delivered expires',
    law: '6.2/sandbox/accepted-does-not-expire',
    fetch: swapping(details, 'status', 'accepted', 'expired'),
  },
  {
    name: 'an expired deal can be cancelled',
    law: '6.2/sandbox/expired-is-final',
    fetch: succeeding(command('cancel')),
  },
  {
    name: 'no work is approved by itself',
    law: '6.1/sandbox/approves',
    fetch: bodied(clock, (body) => ({
      advance_seconds: Math.min(6 * 86_400, Number(body['advance_seconds'])),
    })),
  },
  {
    name: 'work is approved a day early',
    law: '6.1/sandbox/approves-not-before',
    fetch: early(24),
  },
  {
    name: 'the days of a review count from the first submission',
    law: '6.1/sandbox/approves-since-last',
    fetch: editing(details, (data) => {
      const [stage] = listOf(data, 'stages');
      if (stage?.['status'] !== 'submitted' || listOf(stage, 'work_files').length < 2) return;
      data['status'] = 'approved';
      stage['status'] = 'approved';
    }),
  },
  {
    name: 'an approval by the clock asks for nothing',
    law: '6.3/sandbox/approval-asks',
    fetch: saying(details, 'employer_payments', () => []),
  },
  {
    name: 'a dispute ends by itself',
    law: '6.7/sandbox/disputed-stays',
    fetch: (() => {
      let isOver = false;
      return playing(async (request, forward) => {
        isOver ||= clock.test(nameOf(request)) && /\d{6}/.test(await request.clone().text());
        const response = await forward(request.clone());
        if (!isOver || !details.test(nameOf(request))) return response;
        const { data } = await response.json();
        return Response.json({ data: { ...data, status: 'approved' } });
      });
    })(),
  },
  {
    name: 'a request that expires has failed',
    law: '6.3/sandbox/request-expires',
    fetch: swapping(details, 'status', 'expired', 'failed'),
  },
  {
    name: 'a request expires a day early',
    law: '6.3/sandbox/request-expires-not-before',
    fetch: early(24),
  },
  {
    name: 'what has expired is not asked for again',
    law: '6.3/sandbox/request-anew',
    fetch: ignoring(command('request-payment')),
  },
  {
    name: 'the partner is the actor of the clock',
    law: '6.7/sandbox/event-expired',
    fetch: swapping(timeLine, 'actor', 'clock', 'partner'),
  },
  {
    name: 'the actor of an approval by the clock is unknown',
    law: '6.7/sandbox/event-approved',
    fetch: swapping(timeLine, 'actor', 'clock', null),
  },
];

/** Ends what is due some hours early: the answer tells of a time that has not come. */
function early(hours: number): Mutant['fetch'] {
  const seconds = hours * 60 * 60;
  return playingAt(clock, async (request, forward) => {
    const { advance_seconds } = JSON.parse(await request.clone().text());
    if (!(Number(advance_seconds) >= seconds)) return forward(request);
    const body = JSON.stringify({ advance_seconds: advance_seconds + seconds });
    const { url, method, headers } = request;
    const response = await forward(new Request(url, { method, headers, body }));
    const { data } = await response.json();
    const now = new Date(Date.parse(data.now) - seconds * 1000).toISOString();
    return Response.json({ data: { ...data, now } });
  });
}

function ulidOf(time: number): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const place = (index: number) => digits[Math.floor(time / 32 ** (9 - index)) % 32];
  return Array.from({ length: 10 }, (_, index) => place(index)).join('') + '0'.repeat(16);
}

export const mutants: readonly Mutant[] = [...ofTheSandbox, ...ofClock];
