import { answering, askedAs, asking, withMembers } from './changes.js';
import { inEventsOf, inPages, type Members, withData } from './event-changes.js';
import type { Mutant } from './mutant.js';
import { operatorMutants } from './operator-webhooks.js';
import {
  dropped,
  idle,
  inDeliveries,
  inEachAttempt,
  inEachDelivery,
  inInput,
  inWebhooks,
  isAction,
  isCreate,
  isRetrieve,
} from './webhook-changes.js';
import {
  blocking,
  body,
  message,
  reply,
  rewritten,
  type SendChange,
  type Signing,
} from './webhook-senders.js';

/** A mistake in what is posted, or in what is told of it: `webhooks.test.ts` plants them. */
export interface DeliveryMutant extends Partial<Pick<Mutant, 'fetch'>> {
  readonly name: string;
  readonly law: string;
  readonly send?: SendChange;
}

/** A webhook is called disabled, or enabled, and nothing else changes. */
const inName = (status: 'disabled' | 'enabled'): Mutant['fetch'] =>
  inWebhooks(
    (webhook) => ({ ...webhook, status, disabled_reason: status === 'enabled' ? null : 'gone' }),
    (request) => isRetrieve(request) || isAction('enable')(request),
  );

/** Changes the bodies of redeliveries. */
const ofRedelivery = (change: (body: string) => string): Mutant['fetch'] =>
  asking((request) =>
    isAction('redeliver')(request) ? askedAs(request, change) : Promise.resolve(request),
  );

export const deliveryMutants: readonly DeliveryMutant[] = [
  {
    name: 'a test is a ping',
    law: '7.2/webhooks/test',
    send: body((event) =>
      event['type'] === 'webhook.test' ? { ...event, type: 'webhook.ping' } : event,
    ),
  },
  {
    name: 'a test has no sequence',
    law: '7.2/webhooks/test-members',
    send: body(({ sequence: _, ...event }) => event),
  },
  {
    name: 'a test is in the feed',
    law: '7.8/webhooks/test-in-no-feed',
    fetch: (forward) => {
      const tests: Members[] = [];
      // the page that would be empty has it
      const show = inPages(({ results, next }) => ({
        results: results.length === 0 ? tests.splice(0) : results,
        next,
      }))(forward);
      return async (request) => {
        if (isAction('test')(request)) tests.push({ id: 'test', type: 'webhook.test' });
        return show(request);
      };
    },
  },
  {
    name: 'a test is tried again',
    law: '7.8/webhooks/test-once',
    fetch: inWebhooks(
      (delivery) => ({ ...delivery, next_attempt_at: '2027-01-01T00:00:00Z' }),
      isAction('test'),
    ),
  },
  {
    name: 'a test is listed as pending',
    law: '7.8/webhooks/test-once',
    fetch: inDeliveries((found) => [...found, { type: 'webhook.test', status: 'pending' }]),
  },
  {
    name: 'the event is in an envelope',
    law: '7.7/webhooks/body',
    send: body((event) => ({ ...event, event })),
  },
  {
    name: 'the cause is left out',
    law: '7.7/webhooks/body',
    send: body(({ cause: _, ...event }) => event),
  },
  {
    name: 'webhook-id is an id of its own',
    law: '7.7/webhooks/id',
    send: message(({ id }) => ({ id: `msg_${id}` })),
  },
  {
    name: 'webhook-timestamp is in milliseconds',
    law: '7.2/webhooks/timestamp',
    send: message(({ timestamp }) => ({ timestamp: 1000 * timestamp })),
  },
  {
    name: 'webhook-timestamp is in the time zone of the server',
    law: '7.2/webhooks/timestamp',
    send: message(({ timestamp }) => ({ timestamp: timestamp + 3600 })),
  },
  ...(
    [
      ['is made with the text of the secret', { keyOf: (secret) => Buffer.from(secret) }],
      ['is made with the prefix', { keyOf: (secret) => Buffer.from(secret, 'base64') }],
      ['leaves out the id', { contentOf: ({ timestamp, body }) => `${timestamp}.${body}` }],
      ['leaves out the time', { contentOf: ({ id, body }) => `${id}.${body}` }],
      ['is of the body alone', { contentOf: ({ body }) => body }],
      ['is hexadecimal', { form: 'hex' }],
      ['has no version', { prefix: '' }],
    ] as const satisfies readonly (readonly [string, Signing])[]
  ).map(([what, signing]: readonly [string, Signing]) => ({
    name: `the signature ${what}`,
    law: '7.2/webhooks/signature',
    send: rewritten(signing),
  })),
  {
    name: 'the signature is of escaped text',
    law: '7.2/webhooks/signature',
    send: rewritten({
      contentOf: ({ id, timestamp, body }) =>
        `${id}.${timestamp}.${body.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`)}`,
    }),
  },
  {
    name: 'the content type is text',
    law: 'i/webhooks/content-type',
    send: rewritten({ headers: { 'content-type': 'text/plain' } }),
  },
  {
    name: 'a rotation ends the old secret',
    law: '7.2/webhooks/old-secret',
    send: message(({ secrets }) => ({ secrets: secrets.slice(0, 1) })),
  },
  {
    name: 'two signatures are parted by a comma',
    law: '7.2/webhooks/old-secret',
    send: rewritten({ separator: ',' }),
  },
  {
    name: 'a rotation begins tomorrow',
    law: '7.2/webhooks/new-secret',
    send: message(({ secrets }) => ({ secrets: secrets.slice(-1) })),
  },
  {
    name: 'a webhook without types gets those of deals',
    law: '7.2/webhooks/all-types',
    fetch: inInput((input) => ({ types: ['deal.created'], ...input })),
  },
  {
    name: 'an empty list of types is none',
    law: '7.2/webhooks/all-types',
    fetch: inInput(({ types = ['deal.created', 'contractor.registered'], ...input }) => ({
      ...input,
      types: String(types) === '' ? ['none'] : types,
    })),
  },
  {
    name: 'types are for show',
    law: '7.2/webhooks/types',
    fetch: inInput(({ types: _, ...input }) => input),
  },
  {
    name: 'a webhook gets the events of all partners',
    law: '2.1/webhooks/own-events',
    fetch: (forward) => async (request) => {
      if (!isCreate(request)) return forward(request);
      const headers = new Headers(request.headers);
      headers.set('authorization', 'Token sandbox-acme');
      const text = await request.text();
      await forward(new Request(request.url, { method: 'POST', headers, body: text }));
      return forward(new Request(request.url, { ...init(request), body: text }));
    },
  },
  {
    name: 'a deletion hides a webhook',
    law: '7.2/webhooks/deleted',
    fetch: idle(({ method }) => method === 'DELETE'),
  },
  {
    name: 'a redirect is as good as an answer',
    law: '7.3/webhooks/redirect',
    send: reply((status) => (status >= 300 && status < 400 ? 200 : status)),
  },
  {
    name: 'redirects are followed',
    law: '7.3/webhooks/not-followed',
    send: rewritten({ redirect: 'follow' }),
  },
  {
    name: '410 is a failure as any other',
    law: '7.3/webhooks/gone',
    send: reply((status) => (status === 410 ? 500 : status)),
  },
  {
    name: 'the reason is always failing',
    law: '7.8/webhooks/gone-reason',
    fetch: inWebhooks((webhook) => ({ ...webhook, disabled_reason: 'failing' }), isRetrieve),
  },
  {
    name: 'a webhook is disabled without an event',
    law: '7.8/webhooks/gone-event',
    fetch: inEventsOf('webhook.disabled', () => []),
  },
  {
    name: 'the event does not say why',
    law: '7.8/webhooks/gone-event',
    fetch: inEventsOf('webhook.disabled', (event) => withData(event, { reason: 'failing' })),
  },
  {
    name: 'a webhook is disabled in name alone',
    law: '7.3/webhooks/gone-silence',
    send: reply((status) => (status === 410 ? 204 : status)),
    fetch: inName('disabled'),
  },
  {
    name: 'enabling does nothing',
    law: '7.8/webhooks/enable',
    fetch: idle(isAction('enable')),
  },
  {
    name: 'an enabled webhook keeps the reason',
    law: '7.8/webhooks/enable',
    fetch: inWebhooks((webhook) => ({ ...webhook, disabled_reason: 'gone' }), isRetrieve),
  },
  {
    name: 'a webhook is enabled in name alone',
    law: '7.8/webhooks/enable-events',
    fetch: idle(isAction('enable')),
  },
  { name: 'all webhooks have one queue', law: '7.3/webhooks/apart', send: blocking(true) },
  {
    name: 'every webhook is ordered',
    law: '7.3/webhooks/unordered',
    fetch: inInput((input) => ({ ...input, ordered: true })),
  },
  ...['7.3/webhooks/ordered', '7.3/webhooks/ordered-goes-on'].map((law) => ({
    name: 'no webhook is ordered',
    law,
    fetch: inInput((input) => ({ ...input, ordered: false })),
  })),
  {
    name: 'a failure stops the whole webhook',
    law: '7.3/webhooks/ordered-others',
    send: blocking(false),
  },
  {
    name: 'the first pause is a minute',
    law: '7.7/webhooks/first-retry',
    fetch: inEachDelivery(({ next_attempt_at, ...delivery }) => ({
      ...delivery,
      next_attempt_at: new Date(Date.parse(String(next_attempt_at)) + 55_000).toISOString(),
    })),
  },
  {
    name: 'each attempt has an id of its own',
    law: '7.7/webhooks/retry',
    send: message(() => ({ id: crypto.randomUUID() })),
  },
  {
    name: 'a redelivery has an id of its own',
    law: '7.7/webhooks/redeliver-id',
    send: message(() => ({ id: crypto.randomUUID() })),
  },
  ...['event_id', 'attempts', 'next_attempt_at'].map((name) => ({
    name: `a delivery has no ${name}`,
    law: '7.8/webhooks/delivery-members',
    fetch: inEachDelivery(dropped(name)),
  })),
  {
    name: 'ids of deliveries are those of their events and webhooks',
    law: '2.4/webhooks/delivery-id',
    fetch: inEachDelivery((each) => ({ ...each, id: `${each['id']}-${each['event_id']}` })),
  },
  {
    name: 'the type is that of all deliveries',
    law: '7.8/webhooks/delivery-event',
    fetch: inEachDelivery((each) => ({ ...each, type: 'event' })),
  },
  {
    name: 'a delivery succeeded',
    law: '7.8/webhooks/delivered',
    fetch: inEachDelivery((each) => ({ ...each, status: 'succeeded' })),
  },
  {
    name: 'a delivery keeps the time of its last attempt',
    law: '7.8/webhooks/delivered-for-good',
    fetch: inEachDelivery((each) => ({ ...each, next_attempt_at: '2026-01-01T00:00:00Z' })),
  },
  {
    name: 'a delivery has failed at once',
    law: '7.8/webhooks/pending',
    fetch: inEachDelivery((each) => ({ ...each, status: 'failed' })),
  },
  {
    name: 'the next attempt is not told',
    law: '7.8/webhooks/next-attempt',
    fetch: inEachDelivery((each) => ({ ...each, next_attempt_at: null })),
  },
  {
    name: 'an attempt has no time',
    law: '7.8/webhooks/attempt-members',
    fetch: inEachAttempt(dropped('at')),
  },
  {
    name: 'an attempt that was taken has an empty error',
    law: '7.8/webhooks/attempt-taken',
    fetch: inEachAttempt((each) => ({ ...each, error: each['error'] ?? '' })),
  },
  {
    name: 'every success is 200',
    law: '7.8/webhooks/attempt-taken',
    fetch: inEachAttempt((each) => ({ ...each, status_code: 200 })),
  },
  {
    name: 'a status is told of successes alone',
    law: '7.8/webhooks/attempt-refused',
    fetch: inEachAttempt((each) => ({
      ...each,
      status_code: Number(each['status_code']) < 300 ? each['status_code'] : null,
    })),
  },
  {
    name: 'an attempt without an answer has the status 0',
    law: '7.8/webhooks/attempt-unanswered',
    fetch: inEachAttempt((each) => ({ ...each, status_code: each['status_code'] ?? 0 })),
  },
  {
    name: 'the error is not told',
    law: '7.8/webhooks/attempt-unanswered',
    fetch: inEachAttempt((each) => ({ ...each, error: null })),
  },
  {
    name: 'the oldest delivery is first',
    law: '7.8/webhooks/newest-first',
    fetch: inDeliveries((found) => [...found].reverse()),
  },
  {
    name: 'the list of deliveries ends with its first page',
    law: '7.8/webhooks/delivery-pages',
    fetch: answering((response, request) =>
      isAction('delivery')(request)
        ? withMembers(response, ({ data }) => ({ data: { ...Object(data), next: null } }))
        : response,
    ),
  },
  {
    name: 'a partner has one list of deliveries',
    law: '7.8/webhooks/delivery-apart',
    fetch: (forward) => {
      let first: string | undefined;
      return (request) => {
        if (!isAction('delivery')(request)) return forward(request);
        first ??= request.url;
        return forward(new Request(first, request));
      };
    },
  },
  {
    name: 'a redelivery is for show',
    law: '7.2/webhooks/redeliver',
    fetch: idle(isAction('redeliver')),
  },
  {
    name: 'a delivery is found under any webhook',
    law: '7.2/webhooks/redeliver-apart',
    fetch: idle(isAction('redeliver')),
  },
  {
    name: 'a redelivery of all is for show',
    law: '7.2/webhooks/redeliver-all',
    fetch: idle(isAction('redeliver'), { count: 1, next: null }),
  },
  ...['redeliver-failed', 'redeliver-since'].map((law) => ({
    name: 'a redelivery posts all there is',
    law: `7.2/webhooks/${law}`,
    fetch: ofRedelivery(() => JSON.stringify({ since: '2000-01-01T00:00:00Z', which: 'all' })),
  })),
  {
    name: 'a redelivery of an unknown webhook is one of nothing',
    law: '7.2/webhooks/unknown',
    fetch: idle(isAction('redeliver'), { count: 0, next: null }),
  },
  {
    name: 'failed is what has been tried',
    law: '7.8/webhooks/failed-list',
    fetch: (forward) => {
      let last: Request | undefined;
      return async (request) => {
        if (isAction('delivery')(request)) last = request.clone();
        return forward(isAction('failed-delivery')(request) && last ? last : request);
      };
    },
  },
  ...operatorMutants,
];

const init = ({ method, headers }: Request) => ({ method, headers });
