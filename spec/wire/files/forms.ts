import { check, equal } from '../../expectations.js';
import { entriesOf } from '../creates/create.js';
import { within } from '../promised.js';
import { expectError, expectStatus, group } from '../server.js';
import { type FormStyle, formOf, type Part, usualFormOf } from './form.js';
import {
  binary,
  expectOneOf,
  filePart,
  idsOf,
  inEachFace,
  sha256Of,
  storedFile,
  version2,
} from './place.js';
import { expectRefused } from './refused-uploads.js';

/** Forms that clients write, and parsers stumble over. */
const styles = {
  '4/files/form-boundary-quoted': { boundary: "it's a: (b)?=1", declared: '"it\'s a: (b)?=1"' },
  '4/files/form-around': { before: 'This is a form.\r\n', after: '\r\nThis was a form.\r\n' },
  '4/files/form-header-case': { headerNames: (name) => name.toLowerCase() },
} as const satisfies Readonly<Record<string, FormStyle>>;

/** Names of files as a part has them, and as they are. */
const filenames = {
  '4/files/form-name': ['filename="draft 7.txt"', 'draft 7.txt'],
  '4/files/form-name-unquoted': ['filename=draft-7.txt', 'draft-7.txt'],
  '4/files/form-name-signs': ['filename="a; b=c, \'d\' (e).txt"', "a; b=c, 'd' (e).txt"],
  '4/files/form-name-non-ascii': [
    'filename="za\u017c\u00f3\u0142\u0107 \ud83d\ude00.txt"',
    'za\u017c\u00f3\u0142\u0107 \ud83d\ude00.txt',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

/** Forms that are not whole, of which nothing may be stored. */
const broken = {
  '4/files/form-without-end': { end: '' },
  '4/files/form-cut-off': { end: '--x5kqRb0und' },
  '4/files/form-boundary-wrong': { declared: 'another' },
} as const satisfies Readonly<Record<string, FormStyle>>;

/** A form with a stage, in each order of its parts. */
const orders: Readonly<Record<string, (stage: string) => Part[]>> = {
  'before the file': (content) => [{ name: 'stage_id', content }, filePart],
  'after the file': (content) => [filePart, { name: 'stage_id', content }],
};

const mebibyte = 2 ** 20;

/** Decision 4: an upload as `multipart/form-data` (RFC 7578). */
export const forms = group(
  'uploads as forms',
  {
    must: {
      '4/files/form': 'An upload as a form, as a JavaScript runtime writes it, is 201.',
      '4/files/form-name': 'A file in a form has the `filename` of its part as name.',
      '4/files/form-name-unquoted': 'A `filename` in a form may be without quotation marks.',
      '4/files/form-name-signs': 'A `filename` in quotation marks may have semicolons and commas.',
      '4/files/form-name-non-ascii': 'A `filename` in a form may have any character, in UTF-8.',
      '4/files/form-type': 'A file in a form has the `Content-Type` of its part.',
      '4/files/form-type-missing':
        'A file in a form whose part has no `Content-Type` has a media type.',
      '4/files/form-bytes': 'A file in a form is stored with exactly the bytes of its part.',
      '4/files/form-bytes-like-boundary':
        'A file in a form may have ends of lines and parts of the boundary in it.',
      '4/files/form-stage': 'A form may have `stage_id` before its file or after it.',
      '4/files/form-stage-unknown':
        'A `stage_id` of a form counts before its file and after it: one that does not exist is refused.',
      '1.6/files/form-stage-not-integer': 'A `stage_id` of a form that is not an integer is 400.',
      '4/files/form-without-file': 'A form without a part `file` is 400 `validation_failed`.',
      '4/files/form-two-files': 'A form with two parts `file` is refused, or stores one of them.',
      '1.7/files/form-unknown-fields': 'A form may have fields that are not known.',
      '4/files/form-boundary-quoted': 'The boundary of a form may be in quotation marks.',
      '4/files/form-around':
        'Text before the first boundary of a form and after its end is ignored.',
      '4/files/form-header-case': 'The headers of a part of a form may have any case.',
      '4/files/form-without-end': 'A form without its closing boundary is 400 and stores nothing.',
      '4/files/form-cut-off': 'A form that ends within a boundary is 400 and stores nothing.',
      '4/files/form-boundary-wrong':
        'A form with another boundary than its `Content-Type` says is 400 and stores nothing.',
      '4/files/form-boundary-missing': 'A form whose `Content-Type` has no boundary is 400 or 415.',
    },
    should: {
      '4/files/form-large': 'A form takes a file that is too big for JSON.',
      '5.2/files/limit': 'A file of more than `max_file_size` bytes, by default 25 MiB, is 413.',
    },
  },
  (define) => {
    const inEach = inEachFace(define);

    inEach('4/files/form', async (place) => {
      const file = new Blob([binary], { type: 'image/png' });
      expectStatus(await place.send(await usualFormOf(file, 'draft.png')), 201);
    });

    for (const [id, [parameter, name]] of entriesOf(filenames)) {
      inEach(id, async (place) => {
        const disposition = `form-data; name="file"; ${parameter}`;
        equal((await place.uploadForm({ ...filePart, disposition }))['name'], name, 'the name');
      });
    }

    inEach('4/files/form-type', async (place) => {
      const type = 'text/csv; charset=utf-8';
      const { content_type } = await place.uploadForm({ ...filePart, type });
      equal(content_type, type, 'the content_type');
    });

    inEach('4/files/form-type-missing', async (place) => {
      const { type: _, ...part } = filePart;
      const { content_type } = await place.uploadForm(part);
      check(
        /^[^/ ]+\/[^/ ]+/.test(String(content_type)),
        `a media type\n  actual: ${content_type}`,
      );
    });

    for (const [id, content] of [
      ['4/files/form-bytes', binary],
      [
        '4/files/form-bytes-like-boundary',
        new TextEncoder().encode('\r\n--\r\n--x5kqRb0und\r\n-\n--\r\r\n\r\nx5kqRb0undary7Zt--\r\n'),
      ],
    ] as const) {
      inEach(id, async (place) => {
        const { size, sha256 } = await place.uploadForm({ ...filePart, content });
        equal(
          { size, sha256 },
          { size: content.length, sha256: await sha256Of(content) },
          'the size and the SHA-256',
        );
      });
    }

    for (const [variant, around] of Object.entries(orders)) {
      inEach(
        '4/files/form-stage',
        async (place) => {
          const stage = await place.stage();
          const file = await place.uploadForm(...around(String(stage)));
          equal(file['stage_id'], stage, 'the id of the stage');
        },
        variant,
      );

      inEach(
        '4/files/form-stage-unknown',
        async (place) => {
          expectRefused(await place.send(formOf(around(String(Number.MAX_SAFE_INTEGER)))));
          equal(await place.listed(), [], 'the files of the deal');
        },
        variant,
      );

      inEach(
        '1.6/files/form-stage-not-integer',
        async (place) => {
          for (const text of ['first', `${await place.stage()}.5`]) {
            expectError(await place.send(formOf(around(text))), 400, 'validation_failed');
          }
        },
        variant,
      );
    }

    inEach('4/files/form-without-file', async (place) => {
      const stage = { name: 'stage_id', content: String(await place.stage()) };
      for (const parts of [[stage], [{ ...filePart, name: 'document' }]]) {
        expectError(await place.send(formOf(parts)), 400, 'validation_failed');
      }
    });

    inEach('4/files/form-two-files', async (place) => {
      const second = { ...filePart, filename: 'second.txt', content: 'The second draft.' };
      const reply = await place.send(formOf([filePart, second]));
      const stored = reply.status === 201 ? [storedFile(reply)] : [];
      if (stored.length === 0) expectRefused(reply);
      equal(idsOf(await place.listed()), idsOf(stored), 'the ids of the files of the deal');
    });

    inEach('1.7/files/form-unknown-fields', async (place) => {
      const field = { name: 'comment', content: 'The first draft.' };
      const file = await place.uploadForm(field, filePart, { ...field, name: '__proto__' });
      equal(file['name'], filePart.filename, 'the name');
    });

    for (const [id, style] of entriesOf(styles)) {
      inEach(id, async (place) => {
        const { name, sha256 } = storedFile(
          await place.send(formOf([{ ...filePart, content: binary }], style)),
        );
        equal(
          { name, sha256 },
          { name: filePart.filename, sha256: await sha256Of(binary) },
          'the name and the SHA-256',
        );
      });
    }

    for (const [id, style] of entriesOf(broken)) {
      inEach(id, async (place) => {
        expectStatus(await place.send(formOf([filePart], style)), 400);
        equal(await place.listed(), [], 'the files of the deal');
      });
    }

    inEach('4/files/form-boundary-missing', async (place) => {
      const { raw = '' } = formOf([filePart]);
      const headers = { 'content-type': 'multipart/form-data' };
      expectOneOf(await place.send({ raw, headers }), 400, 415);
    });

    inEach('4/files/form-large', async (place) => {
      const content = new Uint8Array(1.5 * mebibyte);
      equal((await place.uploadForm({ ...filePart, content }))['size'], content.length, 'the size');
    });

    // once: it is large
    define('5.2/files/limit', async (server) => {
      const content = new Uint8Array(within(server.promised.max_file_size) + 1);
      const reply = await (await version2.open(server)).send(formOf([{ ...filePart, content }]));
      expectError(reply, 413, 'payload_too_large');
    });
  },
);
