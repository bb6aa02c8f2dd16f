import { createMemoryFileStore } from 'dealwright/memory';
import { unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../kit/stored.js';
import { acme } from './marketplace-with.js';
import { abc, bytes, keyed, upload, withDeal } from './with-deal.js';

describe('a scanner', () => {
  it.each(['accepted', 'refused'] as const)(
    'sees all of the file before it is %s',
    async (verdict) => {
      const seen: unknown[] = [];
      const scanner = {
        scan: async (
          tenant: unknown,
          { content, ...facts }: { content: AsyncIterable<Uint8Array> },
        ) => {
          const pieces: Uint8Array[] = [];
          for await (const piece of content) pieces.push(piece);
          seen.push(tenant, facts, Buffer.concat(pieces).toString());
          return ok(verdict);
        },
      };
      const { api, store, id, kept } = await withDeal({ scanner });
      const result = await api.uploadFile({ id }, { ...upload, content_type: 'text/plain' }, keyed);
      const facts = { name: 'draft.txt', size: 3, sha256: abc, content_type: 'text/plain' };
      expect(seen).toEqual([acme, facts, 'abc']);
      const events = await eventsOf(store, acme);
      const isAccepted = verdict === 'accepted';
      expect([result.isOk(), (await kept()).length, events.length]).toEqual(
        isAccepted ? [true, 1, 3] : [false, 0, 2],
      );
      if (result.isErr()) {
        expect(result.error).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: ['content'], code: 'refused_by_scanner' }],
        });
      }
    },
  );
});

describe('a content that is to be scanned', () => {
  const scanner = { scan: () => ok('accepted') };
  const withFiles = (get: () => unknown) => {
    const files = createMemoryFileStore();
    return withDeal({ scanner, files: { ...files, get } });
  };

  it.each([
    ['is missing', () => ok(undefined), { outcome: 'none', retryable: false }],
    ['is no content', () => ok(7), { outcome: 'none', retryable: false }],
    [
      'cannot be read',
      () => unavailable({ outcome: 'none', retryAfter: 7 }),
      { outcome: 'none', retryable: true, retryAfter: 7 },
    ],
  ])('and %s is a failure of the file store, and nothing is recorded', async (_, get, expected) => {
    const { api, store, id } = await withFiles(get);
    const error = (await api.uploadFile({ id }, upload))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'files.get', ...expected });
    expect(await eventsOf(store, acme)).toHaveLength(2);
  });
});

describe('the time of a scanner', () => {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const deadline = 10_000;
  const pieces = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  type Content = AsyncIterable<Uint8Array>;

  /** A scanner that stops at each piece until the test lets it go on. */
  function createSlowScanner(verdict = 'accepted') {
    const waiting: (() => void)[] = [];
    const seen: { size: number; ended?: unknown } = { size: 0 };
    const scan = async (_: unknown, { content }: { content: Content }) => {
      try {
        for await (const piece of content) {
          seen.size += piece.length;
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
      } catch (cause) {
        seen.ended = cause;
      }
      return ok(verdict);
    };
    return { scan, seen, goOn: () => waiting.shift()?.() };
  }

  it('begins anew with each piece that it asks for, however long all of them take', async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const { api, id } = await withDeal({ timer, scanner });
    const uploaded = api.uploadFile({ id }, { ...upload, content: pieces() });
    for (let piece = 1; piece <= 3; piece += 1) {
      await turns();
      expect(scanner.seen.size).toBe(piece);
      timer.advance(deadline - 1);
      scanner.goOn();
    }
    expect((await uploaded).isOk()).toBe(true);
    expect(timer.sleepers()).toBe(0);
  });

  it('is over if it goes no further, and so is its reading', async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const { api, id, kept } = await withDeal({ timer, scanner });
    const uploaded = api.uploadFile({ id }, { ...upload, content: pieces() });
    await turns();
    timer.advance(deadline);
    const error = (await uploaded)._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'scanner.scan', outcome: 'none' });
    expect(await kept()).toEqual([]);
    scanner.goOn();
    await turns();
    expect([scanner.seen.size, scanner.seen.ended]).toEqual([1, expect.any(Error)]);
    expect(timer.sleepers()).toBe(0);
  });

  it("is not the file store's, which has as much for each piece", async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const arriving: ((piece: Uint8Array) => void)[] = [];
    let isReturned = false;
    const slow = async function* () {
      try {
        for (;;) yield await new Promise<Uint8Array>((resolve) => arriving.push(resolve));
      } finally {
        isReturned = true;
      }
    };
    const files = { ...createMemoryFileStore(), get: () => ok(slow()) };
    const { api, id, kept } = await withDeal({ timer, scanner, files });
    const uploaded = api.uploadFile({ id }, upload);
    await turns();
    timer.advance(deadline - 1);
    arriving.shift()?.(bytes);
    await turns();
    timer.advance(deadline - 1);
    scanner.goOn();
    await turns();
    timer.advance(deadline);
    // it takes a part for the whole file, and its verdict does not count
    const error = (await uploaded)._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'files.get', outcome: 'none' });
    expect([scanner.seen.size, scanner.seen.ended]).toEqual([3, expect.any(Error)]);
    expect(await kept()).toEqual([]);
    arriving.shift()?.(bytes);
    await turns();
    expect(isReturned).toBe(true);
    expect(timer.sleepers()).toBe(0);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('gone'))],
    [
      'throws at once',
      () => {
        throw new Error('gone');
      },
    ],
  ])('says nothing of a content that %s on the way', async (_, next) => {
    const files = {
      ...createMemoryFileStore(),
      get: () => ok({ [Symbol.asyncIterator]: () => ({ next }) }),
    };
    const { api, id } = await withDeal({ scanner: createSlowScanner(), files });
    expect((await api.uploadFile({ id }, upload))._unsafeUnwrapErr()).toMatchObject({
      port: 'files.get',
      cause: new Error('gone'),
    });
  });
});
