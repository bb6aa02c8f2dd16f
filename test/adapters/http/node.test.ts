import { once } from 'node:events';
import { createServer } from 'node:http';
import { createNodeListener } from 'dealwright/node';
import { expect, test } from 'vitest';
import { asAcme, contractor, createService, deal, head, onNode, openSocket } from './service.js';

const path = '/api/1.0/contractor/';
const json = JSON.stringify(contractor);
const wholeAnswer = /\r\n\r\n\{.*\}$/s;

test('the documented examples over the wire', async () => {
  await onNode(createService(), async (baseUrl) => {
    const post = async (to: string, body: object) => {
      const response = await fetch(baseUrl + to, {
        method: 'POST',
        headers: asAcme,
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const registered = await post(path, contractor);
    expect(registered).toMatchObject({
      status: 201,
      text: '{"success":true,"data":{"contractor_email":"user@example.com"}}',
    });
    expect(registered.headers.get('content-type')).toBe('application/json');
    expect(registered.headers.get('content-length')).toBe(String(registered.text.length));
    expect((await post(path, contractor)).status).toBe(409);
    const created = await post('/api/1.0/deal/', deal);
    expect(created.status).toBe(201);
    expect(created.text).toMatch(/^\{"success":true,"data":\{"id":\d+,"stage_ids":\[\d+\]\}\}$/);
    expect((await post('/api/1.0/deal', deal)).status).toBe(409);
  });
});

test('the length of an answer is that of its bytes', async () => {
  await onNode(createService(), async (baseUrl) => {
    const response = await fetch(baseUrl + path, { headers: { 'accept-language': 'pl' } });
    const bytes = await response.arrayBuffer();
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(new TextDecoder().decode(bytes)).toContain('Żądanie wymaga');
  });
});

test('HEAD and OPTIONS have no body, and the connection goes on', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until } = openSocket(port);
    socket.write(head('HEAD /healthz', {}) + head('OPTIONS *', {}) + head('GET /healthz', {}));
    const received = await until(/"ok"\}$/);
    expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(
      ['200', '204', '200'].map((s) => `HTTP/1.1 ${s}`),
    );
    const [first = '', second = ''] = received.split(/(?<=\r\n\r\n)(?=HTTP)/);
    expect(first).toMatch(/content-length: 15\r\n/i);
    expect(second).not.toMatch(/content-length|transfer-encoding/i);
    socket.destroy();
  });
});

test('a request line may hold the whole URL', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until } = openSocket(port);
    socket.write(head('GET http://localhost/healthz?x', {}));
    expect(await until(/"ok"\}$/)).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });
});

test.each(['http://localhost?x=/healthz', 'http://localhost#/healthz', 'http://localhost'])(
  'the path of %s is without its query and fragment',
  async (target) => {
    await onNode(createService(), async (_, port) => {
      const { socket, until } = openSocket(port);
      socket.write(head(`GET ${target}`, {}));
      expect(await until(/\}$/)).toMatch(/^HTTP\/1\.1 40[04]/);
      socket.destroy();
    });
  },
);

test('a body in chunks, a byte at a time, with its length unknown', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until } = openSocket(port);
    socket.setNoDelay(true);
    socket.write(head(`POST ${path}`, { ...asAcme, 'transfer-encoding': 'chunked' }));
    for (const character of json) {
      socket.write(`1\r\n${character}\r\n`);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    socket.write('0\r\n\r\n');
    expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 201/);
    socket.destroy();
  });
});

test('a character that is cut in two by the network is whole again', async () => {
  await onNode(createService(), async (_, port) => {
    const bytes = Buffer.from(JSON.stringify({ ...contractor, name: 'Łódź 😀' }));
    const { socket, until } = openSocket(port);
    socket.write(head(`POST ${path}`, { ...asAcme, 'content-length': bytes.length }));
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 201/);
    socket.destroy();
  });
});

test.each([
  ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost: x\r\njunk\r\n\r\n', 400],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['an unknown version', 'GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n', 400],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
  ],
  [
    'an invalid chunk',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
])('%s is no HTTP: %s', async (_, bytes, status) => {
  await onNode(createService(), async (__, port) => {
    const { socket, received, closed } = openSocket(port);
    socket.write(Buffer.from(bytes, 'latin1'));
    await closed;
    const answers = received().split(/(?=HTTP\/1\.1)/);
    const last = answers.at(-1) ?? '';
    if (answers.length === 1) {
      expect(last).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(last).toMatch(/x-request-id: [0-9A-Z]{26}\r\n/i);
      expect(JSON.parse(last.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        type: 'about:blank',
        status,
      });
    } else {
      // the fault came after an answer that was sent
      expect(answers[0]).toMatch(/^HTTP\/1\.1 4/);
    }
  });
});

test('a handler that is not ours may reject: 500, and the process goes on', async () => {
  let isFirst = true;
  const handler = createService();
  const moody = {
    async handle(request: Parameters<typeof handler.handle>[0]) {
      if (!isFirst) return handler.handle(request);
      isFirst = false;
      throw new Error('moody');
    },
  };
  await onNode(moody, async (baseUrl) => {
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(500);
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

test('a body that was read before is no reason to wait', async () => {
  const listener = createNodeListener(createService());
  const server = createServer(async (request, response) => {
    await once(request.resume(), 'end');
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}${path}`;
  const response = await fetch(url, { method: 'POST', headers: asAcme, body: json });
  expect([response.status, (await response.json()).code]).toEqual([500, 'internal']);
  server.closeAllConnections();
  server.close();
});
