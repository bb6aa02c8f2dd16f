import { beforeEach, describe, expect, test } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import { asAcme, ask, contractor, createService, deal, dealV2, token } from './service.js';

const commands = allRoutes().filter(({ face, input }) => face === 'partner' && input === 'command');
const withoutType = { authorization: `Token ${token}` };

let service: ReturnType<typeof createService>;
beforeEach(async () => {
  service = createService();
  await ask(service, '/api/1.0/contractor/', { body: contractor });
  await create(deal.partner_id);
  await ask(service, '/api/2.0/deal/', { body: dealV2 });
});

const create = (partner_id: string) =>
  ask(service, '/api/1.0/deal/', { body: { ...deal, partner_id } });
const give = (command: string, asked: Parameters<typeof ask>[2] = {}, of = deal.partner_id) =>
  ask(service, `/api/2.0/deal/${of}/${command}/`, asked);
const details = async (of = deal.partner_id) =>
  (await ask(service, `/api/2.0/deal/${of}/`, { method: 'GET' })).json.data;

describe('a command', () => {
  test('is answered with the details of the deal after it, which are those that are read', async () => {
    const invited = await give('invite', { body: { message: 'We have sent a mail.' } });
    expect(invited.status).toBe(200);
    expect(Object.keys(invited.json)).toEqual(['data']);
    expect(invited.json.data).toMatchObject({ status: 'created', freelancer_status: 'invited' });
    expect(invited.json.data).toEqual(await details());
  });

  test('without a body and its type says nothing', async () => {
    const { status, json } = await give('accept', { headers: withoutType });
    expect([status, json.data.status]).toEqual([200, 'accepted']);
    const reasonless = await give('dispute', { headers: withoutType });
    expect(reasonless.json.errors).toMatchObject([{ path: ['reason'], code: 'required' }]);
  });

  test('with the type of JSON and an empty body is not JSON', async () => {
    for (const body of ['', new Uint8Array()]) {
      const { status, json } = await give('accept', { body });
      expect([status, json.code]).toEqual([400, 'invalid_json']);
    }
    expect((await details()).status).toBe('created');
  });

  test.each([
    ['a body without a type', withoutType, '{}'],
    ['one byte without a type', withoutType, ' '],
    ['text', { ...withoutType, 'content-type': 'text/plain' }, '{}'],
    ['text that is empty', { ...withoutType, 'content-type': 'text/plain' }, ''],
    ['a form', { ...withoutType, 'content-type': 'multipart/form-data; boundary=b' }, '--b--'],
    [
      'another charset',
      { ...withoutType, 'content-type': 'application/json; charset=latin1' },
      '{}',
    ],
    ['an encoding', { ...asAcme, 'content-encoding': 'gzip' }, '{}'],
    ['an encoding of nothing', { ...withoutType, 'content-encoding': 'identity' }, ''],
  ])('is not taken with %s', async (_, headers, body) => {
    for (const { path } of commands) {
      const target = path.replace('{partner_id}', deal.partner_id);
      const answered = await ask(service, target, { headers, body });
      expect([answered.status, answered.json.code]).toEqual([415, 'unsupported_media_type']);
      expect(answered.headers['accept']).toBe('application/json');
    }
    expect((await details()).freelancer_status).toBe('new');
  });

  test.each([
    [7, [], 'wrong_type'],
    [null, [], 'null_not_allowed'],
    [[], [], 'wrong_type'],
    ['"accept"', [], 'wrong_type'],
    [{ reason: 7 }, ['reason'], 'wrong_type'],
    [{ message: null }, ['message'], 'null_not_allowed'],
    [{ message: '' }, ['message'], 'too_short'],
    [{ reason: 'x'.repeat(2001) }, ['reason'], 'too_long'],
    [{ reason: 'a\u0000b' }, ['reason'], 'forbidden_character'],
  ])('with the body %j is refused', async (body, path, code) => {
    const { status, json } = await give('accept', { body: JSON.stringify(body) });
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.errors).toMatchObject([{ path, code }]);
  });

  test('of a stage takes the id of one of the deal; others do not look for one', async () => {
    await give('accept');
    for (const [stage_id, code] of [
      ['2', 'wrong_type'],
      [2.5, 'not_an_integer'],
      [null, 'null_not_allowed'],
    ]) {
      const { json } = await give('deliver', { body: { stage_id } });
      expect(json.errors).toMatchObject([{ path: ['stage_id'], code }]);
    }
    const { status, json } = await give('deliver', { body: { stage_id: 4711 } });
    expect([status, json.errors]).toMatchObject([
      400,
      [{ path: ['stage_id'], code: 'unknown_stage' }],
    ]);
    expect((await give('cancel', { body: { stage_id: 'x' } })).status).toBe(200);
  });

  test('is judged by its form before its deal is looked for', async () => {
    const wrong = await give('accept', { body: { reason: '' } }, 'nobody');
    expect(wrong.status).toBe(400);
    const { status, json } = await give('accept', { body: {} }, 'nobody');
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});

test.each(['expire', 'resolve', 'retry-payout', 'record-employer-payment', 'requestPayment', 'x'])(
  '%s is no command of a partner',
  async (command) => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      expect((await give(command, { method, body: '{}' })).status).toBe(404);
    }
  },
);

test.each(commands.map(({ path }) => path))('%s takes POST alone', async (path) => {
  const target = path.replace('{partner_id}', deal.partner_id);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const { status, headers } = await ask(service, target, { method });
    expect([status, headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  }
});

describe('a refusal', () => {
  test('says which commands the deal knows in its state', async () => {
    const { status, json } = await give('accept', { body: {} }, dealV2.partner_id);
    expect(status).toBe(409);
    expect(json).toEqual({
      type: 'urn:dealwright:error:illegal_transition',
      title: 'Illegal transition',
      status: 409,
      detail: expect.any(String),
      instance: expect.any(String),
      code: 'illegal_transition',
      request_id: expect.any(String),
      deal_status: 'created',
      freelancer_status: 'new',
      legal: ['invite', 'cancel'],
    });
    // of version 1.0, for the freelancer too: each of them has a path
    const late = await give('approve', { body: {} });
    expect(late.json.legal).toEqual(['invite', 'accept', 'decline', 'cancel', 'deliver']);
    for (const name of late.json.legal) {
      expect((await give(name, { method: 'OPTIONS' })).status).toBe(204);
    }
  });

  test('of a guard says why', async () => {
    await give('accept', { body: {} });
    const { status, json } = await give('deliver', { body: {} });
    expect([status, json.code, json.reason]).toEqual([409, 'precondition_failed', 'no_files']);
    expect(json).not.toHaveProperty('legal');
  });

  test('is in the language of the call', async () => {
    const headers = { ...asAcme, 'accept-language': 'pl' };
    const answered = await give('approve', { headers, body: {} });
    expect(answered.headers['content-language']).toBe('pl');
    expect(answered.json.detail).toMatch(/^Zlecenie /);
  });
});

describe('an idempotency key', () => {
  const headers = { ...asAcme, 'idempotency-key': 'once' };

  test('is answered with the first answer again, and not with the state of the day', async () => {
    const body = { message: 'Yes.' };
    const first = await give('accept', { headers, body });
    await give('cancel', { body: {} });
    const again = await give('accept', { headers, body });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await details()).status).toBe('cancelled');
    const other = await give('accept', { headers, body: { message: 'No.' } });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is one of the deal: another takes the same', async () => {
    await create('another');
    expect((await give('accept', { headers, body: {} })).status).toBe(200);
    expect((await give('accept', { headers, body: {} }, 'another')).status).toBe(200);
  });

  test('that is none is refused', async () => {
    const wrong = { ...asAcme, 'idempotency-key': 'two words' };
    const { status, json } = await give('accept', { headers: wrong, body: {} });
    expect([status, json.code]).toEqual([400, 'invalid_idempotency_key']);
  });
});

test.each(['..', '.', 'a/b', 'by-id', 'accept', '%41', '?#', 'łódź', ' ', 'file'])(
  'the deal %j is worked by its parameter, and as a part of a path',
  async (partner_id) => {
    await create(partner_id);
    const query = `?partner_id=${encodeURIComponent(partner_id)}`;
    const byId = (last: string, asked: Parameters<typeof ask>[2] = {}) =>
      ask(service, `/api/2.0/deal/by-id/${last}/${query}`, asked);
    const file = { name: 'a.txt', content: 'T25jZQ==' };
    const accepted = await byId('accept', { headers: withoutType });
    expect([accepted.status, accepted.json.data?.partner_id]).toEqual([200, partner_id]);
    expect((await byId('file', { body: file })).status).toBe(201);
    expect((await byId('file', { method: 'GET' })).json.data).toHaveLength(1);
    const segment = partner_id === 'by-id' ? 'by%2Did' : encodeURIComponent(partner_id);
    const delivered = await give('deliver', { body: {} }, segment);
    expect([delivered.status, delivered.json.data.status]).toEqual([200, 'delivered']);
    const shown = await byId('approve', { body: {} });
    expect(shown.json.data).toMatchObject({ partner_id, status: 'approved' });
    // the deal in the path belongs to this caller
    expect((await details()).status).toBe('created');
  },
);

test('the deal of a path is not that of a parameter', async () => {
  await create('other');
  const target = `/api/2.0/deal/${deal.partner_id}/accept/?partner_id=other`;
  expect((await ask(service, target, { body: {} })).json.data.partner_id).toBe(deal.partner_id);
  expect((await details('other')).status).toBe('created');
  // and without the parameter, by-id is an id like any other
  expect((await ask(service, '/api/2.0/deal/by-id/accept/', { body: {} })).status).toBe(404);
});
