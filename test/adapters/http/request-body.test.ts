import { createMarketplace, type Marketplace } from 'dealwright';
import { createHandler } from 'dealwright/http';
import { ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { acme, asAcme, ask, contractor, createService, dealV2 } from './service.js';

const paths = {
  contractor: '/api/1.0/contractor/',
  deal: '/api/1.0/deal/',
  dealV2: '/api/2.0/deal/',
};

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json; charset="UTF8"',
  'application/json ; profile=x; charset=utf-8',
  'application/json;',
  'application/json; charset = utf-8 ',
])('Content-Type %s is JSON', async (type) => {
  const headers = { ...asAcme, 'content-type': type };
  const answered = await ask(createService(), paths.contractor, { headers, body: contractor });
  expect(answered.status).toBe(201);
});

test.each([
  '',
  'text/plain',
  'application/jsonx',
  'application/json, text/plain',
  'application/problem+json',
  'application/json; charset=iso-8859-2',
  'application/json; charset="utf8',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-16',
  'application/x-www-form-urlencoded',
  `application/json${' '.repeat(15_000)}x`,
])('Content-Type %.60s is not', async (type) => {
  const headers = { ...asAcme, 'content-type': type };
  const answered = await ask(createService(), paths.contractor, { headers, body: contractor });
  expect([answered.status, answered.json.code]).toEqual([415, 'unsupported_media_type']);
  expect(answered.headers['accept']).toBe('application/json');
});

test('415 also for no Content-Type and for any Content-Encoding', async () => {
  const service = createService();
  const { authorization } = asAcme;
  for (const headers of [
    { authorization },
    { ...asAcme, 'content-encoding': 'gzip' },
    { ...asAcme, 'content-encoding': 'identity' },
  ]) {
    const answered = await ask(service, paths.contractor, { headers, body: contractor });
    expect(answered.status).toBe(415);
  }
});

test('413 for one byte more than the limit', async () => {
  const service = createService({ bodyLimit: 500 });
  const padded = (bytes: number) => JSON.stringify(contractor).padEnd(bytes);
  const refused = await ask(service, paths.contractor, { body: padded(501) });
  expect(refused.status).toBe(413);
  expect(refused.json).toMatchObject({ code: 'payload_too_large', max_bytes: 500 });
  expect((await ask(service, paths.contractor, { body: padded(500) })).status).toBe(201);
});

test('the idempotency key is passed on: a replay, 422 for other input, 400 if it is malformed', async () => {
  const service = createService();
  const send = (key: string, body: object) =>
    ask(service, paths.dealV2, { headers: { ...asAcme, 'idempotency-key': key }, body });
  const first = await send('key-1', dealV2);
  expect(first.status).toBe(201);
  expect((await send('key-1', dealV2)).json).toEqual(first.json);
  const reused = await send('key-1', { ...dealV2, title: 'Another' });
  expect([reused.status, reused.json.code]).toEqual([422, 'idempotency_key_reused']);
  for (const key of ['', 'a b', 'ż', 'x'.repeat(256)]) {
    const refused = await send(key, dealV2);
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_idempotency_key']);
  }
});

test('of a large body the known members alone go on, as they are', async () => {
  const ports = createPorts();
  const marketplace = createMarketplace(ports);
  let given: unknown;
  const witness: Marketplace = {
    ...marketplace,
    partner(tenant) {
      const api = marketplace.partner(tenant);
      return {
        ...api,
        createDealV2(input, options) {
          given = input;
          return api.createDealV2(input, options);
        },
      };
    },
  };
  const authenticator = { authenticate: () => ok(acme) };
  const service = createHandler(witness, { ...ports, authenticator });
  const others = Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`k${at}`, 1]));
  const created = await ask(service, paths.dealV2, { body: { ...others, ...dealV2 } });
  expect([created.status, given]).toEqual([201, dealV2]);

  const long = ' '.repeat(20_000);
  for (const [body, code] of [
    [`{"partner_id":null}${long}`, 'null_not_allowed'],
    [`{"__proto__":{"partner_id":"a"}}${long}`, 'required'],
  ]) {
    const { json } = await ask(service, paths.dealV2, { body });
    expect(json.errors).toContainEqual(expect.objectContaining({ path: ['partner_id'], code }));
  }
  for (const body of ['null', '[]', '1']) {
    const { json } = await ask(service, paths.dealV2, { body: body + long });
    expect(json.errors).toEqual((await ask(service, paths.dealV2, { body })).json.errors);
    expect(json.errors).toHaveLength(1);
  }
});
