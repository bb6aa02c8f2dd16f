// Middleware that hosts have in front of us, in old versions and in new ones: an answer is the one
// that it would be without, but for what the middleware is there to add.
import { createRequire } from 'node:module';
import type { Handler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import { beforeAll, expect, test } from 'vitest';
import { ensureTools } from '../../kit/tools.js';
import { answersBehind, type Middleware, type Received, servedBehind } from './behind.js';
import { asAcme, contractor, createService, deal } from './service.js';

/** A package of `test/tools/middleware`, under the name that it has there. */
let load: (name: string) => unknown;
let without: Readonly<Record<string, Received>>;

beforeAll(async () => {
  const packages = await ensureTools('middleware');
  const require = createRequire(`${packages}/`);
  load = (name) => require(name);
  without = await answersBehind((_request, _response, next) => next());
}, 120_000);

type Maker = (...options: readonly unknown[]) => Middleware;
const make = (name: string, ...options: readonly unknown[]) => (load(name) as Maker)(...options);

/** Headers of helmet's defaults that our answers do not have. */
const ofHelmet = [
  ...['content-security-policy', 'cross-origin-embedder-policy', 'cross-origin-opener-policy'],
  ...['expect-ct', 'origin-agent-cluster', 'referrer-policy', 'strict-transport-security'],
  ...['x-dns-prefetch-control', 'x-download-options', 'x-frame-options'],
  ...['x-permitted-cross-domain-policies', 'x-xss-protection', 'cross-origin-resource-policy'],
  'x-content-type-options',
];
const session = { secret: 'a secret', resave: true, saveUninitialized: true };
const mute = { stream: { write: () => true } };

/** The options of each middleware, and the headers that are its own. */
const middleware: Readonly<Record<string, readonly [options: unknown[], own: string[]]>> = {
  'express-session': [[session], ['set-cookie']],
  'cookie-session': [[{ keys: ['a key'] }], ['set-cookie']],
  morgan: [['combined', mute], []],
  'response-time': [[], ['x-response-time']],
  helmet: [[], ofHelmet],
};
const versions = ['old', 'new'];
const each = Object.keys(middleware).flatMap((name) => versions.map((version) => [name, version]));

test.each(each)('behind %s, %s', async (name, version) => {
  const [options, own] = middleware[name as string] as [unknown[], string[]];
  const added = new Set<string>();
  const layer = make(`${name}-${version}`, ...options);
  const behind = await answersBehind((request, response, next) => {
    layer(request, response, (problem) => {
      const { session: kept } = request as { session?: object };
      // a session that has something in it sets its cookie
      if (kept !== undefined) Object.assign(kept, { seen: 1 });
      next(problem);
    });
    response.on('finish', () => {
      for (const header of own) if (response.hasHeader(header)) added.add(header);
    });
  }, own);
  expect(withoutLines(behind, own)).toEqual(withoutLines(without, own));
  // it did what it is there for
  if (own.length > 0) expect(added.size).toBeGreaterThan(0);
});

const withoutLines = (answers: typeof without, own: readonly string[]) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, { head, body }]) => [
      name,
      { body, head: head.split('\n').filter((line) => !own.includes(nameOf(line))) },
    ]),
  );
const nameOf = (line: string) => line.split(':', 1)[0]?.toLowerCase() ?? '';

test.each(versions)('behind all of them in their order, %s', async (version) => {
  // a host has one kind of session
  const names = Object.keys(middleware).filter((name) => name !== 'cookie-session');
  const layers = names.map((name) => make(`${name}-${version}`, ...(middleware[name]?.[0] ?? [])));
  const all: Middleware = (request, response, next) => {
    const go = (at: number): void => {
      const layer = layers[at];
      if (layer === undefined) next();
      else layer(request, response, () => go(at + 1));
    };
    go(0);
  };
  const own = Object.values(middleware).flatMap(([, names]) => names);
  const behind = await answersBehind(all, own);
  expect(withoutLines(behind, own)).toEqual(withoutLines(without, own));
});

test.each(versions)('behind compression, %s: the same, compressed', async (version) => {
  const layer = make(`compression-${version}`, { threshold: 0 });
  const own = ['content-encoding', 'content-length', 'transfer-encoding', 'vary'];
  // without Accept-Encoding
  const plain = await answersBehind(layer, own);
  expect(withoutLines(plain, own)).toEqual(withoutLines(without, own));
  await servedBehind(createService(), layer, async (port) => {
    const url = `http://127.0.0.1:${port}`;
    const headers = { ...asAcme, 'accept-encoding': 'gzip' };
    const post = (path: string, body: object) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const created = await post('/api/1.0/contractor/', contractor);
    expect([created.status, created.headers.get('content-encoding')]).toEqual([201, 'gzip']);
    expect(await created.json()).toMatchObject({ success: true });
    await post('/api/1.0/deal/', deal);
    const content = Buffer.from('Once upon a time. '.repeat(1000));
    const uploaded = await post(`/api/2.0/deal/${deal.partner_id}/file/`, {
      ...{ name: 'a.txt', content_type: 'text/plain', content: content.toString('base64') },
    });
    const { id } = (await uploaded.json()).data;
    const path = `${url}/api/2.0/deal/${deal.partner_id}/file/${id}/`;
    const read = await fetch(path, { headers });
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
    // the bytes of a range are those of the file, not of its compressed form
    const range = await fetch(path, { headers: { ...headers, range: 'bytes=5-8' } });
    expect(range.headers.get('content-encoding')).toBeNull();
    expect([range.status, await range.text()]).toEqual([206, 'upon']);
  });
});

test('a request and a response of node-mocks-http', async () => {
  const { createMocks } = load('node-mocks-http') as Mocks;
  const listener = createNodeListener(createService());
  const ask = async (method: string, url: string, body?: object) => {
    const { req, res } = createMocks({ method, url, headers: asAcme, ...(body && { body }) });
    await listener(req, res);
    expect(res._isEndCalled()).toBe(true);
    return { status: res._getStatusCode(), headers: res._getHeaders(), text: res._getData() };
  };
  const created = await ask('POST', '/api/1.0/contractor/', contractor);
  expect(created).toMatchObject({
    status: 201,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    text: '{"success":true,"data":{"contractor_email":"user@example.com"}}',
  });
  expect((await ask('GET', '/api/2.0/deal/')).status).toBe(200);
  expect((await ask('GET', '/api/2.0/unknown/')).status).toBe(404);
});

interface Mocks {
  createMocks(request: object): {
    readonly req: Parameters<ReturnType<typeof createNodeListener>>[0];
    readonly res: Parameters<ReturnType<typeof createNodeListener>>[1] & {
      _isEndCalled(): boolean;
      _getStatusCode(): number;
      _getHeaders(): object;
      _getData(): string;
    };
  };
}

test.each(versions)('in a function, by serverless-http, %s', async (version) => {
  const wrap = load(`serverless-http-${version}`) as (app: unknown, options: object) => Invoke;
  const binary = { binary: ['text/plain'] };
  const call = wrap(createNodeListener(createService()), binary);
  const ask = (method: string, path: string, body = '', headers: object = asAcme) =>
    call({ httpMethod: method, path, headers, body, requestContext: {} }, {});
  const created = await ask('POST', '/api/1.0/contractor/', JSON.stringify(contractor));
  expect(created).toMatchObject({
    statusCode: 201,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: '{"success":true,"data":{"contractor_email":"user@example.com"}}',
  });
  await ask('POST', '/api/1.0/deal/', JSON.stringify(deal));
  const content = Buffer.from('Zażółć gęślą jaźń '.repeat(10_000));
  const upload = { name: 'a.txt', content_type: 'text/plain', content: content.toString('base64') };
  const files = `/api/2.0/deal/${deal.partner_id}/file/`;
  const uploaded = await ask('POST', files, JSON.stringify(upload));
  const read = await ask('GET', `${files}${JSON.parse(uploaded.body).data.id}/`);
  expect(read.statusCode).toBe(200);
  expect(read.headers['etag']).toMatch(/^"[0-9a-f]{64}"$/);
  expect(Buffer.from(read.body, 'base64').equals(content)).toBe(true);
  expect((await ask('HEAD', '/healthz')).headers['content-length']).toBe('15');
});

type Invoke = (event: object, context: object) => Promise<Answer>;
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

test.each(versions)('a failure behind serverless-http, %s, is answered too', async (version) => {
  const wrap = load(`serverless-http-${version}`) as (app: unknown, options: object) => Invoke;
  const rejects: Handler = { handle: () => Promise.reject(new Error('moody')) };
  const call = wrap(createNodeListener(rejects), {});
  const answered = await call(
    { httpMethod: 'GET', path: '/healthz', headers: {}, body: '', requestContext: {} },
    {},
  );
  expect(answered.statusCode).toBe(500);
});
