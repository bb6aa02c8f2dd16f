// @ts-check
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createClient } from 'dealwright/client';
import { exampleContractor, exampleDeal, exampleDealV2 } from 'dealwright/testing';
import { checkPages } from './pages.mjs';
import { send } from './send.mjs';

/**
 * @typedef {object} Service
 * @property {string} baseUrl with the prefix
 * @property {(path: string, sent?: import('./send.mjs').Sent) => Promise<import('./send.mjs').Got>} send
 * @property {(path: string, value: unknown, more?: import('./send.mjs').Sent) => Promise<import('./send.mjs').Got>} post
 * @property {import('dealwright/client').DealwrightClient} api
 * @property {Record<string, string>} headers
 */
/** @typedef {(service: Service) => Promise<unknown>} Check */

const megabyte = 2 ** 20;
const token = 'token-of-acme';
const session = { cookie: 'theme=dark; session=session-of-acme' };

/** @param {string} partner_id */
const deal = (partner_id) => ({ ...exampleDealV2, partner_id, title: 'Zażółć gęślą jaźń 🦆' });

const create = '/api/2.0/deal/';

/** @type {Readonly<Record<string, Check>>} */
const checks = {
  'version 1.0': async ({ post }) => {
    assert.equal((await post('/api/1.0/contractor/', exampleContractor)).status, 201);
    const created = await post('/api/1.0/deal/', exampleDeal);
    assert.equal(created.status, 201);
    assert.equal(JSON.parse(created.body.toString()).data.stage_ids.length, 1);
  },
  'version 2.0': async ({ send, post, headers }) => {
    const created = await post(create, deal('two'));
    assert.equal(created.status, 201);
    assert.match(String(created.headers['content-type']), /^application\/json/);
    assert.equal(created.headers['cache-control'], 'no-store');
    assert.ok(created.headers['x-request-id']);
    const read = await send(`${create}two/`, { headers });
    assert.equal(JSON.parse(read.body.toString()).data.title, deal('').title);
  },
  'encoded id': async ({ send, post, headers, api }) => {
    const partner_id = 'a/b c%z?#';
    assert.equal((await post(create, deal(partner_id))).status, 201);
    const read = await send(`${create}${encodeURIComponent(partner_id)}/`, { headers });
    assert.equal(read.status, 200);
    assert.equal(JSON.parse(read.body.toString()).data.partner_id, partner_id);
    assert.ok((await api.retrieveDealDetails(partner_id)).isOk());
  },
  'chunked body': async ({ post }) => {
    assert.equal((await post(create, deal('chunked'), { chunked: true })).status, 201);
  },
  'upload of 5 MB': async ({ api }) => {
    await api.createDealV2(deal('files'));
    const content = Buffer.alloc(5 * megabyte, 'dealwright');
    const uploaded = await api.uploadFile({ partner_id: 'files' }, { name: 'a.bin', content });
    assert.ok(uploaded.isOk(), JSON.stringify(uploaded));
    assert.equal(uploaded.value.sha256, createHash('sha256').update(content).digest('hex'));
    const read = await api.downloadWorkFile('files', uploaded.value.id);
    assert.ok(read.isOk(), JSON.stringify(read));
    /** @type {Uint8Array[]} */
    const pieces = [];
    for await (const piece of read.value.content) pieces.push(piece);
    assert.ok(Buffer.concat(pieces).equals(content));
  },
  'upload of 30 MB': async ({ api }) => {
    await api.createDealV2(deal('large'));
    const content = Buffer.alloc(30 * megabyte, 'dealwright');
    const refused = await api.uploadFile({ partner_id: 'large' }, { name: 'a.bin', content });
    assert.ok(refused.isErr());
    assert.equal(refused.error.code, 'payload_too_large', JSON.stringify(refused.error));
  },
  'form of 30 MB, sent whole': async ({ send, headers, api }) => {
    await api.createDealV2(deal('form'));
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
      Buffer.alloc(30 * megabyte, 'dealwright'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=b' };
    const got = await send(`${create}form/file/`, { method: 'POST', headers: form, body });
    assert.equal(got.status, 413);
    assert.equal(codeOf(got), 'payload_too_large');
  },
  'JSON of 2 MB': async ({ post }) => {
    const got = await post(create, { ...deal('x'), description: 'a'.repeat(2 * megabyte) });
    assert.equal(got.status, 413);
    assert.equal(codeOf(got), 'payload_too_large');
  },
  HEAD: async ({ send, post, headers }) => {
    await post(create, deal('head'));
    const got = await send(`${create}head/`, { method: 'HEAD', headers });
    assert.equal(got.status, 200);
    assert.equal(got.body.length, 0);
  },
  OPTIONS: async ({ send }) => {
    const got = await send(create, { method: 'OPTIONS' });
    assert.equal(got.status, 204);
    assert.match(String(got.headers.allow), /\bPOST\b/);
  },
  '20 at once': async ({ post }) => {
    const all = Array.from({ length: 20 }, (_, index) => post(create, deal(`at-once-${index}`)));
    assert.deepEqual(new Set((await Promise.all(all)).map(({ status }) => status)), new Set([201]));
  },
  'with and without the closing slash': async ({ send, post, headers }) => {
    assert.equal((await post('/api/2.0/deal', deal('slash'))).status, 201);
    assert.equal((await send(`${create}slash`, { headers })).status, 200);
    assert.equal((await send(`${create}slash/`, { headers })).status, 200);
  },
  'own users': async ({ send }) => {
    const json = { 'content-type': 'application/json' };
    const sent = (/** @type {object} */ headers, /** @type {string} */ id) =>
      send(create, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify(deal(id)),
      });
    assert.equal((await sent(session, 'own')).status, 201);
    assert.equal((await send(`${create}own/`, { headers: session })).status, 200);
    assert.equal((await sent({}, 'nobody')).status, 401);
    assert.equal((await sent({ cookie: 'session=unknown' }, 'unknown')).status, 401);
    assert.equal((await sent({ ...session, origin: 'http://evil.example' }, 'evil')).status, 401);
  },
  'what is wrong': async ({ send, post, headers }) => {
    const text = { ...headers, 'content-type': 'text/plain' };
    const invalid = await send(create, { method: 'POST', headers, body: '{' });
    assert.deepEqual([invalid.status, codeOf(invalid)], [400, 'invalid_json']);
    assert.equal((await post(create, {})).status, 400);
    assert.equal((await send(create, { method: 'POST', headers: text, body: '{}' })).status, 415);
    assert.equal((await send('/api/1.0/contractor/', { headers })).status, 405);
    const unknown = await send('/api/2.0/none/', { headers });
    assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'not_found']);
  },
  prefix: async ({ send }) => {
    const document = await send('/openapi.json');
    assert.equal(document.status, 200);
    assert.match(JSON.stringify(JSON.parse(document.body.toString()).servers), /\/deals/);
    assert.equal((await send('/healthz')).status, 200);
    assert.equal((await send('/readyz')).status, 200);
  },
  'pages in Chromium': ({ baseUrl, api }) => checkPages(baseUrl, api, token),
  'page of the host': async ({ baseUrl }) => {
    const { origin } = new URL(baseUrl);
    const page = await send(origin, '/');
    assert.equal(page.status, 200);
    assert.match(page.body.toString(), /This page is of .+ itself/);
  },
};

/** @param {import('./send.mjs').Got} got */
const codeOf = ({ body }) => JSON.parse(body.toString()).code;

/**
 * Sends requests that every host has to answer correctly, even if it changes requests. An exception
 * that is answered correctly is a failure too: its reason is no longer true.
 *
 * @param {string} baseUrl
 * @param {Readonly<Record<string, string>>} [exceptions] the reasons, by the names of requests
 * @returns {Promise<{ passed: readonly string[], failures: readonly string[], notes: readonly string[] }>}
 */
export async function runRequests(baseUrl, exceptions = {}) {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  let isRedirected = false;
  /** @type {Service['send']} */
  const sendHere = async (path, sent) => {
    const got = await send(baseUrl, path, sent);
    isRedirected ||= got.redirected;
    return got;
  };
  /** @type {Service} */
  const service = {
    baseUrl,
    headers,
    send: sendHere,
    post: (path, value, more) =>
      sendHere(path, { method: 'POST', headers, body: JSON.stringify(value), ...more }),
    api: createClient({ baseUrl, token }),
  };
  /** @type {string[]} */
  const passed = [];
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const notes = [];
  for (const [name, check] of Object.entries(checks)) {
    const reason = exceptions[name];
    const problem = await check(service).then(
      () => undefined,
      (error) => String(error?.message ?? error).replaceAll('\n', ' '),
    );
    if (problem === undefined && reason === undefined) passed.push(name);
    else if (problem !== undefined && reason !== undefined) notes.push(`${name}: ${reason}`);
    else failures.push(`${name}: ${problem ?? 'it is no exception any more'}`);
  }
  if (isRedirected) notes.push('redirects to the path with the other closing slash');
  return { passed, failures, notes };
}
