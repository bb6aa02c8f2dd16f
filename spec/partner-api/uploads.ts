import * as fc from 'fast-check';
import type { CallOptions, FileContent, FileUpload } from '../../src/api/inputs.js';
import type { WorkFile } from '../../src/domain/deals/work-file.js';
import { textOf } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import { createDocumentedDeal, makeDeal, stageOf, versions } from './deals.js';
import { missing, plain } from './errors.js';
import { everyStranger, group, strangers } from './subject.js';

/** The bytes of an ASCII text. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Known vectors of FIPS 180-2: a content, its text in base64, its SHA-256. */
const vectors = [
  ['', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'YWJj', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    'YWJjZGJjZGVjZGVmZGVmZ2VmZ2hmZ2hpZ2hpamhpamtpamtsamtsbWtsbW5sbW5vbW5vcG5vcHE=',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
] as const;

/** Names that would do harm as paths, in headers, in forms or in SQL. */
const names: readonly string[] = [
  ...['../../etc/passwd', '..', '.', '/', 'C:\\Windows\\x.dll', 'a"b.txt', "a'b.txt", 'a;b=c.txt'],
  ...[
    'zażółć gęślą.pdf',
    '😀.png',
    '%22',
    '%0D%0A',
    'a\r\nX-Injected: 1',
    'tab\there',
    ' ',
    '\u2028',
  ],
  ...[
    'CON',
    '-rf',
    '<script>',
    '$(x)',
    '\u202efdp.exe',
    '\u0001',
    'x'.repeat(255),
    '😀'.repeat(255),
  ],
];

/** A declared type, a content, and the stored type. */
const types: readonly (readonly [declared: string | undefined, content: string, kept: string])[] = [
  ['text/plain', 'abc', 'text/plain'],
  ['text/plain; charset=utf-8', 'abc', 'text/plain; charset=utf-8'],
  [undefined, 'abc', 'application/octet-stream'],
  ['application/x-anything', 'abc', 'application/x-anything'],
  [undefined, '%PDF-1.7', 'application/pdf'],
  ['text/plain', '%PDF-1.7', 'application/pdf'],
  ['application/pdf', 'no pdf', 'application/octet-stream'],
  ['image/png', 'MZ a program', 'application/vnd.microsoft.portable-executable'],
  ['image/png', '\x89PNG\r\n\x1a\n', 'image/png'],
  [undefined, 'PK\x03\x04', 'application/zip'],
  ['application/epub+zip', 'PK\x03\x04', 'application/epub+zip'],
];

/** Decision 4: a file is stored once, with its facts. */
export const uploads = group(
  'work files',
  {
    must: {
      '4/file/facts':
        'A file is kept with its stage, name, size, SHA-256, type, an id and its time, whatever form its content came in.',
      '4/file/any-content': 'The size and the SHA-256 of a file count every byte of it.',
      '4/file/stage':
        'A file goes to the one stage of its deal, which may be named; nothing else changes.',
      '5.2/file/limit':
        'A file of the most bytes is taken; one with a byte more is `payload_too_large`, and nothing of it is kept.',
      '2.5/file/foreign-deal':
        'A file for a deal that does not exist, or is of another tenant, is answered with `not_found`.',
      '4/file/of-one-deal': 'A file belongs to the deal that it was uploaded for.',
    },
    should: {
      '4/file/any-name': 'The name of a file is kept as text, whatever it looks like.',
      '4/file/type-of-content':
        'The type that the content of a file shows counts before the declared one.',
      '5.2/file/limit-is-named':
        'The refusal of a file that is too large names the limit in bytes.',
    },
  },
  (define) => {
    for (const version of versions) {
      define(
        '4/file/facts',
        async (views) => {
          const { api, file } = views;
          const deal = await makeDeal(views, version);
          const stage_id = await stageOf(deal);
          const kept: WorkFile[] = [];
          for (const [text, base64, sha256] of vectors) {
            const bytes = bytesOf(text);
            const contents: readonly FileContent[] = [
              bytes,
              base64,
              piecesOf(bytes, 1),
              piecesOf(bytes, 7),
            ];
            for (const content of contents) {
              const result = await api.uploadFile(deal.reference, { ...file, content });
              const uploaded = okOf(result, 'an upload');
              // a server may leave out whose it is
              const { id: fileId, uploaded_at, by, ...rest } = uploaded;
              const expected = {
                stage_id,
                name: file.name,
                size: bytes.length,
                sha256,
                content_type: 'text/plain',
                status: 'stored',
              };
              check(by === null || by === 'partner', `it is the partner's: ${by}`);
              equal(rest, expected, 'what is known of the file');
              check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(fileId), 'its id is a ULID');
              check(
                /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(uploaded_at),
                'uploaded_at is a time',
              );
              kept.push(uploaded);
            }
          }
          equal(new Set(kept.map((each) => each.id)).size, kept.length, 'the different ids');
          equal(await deal.files(), kept, 'the files of the stage, in their order');
        },
        version,
      );

      define(
        '4/file/any-content',
        async (views) => {
          const { api, file, fileLimit } = views;
          const { reference } = await makeDeal(views, version);
          const maxLength = Math.min(2000, fileLimit);
          const digests = new Map<string, string>();
          const property = fc.asyncProperty(
            fc.uint8Array({ maxLength, size: 'max' }),
            fc.integer({ min: 1, max: 600 }),
            async (bytes, size) => {
              const upload = (content: FileContent) =>
                api.uploadFile(reference, { ...file, content });
              const whole = okOf(await upload(bytes), 'at once');
              const { sha256 } = okOf(await upload(piecesOf(bytes, size)), 'in pieces');
              equal([whole.size, sha256], [bytes.length, whole.sha256], 'the same of both');
              const known = digests.get(sha256) ?? String(bytes);
              equal(String(bytes), known, 'another content has another digest');
              digests.set(sha256, known);
            },
          );
          await holds(property, { numRuns: 15 });
        },
        version,
      );

      define(
        '4/file/any-name',
        async (views) => {
          const { api, file } = views;
          const deal = await makeDeal(views, version);
          const kept: string[] = [];
          const upload = async (name: string) => {
            for (const content of [bytesOf('abc'), 'YWJj']) {
              const uploaded = await api.uploadFile(deal.reference, { ...file, name, content });
              equal(okOf(uploaded, `the name ${name}`).name, name, 'the name');
              kept.push(name);
            }
          };
          for (const name of names) await upload(name);
          await holds(fc.asyncProperty(textOf(1, 255), upload), { numRuns: 15 });
          equal(
            (await deal.files()).map(({ name }) => name),
            kept,
            'the names of the files',
          );
        },
        version,
      );

      define(
        '4/file/type-of-content',
        async (views) => {
          const { api, name } = views;
          const { reference } = await makeDeal(views, version);
          for (const [content_type, content, kept] of types) {
            const upload: FileUpload = {
              name: name('file'),
              content: bytesOf(content),
              ...(content_type === undefined ? {} : { content_type }),
            };
            const result = await api.uploadFile(reference, upload);
            const { content_type: found } = okOf(result, String(content_type));
            equal(found, kept, `what ${content_type} is kept under`);
          }
        },
        version,
      );

      define(
        '5.2/file/limit',
        async (views) => {
          const { api, file, fileLimit, name } = views;
          const deal = await makeDeal(views, version);
          const upload = (content: FileContent, options?: CallOptions) =>
            api.uploadFile(deal.reference, { ...file, content }, options);
          const { size } = okOf(await upload(new Uint8Array(fileLimit)), 'the most');
          equal(size, fileLimit, 'the size');
          const more = new Uint8Array(fileLimit + 1);
          const key = { idempotencyKey: name('too-large') };
          for (const [content, language] of [
            [more, 'en'],
            [piecesOf(more, 8192), 'en'],
            [piecesOf(more, 8192), 'pl'],
          ] as const) {
            const error = errOf(await upload(content, { ...key, language }), 'one more');
            const { max_bytes: _, ...rest } = { max_bytes: undefined, ...error };
            plain(Object.freeze(rest), 'payload_too_large', language);
            check(Object.isFrozen(error), 'the error is frozen');
          }
          equal((await deal.files()).length, 1, 'nothing of it is kept');
          okOf(await upload(file.content, key), 'the key of a failure is free');
        },
        version,
      );

      define(
        '5.2/file/limit-is-named',
        async (views) => {
          const { api, file, fileLimit } = views;
          const { reference } = await makeDeal(views, version);
          const content = new Uint8Array(fileLimit + 1);
          const error = errOf(await api.uploadFile(reference, { ...file, content }), 'one more');
          equal({ max_bytes: undefined, ...error }.max_bytes, fileLimit, 'what is taken');
        },
        version,
      );

      define(
        '4/file/of-one-deal',
        async (views) => {
          const { api, file, name } = views;
          const first = await makeDeal(views, version);
          const second = await makeDeal(views, version, name('second'));
          const a = okOf(await api.uploadFile(first.reference, file), 'an upload');
          const b = okOf(await api.uploadFile(second.reference, file), 'an upload');
          const stages = [await stageOf(first), await stageOf(second)];
          equal([a.stage_id, b.stage_id], stages, 'the stages');
          equal(await first.files(), [a], 'the files of the first');
          equal(await second.files(), [b], 'the files of the second');
        },
        version,
      );

      define(
        '4/file/stage',
        async (views) => {
          const { api, file } = views;
          const deal = await makeDeal(views, version);
          const [before] = await deal.stages();
          check(before !== undefined, 'a deal has a stage');
          const stage_id = before.id;
          const uploads = [file, { ...file, stage_id }, { ...file, stage_id, content: 'YWJj' }];
          for (const upload of uploads) {
            const uploaded = okOf(await api.uploadFile(deal.reference, upload), 'an upload');
            equal(uploaded.stage_id, stage_id, 'the stage');
          }
          const [after, ...others] = await deal.stages();
          equal(after?.work_files.length, 3, 'the number of files');
          equal([{ ...after, work_files: [] }, ...others], [before], 'all else stays');
        },
        version,
      );
    }

    define(
      '2.5/file/foreign-deal',
      async (views) => {
        const { api, file } = views;
        const { id } = await createDocumentedDeal(views);
        const nowhere = [
          ...[Number.MAX_SAFE_INTEGER, 0, -1, 1.5, Number.NaN, 2 ** 53],
          ...[`0${id}`, '../x', '', '%2F', null],
        ];
        for (const none of nowhere) {
          missing(errOf(await api.uploadFile({ id: none as number }, file), String(none)), 'deal');
        }
        const last = { id: Number.MAX_SAFE_INTEGER };
        const polish = await api.uploadFile(last, file, { language: 'pl' });
        missing(errOf(polish, 'in Polish'), 'deal', 'pl');
      },
      'no deal, 1.0',
    );

    define(
      '2.5/file/foreign-deal',
      async ({ api, dealV2, file, name }) => {
        okOf(await api.createDealV2(dealV2), 'a deal');
        for (const partner_id of [name('none'), dealV2.partner_id.toUpperCase(), 'x'.repeat(41)]) {
          missing(errOf(await api.uploadFile({ partner_id }, file), partner_id), 'deal');
        }
        const polish = await api.uploadFile({ partner_id: name('none') }, file, { language: 'pl' });
        missing(errOf(polish, 'in Polish'), 'deal', 'pl');
      },
      'no deal, 2.0',
    );

    define(
      '2.5/file/foreign-deal',
      async (views) => {
        const { other, file } = views;
        const deal = await makeDeal(views, '1.0');
        missing(errOf(await other.uploadFile(deal.reference, file), "a stranger's deal"), 'deal');
        equal(await deal.files(), [], 'the deal has no file');
      },
      // the other environment may have a deal with the same id
      `${strangers.other}, 1.0`,
    );

    for (const stranger of everyStranger) {
      define(
        '2.5/file/foreign-deal',
        async (views) => {
          const { [stranger]: view, file } = views;
          const deal = await makeDeal(views, '2.0');
          missing(errOf(await view.uploadFile(deal.reference, file), "a stranger's deal"), 'deal');
          equal(await deal.files(), [], 'the deal has no file');
        },
        `${strangers[stranger]}, 2.0`,
      );
    }
  },
);
