import { createMarketplace } from 'dealwright';
import { createHandler } from 'dealwright/http';
import { err, ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import {
  acme,
  asAcme,
  ask,
  contractor,
  createService,
  deal,
  dealV2,
  liveToken,
  token,
} from './service.js';

const paths = {
  contractor: '/api/1.0/contractor/',
  deal: '/api/1.0/deal/',
  dealV2: '/api/2.0/deal/',
};

test('the documented examples: 201 with the documented body, and 409 again', async () => {
  const service = createService();
  const registered = await ask(service, paths.contractor, { body: contractor });
  expect(registered.status).toBe(201);
  expect(registered.body).toBe('{"success":true,"data":{"contractor_email":"user@example.com"}}');
  const created = await ask(service, paths.deal, { body: deal });
  expect(created.status).toBe(201);
  const { id, stage_ids } = created.json.data;
  expect(created.json).toEqual({ success: true, data: { id, stage_ids: [stage_ids[0]] } });
  expect(Number.isSafeInteger(id) && Number.isSafeInteger(stage_ids[0])).toBe(true);
  const second = await ask(service, paths.dealV2, { body: dealV2 });
  expect(second.status).toBe(201);
  expect(second.json).toEqual({
    data: {
      payment_token: expect.stringMatching(/^[\w.~-]{22,}$/),
      status: 'created',
      freelancer_status: 'new',
    },
  });
  for (const [path, body, code] of [
    [paths.contractor, contractor, 'contractor_exists'],
    [paths.deal, deal, 'deal_exists'],
    [paths.dealV2, dealV2, 'deal_exists'],
    [paths.dealV2, { ...dealV2, partner_id: deal.partner_id }, 'deal_exists'],
  ] as const) {
    const again = await ask(service, path, { body });
    expect([again.status, again.json.code]).toEqual([409, code]);
  }
});

test('a path is answered the same without its slash and with a query', async () => {
  const service = createService();
  const registered = await ask(service, '/api/1.0/contractor?a=b', { body: contractor });
  expect(registered.status).toBe(201);
  expect((await ask(service, '/api/1.0/contractor//', { body: contractor })).status).toBe(404);
});

test('an error has the members of RFC 9457 and ours, and success if the version is 1.0', async () => {
  const service = createService();
  const asked = { headers: { ...asAcme, 'x-request-id': 'mine.1' }, body: {} };
  const first = await ask(service, paths.contractor, asked);
  expect(first.json).toEqual({
    success: false,
    type: 'urn:dealwright:error:validation_failed',
    title: 'Validation failed',
    status: 400,
    detail: 'The input breaks rules of the interface; see errors.',
    instance: 'urn:dealwright:request:mine.1',
    code: 'validation_failed',
    request_id: 'mine.1',
    errors: expect.any(Array),
  });
  expect(first.json.errors[0]).toEqual({
    path: ['email'],
    code: 'required',
    message: 'is required',
    params: {},
  });
  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-request-id': 'mine.1',
  });
  expect(await ask(service, paths.dealV2, asked)).not.toHaveProperty('json.success');
});

test.each([
  ['nothing', undefined],
  ['another scheme', `Bearer ${token}`],
  ['a scheme that ends like ours', `xToken ${token}`],
  ['another scheme in front of ours', `Basic Token ${token}`],
  ['no token', 'Token '],
  ['a token with a space', `Token ${token} ${token}`],
  ['an unknown token', 'Token unknown'],
  ['no scheme', token],
  ['a token that is too long', `Token ${'a'.repeat(4097)}`],
])('%s for a token: 401 before anything else is looked at', async (_, authorization) => {
  const service = createService();
  const headers = authorization === undefined ? {} : { authorization };
  for (const [method, path] of [
    ['POST', paths.deal],
    ['DELETE', paths.deal],
    ['GET', '/api/nothing/here'],
    ['POST', '/api/'],
  ] as const) {
    let reads = 0;
    const answered = await service.handle({
      method,
      target: path,
      header: (name) => (headers as Record<string, string>)[name],
      body: async () => {
        reads += 1;
        return new Uint8Array();
      },
      async *stream() {
        reads += 1;
        yield new Uint8Array();
      },
    });
    expect(answered.status).toBe(401);
    expect(answered.headers['www-authenticate']).toBe('Token');
    expect(reads).toBe(0);
  }
});

test('the scheme is taken in any case, and a token up to its full length', async () => {
  const long = 'a'.repeat(4096);
  const asked: string[] = [];
  const authenticator = {
    authenticate: (given: string) => {
      asked.push(given);
      return ok(acme);
    },
  };
  const service = createService({ authenticator });
  for (const scheme of ['token', 'TOKEN', 'Token']) {
    const headers = { authorization: `${scheme} ${long}` };
    expect((await ask(service, '/api/nothing', { headers })).status).toBe(404);
  }
  const spaced = { authorization: 'Token   secret' };
  expect((await ask(service, '/api/nothing', { headers: spaced })).status).toBe(404);
  // a longer token is refused without a question
  const longer = { authorization: `Token ${long}a` };
  expect((await ask(service, '/api/nothing', { headers: longer })).status).toBe(401);
  expect(asked).toEqual([long, 'secret']);
});

test('a handler of one environment answers the tokens of the other 401', async () => {
  const headers = { authorization: `Token ${liveToken}` };
  const status = async (environment: 'production' | 'sandbox' | 'by-token') =>
    (await ask(createService({ environment }), '/api/nothing', { headers })).status;
  expect(await status('production')).toBe(404);
  expect(await status('by-token')).toBe(404);
  expect(await status('sandbox')).toBe(401);
});

test('a version that an environment does not serve is not there', async () => {
  const service = createService({ versions: { production: ['1.0'] } });
  const asLive = { ...asAcme, authorization: `Token ${liveToken}` };
  const status = async (path: string, headers: Record<string, string>, method = 'POST') =>
    (await ask(service, path, { method, headers, body: {} })).status;
  expect(await status(paths.deal, asLive)).toBe(400);
  expect(await status(paths.dealV2, asLive)).toBe(404);
  expect(await status(paths.dealV2, asAcme)).toBe(400);
  expect(await status(paths.dealV2, {}, 'OPTIONS')).toBe(204);
  const onlyOld = createService({ versions: { production: ['1.0'], sandbox: ['1.0'] } });
  expect((await ask(onlyOld, paths.dealV2, { method: 'OPTIONS' })).status).toBe(404);
  const onlyLive = createService({ environment: 'production', versions: { production: ['1.0'] } });
  expect((await ask(onlyLive, paths.dealV2, { method: 'OPTIONS' })).status).toBe(404);
  expect((await ask(onlyLive, paths.deal, { method: 'OPTIONS' })).status).toBe(204);
});

test('the categories of version 2.0 are served with either version, and are those of 1.0', async () => {
  const all = { method: 'GET', headers: asAcme };
  const onlyOld = createService({ versions: { production: ['1.0'], sandbox: ['1.0'] } });
  const found = await ask(onlyOld, '/api/2.0/category/', all);
  expect(found.status).toBe(200);
  const old = await ask(onlyOld, '/api/1.0/category/', all);
  expect(found.json).toEqual({ data: old.json.data });
  const onlyNew = createService({ versions: { production: ['2.0'], sandbox: ['2.0'] } });
  expect((await ask(onlyNew, '/api/2.0/category/', all)).status).toBe(200);
  expect((await ask(onlyNew, '/api/1.0/category/', all)).status).toBe(404);
});

test('404 for what is not there, with a token under /api/ and without elsewhere', async () => {
  const service = createService();
  for (const path of [
    '/api/3.0/deal/',
    '/api/1.0/',
    '/',
    '/deal/',
    '/favicon.ico',
    '//api/1.0/deal/',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answered = await ask(service, path, { method });
      expect([path, method, answered.status]).toEqual([path, method, 404]);
      expect(answered.json.code).toBe('not_found');
    }
  }
});

test('405 names what the path takes', async () => {
  const service = createService();
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'post']) {
    const answered = await ask(service, paths.deal, { method });
    expect([answered.status, answered.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    expect(answered.json.code).toBe('method_not_allowed');
  }
  const health = await ask(service, '/healthz', { method: 'POST', headers: {} });
  expect([health.status, health.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('the health check needs no token; HEAD is told the length alone', async () => {
  const service = createService();
  for (const path of ['/healthz', '/healthz/', '/healthz?x']) {
    const got = await ask(service, path, { method: 'GET', headers: {} });
    expect([got.status, got.body]).toEqual([200, '{"status":"ok"}']);
    const told = await ask(service, path, { method: 'HEAD', headers: {} });
    expect([told.status, told.body]).toEqual([200, undefined]);
    expect(told.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '15',
    });
  }
  const refused = await ask(service, '/gone', { method: 'HEAD' });
  expect([refused.status, refused.body]).toEqual([404, undefined]);
  expect(Number(refused.headers['content-length'])).toBeGreaterThan(100);
});

test('OPTIONS needs no token', async () => {
  const service = createService();
  const allow = async (path: string) => {
    const { status, headers, body } = await ask(service, path, { method: 'OPTIONS', headers: {} });
    expect([status, body, headers['content-type']]).toEqual([204, undefined, undefined]);
    return headers['allow'];
  };
  expect(await allow(paths.deal)).toBe('POST, OPTIONS');
  expect(await allow('/healthz')).toBe('GET, HEAD, OPTIONS');
  expect(await allow('*')).toBe('DELETE, GET, HEAD, POST, OPTIONS');
});

test('429 with Retry-After from the limiter, asked after the token and before the body', async () => {
  const asked: unknown[] = [];
  const limiter = {
    take(...args: unknown[]) {
      asked.push(args);
      return ok({ allowed: false, retryAfter: 1.2 } as const);
    },
  };
  const service = createService({ limiter });
  expect((await ask(service, paths.deal, { headers: {} })).status).toBe(401);
  expect((await ask(service, paths.deal, { method: 'GET' })).status).toBe(405);
  expect(asked).toEqual([]);
  const { authorization } = asAcme;
  const answered = await ask(service, paths.deal, { headers: { authorization } });
  expect([answered.status, answered.headers['retry-after']]).toEqual([429, '2']);
  expect(asked).toEqual([[acme, 'createDeal']]);
  const open = createService({ limiter: { take: () => ok({ allowed: true }) } });
  expect((await ask(open, paths.deal, { body: {} })).status).toBe(400);
});

test('503 with Retry-After if a retry can help, 500 without a word if none can', async () => {
  const ports = createPorts();
  const cause = new Error('the password is hunter2');
  const failing = (failure: object) => ({
    ...ports,
    store: {
      ...ports.store,
      commit: () => err({ code: 'unavailable', outcome: 'none', cause, ...failure } as never),
    },
  });
  const send = (failure: object) =>
    ask(createService({ ports: failing(failure) }), paths.contractor, { body: contractor });

  const later = await send({ retryable: true, retryAfter: 7 });
  expect([later.status, later.json.code, later.json.outcome]).toEqual([503, 'unavailable', 'none']);
  expect(later.headers['retry-after']).toBe('7');
  expect((await send({ retryable: true })).headers['retry-after']).toBe('5');
  const never = await send({ retryable: false });
  expect([never.status, never.json.code]).toEqual([500, 'internal']);
  expect(never.headers['retry-after']).toBeUndefined();
  expect(`${later.body}${never.body}`).not.toContain('hunter2');
});

test('anything that a marketplace throws is a 500 without a word of it', async () => {
  const ports = createPorts();
  const throws = () => {
    throw new Error('hunter2');
  };
  const authenticator = { authenticate: () => ok(acme) };
  const service = createHandler(
    { ...createMarketplace(ports), partner: throws },
    { ...ports, ids: { next: throws }, authenticator },
  );
  const answered = await ask(service, paths.deal, { body: deal });
  expect([answered.status, answered.json.code]).toEqual([500, 'internal']);
  expect(answered.body).not.toContain('hunter2');
  expect(answered.headers['x-request-id']).toMatch(/^[\w.~-]{1,128}$/);
});
