import { check, equal, show } from '../../expectations.js';
import { expectStatus, group } from '../server.js';
import {
  base64Of,
  binary,
  draft,
  filePart,
  idsOf,
  inEachFace,
  sha256Of,
  storedFile,
  workFilesIn,
} from './place.js';

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const mediaType = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+( *;.*)?$/;

/** Names that trimming, changes of case or normalising would change. */
const names = [
  '  draft .txt  ',
  'DRAFT.Txt',
  'cafe\u0301.txt',
  'caf\u00e9.txt',
  '\ud83d\ude00.txt',
];

/** Decision 4: an upload as JSON, and its answer. */
export const uploads = group(
  'uploads of files',
  {
    must: {
      '4/files/created': 'An upload as JSON is 201.',
      '4/files/success': 'The answer to an upload of version 1.0 has `success` true.',
      '2.4/files/id': 'The id of a file is a ULID.',
      '2.4/files/id-of-its-own': 'The same file twice gets two ids.',
      '4/files/stage':
        'A file that was uploaded without `stage_id` is of the one stage of its deal.',
      '4/files/stage-given': 'A file that was uploaded with `stage_id` is of that stage.',
      '4/files/name': 'An uploaded file has the name that was sent.',
      '4/files/size': 'The size of a file is the number of its bytes.',
      '4/files/sha256': 'The member `sha256` is the SHA-256 of the bytes, in hexadecimal.',
      '4/files/content-type': 'An uploaded file has the `content_type` that was sent.',
      '4/files/content-type-missing':
        'A file that was uploaded without `content_type` has a media type.',
      '4/files/uploaded-at': 'The member `uploaded_at` is a time of RFC 3339.',
      '4/files/empty': 'An upload without any byte is 400, or a file of size 0.',
      '4/files/work-files': 'The stage of a deal shows its files as `work_files`.',
      '4/files/name-shortest': 'The name of a file may have one character.',
      '4/files/name-longest': 'The name of a file may have 255 characters, of any kind.',
      '1.2/files/name-as-given': 'The name of a file is kept as it was sent.',
      '1.2/files/name-with-path': 'A name that looks like a path is 400, or kept as it was sent.',
      '1.7/files/unknown-members': 'An upload may have members that are not known.',
    },
  },
  (define) => {
    const inEach = inEachFace(define);

    inEach('4/files/created', async (place) => {
      expectStatus(await place.send(), 201);
    });

    inEach('2.4/files/id', async (place) => {
      const { id } = await place.upload();
      check(ulid.test(id), `a ULID\n  actual: ${show(id)}`);
    });

    inEach('2.4/files/id-of-its-own', async (place) => {
      const [first, second] = [await place.upload(), await place.upload()];
      check(first.id !== second.id, `another id for the second file\n  actual: ${first.id}`);
    });

    inEach('4/files/stage', async (place) => {
      equal((await place.upload())['stage_id'], await place.stage(), 'the id of the stage');
    });

    inEach('4/files/stage-given', async (place) => {
      const stage_id = await place.stage();
      equal((await place.upload({ stage_id }))['stage_id'], stage_id, 'the id of the stage');
    });

    for (const [id, member, value] of [
      ['4/files/name', 'name', 'Second draft, page 7.pdf'],
      ['4/files/content-type', 'content_type', 'text/csv; charset=utf-8'],
    ] as const) {
      inEach(id, async (place) => {
        equal((await place.upload({ [member]: value }))[member], value, `the member ${member}`);
      });
    }

    for (const [id, name] of [
      ['4/files/name-shortest', '\u0142'],
      ['4/files/name-longest', '\ud83d\ude00'.repeat(255)],
    ] as const) {
      inEach(id, async (place) => {
        equal((await place.upload({ name }))['name'], name, 'the name');
        const form = await place.uploadForm({ ...filePart, filename: name });
        equal(form['name'], name, 'the name of the form');
      });
    }

    inEach('4/files/size', async (place) => {
      const content = base64Of(new TextEncoder().encode('z\u0142o\u015b\u0107 \ud83d\ude00'));
      equal((await place.upload({ content }))['size'], 13, 'the size');
    });

    inEach('4/files/sha256', async (place) => {
      const { sha256 } = await place.upload({ content: base64Of(binary) });
      equal(String(sha256).toLowerCase(), await sha256Of(binary), 'the SHA-256');
    });

    inEach('4/files/content-type-missing', async (place) => {
      const { content_type } = await place.upload({ content_type: undefined });
      check(
        typeof content_type === 'string' && mediaType.test(content_type),
        `content_type is a media type\n  actual: ${show(content_type)}`,
      );
    });

    inEach('4/files/uploaded-at', async (place) => {
      const { uploaded_at } = await place.upload();
      check(time.test(String(uploaded_at)), `a time of RFC 3339\n  actual: ${show(uploaded_at)}`);
    });

    inEach('4/files/empty', async (place) => {
      const reply = await place.send({ body: { name: 'empty.txt', content: '' } });
      if (reply.status === 400) return;
      expectStatus(reply, 201);
      const [file] = await place.listed();
      equal(file?.['size'], 0, 'the size');
      equal(file?.['sha256'], await sha256Of(new Uint8Array()), 'the SHA-256');
    });

    inEach('4/files/work-files', async (place) => {
      const file = await place.upload();
      equal(idsOf(workFilesIn(await place.details())), [file.id], 'the ids of the work_files');
    });

    inEach('1.2/files/name-as-given', async (place) => {
      for (const name of names) {
        equal((await place.upload({ name }))['name'], name, 'the name');
      }
    });

    inEach('1.2/files/name-with-path', async (place) => {
      for (const name of [
        '../../draft.txt',
        '/etc/draft',
        'C:\\work\\draft.txt',
        '..',
        'a/b.txt',
      ]) {
        const reply = await place.send({ body: { ...draft, name } });
        if (reply.status !== 400) equal(storedFile(reply)['name'], name, 'the name');
      }
    });

    inEach('1.7/files/unknown-members', async (place) => {
      const file = await place.upload({ size: 1, id: 'mine', unknown: { deep: [null] } });
      equal(file['size'], 16, 'the size');
      equal(idsOf(await place.listed()), [file.id], 'the ids of the files');
    });

    define('4/files/success', async (server) => {
      const { id } = await server.makeDeal();
      const path = `/api/1.0/deal/${id}/file/`;
      const reply = await server.partner.send('POST', path, { body: draft });
      expectStatus(reply, 201);
      equal(reply.members()['success'], true, 'the member success');
    });
  },
);
