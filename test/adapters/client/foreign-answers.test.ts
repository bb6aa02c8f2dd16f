import type { CallOptions, PartnerApi } from 'dealwright';
import { describeError } from 'dealwright';
import {
  createClient,
  type DealwrightClient,
  type FetchLike,
  type RequestLike,
  type ResponseLike,
} from 'dealwright/client';
import { contractorInput, dealInput, dealV2Input } from 'dealwright/spec';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from './service.js';

/** With a character that JSON writes otherwise. */
const token = 'a-token-that-nobody-may-"see"';
const [contractor] = fc.sample(contractorInput(), { numRuns: 1, seed: 1 });
const [deal] = fc.sample(dealInput(), { numRuns: 1, seed: 1 });
const [dealV2] = fc.sample(dealV2Input(), { numRuns: 1, seed: 1 });
if (contractor === undefined || deal === undefined || dealV2 === undefined) {
  throw new Error('a sample of one has one');
}

function answering(make: () => ResponseLike | Promise<ResponseLike>): DealwrightClient {
  return createClient({
    baseUrl: 'https://deals.example.com',
    token,
    fetch: async () => make(),
    attempts: 1,
  });
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

const call = async (make: () => ResponseLike | Promise<ResponseLike>, options?: CallOptions) => {
  const result = await answering(make).createDeal(deal, options);
  return result.isOk() ? result.value : result.error;
};

const unexpected = (status: number, problem?: string) => ({
  code: 'unexpected_response',
  message: describeError('unexpected_response', 'en'),
  status,
  url: expect.stringMatching(/^https:\/\/deals\.example\.com\/api\/[12]\.0\/[a-z_{}/]+\/$/),
  ...(problem === undefined ? {} : { problem }),
});

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
    ['stage ids that are none', () => json(201, { data: { id: 1, stage_ids: ['1'] } })],
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

  it('of 404 is a deal that is missing only where it is JSON, as all answers of the interface', async () => {
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

  it('keeps its issues where their params are too deep to be written', async () => {
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

/** Every text within a value, names of members too. */
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

const billing = {
  currency: 'EUR',
  amount: '1.00',
  paid: '0.00',
  refunded: '0.00',
  released: '0.00',
  outstanding: '1.00',
  employer_payments: [{ id: 'e', amount: '1.00', status: 'requested' }],
  contractor_payments: [],
};
const item = {
  partner_id: 'p',
  api_version: '2.0',
  title: 't',
  email_freelancer: 'a@b',
  amount: '1.00',
  currency: 'EUR',
  status: 'unheard_of',
  freelancer_status: 'toString',
  created_at: '2026-01-01T00:00:00.000Z',
};
const file = {
  id: 'f',
  stage_id: 2,
  name: 'n',
  size: 0,
  sha256: 's',
  content_type: 'a/b',
  uploaded_at: '2026-01-01T00:00:00.000Z',
};
const stage = { id: 2, name: 'n', budget: '1.00', work_days: 1, status: 's', work_files: [file] };
const tree = [{ id: 1, name: 'n', subcategories: [{ id: 2, name: 'm' }] }];
/** What each operation is answered, in full. */
const answers: Readonly<Record<keyof PartnerApi, object>> = {
  registerContractor: { contractor_email: 'a@b' },
  createDeal: { id: 1, stage_ids: [2] },
  createDealV2: { payment_token: 'p', status: 'created', freelancer_status: 'new' },
  listCategories: tree,
  listCategoryTree: tree,
  retrieveDeal: {
    id: 1,
    partner_id: 'p',
    contractor_email: 'a@b',
    name: 'n',
    description: 'd',
    budget: '1.00',
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
    status: 's',
    stages: [stage],
    billing,
    created_at: '2026-01-01T00:00:00.000Z',
  },
  uploadFile: file,
  retrieveDealDetails: {
    ...item,
    id: 7,
    description: 'd',
    subcategory_id: 75,
    copyright_transfer: null,
    freelancer_language: 'pl',
    payment_token: null,
    billing,
  },
  listEmployerDeals: { results: [item, { ...item, id: 7 }], next: 'n', previous: null },
};
const names = Object.keys(answers) as (keyof PartnerApi)[];

/** Every way to leave out or to spoil one member, however deep, and what it is then. */
function spoiled(value: unknown, path = ''): { readonly path: string; readonly value: unknown }[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      spoiled(each, `${path}[]`).map((one) => ({
        ...one,
        value: value.map((other, index) => (index === at ? one.value : other)),
      })),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const all = value as Readonly<Record<string, unknown>>;
  return Object.entries(all).flatMap(([name, member]) => {
    const { [name]: _, ...rest } = all;
    const here = [{}, true, 1.5, undefined].map((wrong) => ({
      path: `${path}.${name}`,
      value: wrong === undefined ? rest : { ...all, [name]: wrong },
    }));
    const deeper = spoiled(member, `${path}.${name}`);
    return [...here, ...deeper.map((one) => ({ ...one, value: { ...all, [name]: one.value } }))];
  });
}

describe('an answer of each operation', () => {
  it.each(names)('%s is read in full, and what is more is dropped', async (name) => {
    const more = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(more);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([key, each]) => [key, more(each)]);
      return { ...Object.fromEntries(members), more: true, __proto__: null };
    };
    for (const data of [answers[name], more(answers[name])]) {
      const api = answering(() => json(200, { data }));
      expect((await operations[name](api, {}))._unsafeUnwrap()).toEqual(answers[name]);
    }
  });

  it.each(names)('%s is unexpected where any member is not what it is', async (name) => {
    const optional: Readonly<Record<string, string[]>> = {
      retrieveDealDetails: ['.id', '.copyright_transfer', '.freelancer_language', '.payment_token'],
      listEmployerDeals: ['.results[].id', '.next', '.previous'],
    };
    for (const { path, value } of spoiled(answers[name])) {
      const result = await operations[name](
        answering(() => json(200, { data: value })),
        {},
      );
      const last = path.slice(path.lastIndexOf('.') + 1);
      const isLeftOut =
        optional[name]?.includes(path) && !JSON.stringify(value).includes(`"${last}":true`);
      if (result.isOk()) expect([path, isLeftOut]).toEqual([path, true]);
      else expect(result.error).toEqual(unexpected(200));
    }
    for (const data of [null, 7, 'text', [], [null], {}]) {
      const result = await operations[name](
        answering(() => json(200, { data })),
        {},
      );
      const isEmptyTree = Array.isArray(data) && data.length === 0 && Array.isArray(answers[name]);
      if (isEmptyTree) expect(result._unsafeUnwrap()).toEqual([]);
      else expect(result._unsafeUnwrapErr()).toEqual(unexpected(200));
    }
  });
});

describe('an error of each operation', () => {
  const ofCreate = ['validation_failed', 'invalid_idempotency_key', 'idempotency_key_reused'];
  const always = ['unauthorized', 'rate_limited', 'unavailable', 'unexpected_response'];
  const own: Readonly<Record<keyof PartnerApi, readonly string[]>> = {
    registerContractor: [...ofCreate, 'contractor_exists'],
    createDeal: [...ofCreate, 'deal_exists'],
    createDealV2: [...ofCreate, 'deal_exists'],
    uploadFile: [...ofCreate, 'not_found', 'payload_too_large'],
    listCategories: [],
    listCategoryTree: [],
    retrieveDeal: ['not_found'],
    retrieveDealDetails: ['not_found'],
    listEmployerDeals: ['validation_failed', 'invalid_cursor'],
  };
  const codes = [...new Set([...Object.values(own).flat(), ...always, 'internal', 'other'])];
  const statuses = [202, 302, 400, 401, 403, 404, 409, 413, 415, 418, 422, 429, 500, 503];

  it.each(names)('%s is one that it lists, whatever is answered', async (name) => {
    const met = new Set<string>();
    for (const status of statuses) {
      for (const code of codes) {
        const issue = { path: ['name'], code: 'required', message: 'm', params: {} };
        const api = answering(() => json(status, { code, errors: [issue], max_bytes: 5 }));
        const { code: found } = (await operations[name](api, {}))._unsafeUnwrapErr();
        met.add(found);
      }
    }
    expect([...met].sort()).toEqual([...own[name], ...always].sort());
  });

  it('says what is taken, where the service says it', async () => {
    const upload = async (body: unknown) =>
      (
        await operations.uploadFile(
          answering(() => json(413, body)),
          {},
        )
      )._unsafeUnwrapErr();
    expect(await upload({ max_bytes: 5 })).toMatchObject({ max_bytes: 5 });
    for (const body of [{}, null, { max_bytes: '5' }]) {
      const error = await upload(body);
      expect(error.code).toBe('payload_too_large');
      expect(error).not.toHaveProperty('max_bytes');
    }
  });

  it('reads 422 as a used key only where it says so, or the caller gave one', async () => {
    const bare = answering(() => json(422, {}));
    expect((await operations.createDeal(bare, {}))._unsafeUnwrapErr()).toEqual(unexpected(422));
    const named = answering(() => json(422, { code: 'idempotency_key_reused' }));
    const error = (await operations.createDeal(named, {}))._unsafeUnwrapErr();
    expect(error.code).toBe('idempotency_key_reused');
    const read = await operations.listCategories(named, { idempotencyKey: 'k' });
    expect(read._unsafeUnwrapErr()).toEqual(unexpected(422, 'idempotency_key_reused'));
  });
});

describe('no secret, and nothing of the caller', () => {
  const key = 'the-key-of-the-caller';
  const partner_id = 'the-id-of-the-partner';
  const words = [token, key, partner_id, 'user@example.com'];
  const place = fc.constantFrom('detail', 'code', 'title', 'outcome', 'request_id', 'max_bytes');

  it('is in a report, nor the token in an error, whatever is answered', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      fc.constantFrom(0, 200, 201, 307, 400, 401, 404, 409, 413, 422, 429, 500, 503),
      fc.dictionary(place, fc.constantFrom(...words, 'x')),
      fc.dictionary(fc.constantFrom('X-Request-Id', 'Retry-After'), fc.constantFrom(token, '7')),
      async (name, status, body, headers) => {
        const reports: unknown[] = [];
        const api = createClient({
          baseUrl: 'https://deals.example.com',
          token,
          retryBase: 0,
          maxRetryAfter: 0,
          onExchange: (report) => reports.push(report),
          async fetch(_, request) {
            if (status === 0) throw Object.assign(new Error(token), { request, code: token });
            return json(status, { ...body, errors: [{ path: [token], ...body }] }, headers);
          },
        });
        const result = await operations[name](api, { idempotencyKey: key });
        await api.listEmployerDeals({ partner_id, email_freelancer: 'user@example.com' });
        await api.retrieveDealDetails(partner_id);
        const told = JSON.stringify(reports);
        expect(reports.length).toBeGreaterThanOrEqual(3);
        for (const word of words) expect(told).not.toContain(JSON.stringify(word).slice(1, -1));
        const error = JSON.stringify(result._unsafeUnwrapErr());
        expect(error).not.toContain(JSON.stringify(token).slice(1, -1));
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
