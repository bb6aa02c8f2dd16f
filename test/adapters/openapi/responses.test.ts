import type { Handler, HandlerOptions, HttpResponse } from 'dealwright/http';
import { err, ok } from 'neverthrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { statuses } from '../../../adapters/http/wire/problem.js';
import { commonErrors, type Route } from '../../../adapters/http/wire/route.js';
import { type RouteName, routes } from '../../../adapters/http/wire/routes.js';
import { type CheckResponse, createResponseCheck } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler, tokenOf } from '../../kit/service.js';
import { closeStages } from '../../kit/stored.js';
import { guarded, refused, steps, targetOf } from './command-steps.js';

const all = Object.entries(routes) as [RouteName, Route][];
const acme = { environment: 'sandbox', partner: 'acme' } as const;
const authorization = `Token ${tokenOf(acme)}`;
const json = { authorization, 'content-type': 'application/json' };
const deprecation = { since: new Date(0), sunset: new Date(0), guide: 'https://example.com/' };
const file = { name: 'draft.txt', content: 'T25jZQ==' };

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A deal that no path names everywhere. */
const third = 'a/b';
const targets: Partial<Record<RouteName, string>> = {
  retrieveDeal: '/api/1.0/deal/1/',
  uploadFile: '/api/1.0/deal/1/file/',
  retrieveDealDetails: `/api/2.0/deal/${dealV2.partner_id}/`,
  retrieveDealDetailsByParameter: `/api/2.0/deal/by-id/?partner_id=${deal.partner_id}`,
  uploadWorkFile: targetOf('uploadWorkFile', dealV2.partner_id),
  uploadWorkFileByParameter: targetOf('uploadWorkFileByParameter', third),
  listWorkFiles: targetOf('listWorkFiles', dealV2.partner_id),
  listWorkFilesByParameter: targetOf('listWorkFilesByParameter', third),
};
const bodies: Partial<Record<RouteName, object>> = {
  registerContractor: contractor,
  createDeal: deal,
  createDealV2: dealV2,
  uploadFile: file,
  uploadWorkFile: file,
  uploadWorkFileByParameter: file,
};

/** The deals whose stages end before one more file is refused. */
const closedBefore: Partial<Record<RouteName, string>> = {
  uploadFile: deal.partner_id,
  uploadWorkFile: dealV2.partner_id,
  uploadWorkFileByParameter: third,
};

function ask(handler: Handler, name: RouteName, sent: Sent = {}): Promise<HttpResponse> {
  const { path, method } = routes[name];
  const { body = bodies[name] ?? '' } = sent;
  const headers: Readonly<Record<string, string>> = sent.headers ?? json;
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return handler.handle({
    method: sent.method ?? method,
    target: sent.target ?? targets[name] ?? path,
    header: (each) => headers[each],
    body: async (limit) => (bytes.length > limit ? 'too_large' : bytes),
    async *stream() {
      yield bytes;
    },
  });
}

/** What every route of the interface can answer, however it comes about. */
const common: readonly (readonly [string, Partial<HandlerOptions>, Sent])[] = [
  ['unauthorized', {}, { headers: {} }],
  ['not_found', { versions: { production: ['1.0', '2.0'], sandbox: [] } }, {}],
  ['method_not_allowed', {}, { method: 'PUT' }],
  ['rate_limited', { limiter: { take: () => ok({ allowed: false, retryAfter: 3 }) } }, {}],
  ['internal', { authenticator: { authenticate: () => ok(Object('nobody')) } }, {}],
  [
    'unavailable',
    {
      authenticator: {
        authenticate: () => err({ code: 'unavailable', outcome: 'none', retryable: true }),
      },
    },
    {},
  ],
];

/** What a body can be refused for. */
const ofBodies: readonly (readonly [string, Sent])[] = [
  ['invalid_json', { body: '{' }],
  ['validation_failed', { body: {} }],
  ['invalid_idempotency_key', { headers: { ...json, 'idempotency-key': 'two words' } }],
  ['payload_too_large', { body: `"${'a'.repeat(2 ** 20)}"` }],
  ['unsupported_media_type', { headers: { authorization } }],
];

describe('a validator of somebody else finds no fault', () => {
  const seen = new Map<string, Set<string>>();
  const ports = createPorts();
  let check: CheckResponse;
  let handler: Handler;

  function hold(name: RouteName, response: HttpResponse): string {
    expect([name, response.status, check(name, response)]).toEqual([name, response.status, []]);
    const code = String(JSON.parse(String(response.body ?? '{}')).code ?? response.status);
    seen.set(name, (seen.get(name) ?? new Set()).add(code));
    return code;
  }

  beforeAll(async () => {
    handler = createTestHandler(ports, { deprecation }, { lifecycle: guarded });
    check = await createResponseCheck(handler);
  });

  it('in the answers of a whole tour', async () => {
    for (const name of [
      'registerContractor',
      'createDeal',
      'createDealV2',
      'uploadFile',
      'uploadWorkFile',
      'uploadWorkFileByParameter',
    ] as const) {
      if (name === 'uploadWorkFile') {
        const body = { ...dealV2, partner_id: third };
        expect(hold('createDealV2', await ask(handler, 'createDealV2', { body }))).toBe('201');
      }
      const key = { ...json, 'idempotency-key': `of-${name}` };
      expect(hold(name, await ask(handler, name, { headers: key }))).toBe('201');
      for (const [code, sent] of ofBodies)
        expect(hold(name, await ask(handler, name, sent))).toBe(code);
      const other = { ...bodies[name], name: 'Other', title: 'Other' };
      expect(hold(name, await ask(handler, name, { headers: key, body: other }))).toBe(
        'idempotency_key_reused',
      );
      const closed = closedBefore[name];
      if (closed === undefined) {
        expect(hold(name, await ask(handler, name))).toMatch(/^(contractor|deal)_exists$/);
      } else {
        await closeStages(ports.store, acme, closed);
        expect(hold(name, await ask(handler, name))).toBe('precondition_failed');
      }
    }
    for (const [name, { method }] of all) {
      if (method !== 'GET') continue;
      expect(hold(name, await ask(handler, name))).toBe('200');
      const head = await ask(handler, name, { method: 'HEAD' });
      expect([head.status, head.body, check(name, head)]).toEqual([200, undefined, []]);
    }
    const list = '/api/2.0/deal/?';
    for (const [code, query] of [
      ['200', 'page_size=1'],
      ['validation_failed', 'page_size=0'],
      ['invalid_cursor', 'cursor=x'],
    ]) {
      const response = await ask(handler, 'listEmployerDeals', { target: `${list}${query}` });
      expect(hold('listEmployerDeals', response)).toBe(code);
    }
  });

  it('in the answers to commands', async () => {
    const create = async (partner_id: string, before: readonly RouteName[] = []) => {
      const body = { ...deal, partner_id };
      expect(hold('createDeal', await ask(handler, 'createDeal', { body }))).toBe('201');
      for (const name of before) {
        const sent = { target: targetOf(name, partner_id), body: bodies[name] ?? {} };
        expect(hold(name, await ask(handler, name, sent))).toMatch(/^20[01]$/);
      }
    };
    await create('declined', ['decline']);
    await create('cancelled', ['cancel']);
    for (const [name, { input, operation }] of all) {
      if (input !== 'command') continue;
      await create(name, steps[operation]);
      const target = targetOf(name, name);
      const give = async (sent: Sent) =>
        hold(name, await ask(handler, name, { target, headers: json, ...sent }));
      const body = { reason: 'So it is.' };
      expect(await give({ body: { ...body, message: refused } })).toBe('precondition_failed');
      if (operation === 'requestPayment') {
        expect(await give({ body })).toBe('precondition_failed');
        const approved = { target: targetOf('approve', name), body: {} };
        expect(hold('approve', await ask(handler, 'approve', approved))).toBe('200');
      }
      const key = { ...json, 'idempotency-key': 'once' };
      expect(await give({ headers: key, body })).toBe('200');
      expect(await give({ headers: key, body: { reason: 'Other.' } })).toBe(
        'idempotency_key_reused',
      );
      for (const [code, sent] of ofBodies) {
        // a command says nothing wrong by saying nothing
        const empty = code === 'validation_failed' ? { body: { reason: '' } } : {};
        expect(await give({ body: '{}', ...sent, ...empty })).toBe(code);
      }
      const ended = targetOf(name, operation === 'decline' ? 'cancelled' : 'declined');
      expect(await give({ target: ended, body })).toBe('illegal_transition');
    }
  });

  it.each(common)('in %s of every route', async (code, options, sent) => {
    const refusing = createTestHandler(undefined, { deprecation, ...options });
    for (const [name] of all) {
      for (const accept of ['application/json', 'application/problem+json']) {
        const headers = { ...(sent.headers ?? json), accept };
        const response = await ask(refusing, name, { ...sent, headers });
        expect(response.headers['content-type']).toBe(accept);
        expect(hold(name, response)).toBe(code);
      }
    }
  });

  it('and met every status and every code of the table', () => {
    for (const [name, { status, errors }] of all) {
      const expected = [String(status), ...errors, ...commonErrors];
      expect([name, [...(seen.get(name) ?? [])].sort()]).toEqual([name, expected.sort()]);
    }
    expect(new Set([...seen.values()].flatMap((codes) => [...codes])).size).toBe(
      Object.keys(statuses).length + 2,
    );
  });
});

describe('a response that breaks the document is found', () => {
  let check: CheckResponse;
  let response: HttpResponse;
  beforeAll(async () => {
    const handler = createTestHandler();
    check = await createResponseCheck(handler);
    response = await ask(handler, 'createDealV2');
    expect(check('createDealV2', response)).toEqual([]);
  });

  const data = (change: object): Partial<HttpResponse> => ({
    body: JSON.stringify({
      data: {
        payment_token: 'Zk3v9QpX7mT2wL8nR5yB1c',
        status: 'created',
        freelancer_status: 'new',
        ...change,
      },
    }),
  });

  it.each<readonly [string, Partial<HttpResponse>]>([
    ['a status that is not told of', { status: 418 }],
    ['a status of its own that goes by another', { status: 409 }],
    ['a member that is missing', data({ status: undefined })],
    ['a member of another type', data({ payment_token: 1 })],
    ['a value that is not one of the set', data({ status: 'lost' })],
    ['a token that is too short', data({ payment_token: 'short' })],
    ['a member that is not told of', data({ partner_id: 'one' })],
    ['an answer without its envelope', { body: '[]' }],
    ['another content type', { headers: { 'content-type': 'text/html', 'x-request-id': 'r' } }],
    [
      'a header that is not told of',
      { headers: { 'content-type': 'application/json', 'x-request-id': 'r', 'retry-after': '1' } },
    ],
    ['a header that is missing', { headers: { 'content-type': 'application/json' } }],
  ])('%s', (_, change) => {
    expect(check('createDealV2', { ...response, ...change })).not.toEqual([]);
  });

  it('an error of another code than its status stands for', async () => {
    const refused = await ask(createTestHandler(), 'createDealV2', { headers: {} });
    expect(check('createDealV2', refused)).toEqual([]);
    const body = String(refused.body).replace('"code":"unauthorized"', '"code":"not_found"');
    expect(check('createDealV2', { ...refused, body })).not.toEqual([]);
  });
});
