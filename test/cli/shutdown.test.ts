import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createShutdown } from '../../adapters/cli/shutdown.js';

it('cuts off at the deadline what never finishes', async () => {
  const server = createServer(() => {});
  const { end } = createShutdown(server, 50);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  const closed = once(socket.resume(), 'close');
  expect(await end()).toBe('cut off');
  await closed;
});

it('closes a kept connection as soon as its answer is out', async () => {
  const server = createServer((_request, response) => {
    response.write('begun');
    setTimeout(() => response.end(), 50);
  });
  // neither the deadline nor Node itself closes it within this test
  server.keepAliveTimeout = 300_000;
  const { end } = createShutdown(server, 300_000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  expect(await end()).toBe('finished');
});

it('answers what was sent before the port closed, and was not read yet', async () => {
  const server = createServer((_request, response) => response.end('done'));
  const { end } = createShutdown(server, 300_000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const answersOf = async (socket: Socket) => {
    let said = '';
    for await (const text of socket.setEncoding('utf8')) said += text;
    return said.match(/HTTP\/1\.1 200/g)?.length ?? 0;
  };
  const [kept, fresh] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  kept.write(request);
  await once(kept, 'data');
  await until(server, 2);
  // the system has the bytes, and the server reads them in its next turn
  kept.write(request);
  fresh.write(request);
  const ended = end();
  expect(await Promise.all([answersOf(kept), answersOf(fresh)])).toEqual([1, 1]);
  expect(await ended).toBe('finished');
});

it('answers who had connected before the port closed, and was not accepted yet', async () => {
  const server = createServer((_request, response) => response.end('done'));
  const { end } = createShutdown(server, 300_000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  // the connection was requested from the system, and the server had no turn since
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const ended = end();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let said = '';
  for await (const text of socket) said += text;
  expect(said).toMatch(/^HTTP\/1\.1 200/);
  expect(await ended).toBe('finished');
});

/** Waits until this many connections are accepted. */
async function until(server: Server, count: number): Promise<void> {
  const open = promisify(server.getConnections.bind(server));
  while ((await open()) < count) await sleep(5);
}
