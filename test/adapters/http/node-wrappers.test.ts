import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { ErrorReport, Handler } from 'dealwright/http';
import { createFetchHandler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import { expect, test } from 'vitest';
import { answersBehind, type Middleware, servedBehind } from './behind.js';
import { asAcme, contractor, createService, head, openSocket } from './service.js';

/** Wrappers of `writeHead` as they are found in front of a listener. */
const wrappers: Readonly<Record<string, Middleware>> = {
  'takes objects alone, and returns nothing': (_, response, next) => {
    const { writeHead } = response;
    const wrapper = (status: number, headers: object = {}) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      writeHead.call(response, status);
    };
    Object.assign(response, { writeHead: wrapper });
    next();
  },
  'copies the headers first, as on-headers before 1.1 does': (_, response, next) => {
    const { writeHead } = response;
    const wrapper = (status: number, headers: object = {}) => {
      const entries = Array.isArray(headers) ? headers : Object.entries(headers);
      for (const [name = '', value = ''] of entries) response.setHeader(name, value);
      return writeHead.call(response, status);
    };
    Object.assign(response, { writeHead: wrapper });
    next();
  },
  'observes, as monitoring does': (_, response, next) => {
    const { writeHead, end } = response;
    const seen = (status: number, ...more: readonly unknown[]) => {
      const headers = Object(more.at(-1));
      response.setHeader('x-seen', `${status} ${headers['content-type'] ?? 'none'}`);
      Reflect.apply(writeHead, response, [status, ...more]);
    };
    const ended = (...all: readonly unknown[]) => Reflect.apply(end, response, all);
    Object.assign(response, { writeHead: seen, end: ended });
    next();
  },
  'ends later, as a session that is saved first does': (_, response, next) => {
    const { end } = response;
    const later = (...all: readonly unknown[]) => {
      setTimeout(() => Reflect.apply(end, response, all), 5);
      return false;
    };
    Object.assign(response, { end: later });
    next();
  },
};

test.each(Object.entries(wrappers))(
  'behind a wrapper that %s, answers are as without it',
  async (_, wrapper) => {
    const without = await answersBehind((_request, _response, next) => next());
    const behind = await answersBehind(wrapper, ['x-seen']);
    expect(behind).toEqual(without);
    expect(behind['create']?.head).toContain('content-type: application/json');
    expect(behind['download']?.head).toMatch(/etag: "/);
  },
);

test('what others say about caches stays said', async () => {
  const varying: Middleware = (_, response, next) => {
    response.setHeader('Vary', 'Accept-Encoding');
    next();
  };
  const { create } = await answersBehind(varying);
  expect(create?.head).toContain('vary: Accept-Encoding, Origin');
});

/** A service that remembers what it told the host. */
function watched() {
  const told: ErrorReport[] = [];
  const service = createService({ onError: (report) => told.push(report) });
  return { service, told };
}

const create = (headers: Record<string, string> = {}) => {
  const body = JSON.stringify(contractor);
  const all = { ...asAcme, ...headers, 'content-length': Buffer.byteLength(body) };
  return `${head('POST /api/1.0/contractor/', all)}${body}`;
};

/** Fails in so many calls of `writeHead`. */
const breaksDown = (times: number): Middleware => {
  let left = times;
  return (_, response, next) => {
    const { writeHead } = response;
    const wrapper = (...all: readonly unknown[]) => {
      if (left > 0) {
        left -= 1;
        throw new Error('the wrapper broke down');
      }
      return Reflect.apply(writeHead, response, all);
    };
    Object.assign(response, { writeHead: wrapper });
    next();
  };
};

test('a failure in sending is told with its cause, and answered by 500', async () => {
  const { service, told } = watched();
  await servedBehind(service, breaksDown(1), async (port) => {
    const { socket, until } = openSocket(port);
    socket.write(create({ 'x-request-id': 'r1', accept: 'application/problem+json' }));
    const received = await until(/\r\n\r\n\{.*\}$/s);
    expect(received).toMatch(/^HTTP\/1\.1 500 /);
    expect(received).toContain('x-request-id: r1');
    expect(received).toContain('content-type: application/problem+json');
    expect(received).toContain('"code":"internal"');
    expect(received).not.toContain('broke down');
    // the connection goes on
    socket.write(head('GET /healthz', {}));
    expect(await until(/"ok"\}$/)).toContain('HTTP/1.1 200 OK');
    socket.destroy();
  });
  expect(told).toEqual([
    { request_id: 'r1', code: 'internal', cause: new Error('the wrapper broke down') },
  ]);
});

test('if nothing can be sent, the connection ends, and each failure is told once', async () => {
  const { service, told } = watched();
  await servedBehind(service, breaksDown(9), async (port) => {
    const { socket, received, closed } = openSocket(port);
    socket.write(create());
    await closed;
    expect(received()).toBe('');
  });
  expect(told).toHaveLength(1);
});

/** A handler of the host's own that changes the answers of ours. */
const changed = (service: Handler, headers: Readonly<Record<string, string>>): Handler => ({
  ...service,
  async handle(request) {
    const answered = await service.handle(request);
    return { ...answered, headers: { ...answered.headers, ...headers } };
  },
});

const impossible = { 'x-own': 'line\nbreak' };

/** An answer of Fetch whose headers HTTP cannot carry. */
const answerOf = (service: Handler) =>
  createFetchHandler(changed(service, impossible))(
    new Request('http://127.0.0.1/healthz', { headers: { 'x-request-id': 'r2' } }),
  );

test('a header that HTTP cannot carry is a failure in sending, in Node and in Fetch', async () => {
  const { service, told } = watched();
  await servedBehind(changed(service, impossible), undefined, async (port) => {
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([answered.status, (await answered.json()).code]).toEqual([500, 'internal']);
  });
  const answered = await answerOf(service);
  expect([answered.status, answered.headers.get('x-request-id')]).toEqual([500, 'r2']);
  expect(told.map(({ cause }) => Object(cause).name)).toEqual(['TypeError', 'TypeError']);
});

test.each([
  ['before its first byte', 0, 500],
  ['half-way', 1, 200],
])('a content that fails %s is told, in Node and in Fetch', async (_, pieces, status) => {
  const { service, told } = watched();
  const body = () =>
    (async function* () {
      for (let piece = 0; piece < pieces; piece += 1) yield Buffer.from('Once');
      throw new Error('the disk is gone');
    })();
  const broken: Handler = {
    ...service,
    handle: async () => ({ status: 200, headers: { 'content-length': '16' }, body: body() }),
  };
  await servedBehind(broken, undefined, async (port) => {
    const answered = await fetch(`http://127.0.0.1:${port}/`);
    expect(answered.status).toBe(status);
    if (status === 200) await expect(answered.text()).rejects.toThrow();
    else expect(await answered.json()).toMatchObject({ code: 'internal' });
  });
  const answered = await createFetchHandler(broken)(new Request('http://127.0.0.1/'));
  await expect(answered.text()).rejects.toThrow('the disk is gone');
  expect(told.map(({ cause }) => cause)).toEqual(Array(2).fill(new Error('the disk is gone')));
});

test('a handler that cannot tell why gives a bare 500', async () => {
  const rejects: Handler = { handle: () => Promise.reject(new Error('moody')) };
  const telling: Handler = {
    ...rejects,
    sendFailed() {
      throw new Error('moody too');
    },
  };
  for (const handler of [rejects, telling]) {
    await servedBehind(handler, undefined, async (port) => {
      const answered = await fetch(`http://127.0.0.1:${port}/healthz`);
      expect([answered.status, await answered.text()]).toEqual([500, '']);
    });
    const answered = await createFetchHandler(handler)(new Request('http://127.0.0.1/healthz'));
    expect([answered.status, await answered.text()]).toEqual([500, '']);
  }
});

/** The promise of a listener, with what was true of the response as it ended. */
async function ended(
  handler: Handler,
  sent: string,
  run: (client: ReturnType<typeof openSocket>) => Promise<unknown> | unknown,
) {
  const listener = createNodeListener(handler);
  const ends: Promise<ServerResponse>[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    ends.push(listener(request, response).then(() => response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = openSocket((server.address() as AddressInfo).port);
  client.socket.write(sent);
  try {
    await run(client);
    await expect.poll(() => ends.length).toBe(1);
    return await ends[0];
  } finally {
    client.socket.destroy();
    server.closeAllConnections();
    server.close();
  }
}

test('the promise of the listener ends with the answer', async () => {
  const answered = await ended(createService(), create(), () => undefined);
  expect([answered?.statusCode, answered?.writableFinished]).toEqual([201, true]);
});

test('it ends as the client goes away', async () => {
  let isAsked = false;
  const never: Handler = {
    async handle() {
      isAsked = true;
      const body = (async function* () {
        for (;;) yield Buffer.alloc(2 ** 16);
      })();
      return { status: 200, headers: {}, body };
    },
  };
  const answered = await ended(never, head('GET /', {}), async ({ socket }) => {
    await expect.poll(() => isAsked).toBe(true);
    socket.destroy();
  });
  expect([answered?.destroyed, answered?.writableFinished]).toEqual([true, false]);
});

test('it never rejects', async () => {
  const rejects: Handler = { handle: () => Promise.reject(new Error('moody')) };
  const answered = await ended(rejects, head('GET /', {}), () => undefined);
  expect(answered?.statusCode).toBe(500);
});

test('and in Fetch beside Hono, whose Response judges headers only as they are read', async () => {
  const ofRuntime = Object.getOwnPropertyDescriptors(globalThis);
  getRequestListener(() => new Response());
  try {
    expect(Response).not.toBe(ofRuntime.Response.value);
    const { service, told } = watched();
    const answered = await answerOf(service);
    expect([answered.status, answered.headers.get('x-request-id')]).toEqual([500, 'r2']);
    expect(told.map(({ cause }) => Object(cause).name)).toEqual(['TypeError']);
  } finally {
    Object.defineProperties(globalThis, {
      Request: ofRuntime.Request,
      Response: ofRuntime.Response,
    });
  }
});
