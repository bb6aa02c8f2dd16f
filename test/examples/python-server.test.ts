import { createClient } from 'dealwright/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { type Stranger, startStranger } from './stranger.js';

let server: Stranger;
let baseUrl: string;

beforeAll(async () => {
  server = await startStranger('examples/python-server/server.py');
  baseUrl = server.baseUrl;
});

afterAll(async () => void (await server?.stop()));

const api = (token = 'secret') => createClient({ baseUrl, token });

/** Sends a request as it is, with the token of acme unless there is another. */
async function send(path: string, init: RequestInit = {}) {
  const headers = { authorization: 'Token secret', ...init.headers };
  const response = await fetch(baseUrl + path, { ...init, headers });
  const text = await response.text();
  return { response, status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send('/api/2.0/deal/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

it('creates a deal once, and repeats the answer for the same key and input', async () => {
  const deal = { ...dealV2, partner_id: 'a/1 ż' };
  const key = { idempotencyKey: 'first' };
  const created = (await api().createDealV2(deal, key))._unsafeUnwrap();
  expect(created).toMatchObject({ status: 'created', freelancer_status: 'new' });
  const sameInput = { ...deal, amount: `0${deal.amount}` };
  expect((await api().createDealV2(sameInput, key))._unsafeUnwrap()).toEqual(created);
  const other = await api().createDealV2({ ...deal, amount: '1' }, key);
  expect(other._unsafeUnwrapErr().code).toBe('idempotency_key_reused');
  expect((await api().createDealV2(deal))._unsafeUnwrapErr().code).toBe('deal_exists');

  const details = (await api().retrieveDealDetails(deal.partner_id))._unsafeUnwrap();
  expect(details).toMatchObject({ ...deal, ...created, billing: { outstanding: deal.amount } });
  for (const stranger of [api('other'), api('live')]) {
    const missing = await stranger.retrieveDealDetails(deal.partner_id);
    expect(missing._unsafeUnwrapErr().code).toBe('not_found');
  }
});

it('makes one deal of many creates at once', async () => {
  const deal = { ...dealV2, partner_id: 'race' };
  const keys = ['same', 'same', 'same', 'same', undefined, undefined, undefined, undefined];
  const results = await Promise.all(
    keys.map((idempotencyKey) =>
      api().createDealV2(deal, idempotencyKey ? { idempotencyKey } : {}),
    ),
  );
  const created = results.flatMap((result) => (result.isOk() ? [result.value.payment_token] : []));
  expect(new Set(created).size).toBe(1);
  expect(results.flatMap((result) => (result.isErr() ? [result.error.code] : []))).toEqual(
    new Array(keys.length - created.length).fill('deal_exists'),
  );
});

it('lists every deal once, page by page, while others arrive', async () => {
  const email_freelancer = 'Lists@example.com';
  const create = async (partner_id: string) =>
    (await api().createDealV2({ ...dealV2, partner_id, email_freelancer }))._unsafeUnwrap();
  for (let index = 0; index < 5; index += 1) await create(`list-${index}`);
  const seen: string[] = [];
  const filter = { email_freelancer: 'lists@EXAMPLE.com', page_size: 2 };
  let page = (await api().listDeals(filter))._unsafeUnwrap();
  for (;;) {
    seen.push(...page.results.map(({ partner_id }) => partner_id));
    await create(`late-${seen.length}`);
    if (page.next === null) break;
    page = (await api().listDeals({ ...filter, cursor: page.next }))._unsafeUnwrap();
  }
  expect(seen).toEqual(['list-4', 'list-3', 'list-2', 'list-1', 'list-0']);
  const back = await api().listDeals({ ...filter, cursor: page.previous ?? '' });
  expect(back._unsafeUnwrap().results).toMatchObject([
    { partner_id: 'list-2' },
    { partner_id: 'list-1' },
  ]);
  const foreign = await api().listDeals({ page_size: 2, cursor: page.previous ?? '' });
  expect(foreign._unsafeUnwrapErr().code).toBe('invalid_cursor');
  expect((await send('/api/2.0/deal/?color=red')).body.errors).toMatchObject([
    { path: ['color'], code: 'unknown_parameter' },
  ]);
});

it('names all problems of a body at once, in the language of the caller', async () => {
  const broken = { ...dealV2, partner_id: '', title: '😀'.repeat(201), amount: null };
  const { status, body } = await post(broken, { 'accept-language': 'pl' });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors).toMatchObject([
    { path: ['partner_id'], code: 'too_short', params: { min: 1 } },
    { path: ['title'], code: 'too_long', params: { max: 200 } },
    { path: ['amount'], code: 'null_not_allowed', message: 'nie może być null', params: {} },
  ]);
});

it('answers 401, 404, 405, 413 and 415 in this interface, and keeps its errors to itself', async () => {
  const refused = await send('/api/2.0/none/', { headers: { authorization: 'Token none' } });
  expect([refused.status, refused.response.headers.get('www-authenticate')]).toEqual([
    401,
    'Token',
  ]);
  expect((await send('/api/2.0/deal/none')).body).toMatchObject({ code: 'not_found', status: 404 });
  const deleted = await send('/api/2.0/category', { method: 'DELETE' });
  expect([deleted.status, deleted.response.headers.get('allow')]).toEqual([
    405,
    'GET, HEAD, OPTIONS',
  ]);
  expect((await post('x'.repeat(2 ** 20))).body).toMatchObject({ max_bytes: 2 ** 20, status: 413 });
  expect((await post({}, { 'content-type': 'text/plain' })).status).toBe(415);
  const document = (await send('/openapi.json', { headers: { authorization: '' } })).body;
  expect(Object.keys(document.paths)).toContain('/api/2.0/deal/{partner_id}/');
  expect(server.errors()).toBe('');
});

it('ends with SIGTERM', async () => {
  expect(await server.stop('SIGTERM')).toBe(0);
});
