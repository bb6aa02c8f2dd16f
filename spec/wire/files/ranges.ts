import { check, equal } from '../../expectations.js';
import { entriesOf } from '../creates/create.js';
import { expectStatus, group } from '../server.js';
import {
  binary,
  draft,
  expectBytes,
  expectOneOf,
  inEachReader,
  ofBinaryFile,
  storedFile,
} from './place.js';

const size = binary.length;
const last = size - 1;

/** Ranges of a part of the file: the first and the last byte of it. */
const parts = {
  '6.4/files/range-first': ['bytes=0-99', 0, 99],
  '6.4/files/range-middle': ['bytes=100-299', 100, 299],
  '6.4/files/range-one-byte': ['bytes=13-13', 13, 13],
  '6.4/files/range-last-byte': [`bytes=${last}-${last}`, last, last],
  '6.4/files/range-open': ['bytes=1000-', 1000, last],
  '6.4/files/range-suffix': ['bytes=-10', size - 10, last],
  '6.4/files/range-beyond': [`bytes=1000-${10 * size}`, 1000, last],
} as const satisfies Readonly<Record<string, readonly [string, number, number]>>;

/** Ranges of the whole file: a server may ignore them. */
const wholes = [`bytes=0-${last}`, 'bytes=0-', `bytes=-${size}`, `bytes=-${10 * size}`];

const unsatisfiable = [`bytes=${size}-`, `bytes=${size}-${size + 9}`, 'bytes=-0'];

/** Not ranges: a server may ignore or refuse them. */
const malformed = [
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=9-5',
  'bytes=a-b',
  'bytes=5',
  'bytes=1-2-3',
];

/** Decision 6.4: ranges (RFC 9110, section 14). */
export const ranges = group(
  'ranges of files',
  {
    must: {
      '6.4/files/range-first': 'A range of the first bytes of a file is 206 with those bytes.',
      '6.4/files/range-middle': 'A range of bytes within a file is 206 with those bytes.',
      '6.4/files/range-one-byte': 'A range of one byte is 206 with that byte.',
      '6.4/files/range-last-byte': 'A range of the last byte is 206 with that byte.',
      '6.4/files/range-open': 'A range without an end is 206 with all bytes from its beginning on.',
      '6.4/files/range-suffix':
        'A range without a beginning, of the last bytes, is 206 with those bytes.',
      '6.4/files/range-beyond':
        'A range that ends beyond the file is 206 with the bytes up to the end of the file.',
      '6.4/files/range-whole': 'A range of the whole file is answered with the whole file.',
      '6.4/files/range-content-range':
        'A 206 of one range has the header `Content-Range` with its bytes and the size of the file.',
      '6.4/files/range-length':
        'A header `Content-Length` of a 206 is the number of bytes of the range.',
      '6.4/files/range-etag': 'A 206 has the `ETag` of the whole file.',
      '6.4/files/range-unsatisfiable': 'A range without any byte of the file is not 206.',
      '6.4/files/range-malformed':
        'A malformed range is ignored or refused: it is neither 206 nor an error of the server.',
      '6.4/files/range-unit': 'A range of another unit than bytes is ignored.',
      '6.4/files/range-several':
        'Several ranges are ignored, refused, or answered with `multipart/byteranges`.',
      '6.4/files/range-of-empty': 'A range of a file of size 0 is ignored or 416.',
      '6.4/files/range-of-head': 'A `HEAD` with a range is 200.',
    },
    should: {
      '6.4/files/range-416': 'A range without any byte of the file is 416.',
      '6.4/files/range-416-content-range':
        'A 416 has the header `Content-Range` with the size of the file.',
      '6.4/files/accept-ranges': 'A download has the header `Accept-Ranges: bytes`.',
    },
  },
  (define) => {
    const ofEachFile = ofBinaryFile(define);

    for (const [id, [range, from, to]] of entriesOf(parts)) {
      ofEachFile(id, async (get) => {
        const reply = await get({ range });
        expectStatus(reply, 206);
        expectBytes(reply, binary.subarray(from, to + 1));
      });
    }

    ofEachFile('6.4/files/range-whole', async (get) => {
      for (const range of wholes) {
        const reply = await get({ range });
        expectOneOf(reply, 200, 206);
        expectBytes(reply, binary);
      }
    });

    ofEachFile('6.4/files/range-content-range', async (get) => {
      for (const [range, from, to] of Object.values(parts)) {
        const expected = `bytes ${from}-${to}/${size}`;
        equal((await get({ range })).header('content-range'), expected, 'the Content-Range');
      }
    });

    ofEachFile('6.4/files/range-length', async (get) => {
      const length = (await get({ range: 'bytes=100-299' })).header('content-length');
      if (length !== null) equal(length, '200', 'the Content-Length');
    });

    ofEachFile('6.4/files/range-etag', async (get) => {
      const etag = (await get({})).header('etag');
      equal((await get({ range: 'bytes=100-299' })).header('etag'), etag, 'the ETag');
    });

    ofEachFile('6.4/files/range-unsatisfiable', async (get) => {
      for (const range of unsatisfiable) expectOneOf(await get({ range }), 200, 416);
    });

    ofEachFile('6.4/files/range-416', async (get) => {
      for (const range of unsatisfiable) expectStatus(await get({ range }), 416);
    });

    ofEachFile('6.4/files/range-416-content-range', async (get) => {
      const reply = await get({ range: `bytes=${size}-` });
      equal(reply.header('content-range'), `bytes */${size}`, 'the Content-Range');
    });

    ofEachFile('6.4/files/range-malformed', async (get) => {
      for (const range of malformed) {
        const reply = await get({ range });
        expectOneOf(reply, 200, 400, 416);
        if (reply.status === 200) expectBytes(reply, binary);
      }
    });

    ofEachFile('6.4/files/range-unit', async (get) => {
      const reply = await get({ range: 'lines=0-1' });
      expectStatus(reply, 200);
      expectBytes(reply, binary);
    });

    ofEachFile('6.4/files/range-several', async (get) => {
      const reply = await get({ range: 'bytes=0-9,100-109' });
      expectOneOf(reply, 200, 206, 400, 416);
      if (reply.status === 200) expectBytes(reply, binary);
      if (reply.status !== 206) return;
      const type = reply.header('content-type') ?? '';
      check(/^multipart\/byteranges/i.test(type), `multipart/byteranges\n  actual: ${type}`);
    });

    ofEachFile('6.4/files/range-of-head', async (get) => {
      expectStatus(await get({ range: 'bytes=0-9' }, 'HEAD'), 200);
    });

    ofEachFile('6.4/files/accept-ranges', async (get) => {
      equal((await get({})).header('accept-ranges'), 'bytes', 'the Accept-Ranges');
    });

    inEachReader(define)('6.4/files/range-of-empty', async (place) => {
      const reply = await place.send({ body: { ...draft, content: '' } });
      if (reply.status === 400) return;
      const { id } = storedFile(reply);
      for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
        expectOneOf(await place.get(id, { range }), 200, 416);
      }
    });
  },
);
