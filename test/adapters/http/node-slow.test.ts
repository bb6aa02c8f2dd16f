import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeListener } from 'dealwright/node';
import { expect, test } from 'vitest';
import { asAcme, contractor, createService, head, onNode, openSocket } from './service.js';
import { asForm, createUploads, expectNothing, filePart } from './uploads.js';

const path = '/api/1.0/contractor/';
const json = JSON.stringify(contractor);
const wholeAnswer = /\r\n\r\n\{.*\}$/s;
const short = { listener: { bodyIdleTimeout: 200 }, connectionsCheckingInterval: 50 };
const timedOut = /^HTTP\/1\.1 408 Request Timeout\r\n(?:.*\r\n)*\r\n\{"type":"about:blank"/;

const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

test.each([0, -1, 1.5, Number.NaN, 2 ** 31, '1'])('a time-out of %s is refused', (given) => {
  const options = { bodyIdleTimeout: given } as { bodyIdleTimeout: number };
  expect(() => createNodeListener(createService(), options)).toThrow(TypeError);
});

test.each([
  ['declared', { 'content-length': json.length }, json.slice(0, -1)],
  ['in chunks', { 'transfer-encoding': 'chunked' }, '5\r\n{"ema'],
  ['that does not begin', { 'content-length': json.length }, ''],
])('a JSON body %s that stalls is ended with 408', async (_, headers, sent) => {
  const statuses: number[] = [];
  const service = createService({ onRequest: ({ status }) => statuses.push(status) });
  await onNode(
    service,
    async (__, port) => {
      const { socket, received, closed } = openSocket(port);
      socket.write(head(`POST ${path}`, { ...asAcme, ...headers }) + sent);
      await closed;
      expect(received()).toMatch(timedOut);
      expect(received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
    short,
  );
  expect(statuses).toEqual([400]);
});

test.each(['', filePart('work').slice(0, 60), filePart('work')])(
  'a form that stalls is ended with 408, and nothing is kept (%#)',
  async (sent) => {
    const uploads = await createUploads();
    await onNode(
      uploads.handler,
      async (_, port) => {
        const { socket, received, closed } = openSocket(port);
        socket.write(head(`POST ${uploads.path}`, { ...asForm, 'content-length': 100_000 }) + sent);
        await closed;
        expect(received()).toMatch(timedOut);
      },
      short,
    );
    await expectNothing(uploads);
  },
);

test('a server without a listener for it answers a bare 408', async () => {
  const server = createServer(createNodeListener(createService(), short.listener));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { socket, received, closed } = openSocket((server.address() as AddressInfo).port);
  socket.write(head(`POST ${path}`, { ...asAcme, 'content-length': 10 }));
  await closed;
  expect(received()).toBe('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('a body that goes on, however slowly, is waited for', async () => {
  await onNode(
    createService(),
    async (_, port) => {
      const { socket, until } = openSocket(port);
      socket.write(head(`POST ${path}`, { ...asAcme, 'content-length': json.length }));
      for (let at = 0; at < json.length; at += 40) {
        socket.write(json.slice(at, at + 40));
        await pause(250);
      }
      expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 201/);
      socket.destroy();
    },
    { ...short, listener: { bodyIdleTimeout: 2_000 } },
  );
});

test('a body that goes on byte by byte is ended when the request as a whole takes too long', async () => {
  await onNode(
    createService(),
    async (_, port) => {
      const { socket, received, closed } = openSocket(port);
      socket.write(head(`POST ${path}`, { ...asAcme, 'content-length': json.length }));
      const drip = setInterval(() => socket.write(' '), 20);
      await closed;
      clearInterval(drip);
      expect(received()).toMatch(timedOut);
    },
    { ...short, requestTimeout: 400, headersTimeout: 300 },
  );
});

test.each([
  ['nothing at all', ''],
  ['a head that does not end', 'GET /healthz HTTP/1.1\r\nhost: x\r\n'],
])('a client that sends %s is ended', async (_, sent) => {
  await onNode(
    createService(),
    async (__, port) => {
      const { socket, received, closed } = openSocket(port);
      socket.write(sent);
      const drip = setInterval(() => sent !== '' && socket.write('x'), 20);
      await closed;
      clearInterval(drip);
      expect(received()).toMatch(timedOut);
    },
    { ...short, requestTimeout: 400, headersTimeout: 300 },
  );
});

test.each([
  ['in the head', 'GET /healthz HTTP/1.1\r\nhost'],
  ['in the body', head(`POST ${path}`, { ...asAcme, 'content-length': 10 })],
  ['in a form', head('POST /api/1.0/deal/1/file/', { ...asForm, 'content-length': 10 })],
])('a client that closes its half %s is released', async (_, sent) => {
  await onNode(createService(), async (__, port) => {
    const { socket, closed } = openSocket(port);
    socket.end(sent);
    await closed;
  });
});

test('the rest of a small body is not waited for without end after its answer', async () => {
  await onNode(
    createService(),
    async (_, port) => {
      const { socket, received, closed } = openSocket(port);
      socket.write(head(`POST ${path}`, { 'content-length': 1000 }));
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 401/);
      expect(received()).toMatch(wholeAnswer);
    },
    // by this time-out, Node would end connections that wait for their next request
    { ...short, keepAliveTimeout: 0 },
  );
});

test('200 stalled connections do not pile up, and the others are answered meanwhile', async () => {
  const uploads = await createUploads();
  await onNode(
    uploads.handler,
    async (baseUrl, port, server) => {
      const kinds = [
        '',
        'GET /healthz HTTP/1.1\r\nhost: x\r\n',
        head(`POST ${path}`, { ...asAcme, 'content-length': 1000 }),
        head(`POST ${path}`, { ...asAcme, 'transfer-encoding': 'chunked' }),
        head(`POST ${uploads.path}`, { ...asForm, 'content-length': 100_000 }) + filePart('work'),
        head(`POST ${path}`, { 'content-length': 1000 }),
      ];
      const stalled = Array.from({ length: 200 }, (_, index) => {
        const opened = openSocket(port);
        opened.socket.write(kinds[index % kinds.length] ?? '');
        return opened;
      });
      let ended = 0;
      for (const { closed } of stalled) {
        closed.then(() => {
          ended += 1;
        });
      }
      for (let asked = 0; asked < 20; asked += 1) {
        const response = await fetch(`${baseUrl}/healthz`);
        expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
      }
      // connections without a head have five seconds
      expect(ended).toBeLessThan(stalled.length);
      await Promise.all(stalled.map(({ closed }) => closed));
      const count = await new Promise<number>((resolve) => {
        server.getConnections((_, open) => resolve(open));
      });
      // the connections of the 20 requests are kept
      expect(count).toBeLessThanOrEqual(2);
    },
    { ...short, requestTimeout: 5000, headersTimeout: 5000 },
  );
  await expectNothing(uploads);
});

test.each([
  ['a target of 64 KiB', head(`GET /${'x'.repeat(65_536)}`, {}), 431],
  ['a header of 17 KiB', head('GET /healthz', { x: 'x'.repeat(17_000) }), 431],
  [
    '17 KiB of headers',
    head(
      'GET /healthz',
      Object.fromEntries(Array.from({ length: 1700 }, (_, i) => [`x-${i}`, 'y'.repeat(5)])),
    ),
    431,
  ],
  [
    '900 headers',
    head(
      'GET /healthz',
      Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'y'])),
    ),
    200,
  ],
  [
    '4500 headers of 4 bytes',
    `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(4500)}\r\n`,
    431,
  ],
  [
    '17 KiB, of which Node counts 12',
    `GET /healthz HTTP/1.1\r\nhost: x\r\n${'abcdef: ghijklm\r\n'.repeat(980)}\r\n`,
    431,
  ],
  ['a target of 8 KiB', head(`GET /healthz?${'x'.repeat(8000)}`, {}), 200],
  ['a NUL in the target', head('GET /healthz?\0', {}), 400],
  ['a control character in the target', head('GET /healthz?\x01', {}), 400],
  ['a space in the target', head('GET /health z', {}), 400],
  ['a NUL in a header', head('GET /healthz', { x: 'a\0b' }), 400],
  ['a bare return in a header', head('GET /healthz', { x: 'a\rb' }), 400],
  ['a header that is folded', head('GET /healthz', { x: 'a\r\n b' }), 400],
  ['a header without a name', head('GET /healthz', { '': 'a' }), 400],
  [
    'two framings',
    head(`POST ${path}`, { ...asAcme, 'content-length': 2, 'transfer-encoding': 'chunked' }),
    400,
  ],
  [
    'a framing that is unknown',
    head(`POST ${path}`, { ...asAcme, 'transfer-encoding': 'gzip' }),
    400,
  ],
])('%s', async (_, sent, status) => {
  await onNode(createService(), async (baseUrl, port) => {
    const { socket, until } = openSocket(port);
    socket.write(Buffer.from(sent, 'latin1'));
    expect(await until(wholeAnswer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.destroy();
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

test('a method that HTTP does not have is named as the fault', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until } = openSocket(port);
    socket.write(head('BREW /healthz', {}));
    expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 400 [^{]*\{.*"detail":"[^"]* method /s);
    socket.destroy();
  });
});
