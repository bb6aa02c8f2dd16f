import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { FetchLike } from 'dealwright/client';
import { afterEach, describe, expect, it } from 'vitest';
import { acme, additions, came, json, recording, repositories, textsOf, token } from './asking.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const html = (status: number) => async () =>
  new Response('<html>', { status, headers: { 'Content-Type': 'text/html' } });

/** What the service answers, and the failure that it is. */
const answers: readonly (readonly [string, FetchLike, object])[] = [
  [
    '401',
    async () => json(401, { code: 'unauthorized', detail: `no such token: ${token}` }),
    { outcome: 'none', retryable: false, cause: { code: 'unauthorized' } },
  ],
  [
    '404',
    async () => json(404, { code: 'not_found' }),
    {
      outcome: 'none',
      retryable: false,
      cause: { code: 'unexpected_response', status: 404, problem: 'not_found' },
    },
  ],
  [
    '413',
    async () => json(413, { code: 'payload_too_large' }),
    { outcome: 'none', retryable: false, cause: { status: 413 } },
  ],
  [
    '422 without a key',
    async () => json(422, {}),
    { outcome: 'none', retryable: false, cause: { status: 422 } },
  ],
  ['400 of another shape', html(400), { outcome: 'none', retryable: false }],
  [
    'a redirect',
    async () => new Response(null, { status: 307, headers: { Location: 'https://evil.example' } }),
    { outcome: 'none', retryable: false, cause: { code: 'unexpected_response', status: 307 } },
  ],
  ['201 of HTML', html(201), { outcome: 'unknown', retryable: false, cause: { status: 201 } }],
  [
    '201 of another shape',
    async () => json(201, { data: [] }),
    { outcome: 'unknown', retryable: false, cause: { status: 201 } },
  ],
  [
    '201 that says no',
    async () => json(201, { success: false, data: {} }),
    { outcome: 'unknown', retryable: false },
  ],
  [
    '429',
    async () => json(429, {}, { 'Retry-After': '7' }),
    { outcome: 'none', retryable: true, retryAfter: 7, cause: { code: 'rate_limited' } },
  ],
  [
    '503',
    async () => json(503, {}, { 'Retry-After': '9' }),
    { outcome: 'unknown', retryable: true, retryAfter: 9, cause: { code: 'unavailable' } },
  ],
  [
    '503 of a service that has done nothing',
    async () => json(503, { outcome: 'none' }),
    { outcome: 'none', retryable: true },
  ],
  ['500', html(500), { outcome: 'unknown', retryable: false, cause: { reason: 'status 500' } }],
  ['502', html(502), { outcome: 'unknown', retryable: true }],
  [
    'an exception with the request in it',
    (_, request) => Promise.reject(Object.assign(new Error(token), { config: request })),
    { outcome: 'unknown', retryable: true },
  ],
];

describe('an answer that is no decision', () => {
  it.each(answers)('%s', async (_, answer, failure) => {
    const { fetch, sent } = recording(answer);
    const store = repositories({ fetch });
    for (const [, add] of additions) {
      const failed = await add(store);
      expect(failed).toMatchObject({ failure: { code: 'unavailable', ...failure } });
      expect(textsOf(failed).filter((text) => text.includes(token))).toEqual([]);
    }
    // whoever calls decides whether there is another attempt
    expect(sent).toHaveLength(additions.length);
  });
});

describe('a service that cannot be reached, or falls silent', () => {
  it('has got nothing where nobody listens', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    for (const [, add] of additions) {
      expect(await add(repositories({ baseUrl: `http://127.0.0.1:${port}` }))).toMatchObject({
        failure: { outcome: 'none', retryable: true, cause: { reason: 'ECONNREFUSED' } },
      });
    }
  });

  it('may have acted where it hangs, and is asked once', async () => {
    let count = 0;
    const baseUrl = await listen(() => {
      count += 1;
    });
    for (const [, add] of additions) {
      expect(await add(repositories({ baseUrl, timeout: 1_000 }))).toMatchObject({
        failure: { outcome: 'unknown', retryable: true, cause: { code: 'unavailable' } },
      });
    }
    expect(count).toBe(additions.length);
  });

  it('may have acted where it resets the connection, and is asked once', async () => {
    let count = 0;
    const baseUrl = await listen((request) => {
      count += 1;
      request.socket.resetAndDestroy();
    });
    for (const [, add] of additions) {
      expect(await add(repositories({ baseUrl }))).toMatchObject({
        failure: { outcome: 'unknown', retryable: true },
      });
    }
    expect(count).toBe(additions.length);
  });

  it('may have acted where its answer breaks off', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(201, { 'Content-Length': '1000' });
      response.write('{"data":');
      setImmediate(() => response.destroy());
    });
    for (const [, add] of additions) {
      expect(await add(repositories({ baseUrl }))).toMatchObject({
        failure: { outcome: 'unknown', retryable: true },
      });
    }
  });
});

describe('what the interface has no operation for', () => {
  it('is unavailable without a request, and no retry helps', async () => {
    const { fetch, sent } = recording(async () => json(200, {}));
    const { contractors, deals, dealsV2 } = repositories({ fetch });
    const none = undefined as never;
    const results = [
      await contractors.byKey(acme, none),
      await deals.save(acme, none),
      await deals.addWorkFile(acme, none),
      await deals.recordedWorkFiles(acme, []),
      await dealsV2.save(acme, none),
    ];
    for (const result of results) {
      const failure = { outcome: 'none', retryable: false, cause: { code: 'no_operation' } };
      expect(came(result)).toEqual({ failure: { code: 'unavailable', ...failure } });
    }
    expect(sent).toEqual([]);
  });
});
