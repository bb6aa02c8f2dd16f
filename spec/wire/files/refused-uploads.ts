import { check, equal, show } from '../../expectations.js';
import { expectError, group, type Members, membersOf, type Reply, withoutIds } from '../server.js';
import { formOf } from './form.js';
import { draft, filePart, inEachFace, type Place } from './place.js';

const bytes = new TextEncoder().encode(JSON.stringify(draft));

/** Texts that are not base64 (RFC 4648), with its padding or without. */
const notBase64 = {
  'no letters of it': 'Once!upon.a time',
  'of URLs': '_-_-',
  'a data URL': 'data:text/plain;base64,AAAA',
  'an end of a line': 'T25j\nZQ==',
  'a character too many': 'T25jZ',
};

/** Types of bodies that no upload has. */
const otherTypes = [
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/mixed; boundary=x',
];

/** Decisions 1 and 5.2: uploads that are refused. */
export const refusedUploads = group(
  'refused uploads of files',
  {
    must: {
      '4/files/name-required': 'An upload as JSON without `name` is 400 and names that member.',
      '4/files/content-required':
        'An upload as JSON without `content` is 400 and names that member.',
      '1.8/files/all-problems': 'The refusal of an upload lists every member that is wrong.',
      '1.7/files/null': 'An optional member of an upload that is `null` is 400.',
      '1.6/files/stage-not-integer': 'A `stage_id` that is not an integer is 400.',
      '4/files/name-empty': 'An upload as JSON with an empty name is 400.',
      '4/files/name-too-long': 'An upload whose name has 256 characters is 400.',
      '1.2/files/name-nul': 'A name with U+0000 is 400.',
      '1.2/files/name-half-character': 'A name with half a surrogate pair is 400.',
      '4/files/base64': 'A `content` that is not base64 is 400.',
      '4/files/stage-unknown': 'An upload for a stage that does not exist is refused.',
      '4/files/stage-of-another-deal': 'An upload for a stage of another deal is refused.',
      '2.5/files/stage-of-a-stranger':
        'A stage of another partner is refused as one that does not exist.',
      '2.5/files/stranger-uploads':
        'An upload for a deal of version 1.0 of another partner is 404, as for one that does not exist.',
      '4/files/refused-is-not-stored': 'An upload that was refused is in no list.',
      '5.2/files/type-other': 'An upload of another `Content-Type` than JSON and forms is 415.',
      '5.2/files/type-missing': 'An upload without a `Content-Type` is 415.',
      '5.2/files/encoding': 'An upload with a header `Content-Encoding` is 415.',
    },
  },
  (define) => {
    const inEach = inEachFace(define);

    for (const [id, changes, wrong] of [
      ['4/files/name-required', { name: undefined }, ['name']],
      ['4/files/content-required', { content: undefined }, ['content']],
      [
        '1.8/files/all-problems',
        { stage_id: '1', name: undefined, content: 7 },
        ['stage_id', 'name', 'content'],
      ],
      ['4/files/name-empty', { name: '' }, ['name']],
      ['4/files/name-too-long', { name: 'x'.repeat(256) }, ['name']],
      ['1.2/files/name-nul', { name: 'draft\u0000.txt' }, ['name']],
      ['1.2/files/name-half-character', { name: 'draft\ud83d.txt' }, ['name']],
    ] as const) {
      inEach(id, async (place) => {
        expectWrong(await place.send({ body: { ...draft, ...changes } }), wrong);
      });
    }

    for (const member of ['stage_id', 'content_type']) {
      inEach(
        '1.7/files/null',
        async (place) => {
          expectWrong(await place.send({ body: { ...draft, [member]: null } }), [member]);
        },
        member,
      );
    }

    inEach('1.6/files/stage-not-integer', async (place) => {
      const stage = await place.stage();
      for (const stage_id of [String(stage), stage + 0.5, [stage], true]) {
        expectWrong(await place.send({ body: { ...draft, stage_id } }), ['stage_id']);
      }
    });

    for (const [variant, content] of Object.entries(notBase64)) {
      inEach(
        '4/files/base64',
        async (place) =>
          expectWrong(await place.send({ body: { ...draft, content } }), ['content']),
        variant,
      );
    }

    inEach('4/files/stage-unknown', async (place) => {
      for (const stage_id of [0, -1, Number.MAX_SAFE_INTEGER]) {
        expectRefused(await place.send({ body: { ...draft, stage_id } }));
      }
    });

    inEach('4/files/stage-of-another-deal', async (place, { open }) => {
      const stage_id = await (await open(place.server)).stage();
      expectRefused(await place.send({ body: { ...draft, stage_id } }));
    });

    inEach('2.5/files/stage-of-a-stranger', async (place, { open }) => {
      const stage = await (await open(place.server, place.server.other)).stage();
      const unknown = await stageRefusal(place, Number.MAX_SAFE_INTEGER);
      equal(await stageRefusal(place, stage), unknown, 'the error');
    });

    define('2.5/files/stranger-uploads', async ({ other, makeDeal }) => {
      const uploadTo = async (id: number) => {
        const reply = await other.send('POST', `/api/1.0/deal/${id}/file/`, { body: draft });
        expectError(reply, 404, 'not_found');
        return withoutIds(reply);
      };
      const { id } = await makeDeal();
      equal(await uploadTo(id), await uploadTo(Number.MAX_SAFE_INTEGER), 'the error');
    });

    inEach('4/files/refused-is-not-stored', async (place) => {
      await place.send({ body: { ...draft, content: 'T25jZ' } });
      await place.send({ body: { ...draft, stage_id: Number.MAX_SAFE_INTEGER } });
      await place.send(formOf([filePart, { name: 'stage_id', content: '0' }]));
      await place.send({ raw: bytes });
      equal(await place.listed(), [], 'the files of the deal');
    });

    for (const type of otherTypes) {
      inEach(
        '5.2/files/type-other',
        async (place) => expectUnsupported(place, { 'content-type': type }),
        type,
      );
    }

    inEach('5.2/files/type-missing', (place) => expectUnsupported(place, {}));

    inEach('5.2/files/encoding', async (place) => {
      const json = { 'content-type': 'application/json' };
      await expectUnsupported(place, { ...json, 'content-encoding': 'gzip' });
      const { raw = '', headers } = formOf([filePart]);
      const reply = await place.send({ raw, headers: { ...headers, 'content-encoding': 'gzip' } });
      expectError(reply, 415, 'unsupported_media_type');
    });
  },
);

async function expectUnsupported(place: Place, headers: Readonly<Record<string, string>>) {
  expectError(await place.send({ raw: bytes, headers }), 415, 'unsupported_media_type');
}

/** Fails the case unless the answer is a validation error about exactly these members. */
export function expectWrong(reply: Reply, wrong: readonly string[]): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  check(Array.isArray(errors), `the member errors is an array\n  actual: ${show(errors)}`);
  const paths = errors.map((each) => String(membersOf(each, 'an issue')['path']));
  equal([...new Set(paths)].sort(), [...wrong].sort(), 'the members that are wrong');
}

/** Fails the case unless the server says that the request is wrong. */
export function expectRefused({ status }: Reply): void {
  check(status >= 400 && status < 500, `expected a refusal\n  actual: ${status}`);
}

async function stageRefusal(place: Place, stage_id: number): Promise<Members> {
  const reply = await place.send({ body: { ...draft, stage_id } });
  expectRefused(reply);
  return withoutIds(reply);
}
