import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { DealInput } from 'dealwright';
import {
  type ClientOptions,
  createClient,
  type DealwrightClient,
  type FetchLike,
} from 'dealwright/client';
import { dealInput } from 'dealwright/spec';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestHandler, serve } from '../../kit/service.js';

const token = 'a-token-that-nobody-may-see';
const [sample] = fc.sample(dealInput(), { numRuns: 1, seed: 1 });
if (sample === undefined) throw new Error('a sample of one has one');
const deal: DealInput = sample;

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

async function errorFrom(options: Omit<ClientOptions, 'token'>) {
  const result = await createClient({ token, attempts: 1, ...options }).createDeal(deal);
  return result._unsafeUnwrapErr();
}

const unavailable = (outcome: 'none' | 'unknown') => ({
  code: 'unavailable',
  port: 'transport',
  outcome,
  retryable: true,
});

describe('a service that does not answer', () => {
  it('is unavailable without effect if no server listens', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    await close();
    const error = await errorFrom({ baseUrl });
    expect(error).toMatchObject({ ...unavailable('none'), cause: 'ECONNREFUSED' });
  });

  it('may have acted if it hangs', async () => {
    const baseUrl = await listen(() => undefined);
    const error = await errorFrom({ baseUrl, timeout: 30 });
    expect(error).toMatchObject({ ...unavailable('unknown'), cause: 'no answer within 30 ms' });
  });

  it('may have acted if it hangs in the middle of its answer', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.write('{"data":');
    });
    expect(await errorFrom({ baseUrl, timeout: 50 })).toMatchObject(unavailable('unknown'));
  });

  it('may have acted if an injected fetch does not listen to the signal', async () => {
    const fetch: FetchLike = () => new Promise(() => undefined);
    const error = await errorFrom({ baseUrl: 'http://127.0.0.1:1', fetch, timeout: 20 });
    expect(error).toMatchObject(unavailable('unknown'));
  });

  it('may have acted if the connection breaks', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('data', () => socket.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const error = await errorFrom({ baseUrl: `http://127.0.0.1:${port}` });
    expect(error).toMatchObject({ ...unavailable('unknown'), cause: 'the connection failed' });
    expect(sockets.length).toBe(1);
  });

  it('may have acted if a success is cut off', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(201, { 'Content-Length': '1000' });
      response.write('{"data":');
      setImmediate(() => response.destroy());
    });
    expect(await errorFrom({ baseUrl })).toMatchObject(unavailable('unknown'));
  });

  it('keeps the error of its status if the body of an error is cut off', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(409, { 'Content-Length': '1000' });
      response.write('{"code":');
      setImmediate(() => response.destroy());
    });
    expect((await errorFrom({ baseUrl })).code).toBe('deal_exists');
  });

  const broken: Readonly<Record<string, () => unknown>> = {
    'throws at once': (): never => {
      throw new Error('no');
    },
    'throws nothing': (): never => {
      throw undefined;
    },
    rejects: () => Promise.reject(new Error('no')),
    'rejects with what cannot be read': () => Promise.reject(revoked()),
    'answers with nothing': () => undefined,
    'answers with something else': () => ({ status: 201 }),
  };
  it.each(Object.entries(broken))('may have acted if an injected fetch %s', async (_, fetch) => {
    const injected = fetch as FetchLike;
    const error = await errorFrom({ baseUrl: 'http://127.0.0.1:1', fetch: injected });
    expect(error).toMatchObject(unavailable('unknown'));
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('an answer', () => {
  it('without end is not read to its end', async () => {
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    const baseUrl = await listen((_, response) => {
      response.writeHead(201);
      const write = () => {
        while (!response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', write);
      write();
    });
    const error = await errorFrom({ baseUrl });
    expect(error).toMatchObject({ code: 'unexpected_response', status: 201 });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('that is too long for a fetch without streams is refused too', async () => {
    const text = JSON.stringify({ data: { id: 1, stage_ids: [1] } });
    const fetchOf =
      (body: string): FetchLike =>
      async () => ({
        status: 201,
        headers: { get: () => null },
        text: async () => body,
      });
    const baseUrl = 'http://127.0.0.1:1';
    const ok = await createClient({ baseUrl, token, fetch: fetchOf(text) }).createDeal(deal);
    expect(ok._unsafeUnwrap()).toEqual({ id: 1, stage_ids: [1] });
    const long = ' '.repeat(2 ** 20) + text;
    const error = await errorFrom({ baseUrl, fetch: fetchOf(long) });
    expect(error).toMatchObject({ code: 'unexpected_response', status: 201 });
  });

  it.each([
    [
      'a create',
      2 ** 20,
      (api: DealwrightClient) => api.createDeal(deal),
      '{"id":1,"stage_ids":[2]}',
    ],
    ['a read', 2 ** 24, (api: DealwrightClient) => api.listCategories(), '[]'],
  ] as const)('of %s is read up to a limit', async (_, limit, ask, data) => {
    const bare = `{"data":${data}}`;
    for (const [size, isRead] of [
      [limit, true],
      [limit + 1, false],
    ] as const) {
      const body = bare.padEnd(size);
      const fetch: FetchLike = async () => new Response(body, { status: 200 });
      const result = await ask(createClient({ baseUrl: 'http://127.0.0.1:1', token, fetch }));
      expect(result.isOk()).toBe(isRead);
      if (result.isErr()) expect(result.error.code).toBe('unexpected_response');
    }
  });

  it.each([undefined, 'text', new Uint16Array(1)])(
    'whose reader gives %s for ever is given up at once',
    async (value) => {
      let reads = 0;
      let cancels = 0;
      const body = {
        getReader: () => ({
          async read() {
            reads += 1;
            // stop here a client that goes on, or no other code would ever run
            return { done: reads > 1000, value: value as never };
          },
          async cancel() {
            cancels += 1;
          },
        }),
      };
      const headers = { get: () => null };
      const fetch: FetchLike = async () => ({ status: 201, headers, body, text: async () => '' });
      const error = await errorFrom({ baseUrl: 'http://127.0.0.1:1', fetch });
      expect(error).toMatchObject(unavailable('unknown'));
      expect([reads, cancels]).toEqual([1, 1]);
    },
  );

  it('in many pieces is one', async () => {
    const text = new TextEncoder().encode('{"data":{"id":1,"stage_ids":[2]},"ż":"😀"}');
    const body = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of text) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
    const fetch: FetchLike = async () => new Response(body(), { status: 201 });
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', token, fetch });
    expect((await client.createDeal(deal))._unsafeUnwrap()).toEqual({ id: 1, stage_ids: [2] });
  });

  it('to a body beyond the limit of the service says what it is', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closers.push(close);
    const client = createClient({ baseUrl, token: 'token-of-sandbox-acme' });
    const description = 'x'.repeat(2 * 1024 * 1024);
    const error = (await client.createDeal({ ...deal, description }))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unexpected_response', status: 413 });
  });

  it('to a wrong token is unauthorized, in the language of the call', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closers.push(close);
    const client = createClient({ baseUrl, token });
    const error = (await client.createDeal(deal, { language: 'pl' }))._unsafeUnwrapErr();
    expect(error.code).toBe('unauthorized');
    expect(error.message).toContain('nagłówka');
  });
});
