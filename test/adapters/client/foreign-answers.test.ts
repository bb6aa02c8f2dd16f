import type { CallOptions } from 'dealwright';
import { describeError } from 'dealwright';
import {
  createClient,
  type FetchLike,
  type RequestLike,
  type ResponseLike,
} from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { answering, json, token, unexpected } from './foreign.js';
import { operations } from './service.js';

const call = async (make: () => ResponseLike | Promise<ResponseLike>, options?: CallOptions) => {
  const result = await answering(make).createDeal(deal, options);
  return result.isOk() ? result.value : result.error;
};

describe('a success', () => {
  it('may leave out "success", and may say more', async () => {
    const data = { id: 7, stage_ids: [8, 9], more: true };
    for (const body of [{ data }, { success: true, data }, { success: true, data, extra: 1 }]) {
      expect(await call(() => json(201, body))).toEqual({ id: 7, stage_ids: [8, 9] });
    }
    expect(await call(() => json(200, { data }))).toEqual({ id: 7, stage_ids: [8, 9] });
  });

  it('is read for each operation', async () => {
    const registered = await answering(() =>
      json(201, { data: { contractor_email: 'a@b' } }),
    ).registerContractor(contractor);
    expect(registered._unsafeUnwrap()).toEqual({ contractor_email: 'a@b' });
    const data = { payment_token: 'p', status: 'created', freelancer_status: 'new' };
    const created = await answering(() => json(201, { data })).createDealV2(dealV2);
    expect(created._unsafeUnwrap()).toEqual(data);
  });

  it.each([
    ['no JSON', () => new Response('created', { status: 201 })],
    ['no UTF-8', () => new Response(new Uint8Array([0x22, 0xff, 0x22]), { status: 201 })],
    ['nothing', () => new Response(null, { status: 201 })],
    ['null', () => json(201, null)],
    ['a list', () => json(201, [{ data: { id: 1, stage_ids: [1] } }])],
    ['no data', () => json(201, { id: 1, stage_ids: [1] })],
    ['data that is a list', () => json(201, { data: [] })],
    ['success: false', () => json(201, { success: false, data: { id: 1, stage_ids: [1] } })],
    ['an id that is text', () => json(201, { data: { id: '1', stage_ids: [1] } })],
    ['an id that is no integer', () => json(201, { data: { id: 1.5, stage_ids: [1] } })],
    ['an id beyond 2^53', () => json(201, { data: { id: 2 ** 53, stage_ids: [1] } })],
    ['no stage ids', () => json(201, { data: { id: 1 } })],
    ['invalid stage ids', () => json(201, { data: { id: 1, stage_ids: ['1'] } })],
  ])('that holds %s is unexpected', async (_, make) => {
    expect(await call(make)).toEqual(unexpected(201));
  });

  it.each([
    { status: 'created', freelancer_status: 'new' },
    { payment_token: 7, status: 'created', freelancer_status: 'new' },
    { payment_token: 'p', status: null, freelancer_status: 'new' },
    { payment_token: 'p', status: 'created' },
  ])('of a 2.0 deal of another shape is unexpected: %o', async (data) => {
    const result = await answering(() => json(201, { data })).createDealV2(dealV2);
    expect(result._unsafeUnwrapErr()).toEqual(unexpected(201));
  });

  it('of another address shape is unexpected', async () => {
    const result = await answering(() => json(201, { data: {} })).registerContractor(contractor);
    expect(result._unsafeUnwrapErr()).toEqual(unexpected(201));
  });

  it.each([202, 204, 206, 299])('of status %i is unexpected', async (status) => {
    const body = status === 204 ? null : '{"data":{"id":1,"stage_ids":[1]}}';
    expect(await call(() => new Response(body, { status }))).toEqual(unexpected(status));
  });
});

describe('an error in words of its own', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['text', 'Conflict'],
    ['nothing', ''],
    ['another shape', '{"error":"exists","detail":["no"]}'],
    ['JSON that is no object', '"exists"'],
  ];
  it.each(bodies)('of %s is the conflict that the operation has', async (_, body) => {
    const api = answering(() => new Response(body, { status: 409 }));
    const plain = (code: 'contractor_exists' | 'deal_exists') => ({
      code,
      message: describeError(code, 'en'),
    });
    const results = [
      await api.registerContractor(contractor),
      await api.createDeal(deal),
      await api.createDealV2(dealV2),
    ];
    expect(results.map((result) => result._unsafeUnwrapErr())).toEqual([
      plain('contractor_exists'),
      plain('deal_exists'),
      plain('deal_exists'),
    ]);
  });

  it.each(bodies)('of %s and status 400 is unexpected', async (_, body) => {
    expect(await call(() => new Response(body, { status: 400 }))).toEqual(unexpected(400));
  });

  it('is told by its status', async () => {
    const bare = (status: number) => () => new Response('', { status });
    const message = describeError('unauthorized', 'en');
    expect(await call(bare(401))).toEqual({ code: 'unauthorized', message });
    expect(await call(bare(422))).toEqual(unexpected(422));
    expect(await call(bare(422), { idempotencyKey: 'k' })).toEqual({
      code: 'idempotency_key_reused',
      message: describeError('idempotency_key_reused', 'en'),
    });
    for (const status of [403, 404, 405, 413, 415, 418]) {
      expect(await call(bare(status))).toEqual(unexpected(status));
    }
    expect(await call(() => json(413, { code: 'payload_too_large' }))).toEqual(
      unexpected(413, 'payload_too_large'),
    );
    expect(await call(() => json(404, { code: 'Not A Code' }))).toEqual(unexpected(404));
  });

  it('of 404 is a deal that is missing only if it is JSON, as all answers of the interface', async () => {
    const ask = async (body: string) => {
      const api = answering(() => new Response(body, { status: 404 }));
      return [
        await api.retrieveDeal(1),
        await api.retrieveDealDetails('a/b'),
        await operations.uploadFile(api, {}),
      ].map((result) => result._unsafeUnwrapErr());
    };
    for (const body of ['{"success":false}', '{"detail":"Not found."}', '{"code":"not_found"}']) {
      expect((await ask(body)).map(({ code }) => code)).toEqual(Array(3).fill('not_found'));
    }
    for (const body of ['<html>404</html>', '', '404', '"no"', '[]']) {
      expect(await ask(body)).toEqual(
        ['/1.0/deal/{id}/', '/2.0/deal/by-id/', '/1.0/deal/{id}/file/'].map((path) => ({
          ...unexpected(404),
          url: path.includes('by-id')
            ? 'https://deals.example.com/api/2.0/deal/{partner_id}/'
            : `https://deals.example.com/api${path}`,
        })),
      );
    }
    const within = createClient({
      baseUrl: `https://deals.example.com/${token.replaceAll('"', '')}`,
      token: token.replaceAll('"', ''),
      fetch: async () => new Response('no', { status: 404 }),
    });
    const error = (await within.retrieveDeal(1))._unsafeUnwrapErr();
    expect(error).not.toHaveProperty('url');
  });

  it('keeps its issues if their params are too deep to be written', async () => {
    const depth = 12_000;
    const params = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const issue = `{"path":["name"],"code":"too_short","message":"m","params":${params}}`;
    const body = `{"code":"validation_failed","errors":[${issue}]}`;
    const error = await call(() => new Response(body, { status: 400 }));
    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['name'], code: 'too_short', message: 'm', params: {} }],
    });
  });

  it('is unavailable from 500 on', async () => {
    const expected = (status: number, retryable: boolean) => ({
      code: 'unavailable',
      message: describeError('unavailable', 'en'),
      port: 'transport',
      outcome: 'unknown',
      retryable,
      cause: `status ${status}`,
    });
    for (const [status, retryable] of [
      [500, false],
      [501, false],
      [502, true],
      [503, true],
      [504, true],
      [507, false],
    ] as const) {
      expect(await call(() => new Response('Oops', { status }))).toEqual(
        expected(status, retryable),
      );
    }
    expect(await call(() => json(503, { outcome: 'none' }))).toMatchObject({ outcome: 'none' });
    expect(await call(() => json(503, { outcome: 'maybe' }))).toMatchObject({ outcome: 'unknown' });
  });

  it('says when to come again', async () => {
    const retryAfter = async (status: number, header: string) => {
      const answer = await call(() => json(status, {}, { 'Retry-After': header }));
      return 'retryAfter' in answer ? answer.retryAfter : undefined;
    };
    expect(await retryAfter(429, '120')).toBe(120);
    expect(await retryAfter(503, '0')).toBe(0);
    expect(await retryAfter(503, 'soon')).toBeUndefined();
    expect(await retryAfter(503, '-1')).toBeUndefined();
    expect(await retryAfter(429, 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
    const inAnHour = await retryAfter(429, new Date(Date.now() + 3_600_000).toUTCString());
    expect(inAnHour).toBeGreaterThan(3590);
    expect(inAnHour).toBeLessThanOrEqual(3600);
    expect(await call(() => json(429, {}))).toEqual({
      code: 'rate_limited',
      message: describeError('rate_limited', 'en'),
    });
  });

  it('keeps the words of a service that is ours', async () => {
    const issue = { path: ['name'], code: 'too_short', message: 'za krótkie', params: { min: 1 } };
    const detail = 'Dane są błędne.';
    const body = { code: 'validation_failed', detail, errors: [issue], title: 'Other' };
    const error = await call(() => json(400, body));
    expect(error).toEqual({ code: 'validation_failed', message: detail, errors: [issue] });
    expect(await call(() => json(409, { code: 'deal_exists', detail }))).toEqual({
      code: 'deal_exists',
      message: detail,
    });
    expect(await call(() => json(400, { code: 'invalid_idempotency_key', detail }))).toEqual({
      code: 'invalid_idempotency_key',
      message: detail,
    });
    expect(await call(() => json(400, { code: 'invalid_json', detail }))).toEqual(
      unexpected(400, 'invalid_json'),
    );
  });

  it.each([
    [undefined],
    [{}],
    [[null]],
    [[{ path: 'name', code: 'required', message: 'm', params: {} }]],
    [[{ path: [1], code: 'required', message: 'm', params: {} }]],
    [[{ path: ['name'], code: 7, message: 'm', params: {} }]],
    [[{ path: ['name'], code: 'required', params: {} }]],
  ])('with issues of another shape is unexpected: %j', async (errors) => {
    const error = await call(() => json(400, { code: 'validation_failed', errors }));
    expect(error).toEqual(unexpected(400, 'validation_failed'));
  });

  it('is never followed elsewhere', async () => {
    const requests: RequestLike[] = [];
    const fetch: FetchLike = async (_, request) => {
      requests.push(request);
      return new Response(null, { status: 307, headers: { Location: 'https://evil.example' } });
    };
    const api = createClient({ baseUrl: 'https://deals.example.com', token, fetch });
    const error = (await api.createDeal(deal))._unsafeUnwrapErr();
    expect(error).toEqual(unexpected(307));
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual']);
  });
});

/** Every text within a value, even names of members. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
}

describe('no secret is in an error', () => {
  const sayings: readonly (readonly [string, () => ResponseLike | Promise<ResponseLike>])[] = [
    ['a detail', () => json(401, { code: 'unauthorized', detail: `no such token: ${token}` })],
    ['a code', () => json(404, { code: token.replaceAll('-', '_') })],
    [
      'an issue',
      () =>
        json(400, {
          code: 'validation_failed',
          errors: [{ path: ['a'], code: 'required', message: token, params: {} }],
        }),
    ],
    [
      'the params of an issue',
      () =>
        json(400, {
          code: 'validation_failed',
          errors: [{ path: ['a'], code: 'new', message: 'm', params: { allowed: [[token]] } }],
        }),
    ],
    [
      'an exception',
      () => {
        throw Object.assign(new Error(token), { config: { headers: { Authorization: token } } });
      },
    ],
    ['a code of an exception', () => Promise.reject({ code: token, cause: { code: token } })],
  ];
  it.each(sayings)('though it stands in %s', async (_, make) => {
    const error = await call(make);
    expect(error).toHaveProperty('code');
    expect(textsOf(error).filter((text) => text.includes(token))).toEqual([]);
    expect(Object.isFrozen(error)).toBe(true);
  });
});
