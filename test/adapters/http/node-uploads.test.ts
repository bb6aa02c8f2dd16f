import { createMemoryStore } from 'dealwright/memory';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { contractorOf } from '../../kit/stored.js';
import { asAcme, contractor, createService, head, onNode, openSocket } from './service.js';

const path = '/api/1.0/contractor/';
const json = JSON.stringify(contractor);
const wholeAnswer = /\r\n\r\n\{.*\}$/s;

test.each([
  ['declared', { 'content-length': 2 ** 20 + 1 }, ' '.repeat(2 ** 20 + 1)],
  [
    'in chunks',
    { 'transfer-encoding': 'chunked' },
    `100001\r\n${' '.repeat(2 ** 20 + 1)}\r\n0\r\n\r\n`,
  ],
])('1 MiB and a byte, %s: 413 that the client can read', async (_, headers, body) => {
  await onNode(createService(), async (__, port) => {
    const { socket, received, closed } = openSocket(port);
    socket.write(head(`POST ${path}`, { ...asAcme, ...headers }) + body);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413/);
    expect(received()).toMatch(/connection: close\r\n/i);
    expect(received()).toMatch(/"code":"payload_too_large"/);
  });
});

test('1 MiB is not too large', async () => {
  await onNode(createService(), async (baseUrl) => {
    const body = json.padEnd(2 ** 20);
    const response = await fetch(baseUrl + path, { method: 'POST', headers: asAcme, body });
    expect(response.status).toBe(201);
  });
});

test('a client that reads only after it has sent 8 MiB gets its 401', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, received, closed } = openSocket(port);
    socket.pause();
    const body = Buffer.alloc(8 * 2 ** 20, ' ');
    socket.write(head(`POST ${path}`, { 'content-length': body.length }));
    await new Promise((resolve) => {
      socket.write(body, resolve);
    });
    socket.resume();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 401/);
    expect(received()).toMatch(wholeAnswer);
  });
});

test('a client that never ends its body is answered before it begins, and cut off in time', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until, closed } = openSocket(port);
    socket.write(head(`POST ${path}`, { 'transfer-encoding': 'chunked' }));
    expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 401/);
    const more = setInterval(() => socket.write('1\r\n \r\n'), 20);
    await closed;
    clearInterval(more);
  });
});

test('a client that sends without end is cut off after so many bytes', async () => {
  await onNode(createService(), async (_, port, server) => {
    const { socket, received, closed } = openSocket(port);
    const served = new Promise<number>((resolve) => {
      server.on('connection', (connection) => {
        connection.on('close', () => resolve(connection.bytesRead));
      });
    });
    const body = Buffer.alloc(2 ** 20, ' ');
    socket.write(head(`POST ${path}`, { 'content-length': 2 ** 40 }));
    const pump = () => {
      while (!socket.destroyed && socket.write(body));
    };
    socket.on('drain', pump);
    pump();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 401/);
    expect(await served).toBeLessThan(20 * 2 ** 20);
  });
});

test('a client that sends chunks of a byte without end is cut off far sooner', async () => {
  await onNode(createService(), async (_, port, server) => {
    const served = new Promise<number>((resolve) => {
      server.on('connection', (connection) => {
        connection.on('close', () => resolve(connection.bytesRead));
      });
    });
    const { socket, received, closed } = openSocket(port);
    socket.write(head(`POST ${path}`, { 'transfer-encoding': 'chunked' }));
    const chunks = '1\r\n \r\n'.repeat(2 ** 14);
    const pump = () => {
      if (!socket.destroyed) socket.write(chunks, pump);
    };
    pump();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 401/);
    expect(await served).toBeLessThan(2 ** 19);
  });
});

test('an unread small body is read, and the connection goes on', async () => {
  await onNode(createService(), async (_, port) => {
    const { socket, until, isClosed } = openSocket(port);
    socket.write(head(`POST ${path}`, { 'content-length': 5000 }));
    expect(await until(wholeAnswer)).toMatch(/^HTTP\/1\.1 401/);
    socket.write(' '.repeat(5000) + head('GET /healthz', {}));
    expect(await until(/"ok"\}$/)).toMatch(/HTTP\/1\.1 200/);
    expect(isClosed()).toBe(false);
    socket.destroy();
  });
});

test('an upload that is aborted leaves nothing, and no error is reported', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  const statuses: number[] = [];
  const store = createMemoryStore();
  const service = createService({
    ports: { ...createPorts(), store },
    onRequest: ({ status }) => statuses.push(status),
  });
  await onNode(service, async (_, port) => {
    for (const reset of [true, false]) {
      const { socket, closed } = openSocket(port);
      const lines = head(`POST ${path}`, { ...asAcme, 'content-length': json.length + 1 });
      await new Promise((resolve) => {
        socket.write(lines + json, resolve);
      });
      if (reset) socket.resetAndDestroy();
      else socket.end();
      await closed;
    }
    while (statuses.length < 2) {
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
  });
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(statuses).toEqual([400, 400]);
  expect(await contractorOf(store, contractor.email)).toBeUndefined();
  expect(unhandled).toEqual([]);
});

test('a client that leaves before its answer does no harm', async () => {
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answers: number[] = [];
  const handler = createService();
  const slow = {
    async handle(request: Parameters<typeof handler.handle>[0]) {
      const answered = await handler.handle(request);
      await wait;
      answers.push(answered.status);
      return answered;
    },
  };
  await onNode(slow, async (baseUrl, port, server) => {
    const connected = new Promise<void>((resolve) => {
      server.once('connection', (connection) => connection.once('close', () => resolve()));
    });
    const { socket } = openSocket(port);
    await new Promise((resolve) => {
      socket.write(head('GET /healthz', {}), resolve);
    });
    socket.resetAndDestroy();
    await connected;
    release();
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    expect(answers).toEqual([200, 200]);
  });
});
