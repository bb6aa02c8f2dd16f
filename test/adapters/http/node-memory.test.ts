import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFetchHandler } from 'dealwright/http';
import { expect, test } from 'vitest';
import { asAcme, createService, dealV2, head, onNode, openSocket } from './service.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const mebibyte = 2 ** 20;
const path = '/api/2.0/deal/';

function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A stream of single bytes; `halfWay` is called before the last of them. */
function byteByByte(bytes: Uint8Array, halfWay: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at === bytes.length - 1) halfWay();
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, ++at));
      },
    },
    { highWaterMark: 0 },
  );
}

test('a body of 1 MiB in chunks of a byte takes less than 8 MiB while it comes', async () => {
  await onNode(createService(), async (_, port, server) => {
    const connected = new Promise<{ readonly bytesRead: number }>((resolve) => {
      server.once('connection', resolve);
    });
    const { socket, until } = openSocket(port);
    socket.write(head(`POST ${path}`, { ...asAcme, 'transfer-encoding': 'chunked' }));
    const connection = await connected;
    const before = used();
    const chunks = '1\r\n \r\n'.repeat(2 ** 14);
    for (let sent = 0; sent < 60; sent += 1) socket.write(chunks);
    while (connection.bytesRead < 60 * chunks.length) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    expect(used() - before).toBeLessThan(8 * mebibyte);
    const body = JSON.stringify(dealV2);
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(await until(/\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 201/);
    socket.destroy();
  });
});

test('so does one that comes as a stream of bytes', async () => {
  const body = new TextEncoder().encode(JSON.stringify(dealV2).padEnd(mebibyte));
  let atEnd = 0;
  const before = used();
  const stream = byteByByte(body, () => {
    atEnd = used();
  });
  const init: RequestInit & { readonly duplex: 'half' } = {
    method: 'POST',
    headers: asAcme,
    body: stream,
    duplex: 'half',
  };
  const request = new Request(`http://localhost${path}`, init);
  expect((await createFetchHandler(createService())(request)).status).toBe(201);
  expect(atEnd - before).toBeLessThan(8 * mebibyte);
});
