import { answering, askedWith, asking, refusal, withMembers } from './changes.js';
import { isForm, isUpload, reading, refusing, remembering, typeOf } from './file-changes.js';
import type { Mutant } from './mutant.js';

/** Answers forms that fit as malformed. */
const failsIf = (fits: (form: string) => boolean) =>
  reading((form) => (fits(form) ? refusal(400, 'validation_failed') : form));

const boundary = 'x5kqRb0undary7Zt';
const end = `\r\n--${boundary}--\r\n`;

/** The part of a stage after the file. */
const stageAtEnd =
  /\r\n--x5kqRb0undary7Zt\r\nContent-Disposition: form-data; name="stage_id"\r\n\r\n[^\r]*(?=\r\n--x5kqRb0undary7Zt--)/;

/** Changes the content of the file, in a form without other parts. */
const inContent = (change: (content: string) => string) =>
  reading((form) =>
    form.replace(/(\r\n\r\n)([\s\S]*)(\r\n--x5kqRb0undary7Zt--)/, (_, before, content, after) =>
      [before, change(content), after].join(''),
    ),
  );

export const mutants: readonly Mutant[] = [
  {
    name: 'JSON alone',
    law: '4/files/form',
    fetch: refusing(isForm, 415, 'unsupported_media_type'),
  },
  {
    name: 'the name of the part in place of the file',
    law: '4/files/form-name',
    fetch: reading((form) => form.replace('filename="draft 7.txt"', 'filename="file"')),
  },
  {
    name: 'a filename without quotation marks is not read',
    law: '4/files/form-name-unquoted',
    fetch: failsIf((form) => /filename=[^"]/.test(form)),
  },
  {
    name: 'a filename ends at a semicolon',
    law: '4/files/form-name-signs',
    fetch: reading((form) => form.replace(/(filename="[^";]*);[^"]*"/, '$1"')),
  },
  {
    name: 'a filename is read as Latin-1',
    law: '4/files/form-name-non-ascii',
    fetch: answering((response, request) =>
      isForm(request)
        ? withMembers(response, ({ data, ...members }) => ({
            ...members,
            data: {
              ...Object(data),
              name: Buffer.from(String(Object(data).name)).toString('latin1'),
            },
          }))
        : response,
    ),
  },
  {
    name: 'the type of a part is ignored',
    law: '4/files/form-type',
    fetch: reading((form) => form.replace(/Content-Type: [^\r]*\r\n/, '')),
  },
  {
    name: 'a part without a type gets an empty one',
    law: '4/files/form-type-missing',
    fetch: answering((response, request) =>
      isForm(request)
        ? withMembers(response, ({ data, ...members }) => ({
            ...members,
            data: { ...Object(data), content_type: '' },
          }))
        : response,
    ),
  },
  {
    name: 'a file is read as text',
    law: '4/files/form-bytes',
    fetch: inContent((content) =>
      Buffer.from(Buffer.from(content, 'latin1').toString()).toString('latin1'),
    ),
  },
  {
    name: 'white space at the end of a file is dropped',
    law: '4/files/form-bytes-like-boundary',
    fetch: inContent((content) => content.trimEnd()),
  },
  {
    name: 'two hyphens at the beginning of a line end a file',
    law: '4/files/form-bytes-like-boundary',
    fetch: inContent((content) => content.split('\r\n--')[0] ?? ''),
  },
  {
    name: 'a stage after the file is an error',
    law: '4/files/form-stage',
    fetch: failsIf((form) => stageAtEnd.test(form)),
  },
  {
    name: 'fields after the file are ignored',
    law: '4/files/form-stage-unknown',
    fetch: reading((form) => form.replace(stageAtEnd, '')),
  },
  {
    name: 'the digits at the beginning of a stage count',
    law: '1.6/files/form-stage-not-integer',
    fetch: reading((form) => form.replace(/(\r\n\r\n\d+)\.5\r\n/, '$1\r\n')),
  },
  {
    name: 'any file of a form will do',
    law: '4/files/form-without-file',
    fetch: reading((form) => form.replace('name="document"', 'name="file"')),
  },
  {
    name: 'a form without a file breaks the server',
    law: '4/files/form-without-file',
    fetch: reading((form) => (form.includes('filename=') ? form : refusal(500, 'internal'))),
  },
  {
    name: 'every file of a form is stored',
    law: '4/files/form-two-files',
    fetch: remembering(() => async (request, forward) => {
      const [first = '', second = '', more] = isForm(request)
        ? (await request.clone().text()).split(/(?=--x5kqRb0undary7Zt\r\nContent-Disp)/)
        : [];
      if (more !== undefined || !second.includes('filename="second.txt"')) return forward(request);
      const { url, headers } = request;
      const send = (body: string) => forward(new Request(url, { method: 'POST', headers, body }));
      await send(second);
      return send(first.replace(/\r\n$/, end));
    }),
  },
  {
    name: 'fields that are not known are refused',
    law: '1.7/files/form-unknown-fields',
    fetch: failsIf((form) => form.includes('name="comment"')),
  },
  {
    name: 'the boundary is read with its quotation marks',
    law: '4/files/form-boundary-quoted',
    fetch: refusing((request) => /boundary="/.test(typeOf(request)), 400, 'validation_failed'),
  },
  {
    name: 'a form begins with its boundary',
    law: '4/files/form-around',
    fetch: failsIf((form) => !form.startsWith('--')),
  },
  {
    name: 'the headers of a part are compared exactly',
    law: '4/files/form-header-case',
    fetch: failsIf((form) => form.includes('content-disposition')),
  },
  {
    name: 'the end of the body ends the form',
    law: '4/files/form-without-end',
    fetch: reading((form) => (form.endsWith('time\r\n') ? form + end.trimStart() : form)),
  },
  {
    name: 'what is left at the end of the body is ignored',
    law: '4/files/form-cut-off',
    fetch: reading((form) => form.replace(/\r\n--x5kqRb0und$/, end)),
  },
  {
    name: 'the boundary is taken from the body',
    law: '4/files/form-boundary-wrong',
    fetch: asking((request) =>
      typeOf(request).includes('boundary=another')
        ? askedWith(request, { 'content-type': `multipart/form-data; boundary=${boundary}` })
        : request,
    ),
  },
  {
    name: 'a form without a boundary breaks the server',
    law: '4/files/form-boundary-missing',
    fetch: refusing((request) => typeOf(request) === 'multipart/form-data', 500, 'internal'),
  },
  {
    name: 'forms have the limit of JSON',
    law: '4/files/form-large',
    fetch: reading((form) => (form.length > 2 ** 20 ? refusal(413, 'payload_too_large') : form)),
  },
  {
    name: 'a file that is too large is a 400',
    law: '5.2/files/limit',
    fetch: answering((response, request) =>
      isUpload(request) && response.status === 413 ? refusal(400, 'validation_failed') : response,
    ),
  },
];
