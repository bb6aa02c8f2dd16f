import { askedAt, askedWith, refusal } from './changes.js';
import {
  bodied,
  dataOf,
  dealIn,
  details,
  editing,
  erring,
  ignoring,
  inEvents,
  nameOf,
  ofOperator,
  playing,
  playingAt,
  refusing,
  saying,
  send,
  succeeding,
  swapping,
  timeLine,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

const view = /^GET \/operator\/[^/]+\/deal\/[^/]+\/$/;
const bearer = ({ headers }: Request) => headers.get('authorization') ?? '';

/** Mistakes in the commands of the operator. */
const ofCommands: readonly Mutant[] = [
  {
    name: 'an invitation by the operator is lost',
    law: '6.2/operator/invite',
    fetch: ignoring(ofOperator('invite')),
  },
  {
    name: 'a disputed deal cannot be cancelled',
    law: '6.2/operator/cancel',
    fetch: playingAt(ofOperator('cancel'), async (request, forward) =>
      (await dataOf(request, forward))['status'] === 'disputed'
        ? refusal(409, 'illegal_transition')
        : forward(request),
    ),
  },
  {
    name: 'the operator needs no reason',
    law: '6.7/operator/cancel-reason',
    fetch: bodied(ofOperator('cancel'), (body) => ({ reason: 'None.', ...body })),
  },
  {
    name: 'an agreed amount of 0 is approved',
    law: '6.2/operator/resolve-nothing',
    fetch: bodied(ofOperator('resolve'), (body) =>
      Number(body['agreed_amount']) === 0 ? { ...body, agreed_amount: '0.01' } : body,
    ),
  },
  {
    name: 'agreed amounts are rounded',
    law: '6.2/operator/resolve-part',
    fetch: bodied(ofOperator('resolve'), (body) => ({
      ...body,
      agreed_amount: Math.round(Number(body['agreed_amount'])).toFixed(2),
    })),
  },
  {
    name: 'the agreed amount has to be less than the whole',
    law: '6.2/operator/resolve-whole',
    fetch: playingAt(ofOperator('resolve'), async (request, forward) =>
      /100\.04/.test(await request.clone().text())
        ? refusal(409, 'precondition_failed')
        : forward(request),
    ),
  },
  {
    name: 'too large an amount is cut to what the stages are worth',
    law: '6.2/operator/resolve-too-much',
    fetch: bodied(ofOperator('resolve'), (body) =>
      Number(body['agreed_amount']) > 100.04 ? { ...body, agreed_amount: '100.04' } : body,
    ),
  },
  {
    name: 'the agreed amount is at first the whole',
    law: '6.7/operator/agreed-before',
    fetch: saying(details, 'agreed_amount', (amount) => amount ?? '100.04'),
  },
  {
    name: 'a number is an amount',
    law: '6.7/operator/agreed-form',
    fetch: bodied(ofOperator('resolve'), (body) =>
      typeof body['agreed_amount'] === 'number'
        ? { ...body, agreed_amount: String(body['agreed_amount']) }
        : body,
    ),
  },
  {
    name: 'a missing amount stands for all',
    law: '6.7/operator/agreed-required',
    fetch: bodied(ofOperator('resolve'), (body) => ({ agreed_amount: '100.04', ...body })),
  },
  {
    name: 'the agreed amount is shown as it came',
    law: '6.7/operator/agreed-canonical',
    fetch: saying(details, 'agreed_amount', (amount) => amount && String(Number(amount))),
  },
  {
    name: 'resolve looks at the state first',
    law: '6.7/operator/form-before-state',
    fetch: bodied(ofOperator('resolve'), (body) => ({ agreed_amount: '1.00', ...body })),
  },
  {
    name: 'resolve looks at the amount first',
    law: '6.7/operator/state-before-guard',
    fetch: playingAt(ofOperator('resolve'), async (request, forward) =>
      /5000/.test(await request.clone().text())
        ? refusal(409, 'precondition_failed')
        : forward(request),
    ),
  },
  {
    name: 'an illegal command of the operator is a conflict of its own',
    law: '6.2/operator/illegal',
    fetch: erring(ofOperator('.*'), (error) => Object.assign(error, { code: 'conflict' })),
  },
  {
    name: 'legal lists everything that an operator can ever do',
    law: '6.2/operator/legal',
    fetch: erring(ofOperator('.*'), (error) =>
      Object.assign(error, { legal: ['invite', 'cancel', 'resolve', 'request-payment'] }),
    ),
  },
  {
    name: 'resolve compares amounts as text',
    law: '6.2/operator/repeat',
    fetch: playingAt(ofOperator('resolve'), async (request, forward) =>
      (await dataOf(request, forward))['status'] === 'disputed' ||
      /\d\.\d\d/.test(await request.clone().text())
        ? forward(request)
        : refusal(409, 'illegal_transition'),
    ),
  },
  {
    name: 'resolve of a resolved deal is a repeat with any amount',
    law: '6.7/operator/repeat-amount',
    fetch: succeeding(ofOperator('resolve')),
  },
  {
    name: 'a retry of nothing is a success',
    law: '6.7/operator/nothing-to-retry',
    fetch: succeeding(ofOperator('retry-refund')),
  },
  {
    name: 'a request of the operator for nothing is a success',
    law: '6.2/operator/nothing-outstanding',
    fetch: succeeding(ofOperator('request-payment')),
  },
  {
    name: 'the operator has the keys of the partner',
    law: '6.7/operator/key-per-actor',
    fetch: (() => {
      const used = new Set<string | null>([null]);
      return playing((request, forward) => {
        const key = request.headers.get('idempotency-key');
        if (key !== null && used.has(key)) return refusal(422, 'idempotency_key_reused');
        used.add(key);
        return forward(request);
      });
    })(),
  },
  {
    name: 'the operator has no keys',
    law: '6.2/operator/key-replay',
    fetch: playingAt(ofOperator('.*'), (request, forward) =>
      forward(askedWith(request, { 'idempotency-key': undefined })),
    ),
  },
  {
    name: 'an end by the operator is told as an end of its own',
    law: '6.2/operator/event',
    fetch: inEvents((event) =>
      event['type'] === 'deal.cancelled' ? { ...event, type: 'deal.removed' } : event,
    ),
  },
  {
    name: 'the actor of an operator is its partner',
    law: '6.7/operator/event-actor',
    fetch: swapping(timeLine, 'actor', 'operator', 'partner'),
  },
  {
    name: 'the event of a resolution has the whole amount',
    law: '6.2/operator/event-resolved',
    fetch: saying(timeLine, 'agreed_amount', () => '100.04'),
  },
];

/** Mistakes in what the operator sees. */
const ofView: readonly Mutant[] = [
  {
    name: 'the operator sees no payments of the employer',
    law: '6.5/operator/view',
    fetch: saying(view, 'employer_payments', () => []),
  },
  {
    name: 'the operator sees the token of the partner',
    law: '6.5/operator/no-token',
    fetch: playingAt(view, async (request, forward) => {
      const path = `/api/2.0/deal/${dealIn(request)}/`;
      return forward(
        new Request(new URL(path, request.url), {
          headers: { authorization: 'Token sandbox-acme' },
        }),
      );
    }),
  },
  {
    name: 'the answer to the operator has no billing',
    law: '6.5/operator/answer',
    fetch: saying(ofOperator('.*'), 'billing', () => undefined),
  },
  {
    name: 'the operator sees nothing that waits',
    law: '6.3/operator/effects',
    fetch: saying(view, 'effects', () => []),
  },
  {
    name: 'a refund that was asked for anew has failed still',
    law: '6.3/operator/effects',
    fetch: saying(view, 'effects', () => [
      { kind: 'refund', status: 'failed', amount: '100.04', remaining: '100.04' },
    ]),
  },
  {
    name: 'the partner sees what waits',
    law: '6.5/operator/effects-apart',
    fetch: editing(details, (data) => {
      data['effects'] = [];
    }),
  },
  {
    name: 'the operator sees no work',
    law: '6.4/operator/download',
    fetch: playingAt(/^GET \/operator\/.*\/file\//, () => refusal(404, 'not_found')),
  },
  {
    name: 'the operator may dispute',
    law: '6.7/operator/no-route',
    fetch: playingAt(ofOperator('dispute'), (request, forward) =>
      send(forward, request, `/api/2.0/deal/${dealIn(request)}/dispute/`, { reason: 'None.' }),
    ),
  },
  {
    name: 'by-id is an id for the operator',
    law: '6.7/operator/by-id',
    fetch: playingAt(/^POST \/operator\/[^/]+\/deal\/by-id\//, (request, forward) =>
      forward(askedAt(request, (path) => path.replace(/\?.*/, ''))),
    ),
  },
  {
    name: 'an unknown partner is told apart from an unknown deal',
    law: '2.5/operator/unknown',
    fetch: playing(async (request, forward) => {
      const response = await forward(request.clone());
      return response.status === 404 && !/operator\/acme\//.test(request.url)
        ? refusal(404, 'unknown_partner')
        : response;
    }),
  },
  {
    name: 'the API token of a partner is good for its deals',
    law: '6.5/operator/unauthorized',
    fetch: playing((request, forward) =>
      forward(
        /operator/.test(nameOf(request)) && bearer(request) === 'Token sandbox-acme'
          ? askedWith(request, { authorization: 'Operator sandbox-operator' })
          : request,
      ),
    ),
  },
  {
    name: 'the list of the operator does not know partner_id',
    law: '6.7/operator/list',
    fetch: playingAt(/^GET \/operator\/deal\/$/, (request, forward) =>
      forward(askedAt(request, (path) => path.replace(/&?partner_id=[^&]*/, ''))),
    ),
  },
  {
    name: 'what is due is answered as accepted',
    law: '6.7/operator/run',
    fetch: refusing(/^POST \/operator\/run-timers\/$/, 200, 202, 'accepted'),
  },
];

export const mutants: readonly Mutant[] = [...ofCommands, ...ofView];
