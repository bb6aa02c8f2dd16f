import { check, equal } from '../expectations.js';
import {
  acme,
  ask,
  bytesFrom,
  cut,
  fileId,
  group,
  joined,
  piecesOf,
  put,
  read,
  sameBytes,
} from './subject.js';

const mebibyte = 1024 * 1024;
const id = fileId(1);

/** A content is read as it was put. */
export const contents = group(
  'contents',
  {
    must: {
      '6.4/files/bytes':
        'A content is read with exactly the bytes that were stored, whether they came in one piece, in many or in none.',
      '4/files/one-piece-at-a-time':
        'A file store requests the next piece of a content once it has stored the last one, and nothing after the end.',
      '6.4/files/unchanged':
        'A content is the same at every read, even if a reader overwrites the bytes that it gets.',
      '6.4/files/readers':
        'A reader of a content may stop early, and several may read the same content at once.',
    },
  },
  (define) => {
    define('6.4/files/bytes', async (store) => {
      const empty = new Uint8Array();
      const text = bytesFrom(1, 1000);
      const binary = bytesFrom(2, 3 * mebibyte);
      const given: readonly (readonly Uint8Array[])[] = [
        [],
        [empty],
        [Uint8Array.of(0)],
        [text],
        [empty, text.subarray(0, 1), empty, empty, text.subarray(1), empty],
        cut(text, [1]),
        [binary],
        cut(binary, [65_536]),
        cut(binary, [1, 4095, 300_001, 7]),
      ];
      for (const [index, pieces] of given.entries()) {
        const own = fileId(index);
        equal(await ask(store.put(acme, own, piecesOf(...pieces))), 'stored', 'the answer');
        const expected = await joined(piecesOf(...pieces));
        sameBytes(await read(store, acme, own), expected, `content ${index}`);
      }
    });

    define('4/files/one-piece-at-a-time', async (store) => {
      const length = 6 * mebibyte;
      const expected = bytesFrom(3, length);
      // one buffer for all: a store that still reads the last piece sees the next one
      const buffer = new Uint8Array(100_003);
      let [at, asked, done] = [0, 0, false];
      const content: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          async next() {
            check(!done, 'nothing is requested after the end');
            asked += 1;
            check(asked === 1, 'one piece is asked for at a time');
            buffer.fill(0xff);
            // a sender over a network is slow
            for (let turn = 0; turn < 3; turn += 1) await undefined;
            const size = Math.min(buffer.length, length - at);
            buffer.set(expected.subarray(at, at + size));
            at += size;
            asked -= 1;
            done = size === 0;
            return done ? { done, value: undefined } : { done, value: buffer.subarray(0, size) };
          },
        }),
      };
      equal(await ask(store.put(acme, id, content)), 'stored', 'the answer');
      check(done, 'the content is read to its end');
      buffer.fill(0xff);
      sameBytes(await read(store, acme, id), expected, 'the content');
    });

    define('6.4/files/unchanged', async (store) => {
      const expected = bytesFrom(4, 200_000);
      await put(store, acme, id, expected);
      for (let turn = 0; turn < 2; turn += 1) {
        const content = await ask(store.get(acme, id));
        check(content !== undefined, 'the content is there');
        for await (const piece of content) piece.fill(0xff);
      }
      sameBytes(await read(store, acme, id), expected, 'the content');
    });

    define('6.4/files/readers', async (store) => {
      const expected = bytesFrom(5, 2 * mebibyte);
      await put(store, acme, id, expected);
      for (let turn = 0; turn < 3; turn += 1) {
        const content = await ask(store.get(acme, id));
        check(content !== undefined, 'the content is there');
        for await (const piece of content) {
          check(piece.length > 0 && piece[0] === expected[0], 'a piece of the content');
          break;
        }
      }
      const all = await Promise.all([1, 2, 3].map(() => read(store, acme, id)));
      for (const each of all) sameBytes(each, expected, 'the content');
    });
  },
);
