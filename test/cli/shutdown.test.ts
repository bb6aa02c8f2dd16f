import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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
