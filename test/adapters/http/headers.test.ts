import { expect, test } from 'vitest';
import { asAcme, ask, contractor, createService } from './service.js';

const path = '/api/1.0/contractor/';

test.each(['a', 'A-z.0_9~', 'x'.repeat(128)])('X-Request-Id %.20s is given back', async (id) => {
  const headers = { 'x-request-id': id };
  for (const target of [path, '/healthz', '/gone']) {
    const answered = await ask(createService(), target, { method: 'GET', headers });
    expect(answered.headers['x-request-id']).toBe(id);
  }
});

test.each(['', 'a b', 'a\r\nx: y', '<script>', 'ż', 'x'.repeat(129), 'a, b'])(
  'X-Request-Id %.20s is replaced by a ULID',
  async (id) => {
    const answered = await ask(createService(), '/gone', { headers: { 'x-request-id': id } });
    expect(answered.headers['x-request-id']).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(answered.json.request_id).toBe(answered.headers['x-request-id']);
  },
);

test.each(['', 'id-', 'id-.'])(
  'X-Request-Id is not taken if the token is in it (%s)',
  async (x) => {
    const secret = asAcme.authorization.slice('Token '.length);
    for (const authorization of [asAcme.authorization, `Bearer ${secret} `, secret]) {
      const headers = { authorization, 'x-request-id': x + secret };
      const answered = await ask(createService(), '/api/', { method: 'GET', headers });
      expect(JSON.stringify(answered)).not.toContain(secret);
      expect(answered.headers['x-request-id']).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    }
  },
);

test.each([
  [undefined, 'en'],
  ['pl', 'pl'],
  ['PL-pl', 'pl'],
  ['pl;q=0.8, en;q=0.9', 'en'],
  ['en;q=0.8, pl;q=0.9', 'pl'],
  ['de, pl;q=0.1', 'pl'],
  ['de', 'en'],
  ['*', 'en'],
  ['en;q=0, *', 'pl'],
  ['pl;q=0', 'en'],
  ['pl;q=2', 'en'],
  ['plx', 'en'],
  ['', 'en'],
  [',;q=;,', 'en'],
])('Accept-Language %s is answered in %s', async (accept, language) => {
  const headers = { ...asAcme, ...(accept === undefined ? {} : { 'accept-language': accept }) };
  const answered = await ask(createService(), path, { headers, body: {} });
  expect(answered.headers['content-language']).toBe(language);
  expect(answered.json.errors[0].message).toBe(language === 'pl' ? 'jest wymagane' : 'is required');
  expect(answered.json.detail).toMatch(language === 'pl' ? /^Dane / : /^The input /);
});

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/problem+json', 'application/problem+json'],
  ['application/json, application/problem+json', 'application/problem+json'],
  ['application/problem+json;q=0', 'application/json'],
  ['application/problem+json ; q=0.000 , */*', 'application/json'],
  ['application/problem+json;q=0.001', 'application/problem+json'],
])('Accept %s gets errors as %s', async (accept, type) => {
  const headers = { ...asAcme, ...(accept === undefined ? {} : { accept }) };
  const service = createService();
  expect((await ask(service, path, { headers })).headers['content-type']).toBe(type);
  const created = await ask(service, path, { headers, body: contractor });
  expect([created.status, created.headers['content-type']]).toEqual([201, 'application/json']);
});

test('the dates of the end of 1.0 are sent with each of its answers, and with no other', async () => {
  const service = createService({
    deprecation: {
      since: new Date('2026-12-01T00:00:00Z'),
      sunset: new Date('2027-12-01T00:00:00Z'),
      guide: 'https://example.com/migrate?to=2.0',
    },
  });
  const expected = {
    deprecation: '@1796083200',
    sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
    link: '<https://example.com/migrate?to=2.0>; rel="deprecation"; type="text/html"',
  };
  expect((await ask(service, path, { body: contractor })).headers).toMatchObject(expected);
  expect((await ask(service, path, { headers: {} })).headers).toMatchObject(expected);
  for (const each of ['/api/2.0/deal/', '/healthz']) {
    expect((await ask(service, each)).headers).not.toHaveProperty('deprecation');
  }
  expect((await ask(createService(), path)).headers).not.toHaveProperty('deprecation');
});

const origin = 'https://app.example.com';
const preflight = { origin, 'access-control-request-method': 'POST' };

test('CORS: nothing unless it is asked for', async () => {
  const { headers } = await ask(createService(), path, { method: 'OPTIONS', headers: preflight });
  expect(Object.keys(headers).filter((name) => /^(access|vary)/.test(name))).toEqual([]);
});

test('CORS: a preflight and the answer of an allowed origin, errors too', async () => {
  const service = createService({ corsOrigins: [origin] });
  const asked = await ask(service, path, { method: 'OPTIONS', headers: preflight });
  expect(asked.status).toBe(204);
  expect(asked.headers).toMatchObject({
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept-Language, Idempotency-Key, X-Request-Id, ' +
      'If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Range, ' +
      'traceparent, tracestate, baggage',
  });
  for (const headers of [{ origin }, { ...asAcme, origin }]) {
    expect((await ask(service, path, { headers, body: contractor })).headers).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'X-Request-Id, Retry-After, Deprecation, Sunset, Link, ' +
        'Content-Disposition, ETag, Content-Range, Accept-Ranges',
    });
  }
  const more = createService({
    corsOrigins: [origin],
    corsHeaders: ['sentry-trace', 'X-B3-TraceId'],
  });
  const { headers } = await ask(more, path, { method: 'OPTIONS', headers: preflight });
  expect(headers['access-control-allow-headers']).toMatch(/, baggage, sentry-trace, X-B3-TraceId$/);
});

test('CORS: another origin gets nothing, and caches are told that it matters', async () => {
  const service = createService({ corsOrigins: [origin] });
  for (const other of ['https://evil.example.com', 'null', `${origin}.evil.com`]) {
    const headers = { ...preflight, origin: other };
    const asked = await ask(service, path, { method: 'OPTIONS', headers });
    expect(asked.headers['vary']).toBe('Origin');
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access'))).toEqual([]);
  }
  const forAll = createService({ corsOrigins: '*' });
  const asked = await ask(forAll, path, { method: 'OPTIONS', headers: preflight });
  expect(asked.headers['access-control-allow-origin']).toBe(origin);
});

test.each([['a line\r\nbreak'], [''], [7], [undefined], ['x'.repeat(129)]])(
  'an id of ours that no header can carry is not sent: %j',
  async (id) => {
    const ids = { next: () => id as string };
    const answered = await ask(createService({ ids }), '/gone', { headers: {} });
    expect(answered.headers['x-request-id']).toBe('none');
  },
);

test('no answer of the interface may be taken for a page', async () => {
  for (const asked of [{ body: contractor }, { headers: {} }, { method: 'PUT' }]) {
    const { headers } = await ask(createService(), path, asked);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('answers that hold no token may be kept, for all we say', async () => {
  const answered = await ask(createService(), '/healthz', { method: 'GET', headers: {} });
  expect(answered.headers).not.toHaveProperty('cache-control');
});
