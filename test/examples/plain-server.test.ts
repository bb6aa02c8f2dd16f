import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from 'dealwright/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractor, deal } from '../kit/requests.js';
import { startStranger } from './stranger.js';

const folder = 'examples/plain-server';

async function start() {
  const server = await startStranger(`${folder}/server.mjs`);
  const { baseUrl } = server;
  const clientOf = (token: string) => createClient({ baseUrl, token });
  return {
    ...server,
    acme: clientOf('secret'),
    globex: clientOf('other'),
    live: clientOf('live'),
  };
}

let server: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  server = await start();
  const email = contractor.email.toUpperCase();
  (await server.acme.registerContractor({ ...contractor, email }))._unsafeUnwrap();
});
afterAll(async () => {
  expect([await server.stop('SIGTERM'), server.errors()]).toEqual([0, '']);
});

describe('to the typed client, the plain server', () => {
  it('creates a deal, and gives it back with its files', async () => {
    const { acme } = server;
    const { work_days: _, ...required } = { ...deal, name: '😀'.repeat(200) };
    const { id, stage_ids } = (await acme.createDeal(required))._unsafeUnwrap();
    const [stage_id = 0] = stage_ids;
    const asForm = { name: 'a "form".txt', content: Buffer.from('hello'), stage_id };
    const asJson = { name: 'b', content_type: 'text/plain', content: 'aGVsbG8=' };
    const form = (await acme.uploadFile({ id }, asForm))._unsafeUnwrap();
    const json = (await acme.uploadFile({ id }, asJson))._unsafeUnwrap();
    expect(form).toMatchObject({ name: 'a "form".txt', stage_id, size: 5 });
    expect(json).toMatchObject({ content_type: 'text/plain', size: 5, sha256: form.sha256 });
    expect((await acme.retrieveDeal(id))._unsafeUnwrap()).toMatchObject({
      ...{ ...required, id, work_days: 30 },
      stages: [{ id: stage_id, budget: deal.budget, work_files: [form, json] }],
      billing: { amount: deal.budget, outstanding: deal.budget, paid: '0.00' },
    });
  });

  it('refuses a record that exists, and keeps partners and environments apart', async () => {
    const { acme, globex, live } = server;
    const own = { ...deal, partner_id: 'own' };
    const { id } = (await acme.createDeal(own))._unsafeUnwrap();
    const refusals = [
      await globex.registerContractor(contractor),
      await acme.createDeal({ ...own, contractor_email: 'nobody@example.com' }),
      await globex.retrieveDeal(id),
      await globex.uploadFile({ id }, { name: 'a', content: 'aGVsbG8=' }),
    ].map((result) => result._unsafeUnwrapErr().code);
    expect(refusals).toEqual(['contractor_exists', 'deal_exists', 'not_found', 'not_found']);
    expect((await globex.createDeal(own)).isOk()).toBe(true);
    expect((await live.createDeal(own))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['contractor_email'], code: 'unknown_contractor' }],
    });
  });

  it('names all problems at once, in Polish if the call asks for it', async () => {
    const wrong = { ...deal, name: '😀'.repeat(201), budget: '-.', sub_category_id: 1 };
    const refused = await server.acme.createDeal(wrong, { language: 'pl' });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      errors: [
        { path: ['name'], code: 'too_long', params: { max: 200 } },
        { path: ['budget'], code: 'invalid_decimal', message: expect.stringMatching(/^musi być /) },
        { path: ['sub_category_id'], code: 'unknown_subcategory' },
      ],
    });
  });
});

/** A request of acme: its path, its method, headers and a body. */
type Asked = [string, string?, Record<string, string>?, (string | Uint8Array<ArrayBuffer>)?];
const json = 'application/json';
const problem = 'application/problem+json';
const post = (headers: Record<string, string> = {}) =>
  ['/api/1.0/deal/', 'POST', { 'Content-Type': json, ...headers }] as const;

/** The status, the code of an error, a header and its value, and the request. */
const answers: [number, string, string, string, ...Asked][] = [
  [200, '', 'Content-Type', json, '/healthz'],
  [200, '', 'Content-Length', '15', '/healthz/', 'HEAD'],
  [204, '', 'Allow', 'GET, HEAD, OPTIONS', '/api/1.0/category', 'OPTIONS', { Authorization: '' }],
  [400, 'invalid_json', 'X-Request-Id', 'mine', ...post({ 'X-Request-Id': 'mine' }), '{'],
  [400, 'invalid_json', 'Content-Language', 'en', ...post(), new Uint8Array([0x22, 0xff, 0x22])],
  [401, 'unauthorized', 'WWW-Authenticate', 'Token', '/api/9/', 'PUT', { Authorization: 'x' }],
  [404, 'not_found', 'Content-Type', problem, '/api/1.0/deal/7/', 'GET', { Accept: problem }],
  [404, 'not_found', 'Content-Type', json, '/openapi.json'],
  [405, 'method_not_allowed', 'Allow', 'POST, OPTIONS', '/api/1.0/contractor/'],
  [413, 'payload_too_large', 'Content-Type', json, ...post(), ' '.repeat(1_048_577)],
  [415, 'unsupported_media_type', 'Accept', json, ...post({ 'Content-Encoding': 'gzip' }), '{}'],
];

async function ask([path, method = 'GET', headers = {}, body]: Asked) {
  return fetch(server.baseUrl + path, {
    method,
    headers: { Authorization: 'Token secret', ...headers },
    ...(body !== undefined && { body }),
  });
}

describe('over HTTP, the plain server', () => {
  it.each(answers)('answers %i %s with %s: %s', async (status, code, name, value, ...asked) => {
    const response = await ask(asked);
    expect([response.status, response.headers.get(name)]).toEqual([status, value]);
    if (code === '') return;
    const success = asked[0].startsWith('/api/1.0/') ? { success: false } : {};
    const request_id = response.headers.get('X-Request-Id');
    expect(await response.json()).toMatchObject({ status, code, request_id, ...success });
  });

  it('names categories in the language of the request', async () => {
    const list = await ask(['/api/1.0/category/', 'GET', { 'Accept-Language': 'en;q=0.5, pl' }]);
    expect(await list.json()).toMatchObject({
      success: true,
      data: [{ id: 1, name: 'Tworzenie oprogramowania', subcategories: [{ id: 21 }, {}] }, {}],
    });
  });

  it('takes the next request after a body that it did not read to its end', async () => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    const head = 'Host: here\r\nAuthorization: Token secret\r\nContent-Type: application/json\r\n';
    socket.write(`POST /api/1.0/deal/ HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`200000\r\n${' '.repeat(0x20_0000)}\r\n0\r\n\r\n`);
    socket.write(`GET /healthz HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    const statuses = (await text(socket)).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual(['413', '200']);
  });

  it('shares no code with the library, and has at most 500 lines of code', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
    const lines = files.flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'));
    expect(lines.filter((line) => /(?:from|import) '(?!node:|\.\/)/.test(line))).toEqual([]);
    expect(lines.filter((line) => !/^\s*(?:$|\/\/|\/\*\*)/.test(line)).length).toBeLessThan(501);
  });
});
