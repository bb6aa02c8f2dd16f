import * as fc from 'fast-check';
import type { FileContent, FileUpload } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { WorkFile } from '../../src/domain/deals/work-file.js';
import { textOf } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import { createDocumentedDeal, type DefineCase, deal, file, missing, plain } from './subject.js';

/** The work files of a deal with one stage, as it is retrieved. */
export async function filesOf(api: PartnerApi, id: number): Promise<readonly WorkFile[]> {
  const { stages } = okOf(await api.retrieveDeal(id), 'the deal');
  return stages.flatMap(({ work_files }) => work_files);
}

/** The bytes of an ASCII text. */
export function bytesOf(text: string): Uint8Array {
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
export function uploads(define: DefineCase): void {
  define('keeps a file with its size and its SHA-256, however it is given', async ({ api }) => {
    const { id, stage_ids } = await createDocumentedDeal(api);
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
        const uploaded = okOf(await api.uploadFile({ id }, { ...file, content }), 'an upload');
        const { id: fileId, uploaded_at, ...rest } = uploaded;
        const expected = {
          stage_id: stage_ids[0],
          name: 'draft.txt',
          size: bytes.length,
          sha256,
          content_type: 'text/plain',
          status: 'stored',
          by: 'partner',
        };
        equal(rest, expected, 'what is known of the file');
        check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(fileId), 'its id is a ULID');
        check(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(uploaded_at),
          'uploaded_at is a time',
        );
        kept.push(uploaded);
      }
    }
    equal(new Set(kept.map((each) => each.id)).size, kept.length, 'the number of different ids');
    equal(await filesOf(api, id), kept, 'the files of the stage, in their order');
  });

  define('counts and digests every byte of any content', async ({ api, fileLimit }) => {
    const { id } = await createDocumentedDeal(api);
    const maxLength = Math.min(2000, fileLimit);
    const digests = new Map<string, string>();
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength, size: 'max' }),
      fc.integer({ min: 1, max: 600 }),
      async (bytes, size) => {
        const whole = okOf(await api.uploadFile({ id }, { ...file, content: bytes }), 'at once');
        const inPieces = await api.uploadFile({ id }, { ...file, content: piecesOf(bytes, size) });
        const { sha256 } = okOf(inPieces, 'in pieces');
        equal([whole.size, sha256], [bytes.length, whole.sha256], 'the same of both');
        const known = digests.get(sha256) ?? String(bytes);
        equal(String(bytes), known, 'another content has another digest');
        digests.set(sha256, known);
      },
    );
    await holds(property, { numRuns: 15 });
  });

  define('keeps any name as text', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const kept: string[] = [];
    const upload = async (name: string) => {
      for (const content of [bytesOf('abc'), 'YWJj']) {
        const uploaded = await api.uploadFile({ id }, { ...file, name, content });
        equal(okOf(uploaded, `the name ${name}`).name, name, 'the name');
        kept.push(name);
      }
    };
    for (const name of names) await upload(name);
    await holds(fc.asyncProperty(textOf(1, 255), upload), { numRuns: 15 });
    equal(
      (await filesOf(api, id)).map(({ name }) => name),
      kept,
      'the names of the files',
    );
  });

  define('believes a content before what is said of it', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    for (const [content_type, content, kept] of types) {
      const upload: FileUpload = {
        name: 'file',
        content: bytesOf(content),
        ...(content_type === undefined ? {} : { content_type }),
      };
      const { content_type: found } = okOf(
        await api.uploadFile({ id }, upload),
        String(content_type),
      );
      equal(found, kept, `what ${content_type} is kept under`);
    }
  });

  define('takes the stage of the deal, said or not', async ({ api }) => {
    const { id, stage_ids } = await createDocumentedDeal(api);
    const stage_id = stage_ids[0] ?? 0;
    for (const upload of [file, { ...file, stage_id }, { ...file, stage_id, content: 'YWJj' }]) {
      equal(
        okOf(await api.uploadFile({ id }, upload), 'an upload').stage_id,
        stage_id,
        'the stage',
      );
    }
    const { stages, ...rest } = okOf(await api.retrieveDeal(id), 'the deal');
    equal([rest.budget, rest.status, stages.length], ['1000.00', 'created', 1], 'all else stays');
    equal(stages[0]?.work_files.length, 3, 'the number of files');
  });

  define('takes a file of the most bytes, and none of one more', async ({ api, fileLimit }) => {
    const { id } = await createDocumentedDeal(api);
    const most = new Uint8Array(fileLimit);
    const { size } = okOf(await api.uploadFile({ id }, { ...file, content: most }), 'the most');
    equal(size, fileLimit, 'the size');
    const more = new Uint8Array(fileLimit + 1);
    for (const content of [more, piecesOf(more, 8192)]) {
      for (const language of ['en', 'pl'] as const) {
        const key = { idempotencyKey: `too-large-${language}`, language };
        const error = errOf(await api.uploadFile({ id }, { ...file, content }, key), 'one more');
        const { max_bytes, ...rest } = { max_bytes: undefined, ...error };
        equal(max_bytes, fileLimit, 'what is taken');
        plain(Object.freeze(rest), 'payload_too_large', language);
        check(Object.isFrozen(error), 'the error is frozen');
        if (content !== more) break;
      }
    }
    equal((await filesOf(api, id)).length, 1, 'nothing of it is kept');
    const key = { idempotencyKey: 'too-large-en' };
    okOf(await api.uploadFile({ id }, file, key), 'the key of a failure is free');
  });

  define("gives files to nobody else's deal", async ({ api, other, live }) => {
    const { id } = await createDocumentedDeal(api);
    for (const view of [other, live]) {
      missing(errOf(await view.uploadFile({ id }, file), "somebody else's deal"), 'deal');
    }
    const nowhere = [id + 1, 0, -1, 1.5, Number.NaN, 2 ** 53, `0${id}`, '../x', '', '%2F', null];
    for (const none of nowhere) {
      missing(errOf(await api.uploadFile({ id: none as number }, file), String(none)), 'deal');
    }
    const polish = await api.uploadFile({ id: id + 1 }, file, { language: 'pl' });
    missing(errOf(polish, 'in Polish'), 'deal', 'pl');
    equal(await filesOf(api, id), [], 'the deal has no file');
  });

  define('keeps the files of deals apart', async ({ api }) => {
    const first = await createDocumentedDeal(api);
    const second = okOf(await api.createDeal({ ...deal, partner_id: 'second' }), 'a deal');
    const a = okOf(await api.uploadFile({ id: first.id }, file), 'an upload');
    const b = okOf(await api.uploadFile({ id: second.id }, file), 'an upload');
    equal([a.stage_id, b.stage_id], [first.stage_ids[0], second.stage_ids[0]], 'the stages');
    equal(await filesOf(api, first.id), [a], 'the files of the first');
    equal(await filesOf(api, second.id), [b], 'the files of the second');
  });
}
