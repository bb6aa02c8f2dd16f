import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Handler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import { afterEach, describe, expect, test } from 'vitest';
import { asAcme, createService, dealV2, head, onNode, openSocket } from './service.js';

const path = '/api/2.0/deal/';
const body = JSON.stringify(dealV2);
const health = head('GET /healthz', {});
const create = (partner_id: string, headers: Record<string, string> = {}) => {
  const own = JSON.stringify({ ...dealV2, partner_id });
  return `${head(`POST ${path}`, { ...asAcme, ...headers, 'content-length': own.length })}${own}`;
};

const statusesOf = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('what is no HTTP, after requests that are', () => {
  test.each([
    ['a byte', [create('a'), '@'], [201, 400]],
    ['bytes', [health, health, create('a'), '@@'], [200, 200, 201, 400]],
    ['a request after the last', [create('a', { connection: 'close' }), health], [201]],
    [
      'a head that is too long',
      [create('a'), head('GET /', { x: 'x'.repeat(20_000) })],
      [201, 431],
    ],
    [
      'a body that breaks off the rules',
      [create('a'), head(`POST ${path}`, { ...asAcme, 'transfer-encoding': 'chunked' }), 'zz\r\n'],
      [201, 400],
    ],
  ])('%s: all that came whole is answered first', async (_, parts, expected) => {
    await onNode(createService(), async (__, port) => {
      const { socket, received, closed } = openSocket(port);
      socket.write(parts.join(''));
      await closed;
      expect(statusesOf(received())).toEqual(expected);
    });
  });
});

test('bytes that are no HTTP, and a time-out before their answer: one answer to both', async () => {
  const service = createService();
  let release = () => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Handler = {
    async handle(request) {
      await opened;
      return service.handle(request);
    },
  };
  await onNode(slow, async (_, port, server) => {
    const connected = once(server, 'connection');
    const refused = once(server, 'clientError');
    const { socket, received, closed } = openSocket(port);
    socket.write(`${create('a')}@`);
    const [connection] = await connected;
    await refused;
    // the error of Node for a connection whose time is over, with or without other mistakes
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, connection);
    release();
    await closed;
    expect(statusesOf(received())).toEqual([201, 400]);
  });
});

test('a body that breaks the rules after its own answer gets no second one', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, received, until, closed } = openSocket(port);
    socket.write(head(`POST ${path}`, { 'transfer-encoding': 'chunked' }));
    await until(/unauthorized/);
    socket.write('zz\r\n');
    await closed;
    expect(statusesOf(received())).toEqual([401]);
  });
});

describe('after a middleware', () => {
  type Middleware = (request: IncomingMessage, go: () => void) => void;
  const servers: { closeAllConnections(): void; close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** The status of a create whose body comes in two parts. */
  async function createBehind(middleware: Middleware, first: string, second: string) {
    const listener = createNodeListener(createService());
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      middleware(request, () => listener(request, response));
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { socket, until } = openSocket((server.address() as AddressInfo).port);
    const length = Buffer.byteLength(first + second);
    socket.write(`${head(`POST ${path}`, { ...asAcme, 'content-length': length })}${first}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    socket.write(second);
    const received = await until(/\r\n\r\n\{/);
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
  }
  const halves = [body.slice(0, 40), body.slice(40)] as const;

  test.each<[string, Middleware]>([
    [
      'that sets an encoding',
      (request, go) => {
        request.setEncoding('utf8');
        go();
      },
    ],
    [
      'that pauses',
      (request, go) => {
        request.pause();
        go();
      },
    ],
    [
      'that takes its time',
      (_, go) => {
        setTimeout(go, 20);
      },
    ],
  ])('%s, a body is read', async (_, middleware) => {
    expect(await createBehind(middleware, ...halves)).toBe(201);
    expect(await createBehind(middleware, body, '')).toBe(201);
  });

  test.each<[string, Middleware]>([
    [
      'that reads',
      (request, go) => {
        request.on('readable', () => undefined);
        go();
      },
    ],
    [
      'that has read a part',
      (request, go) => {
        request.once('data', () => go());
      },
    ],
  ])('%s, a body is not guessed at', async (_, middleware) => {
    expect(await createBehind(middleware, 'GARBAGE', body)).toBe(500);
  });
});

describe('over HTTP/2', () => {
  /** Sends a request with an endless body, and waits until the stream is over. */
  async function askHalfWay(headers: Record<string, string | number>, sent: string) {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const listener = createNodeListener(createService({ bodyLimit: 1000 }));
    // the compatibility layer of node:http2 has all members that the listener uses
    const server = createHttp2Server(listener as never);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const opened = once(server, 'stream');
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
    let status: number | undefined;
    let received = '';
    stream.on('response', (answered) => {
      status = answered[':status'];
    });
    stream.on('data', (text: Buffer) => {
      received += text;
    });
    stream.write(sent);
    const ended = once(stream, 'end');
    const [taken] = (await opened) as [ServerHttp2Stream];
    await Promise.all([ended, once(taken, 'close')]);
    session.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    process.off('warning', note);
    return { status, code: JSON.parse(received).code, reset: stream.rstCode, warnings };
  }

  test.each([
    ['before its body', { 'content-length': 1e6 }, '{', 401, 'unauthorized'],
    ['before a body of unknown length', {}, '{', 401, 'unauthorized'],
    ['by the length of its body', { ...asAcme, 'content-length': 1e6 }, '{', 413],
    ['half-way in a body of unknown length', asAcme, ' '.repeat(200_000), 413],
  ])(
    'what is refused %s has all of its answer, and its stream ends without an error',
    async (_, headers, sent, status, code = 'payload_too_large') => {
      expect(await askHalfWay(headers, sent)).toEqual({ status, code, reset: 0, warnings: [] });
    },
  );

  test('a create is answered, and the stream ends by itself', async () => {
    const server = createHttp2Server(createNodeListener(createService()) as never);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const events: unknown[] = [];
    for (const length of [{}, { 'content-length': body.length }]) {
      const stream = session.request({ ':method': 'POST', ':path': path, ...asAcme, ...length });
      stream.on('aborted', () => events.push('aborted'));
      stream.on('response', (headers) => events.push(headers[':status']));
      stream.resume();
      stream.end(body);
      await once(stream, 'close');
    }
    session.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(events).toEqual([201, 409]);
  });
});
