import { createFetchHandler } from 'dealwright/http';
import type { FileStore } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, test } from 'vitest';
import { createDownloads, getByFetch, getByHeart, getByNode, text } from './downloads.js';
import { asAcme, head, onNode, openSocket } from './service.js';

/** A store that returns these pieces, and reports when its reader is done. */
function createSource(pieces: () => AsyncGenerator<Uint8Array>) {
  let isReleased = false;
  let releases: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    releases = resolve;
  });
  async function* content() {
    try {
      yield* pieces();
    } finally {
      isReleased = true;
      releases();
    }
  }
  const store: Partial<FileStore> = { get: () => ok(content()) };
  return { store, released, isReleased: () => isReleased };
}

const failing = createSourceOf(async function* () {
  yield Buffer.from('Once');
  throw new Error('the disk is gone');
});
const short = createSourceOf(async function* () {
  yield Buffer.from('Once');
});
function createSourceOf(pieces: () => AsyncGenerator<Uint8Array>) {
  return () => createSource(pieces);
}

describe.each([
  ['fails half-way', failing],
  ['gives fewer bytes than it has', short],
])('if the store %s', (_, create) => {
  test('the client sees it, and the content is released', async () => {
    for (const get of [getByHeart, getByFetch, getByNode]) {
      const { store, released } = create();
      const { handler, path } = await createDownloads('a.txt', store);
      await expect(get(handler, path)).rejects.toThrow();
      await released;
    }
  });

  test('a connection of Node breaks before the length that was announced', async () => {
    const { handler, path } = await createDownloads('a.txt', create().store);
    await onNode(handler, async (_baseUrl, port) => {
      const socket = openSocket(port);
      socket.socket.write(head(`GET ${path}`, asAcme));
      await socket.closed;
      const [told = '', content] = socket.received().split('\r\n\r\n');
      expect(told).toContain('content-length: 16');
      expect(content).toBe('Once');
    });
  });
});

test('more bytes than the record has are not sent', async () => {
  const { store } = createSource(async function* () {
    yield Buffer.from(`${text}, and more`);
    yield Buffer.from('more');
  });
  const { handler, path } = await createDownloads('a.txt', store);
  expect((await getByNode(handler, path)).body.toString()).toBe(text);
});

describe('a client that goes away', () => {
  /** Endless pieces, of a file that claims to be as long. */
  const endless = () =>
    createSource(async function* () {
      for (;;) yield Buffer.alloc(1);
    });
  const long = 'x'.repeat(2 ** 20);

  test('releases the content of the Node listener', async () => {
    const { store, released, isReleased } = endless();
    const { handler, path } = await createDownloads('a.txt', store, long);
    await onNode(handler, async (_baseUrl, port) => {
      const { socket, until } = openSocket(port);
      socket.write(head(`GET ${path}`, asAcme));
      await until(/\r\n\r\n/);
      expect(isReleased()).toBe(false);
      socket.destroy();
      await released;
    });
  });

  test('releases the content of the fetch handler', async () => {
    const { store, released, isReleased } = endless();
    const { handler, path } = await createDownloads('a.txt', store, long);
    const request = new Request(`http://localhost${path}`, { headers: asAcme });
    const reader = (await createFetchHandler(handler)(request)).body?.getReader();
    await reader?.read();
    expect(isReleased()).toBe(false);
    await reader?.cancel();
    await released;
  });
});

test('a file whose content is lost is a fault of the service, before anything is sent', async () => {
  const { handler, path } = await createDownloads('a.txt', { get: () => ok(undefined) });
  expect((await getByNode(handler, path)).status).toBe(500);
});
