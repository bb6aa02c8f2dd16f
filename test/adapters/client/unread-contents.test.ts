import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type ClientUploadOptions, createClient, type FetchLike } from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import { createTestHandler, serve } from '../../kit/service.js';
import { createOfflineClient, makeDeal, token } from './service.js';

/** Contents that report when their source is closed, though they were not read. */
const sources: Readonly<Record<string, (closed: () => void) => AsyncIterable<Uint8Array>>> = {
  'a stream of Node': (closed) =>
    new Readable({
      read() {},
      destroy(error, done) {
        closed();
        done(error);
      },
    }),
  'a stream of the web': (closed) => new ReadableStream({ cancel: closed }),
  'an iterable': (closed) => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: new Uint8Array(1) }),
      return: async () => {
        closed();
        return { done: true, value: undefined };
      },
    }),
  }),
};

const refused: FetchLike = () =>
  Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
const ways: readonly (readonly [string, object, number, ClientUploadOptions, FetchLike])[] = [
  ['a wrong id', {}, 0, {}, refused],
  ['a wrong key', {}, 1, { idempotencyKey: '' }, refused],
  ['a wrong name', { name: '' }, 1, {}, async () => new Response('{}', { status: 400 })],
  [
    'a stage that throws',
    {
      name: '',
      stage_id: () => {
        throw new Error('no');
      },
    },
    1,
    {},
    refused,
  ],
  ['a signal that was aborted', {}, 1, { signal: AbortSignal.abort() }, refused],
  ['a service that nobody reaches', {}, 1, {}, refused],
  ['an answer before the content', {}, 1, {}, async () => new Response('{}', { status: 401 })],
];

describe('what a content comes from', () => {
  for (const [source, make] of Object.entries(sources)) {
    it.each(ways)(`is closed: ${source}, refused for %s`, async (_, terms, id, options, fetch) => {
      let close = () => {};
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      const api = createOfflineClient({ fetch, attempts: 2, retryBase: 0 });
      const upload = { name: 'a', ...terms, content: make(close) };
      expect((await api.uploadFile({ id }, upload, options)).isErr()).toBe(true);
      await closed;
    });
  }
});

describe('a file that cannot be read', () => {
  it.each([
    ['it is not there', '/none/such/file', 'ENOENT'],
    ['it is a folder', import.meta.dirname, 'EISDIR'],
  ])('is an error that says that %s, and is not sent again', async (_, path, code) => {
    const { baseUrl, close } = await serve(createTestHandler());
    let attempts = 0;
    const api = createClient({
      baseUrl,
      token,
      retryBase: 0,
      onExchange: () => {
        attempts += 1;
      },
      async fetch(url, request) {
        // longer than it takes to open a file: without a listener, a failed stream would end the process
        await new Promise((resolve) => setTimeout(resolve, 50));
        return fetch(url, request);
      },
    });
    const { id } = await makeDeal(api);
    attempts = 0;
    const content = createReadStream(path);
    const error = (await api.uploadFile({ id }, { name: 'a', content }))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(code),
      cause: expect.stringContaining(`Error: ${code}: `),
      errors: [{ path: ['content'], code: 'unreadable' }],
    });
    expect(attempts).toBe(1);
    const unread = await api.uploadFile({ id: 0 }, { name: 'a', content: createReadStream(path) });
    expect(unread._unsafeUnwrapErr().code).toBe('not_found');
    expect((await api.retrieveDeal(id))._unsafeUnwrap().stages[0]?.work_files).toEqual([]);
    await close();
  });

  it('breaks the same in the middle, over node:http', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    const api = createClient({ baseUrl, token });
    const { id } = await makeDeal(api);
    async function* content() {
      yield new Uint8Array(100_000);
      throw new Error('the disk is gone');
    }
    for (const each of [
      content(),
      Readable.from(content()),
      Readable.toWeb(Readable.from(content())),
    ]) {
      const upload = { name: 'a', content: each as AsyncIterable<Uint8Array> };
      expect((await api.uploadFile({ id }, upload))._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        cause: 'Error: the disk is gone',
        errors: [{ code: 'unreadable' }],
      });
    }
    await close();
  });
});
