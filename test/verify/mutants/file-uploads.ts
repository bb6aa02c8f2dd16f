import { createHash } from 'node:crypto';
import { answering, askedWith, asking, pathOf, refusal, withMembers } from './changes.js';
import {
  type File,
  inAnswers,
  isUpload,
  jsonOf,
  refusing,
  remembering,
  sentBy,
  typeOf,
  uploading,
} from './file-changes.js';
import type { Mutant } from './mutant.js';

const contentOf = ({ content }: File) => Buffer.from(String(content), 'base64');

/** Takes an upload of another type as JSON. */
const takesAsJson = (type: string) =>
  asking((request) =>
    isUpload(request) && typeOf(request) === type
      ? askedWith(request, { 'content-type': 'application/json' })
      : request,
  );

/** Reads a member otherwise. */
const reads = (name: string, change: (value: string) => unknown) =>
  uploading((sent) =>
    typeof sent[name] === 'string' ? { ...sent, [name]: change(sent[name]) } : sent,
  );

/** Changes a member of the file in the answer. */
const answers = (name: string, change: (file: File, sent: File) => unknown) =>
  inAnswers((file, sent) => ({ ...file, [name]: change(file, sent) }));

const invalid = (path: string) =>
  Response.json(
    {
      title: 'Invalid',
      status: 400,
      code: 'validation_failed',
      errors: [{ path: [path], code: 'invalid', message: 'invalid' }],
    },
    { status: 400 },
  );

export const mutants: readonly Mutant[] = [
  {
    name: '200 for an upload',
    law: '4/files/created',
    fetch: answering((response, request) =>
      isUpload(request) && response.status === 201
        ? new Response(response.body, { headers: response.headers })
        : response,
    ),
  },
  {
    name: 'an upload of version 1.0 without success',
    law: '4/files/success',
    fetch: answering((response, request) =>
      isUpload(request) ? withMembers(response, ({ data }) => ({ data })) : response,
    ),
  },
  {
    name: 'ids of another form',
    law: '2.4/files/id',
    fetch: answers('id', () => '5b0f4e8e-2f1b-4c55-9f0a-6d8d5c1f7a10'),
  },
  {
    name: 'ids that are made from the content',
    law: '2.4/files/id-of-its-own',
    fetch: answers('id', ({ sha256 }) =>
      String(sha256).toUpperCase().replace(/^./, '0').slice(0, 26),
    ),
  },
  {
    name: 'no stage of a file that was sent without one',
    law: '4/files/stage',
    fetch: answers('stage_id', ({ stage_id }, sent) => ('stage_id' in sent ? stage_id : null)),
  },
  {
    name: 'a stage is refused if the deal has one alone',
    law: '4/files/stage-given',
    fetch: uploading((sent) => ('stage_id' in sent ? invalid('stage_id') : sent)),
  },
  {
    name: 'spaces in a name become underscores',
    law: '4/files/name',
    fetch: reads('name', (name) => name.replaceAll(' ', '_')),
  },
  {
    name: 'names are trimmed',
    law: '1.2/files/name-as-given',
    fetch: reads('name', (name) => name.trim()),
  },
  {
    name: 'names are normalised',
    law: '1.2/files/name-as-given',
    fetch: reads('name', (name) => name.normalize('NFC')),
  },
  {
    name: 'the folder of a name is dropped',
    law: '1.2/files/name-with-path',
    fetch: reads('name', (name) => name.split(/[/\\]/).pop()),
  },
  {
    name: 'a name of one character is too short',
    law: '4/files/name-shortest',
    fetch: uploading((sent) => (String(sent['name']).length < 2 ? invalid('name') : sent)),
  },
  {
    name: 'the length of a name is counted in UTF-16',
    law: '4/files/name-longest',
    fetch: uploading((sent) => (String(sent['name']).length > 255 ? invalid('name') : sent)),
  },
  {
    name: 'the size is counted in characters',
    law: '4/files/size',
    fetch: answers('size', (_, sent) => [...contentOf(sent).toString()].length),
  },
  {
    name: 'the size is that of the base64',
    law: '4/files/size',
    fetch: answers('size', (_, { content }) => String(content).length),
  },
  {
    name: 'the digest is that of the base64',
    law: '4/files/sha256',
    fetch: answers('sha256', (_, { content }) =>
      createHash('sha256').update(String(content)).digest('hex'),
    ),
  },
  {
    name: 'the digest is in base64',
    law: '4/files/sha256',
    fetch: answers('sha256', (_, sent) =>
      createHash('sha256').update(contentOf(sent)).digest('base64'),
    ),
  },
  {
    name: 'parameters of a type are dropped',
    law: '4/files/content-type',
    fetch: reads('content_type', (type) => type.split(';')[0]),
  },
  {
    name: 'a file without a type has none',
    law: '4/files/content-type-missing',
    fetch: answers('content_type', (_, { content_type }) => content_type ?? null),
  },
  {
    name: 'the time is a number',
    law: '4/files/uploaded-at',
    fetch: answers('uploaded_at', ({ uploaded_at }) => Date.parse(String(uploaded_at))),
  },
  {
    name: 'an empty file breaks the server',
    law: '4/files/empty',
    fetch: uploading((sent) => (sent['content'] === '' ? refusal(500, 'internal') : sent)),
  },
  {
    name: 'deals do not show their files',
    law: '4/files/work-files',
    fetch: answering((response, request) =>
      /\/deal\/[^/]+\/$/.test(pathOf(request))
        ? withMembers(response, (members) =>
            JSON.parse(JSON.stringify(members), (name, value) =>
              name === 'work_files' ? [] : value,
            ),
          )
        : response,
    ),
  },
  {
    name: 'members that are not known are refused',
    law: '1.7/files/unknown-members',
    fetch: uploading((sent) => ('unknown' in sent ? invalid('unknown') : sent)),
  },
  {
    name: 'a file without a name gets one',
    law: '4/files/name-required',
    fetch: uploading((sent) => ({ name: 'file', ...sent })),
  },
  {
    name: 'a file without content is empty',
    law: '4/files/content-required',
    fetch: uploading((sent) => ({ content: '', ...sent })),
  },
  {
    name: 'the first problem alone',
    law: '1.8/files/all-problems',
    fetch: answering((response, request) =>
      isUpload(request) && response.status === 400
        ? withMembers(response, ({ errors, ...members }) => ({
            ...members,
            errors: Array.isArray(errors) ? errors.slice(0, 1) : errors,
          }))
        : response,
    ),
  },
  {
    name: 'null is the same as absent',
    law: '1.7/files/null',
    fetch: uploading((sent) =>
      Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: 'a stage may be a text of digits',
    law: '1.6/files/stage-not-integer',
    fetch: reads('stage_id', Number),
  },
  {
    name: 'an empty name is replaced',
    law: '4/files/name-empty',
    fetch: reads('name', (name) => name || 'file'),
  },
  {
    name: 'a name that is too long is cut',
    law: '4/files/name-too-long',
    fetch: reads('name', (name) => [...name].slice(0, 255).join('')),
  },
  {
    name: 'U+0000 is dropped',
    law: '1.2/files/name-nul',
    fetch: reads('name', (name) => name.replaceAll('\u0000', '')),
  },
  {
    name: 'half a surrogate pair becomes U+FFFD',
    law: '1.2/files/name-half-character',
    fetch: reads('name', (name) => new TextDecoder().decode(new TextEncoder().encode(name))),
  },
  {
    name: 'the decoder of base64 skips what it does not know',
    law: '4/files/base64',
    fetch: reads('content', (content) => Buffer.from(content, 'base64').toString('base64')),
  },
  {
    name: 'a stage that does not exist is left out',
    law: '4/files/stage-unknown',
    fetch: uploading(({ stage_id, ...sent }) =>
      Number(stage_id) < 1 ? sent : { stage_id, ...sent },
    ),
  },
  {
    name: 'a stage of any deal will do',
    law: '4/files/stage-of-another-deal',
    fetch: uploading(({ stage_id: _, ...sent }) => sent),
  },
  {
    name: 'a stage of a stranger is forbidden',
    law: '2.5/files/stage-of-a-stranger',
    fetch: uploading((sent) =>
      Number(sent['stage_id'] ?? Number.MAX_SAFE_INTEGER) < Number.MAX_SAFE_INTEGER
        ? refusal(403, 'forbidden')
        : sent,
    ),
  },
  {
    name: 'a deal of a stranger is forbidden',
    law: '2.5/files/stranger-uploads',
    fetch: answering((response, request) =>
      isUpload(request) && response.status === 404 && !pathOf(request).includes('9007199254740991')
        ? refusal(403, 'forbidden')
        : response,
    ),
  },
  {
    name: 'a file is kept before its stage is judged',
    law: '4/files/refused-is-not-stored',
    fetch: remembering(() => async (request, forward) => {
      const sent = await sentBy(request);
      if (sent !== undefined && 'stage_id' in sent) {
        const { stage_id: _, ...file } = sent;
        await forward(jsonOf(request, file));
      }
      return forward(request);
    }),
  },
  {
    name: 'any type is taken as JSON',
    law: '5.2/files/type-other',
    fetch: takesAsJson('application/octet-stream'),
  },
  {
    name: 'a body without a type is JSON',
    law: '5.2/files/type-missing',
    fetch: takesAsJson(''),
  },
  {
    name: 'an unknown type is a 400',
    law: '5.2/files/type-missing',
    fetch: refusing((request) => isUpload(request) && typeOf(request) === '', 400, 'invalid_json'),
  },
  {
    name: 'the encoding of a body is ignored',
    law: '5.2/files/encoding',
    fetch: asking((request) =>
      isUpload(request) ? askedWith(request, { 'content-encoding': undefined }) : request,
    ),
  },
];
