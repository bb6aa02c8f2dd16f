import * as fc from 'fast-check';
import { equal, holds, show } from '../../expectations.js';
import { entriesOf } from '../creates/create.js';
import { expectStatus, group, type Members, type Reply } from '../server.js';
import { dispositionOf, nameIn } from './disposition.js';
import {
  base64Of,
  binary,
  draft,
  expectBytes,
  filePart,
  inEachReader,
  ofBinaryFile,
  type ReadingPlace,
  sha256Of,
  storedFile,
} from './place.js';

/** Names that need more than quotation marks in a header. */
const hardNames = {
  '6.4/files/filename': ['draft.txt', 'Second draft; page 7, of (9).pdf'],
  '6.4/files/filename-quoted': ['the "last" draft.txt', 'C:\\draft.txt', "it's.txt"],
  '6.4/files/filename-percent': ['100%.txt', '100%25.txt', 'a+b.txt'],
  '6.4/files/filename-non-ascii': [
    'za\u017c\u00f3\u0142\u0107.txt',
    '\u5951\u7d04.pdf',
    '\ud83d\ude00',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names that would break a header. */
const brokenNames = [
  'a\r\nX-Planted: 1',
  'a\nb.txt',
  'a\tb.txt',
  '\u0001.txt',
  '"',
  '\u202etxt.exe',
];

/** Any bytes, and such as look like the boundary of a form. */
const anyContent = fc.oneof(
  fc.uint8Array({ minLength: 1 }),
  fc
    .array(fc.constantFrom('\r\n', '\r', '\n', '--', '-', 'x5kqRb0undary7Z'), { minLength: 1 })
    .map((pieces) => new TextEncoder().encode(pieces.join(''))),
);

/** Decision 6.4: the way back. */
export const downloads = group(
  'downloads of files',
  {
    must: {
      '6.4/files/download': 'A download of a file is 200.',
      '6.4/files/download-bytes': 'A download has exactly the bytes that were uploaded as JSON.',
      '6.4/files/download-bytes-of-form':
        'A download has exactly the bytes that were uploaded as a form.',
      '6.4/files/download-random': 'A download has the bytes of the upload, whatever they are.',
      '6.4/files/download-empty': 'A download of a file of size 0 is 200 without any byte.',
      '6.4/files/download-length':
        'A header `Content-Length` of a download is the number of its bytes.',
      '6.4/files/attachment': 'A download has `Content-Disposition: attachment`.',
      '6.4/files/filename': 'The `Content-Disposition` of a download has the name of the file.',
      '6.4/files/filename-quoted':
        'The `Content-Disposition` has a name with quotation marks or backslashes unchanged.',
      '6.4/files/filename-percent':
        'The `Content-Disposition` has a name with percent signs unchanged.',
      '6.4/files/filename-non-ascii':
        'The `Content-Disposition` has a name beyond ASCII as `filename*` in UTF-8 (RFC 6266).',
      '6.4/files/filename-any': 'A file is downloaded whatever its name: no name breaks a header.',
      '6.4/files/nosniff': 'A download has `X-Content-Type-Options: nosniff`.',
      '6.4/files/etag': 'A download has a strong `ETag` that is the SHA-256 of the file.',
      '6.4/files/unchangeable': 'A file stays as it is after a `PUT`, `PATCH` or `DELETE`.',
      '5.2/files/head': 'A `HEAD` of a file is 200.',
      '5.2/files/head-empty': 'The answer to a `HEAD` of a file has no body.',
      '5.2/files/head-headers': 'A `HEAD` of a file has the headers of its download.',
      '5.2/files/head-length':
        'A header `Content-Length` of a `HEAD` of a file is the size of the file.',
      '5.2/files/head-unknown': 'A `HEAD` of a file that does not exist is 404 without a body.',
    },
    should: {
      '6.4/files/download-type': 'A download has the `Content-Type` of the upload.',
      '6.4/files/download-length-known': 'A download has a header `Content-Length`.',
    },
  },
  (define) => {
    const inEach = inEachReader(define);
    const ofEachFile = ofBinaryFile(define);

    ofEachFile('6.4/files/download', async (get) => {
      expectStatus(await get({}), 200);
    });

    ofEachFile('6.4/files/download-bytes', async (get) => {
      expectBytes(await get({}), binary);
    });

    inEach('6.4/files/download-bytes-of-form', async (place) => {
      const { id } = await place.uploadForm({ ...filePart, content: binary });
      expectBytes(await place.get(id), binary);
    });

    inEach('6.4/files/download-random', async (place) => {
      const property = fc.asyncProperty(anyContent, fc.boolean(), async (content, isForm) => {
        const { id } = isForm
          ? await place.uploadForm({ ...filePart, content })
          : await place.upload({ content: base64Of(content) });
        expectBytes(await place.get(id), content);
      });
      await holds(property, place.server.random);
    });

    inEach('6.4/files/download-empty', async (place) => {
      const reply = await place.send({ body: { ...draft, content: '' } });
      if (reply.status === 400) return;
      const download = await place.get(storedFile(reply).id);
      expectStatus(download, 200);
      equal(download.bytes.length, 0, 'the number of bytes');
    });

    ofEachFile('6.4/files/download-length', async (get) => {
      const length = (await get({})).header('content-length');
      if (length !== null) equal(length, String(binary.length), 'the header Content-Length');
    });

    ofEachFile('6.4/files/download-length-known', async (get) => {
      const length = (await get({})).header('content-length');
      equal(length, String(binary.length), 'the header Content-Length');
    });

    for (const type of ['text/csv', 'text/html', 'text/plain; charset=iso-8859-2']) {
      inEach(
        '6.4/files/download-type',
        async (place) => {
          const reply = await downloaded(place, { content_type: type });
          equal(reply.header('content-type'), type, 'the header Content-Type');
        },
        type,
      );
    }

    ofEachFile('6.4/files/attachment', async (get) => {
      equal(dispositionOf(await get({})).type, 'attachment', 'the disposition');
    });

    for (const [id, names] of entriesOf(hardNames)) {
      inEach(id, async (place) => {
        for (const name of names) {
          const disposition = dispositionOf(await downloaded(place, { name }));
          equal(nameIn(disposition), name, 'the name in the header Content-Disposition');
        }
      });
    }

    inEach('6.4/files/filename-any', async (place) => {
      for (const name of brokenNames) {
        const reply = await place.send({ body: { ...draft, name } });
        if (reply.status === 400) continue;
        const download = await place.get(storedFile(reply).id);
        expectStatus(download, 200);
        equal(dispositionOf(download).type, 'attachment', `the disposition of ${show(name)}`);
        equal(download.header('x-planted'), null, 'a header that is a part of the name');
      }
    });

    ofEachFile('6.4/files/nosniff', async (get) => {
      const value = (await get({})).header('x-content-type-options');
      equal(value?.toLowerCase(), 'nosniff', 'the header X-Content-Type-Options');
    });

    ofEachFile('6.4/files/etag', async (get) => {
      const etag = (await get({})).header('etag');
      equal(etag?.toLowerCase(), `"${await sha256Of(binary)}"`, 'the header ETag');
    });

    inEach('6.4/files/unchangeable', async (place) => {
      const { id } = await place.upload({ content: base64Of(binary) });
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        await place.caller.send(method, `${place.path}${id}/`, { body: draft });
      }
      const reply = await place.get(id);
      expectStatus(reply, 200);
      expectBytes(reply, binary);
    });

    ofEachFile('5.2/files/head', async (get) => {
      expectStatus(await get({}, 'HEAD'), 200);
    });

    ofEachFile('5.2/files/head-empty', async (get) => {
      equal((await get({}, 'HEAD')).bytes.length, 0, 'the number of bytes');
    });

    ofEachFile('5.2/files/head-length', async (get) => {
      const length = (await get({}, 'HEAD')).header('content-length');
      if (length !== null) equal(length, String(binary.length), 'the header Content-Length');
    });

    ofEachFile('5.2/files/head-headers', async (get) => {
      const [whole, head] = [await get({}), await get({}, 'HEAD')];
      const names = ['content-type', 'content-disposition', 'x-content-type-options', 'etag'];
      const of = (reply: Reply) => names.map((name) => [name, reply.header(name)]);
      equal(Object.fromEntries(of(head)), Object.fromEntries(of(whole)), 'the headers');
    });

    inEach('5.2/files/head-unknown', async (place) => {
      const reply = await place.get('01ARZ3NDEKTSV4RRFFQ69G5FAV', {}, 'HEAD');
      expectStatus(reply, 404);
      equal(reply.bytes.length, 0, 'the number of bytes');
    });
  },
);

/** Uploads the draft with these changes, and downloads it. */
async function downloaded(place: ReadingPlace, changes: Members): Promise<Reply> {
  const { id } = await place.upload(changes);
  return place.get(id);
}
