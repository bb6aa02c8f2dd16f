import { answering, askedWith, refusal } from './changes.js';
import {
  dealIn,
  editing,
  inEvents,
  nameOf,
  ofFreelancer,
  offer,
  playing,
  refusing,
  retelling,
  saying,
  send,
  type Tree,
  timeLine,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

/** Changes the data of each event. */
const inData = (change: (data: Tree, event: Tree) => Tree) =>
  inEvents((event) => ({ ...event, data: change(Object(event['data']), event) }));

const isOf =
  (...types: readonly string[]) =>
  (event: Tree) =>
    types.includes(String(event['type']));

/** Tells of something for each answer that fits, though nothing has changed. */
function telling(fits: (response: Response, request: Request) => boolean) {
  const told = new Map<string, number>();
  return playing(async (request, forward) => {
    const isFeed = timeLine.test(nameOf(request));
    const response = await forward(request.clone());
    const id = isFeed || dealIn(request) !== '' ? dealIn(request) : 'offer';
    if (fits(response, request)) told.set(id, (told.get(id) ?? 0) + 1);
    if (!isFeed) return response;
    const members = await response.json();
    const more = (told.get(id) ?? 0) + (told.get('offer') ?? 0);
    const events: readonly Tree[] = members.data.results;
    const again = Array.from({ length: more }, () => events[0]);
    return Response.json({ data: { ...members.data, results: [...events, ...again] } });
  });
}

/** Mistakes in events. */
const ofEvents: readonly Mutant[] = [
  {
    name: 'an approval is told after what follows from it',
    law: '6.2/life/event',
    fetch: retelling((events) => {
      const at = events.findIndex(isOf('employer_payment.requested'));
      const [asked] = events.slice(at, at + 1);
      const [before] = events.slice(at - 1, at);
      if (at < 1 || asked === undefined || before === undefined) return events;
      return [...events.slice(0, at - 1), asked, before, ...events.slice(at + 1)];
    }),
  },
  {
    name: 'an invitation is not told',
    law: '6.2/life/event',
    fetch: retelling((events) => events.filter((event) => !isOf('deal.invited')(event))),
  },
  {
    name: 'an event has the status before it',
    law: '6.7/life/event-statuses',
    fetch: inData((data) => ({
      ...data,
      ...(data['status'] === 'accepted' && { status: 'created' }),
    })),
  },
  {
    name: 'an event names no stages',
    law: '6.2/life/event-stages',
    fetch: inData(({ stage_ids: _, ...data }) => data),
  },
  {
    name: 'messages are trimmed',
    law: '6.7/life/event-remarks',
    fetch: inData((data) => ({
      ...data,
      ...(typeof data['message'] === 'string' && { message: data['message'].trim() }),
    })),
  },
  {
    name: 'the partner is the actor of everything',
    law: '6.7/life/event-actor',
    fetch: inEvents((event) => ({ ...event, actor: 'partner' })),
  },
  {
    name: 'the freelancer is the actor of each acceptance',
    law: '6.7/life/event-actor-v1',
    fetch: inEvents((event) =>
      isOf('deal.accepted')(event) ? { ...event, actor: 'freelancer' } : event,
    ),
  },
  {
    name: 'a delivery that accepts is told as one event',
    law: '6.7/life/event-accepts',
    fetch: retelling((events) => events.filter((event) => !isOf('deal.accepted')(event))),
  },
  {
    name: 'a stage that costs nothing is completed without a word',
    law: '6.2/life/event-completed',
    fetch: retelling((events) => events.filter((event) => !isOf('deal.completed')(event))),
  },
  {
    name: 'a repeat is told again',
    law: '6.2/life/event-repeat',
    fetch: (() => {
      const seen = new Set<string>();
      return telling(({ status }, request) => {
        if (request.method !== 'POST' || status !== 200) return false;
        const name = nameOf(request).replace('offer', request.headers.get('authorization') ?? '');
        const isRepeat = seen.has(name);
        seen.add(name);
        return isRepeat;
      });
    })(),
  },
  {
    name: 'a refusal is told',
    law: '6.2/life/event-refusal',
    fetch: telling(({ status }) => status === 409),
  },
  {
    name: 'a replay is told',
    law: '6.2/life/event-replay',
    fetch: (() => {
      const keys = new Set<string>();
      return telling((_, { headers }) => {
        const key = headers.get('idempotency-key');
        if (key === null) return false;
        const isReplay = keys.has(key);
        keys.add(key);
        return isReplay;
      });
    })(),
  },
  {
    name: 'the cause is in Base64',
    law: '7.6/life/event-cause',
    fetch: inEvents((event) => ({
      ...event,
      cause: event['cause'] === null ? null : btoa(String(event['cause'])),
    })),
  },
  {
    name: 'the cause is an id of the request',
    law: '7.6/life/event-no-cause',
    fetch: inEvents((event) => ({ ...event, cause: event['cause'] ?? event['id'] })),
  },
  {
    name: 'only the first event of a write has a cause',
    law: '7.6/life/event-chain',
    fetch: inEvents((event) => ({ ...event, cause: null })),
  },
  {
    name: 'the sequence begins with 0',
    law: '7/life/event-sequence',
    fetch: inEvents((event) => ({ ...event, sequence: Number(event['sequence']) - 1 })),
  },
  {
    name: 'the subject is the id of the deal',
    law: '7/life/event-subject',
    fetch: inEvents((event) => ({ ...event, subject: String(event['subject']).slice(5) })),
  },
  {
    name: 'the first event has the answer of the create, token included',
    law: '7/life/event-token',
    fetch: (() => {
      const tokens: string[] = [];
      return playing(async (request, forward) => {
        const response = await forward(request.clone());
        const text = await response.clone().text();
        tokens.push(...(/"payment_token":"([^"]+)"/.exec(text)?.slice(1) ?? []));
        if (!timeLine.test(nameOf(request))) return response;
        return new Response(
          text.replace('{"api_version"', `{"token":"${tokens.at(-1)}","api_version"`),
        );
      });
    })(),
  },
  {
    name: 'an upload is told by another name',
    law: '6.7/life/event-file',
    fetch: inEvents((event) =>
      isOf('work_file.stored')(event) ? { ...event, type: 'file.uploaded' } : event,
    ),
  },
];

const bearer = ({ headers }: Request) => headers.get('authorization') ?? '';

/** Mistakes in what the freelancer sees. */
const ofOffers: readonly Mutant[] = [
  {
    name: 'the offer has no currency',
    law: '6.5/freelancer/view',
    fetch: saying(offer, 'currency', () => undefined),
  },
  {
    name: 'the amount of an offer has no superfluous zeros',
    law: '6.5/freelancer/amount',
    fetch: saying(offer, 'amount', (amount) => String(Number(amount))),
  },
  {
    name: 'the offer has the billing',
    law: '6.5/freelancer/no-employer',
    fetch: editing(offer, (data) => Object.assign(data, { billing: {} })),
  },
  {
    name: 'the offer shows the payments of the employer among others',
    law: '6.5/freelancer/no-payment-id',
    fetch: (() => {
      const ids: string[] = [];
      return playing(async (request, forward) => {
        const response = await forward(request.clone());
        const text = await response.clone().text();
        ids.push(...(/"employer_payments":\[\{"id":"(\w+)"/.exec(text)?.slice(1) ?? []));
        const isOffer = offer.test(nameOf(request));
        if (!isOffer && dealIn(request) !== '' && request.method === 'POST' && response.ok) {
          return response;
        }
        return isOffer
          ? new Response(text.replace('"title"', `"paid_by":"${ids}","title"`))
          : response;
      });
    })(),
  },
  {
    name: 'the offer links to itself by its token',
    law: '6.5/freelancer/no-token',
    fetch: editing(offer, (data, request) =>
      Object.assign(data, { link: `/offers/${bearer(request).split(' ')[1]}` }),
    ),
  },
  {
    name: 'a command of the freelancer answers with the deal of the partner',
    law: '6.5/freelancer/same-in-commands',
    fetch: editing(ofFreelancer('.*'), (data) => Object.assign(data, { billing: {} })),
  },
  {
    name: 'an offer ends with its deal',
    law: '6.5/freelancer/after-end',
    fetch: answering(async (response, request) =>
      offer.test(nameOf(request)) && /"status":"cancelled","fr/.test(await response.clone().text())
        ? refusal(401, 'unauthorized')
        : response,
    ),
  },
  {
    name: 'the offer shows no files',
    law: '6.5/freelancer/files',
    fetch: saying(offer, 'work_files', () => []),
  },
  {
    name: 'tokens are compared by their beginning',
    law: '6.5/freelancer/unknown-token',
    fetch: byBeginning(),
  },
  {
    name: 'an unknown token is refused after the command',
    law: '6.5/freelancer/unknown-token-changes-nothing',
    fetch: playing(async (request, forward) => {
      const response = await forward(request.clone());
      if (response.status === 401 && ofFreelancer('accept').test(nameOf(request))) {
        const token = bearer(request).slice(0, -1);
        await send(forward, request, '/api/2.0/offer/accept/', {}, token);
      }
      return response;
    }),
  },
  {
    name: 'an API token without an offer is not found',
    law: '6.5/freelancer/api-token',
    fetch: refusing(offer, 401, 404, 'not_found'),
  },
  {
    name: 'a payment token stands for its partner',
    law: '6.5/freelancer/payment-token',
    fetch: playing((request, forward) =>
      forward(
        /^(Token|Offer) [\w~.-]{22,}$/.test(bearer(request)) && dealIn(request) !== ''
          ? askedWith(request, { authorization: 'Token sandbox-acme' })
          : request,
      ),
    ),
  },
  {
    name: 'the scheme of offers is case-sensitive',
    law: '5.2/freelancer/scheme-case',
    fetch: playing((request, forward) =>
      /^offer /i.test(bearer(request)) && !bearer(request).startsWith('Offer')
        ? refusal(401, 'unauthorized')
        : forward(request),
    ),
  },
];

/** Finds the offer by the first characters of its token. */
function byBeginning() {
  const known: string[] = [];
  return playing(async (request, forward) => {
    const [, token = ''] = /^Offer (.+)$/.exec(bearer(request)) ?? [];
    const found = known.find((each) => each.slice(0, 20) === token.slice(0, 20));
    const response = await forward(
      found === undefined ? request : askedWith(request, { authorization: `Offer ${found}` }),
    );
    const text = await response.clone().text();
    known.push(...(/"payment_token":"([^"]+)"/.exec(text)?.slice(1) ?? []));
    return response;
  });
}

export const mutants: readonly Mutant[] = [...ofEvents, ...ofOffers];
