import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describeError } from 'dealwright';
import type { FetchLike } from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import {
  answering,
  type Call,
  creates,
  errorOf,
  json,
  listen,
  recording,
  textsOf,
  through,
  token,
} from './asking.js';

const html = (status: number) => async () =>
  new Response('<html>', { status, headers: { 'Content-Type': 'text/html' } });

/** Every call that is forwarded, except uploads. */
const reads: readonly (readonly [name: string, call: Call])[] = [
  ['retrieveDeal', (api, options) => api.retrieveDeal(7, options)],
  ['retrieveDealDetails', (api, options) => api.retrieveDealDetails('order-1', options)],
  ['listDeals', (api, options) => api.listDeals({ status: 'created' }, options)],
];

/** The answer of the service, the error that it becomes, and the outcome of a create. */
const answers: readonly (readonly [string, FetchLike, object, 'none' | 'unknown'])[] = [
  [
    '401',
    async () => json(401, { code: 'unauthorized', detail: `no such token: ${token}` }),
    { retryable: false, cause: { code: 'unauthorized' } },
    'none',
  ],
  [
    '403',
    async () => json(403, { code: 'forbidden' }),
    {
      retryable: false,
      cause: { code: 'unexpected_response', status: 403, problem: 'forbidden' },
    },
    'none',
  ],
  ['404 of a proxy', html(404), { retryable: false, cause: { status: 404 } }, 'none'],
  ['400 of another shape', html(400), { retryable: false, cause: { status: 400 } }, 'none'],
  [
    'a redirect',
    async () => new Response(null, { status: 307, headers: { Location: 'https://evil.example' } }),
    { retryable: false, cause: { code: 'unexpected_response', status: 307 } },
    'none',
  ],
  ['201 of HTML', html(201), { retryable: false, cause: { status: 201 } }, 'unknown'],
  [
    '200 of another shape',
    async () => json(200, { data: [] }),
    { retryable: false, cause: { code: 'unexpected_response', status: 200 } },
    'unknown',
  ],
  [
    '201 that says no',
    async () => json(201, { success: false, data: {} }),
    { retryable: false },
    'unknown',
  ],
  [
    '429',
    async () => json(429, {}, { 'Retry-After': '7' }),
    { retryable: true, retryAfter: 7, cause: { code: 'rate_limited' } },
    'none',
  ],
  ['429 without a time', async () => json(429, {}), { retryable: true }, 'none'],
  [
    '503',
    async () => json(503, { detail: 'Kommt bald.' }, { 'Retry-After': '9' }),
    { retryable: true, retryAfter: 9, cause: 'status 503' },
    'unknown',
  ],
  [
    '503 of a service that has done nothing',
    async () => json(503, { outcome: 'none' }),
    { retryable: true },
    'none',
  ],
  ['500', html(500), { retryable: false, cause: 'status 500' }, 'unknown'],
  ['502', html(502), { retryable: true }, 'unknown'],
  [
    'an exception with the request in it',
    (_, request) => Promise.reject(Object.assign(new Error(token), { config: request })),
    { retryable: true },
    'unknown',
  ],
];

describe('a response that is not an answer of the operation', () => {
  it.each(answers)('%s', async (_, answer, expected, ofCreate) => {
    const { fetch, sent } = recording(answer);
    for (const [calls, outcome] of [
      [creates, ofCreate],
      [reads, 'none'],
    ] as const) {
      for (const [name, call] of calls) {
        const error = await errorOf(call(answering(fetch), { language: 'pl' }));
        const message = describeError('unavailable', 'pl');
        const said = { code: 'unavailable', message, port: 'transport', outcome, ...expected };
        expect(error, name).toMatchObject(said);
        expect(Object.isFrozen(error)).toBe(true);
        expect(textsOf(error).filter((text) => text.includes(token))).toEqual([]);
      }
    }
    // the caller decides whether there is another attempt
    expect(sent).toHaveLength(creates.length + reads.length);
  });
});

describe('a service that cannot be reached, or falls silent', () => {
  it('has got nothing if no server listens', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    for (const [, call] of [...creates, ...reads]) {
      const error = await errorOf(call(through({ baseUrl: `http://127.0.0.1:${port}` })));
      expect(error).toMatchObject({ outcome: 'none', retryable: true, cause: 'ECONNREFUSED' });
    }
  });

  it.each<[string, (socket: { resetAndDestroy(): unknown }) => unknown]>([
    ['hangs', () => undefined],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
  ])('may have acted if it %s, and is asked once', async (_, act) => {
    let count = 0;
    const baseUrl = await listen(({ socket }) => {
      count += 1;
      act(socket);
    });
    for (const [, call] of creates) {
      const error = await errorOf(call(through({ baseUrl, timeout: 1_000 })));
      expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retryable: true });
    }
    expect(count).toBe(creates.length);
  });

  it('may have acted if its response breaks off', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(201, { 'Content-Length': '1000' });
      response.write('{"data":');
      setImmediate(() => response.destroy());
    });
    for (const [, call] of creates) {
      const error = await errorOf(call(through({ baseUrl })));
      expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retryable: true });
    }
  });
});
