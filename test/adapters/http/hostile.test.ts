import { maxHeaderSize } from 'node:http';
import { createFetchHandler } from 'dealwright/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asAcme, ask, contractor, createService, dealV2, token } from './service.js';

const path = '/api/1.0/contractor/';
const bytes = (text: string, ...more: number[]) =>
  new Uint8Array([...new TextEncoder().encode(text), ...more]);
const send = async (body: string | Uint8Array) => ask(createService(), path, { body });

test.each([
  ['nothing', ''],
  ['white space', ' \n'],
  ['half an object', '{"email":'],
  ['two values', '{}{}'],
  ['single quotes', "{'email':'a'}"],
  ['a comment', '{}//'],
  ['NaN', '{"email":NaN}'],
  ['a raw control character', '{"email":"\u0001"}'],
  ['a byte that is no UTF-8', bytes('{"email":"a', 0xff, 0x22, 0x7d)],
  ['half a character', bytes('{"email":"', 0xc3)],
  ['a surrogate in UTF-8', bytes('{"email":"', 0xed, 0xa0, 0x80, 0x22, 0x7d)],
  ['an overlong form', bytes('{"email":"', 0xc0, 0xaf, 0x22, 0x7d)],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  ['the form of a form', 'email=user%40example.com'],
])('%s is no JSON', async (_, body) => {
  const answered = await send(body);
  expect([answered.status, answered.json.code]).toEqual([400, 'invalid_json']);
});

test.each([
  ['null', 'null'],
  ['an array', '[]'],
  ['a text', '"text"'],
  ['a number', '1e999'],
  ['deep nesting', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['deep nesting in a member', `{"email":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ['a prototype', '{"__proto__":{"email":"user@example.com"}}'],
  ['the members of all objects', '{"constructor":{},"toString":1,"hasOwnProperty":null}'],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['U+0000', '{"name":"\\u0000"}'],
  ['a huge number', `{"email":${'9'.repeat(10_000)}}`],
])('%s is a validation error', async (_, body) => {
  const answered = await send(body);
  expect([answered.status, answered.json.code]).toEqual([400, 'validation_failed']);
  expect(answered.json.errors.length).toBeGreaterThan(0);
});

test.each([
  ['64 levels', `{"x":${'['.repeat(63)}${']'.repeat(63)}}`, 201],
  ['65 levels', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'too_deep'],
  ['65 levels that do not end', '['.repeat(65), 'too_deep'],
  ['65 levels of objects', '{"a":'.repeat(65), 'too_deep'],
  ['many lists side by side', `{"x":[${'[],'.repeat(100)}[]]}`, 201],
  ['brackets in a text', `{"x":"\\"${'[{'.repeat(100)}"}`, 201],
])('nesting is judged before JSON is parsed: %s', async (_, body, expected) => {
  const members = JSON.stringify(contractor).slice(1);
  const { status, json } = await send(expected === 201 ? `${body.slice(0, -1)},${members}` : body);
  if (expected === 201) return expect(status).toBe(201);
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  const message = 'must not nest objects and arrays deeper than 64 levels';
  expect(json.errors).toEqual([{ path: [], code: 'too_deep', message, params: { max: 64 } }]);
});

test('a byte order mark in front is accepted (RFC 8259, 8.1)', async () => {
  expect((await send(`\ufeff${JSON.stringify(contractor)}`)).status).toBe(201);
});

test('a member that is repeated counts as its last', async () => {
  const { email, ...rest } = contractor;
  const members = JSON.stringify(rest).slice(1);
  const answered = await send(`{"email":"first@example.com","email":"${email}",${members}`);
  expect(answered.json).toEqual({ success: true, data: { contractor_email: email } });
});

test('unknown members of any name do no harm', async () => {
  const answered = await send(
    JSON.stringify(contractor).replace('{', '{"__proto__":{"name":1},"constructor":1,"x":[],'),
  );
  expect(answered.status).toBe(201);
  expect(({} as { name?: unknown }).name).toBeUndefined();
});

test('of a parameter that is there twice the last counts, and those of other names are refused', async () => {
  const get = (query: string) => ask(createService(), `/api/2.0/deal/?${query}`, { method: 'GET' });
  const known = 'page_size=0&status=&page_size=1&status=created';
  const answered = await get(known);
  expect(answered.json).toEqual({ data: { results: [], next: null, previous: null } });
  const refused = await get(`${known}&__proto__=1&constructor=2&a=b`);
  expect(refused.status).toBe(400);
  expect(refused.json.errors.map(({ path: [name] }: { path: string[] }) => name)).toEqual([
    '__proto__',
    'constructor',
    'a',
  ]);
});

test('a path with its query has at most 16,384 characters, in every host', async () => {
  const service = createService();
  const list = '/api/2.0/deal/?';
  const longest = list.padEnd(2 ** 14, '&');
  const get = (target: string, headers?: Record<string, string>) =>
    ask(service, target, { method: 'GET', ...(headers && { headers }) });
  expect((await get(longest)).status).toBe(200);
  const parameters = Array.from({ length: 100_000 }, (_, index) => `p${index}=1`).join('&');
  for (const target of [`${longest}a`, `${list}${parameters}`, `/api/2.0/deal/${longest}`]) {
    const answered = await get(target);
    expect([answered.status, answered.json.code]).toEqual([404, 'not_found']);
    expect((await get(target, {})).status).toBe(401);
  }
  // Node stops there by itself, so that every host has the same limit
  expect(maxHeaderSize).toBe(2 ** 14);
  const fetched = createFetchHandler(service);
  const request = (target: string) =>
    fetched(new Request(`http://localhost${target}`, { headers: asAcme }));
  expect((await request(longest)).status).toBe(200);
  expect((await request(`${longest}a`)).status).toBe(404);
});

test('no answer repeats what was sent', async () => {
  const body = Object.fromEntries(Object.keys(contractor).map((key) => [key, 'marker\u0000']));
  const headers = { ...asAcme, 'accept-language': 'pl', accept: 'marker', origin: 'marker' };
  for (const target of [path, `${path}marker`, `${path}?marker`]) {
    const answered = await ask(createService(), target, { headers, body });
    expect(JSON.stringify([answered.body, answered.headers])).not.toContain('marker');
  }
});

const text = fc.string({ unit: 'binary', maxLength: 40 });
const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
const requests = fc.record({
  method: fc.oneof(
    { weight: 3, arbitrary: fc.constant('POST') },
    fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'toString'),
    ascii,
  ),
  target: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(path, '/api/1.0/deal/', '/api/2.0/deal') },
    fc.constantFrom(
      '/healthz',
      '/api/',
      '/api/1.0/../',
      '*',
      '',
      '/%',
      '/api/%00',
      '?',
      '/__proto__',
    ),
    text.map((rest) => `/api/1.0/deal/${rest}`),
    text,
  ),
  headers: fc
    .record(
      {
        authorization: fc.oneof(fc.constant(`Token ${token}`), ascii, text),
        'content-type': fc.oneof(fc.constant('application/json'), ascii),
        'content-encoding': ascii,
        'idempotency-key': fc.oneof(ascii, text),
        'accept-language': fc.oneof(ascii, fc.constantFrom('pl', 'en;q=1,pl;q=2', ';;,,')),
        accept: ascii,
        origin: ascii,
        'x-request-id': text,
      },
      { requiredKeys: [] },
    )
    .chain((headers) =>
      fc.constantFrom(headers, { ...asAcme, ...headers }, { ...headers, ...asAcme }),
    ),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.json(),
    fc.json().map((json) => `{"email":${json},"partner_id":${json},"amount":${json}}`),
    text,
    fc.dictionary(fc.constantFrom(...Object.keys({ ...contractor, ...dealV2 })), fc.jsonValue()),
  ),
});

test('any request: no 5xx, and an error says all that errors say', async () => {
  const service = createService({ corsOrigins: ['https://app.example.com'] });
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, target, headers, body }) => {
      const answered = await ask(service, target, { method, headers, body });
      const { status, json } = answered;
      expect(status).toBeLessThan(500);
      expect(answered.headers['x-request-id']).toMatch(/^[\w.~-]{1,128}$/);
      for (const value of Object.values(answered.headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
      if (method === 'HEAD' || status === 204) {
        expect(json).toBeUndefined();
      } else if (status >= 400) {
        const isVersion1 = target.startsWith('/api/1.0/');
        expect(json).toEqual({
          ...(isVersion1 ? { success: false } : {}),
          type: `urn:dealwright:error:${json.code}`,
          title: expect.stringMatching(/./),
          status,
          detail: expect.stringMatching(/./),
          instance: `urn:dealwright:request:${answered.headers['x-request-id']}`,
          code: expect.stringMatching(/^[a-z_]+$/),
          request_id: answered.headers['x-request-id'],
          ...(json.code === 'validation_failed' ? { errors: expect.any(Array) } : {}),
          ...(json.code === 'not_found' && !isVersion1
            ? { resource: expect.stringMatching(/^(operation|deal)$/) }
            : {}),
        });
        for (const issue of json.errors ?? []) {
          expect(Object.keys(issue)).toEqual(['path', 'code', 'message', 'params']);
        }
      }
      if (status === 401) expect(answered.headers['www-authenticate']).toBe('Token');
      if (status === 405) expect(answered.headers['allow']).toMatch(/OPTIONS$/);
    }),
    { numRuns: 2000 },
  );
});
