import { askedAs, askedWith, asking, refusal } from './changes.js';
import type { Mutant } from './mutant.js';

const typeOf = ({ headers }: Request) => headers.get('content-type');

/** Reads a body as JSON though it is not declared so. */
const takes = (fits: (type: string | null) => boolean) =>
  asking((request) =>
    request.method === 'POST' && fits(typeOf(request))
      ? askedWith(request, { 'content-type': 'application/json' })
      : request,
  );

/** Refuses a content type that is fine. */
const refuses = (fits: (type: string) => boolean) =>
  asking((request) =>
    fits(typeOf(request) ?? '') ? refusal(415, 'unsupported_media_type') : request,
  );

/** Answers the bodies that fit. */
const ifBody = (fits: (text: string) => boolean, answer: () => Response) =>
  asking(async (request) => {
    if (request.method !== 'POST' || typeOf(request) !== 'application/json') return request;
    return fits(await request.clone().text()) ? answer() : request;
  });

/** Reads another body than the one that came. */
const reads = (change: (text: string) => string) => asking((request) => askedAs(request, change));

/** The members of an object in its member `__proto__`, as a careless copy takes them. */
function inherit(text: string): string {
  const found = /^\{"__proto__":(\{"(?:email|partner_id)".*\})\}$/s.exec(text);
  return found?.[1] ?? text;
}

const badRequest = () => refusal(400, 'invalid_json');

export const mutants: readonly Mutant[] = [
  {
    name: 'a body without a type is JSON',
    law: '5.2/bodies/type-missing',
    fetch: takes((type) => type === null),
  },
  {
    name: 'text/plain is JSON',
    law: '5.2/bodies/type-other',
    fetch: takes((type) => type === 'text/plain'),
  },
  {
    name: 'another type is a 400',
    law: '5.2/bodies/type-other',
    fetch: asking((request) =>
      typeOf(request)?.startsWith('text/') ? refusal(400, 'unsupported_media_type') : request,
    ),
  },
  {
    name: 'what curl sends by default is JSON',
    law: '5.2/bodies/type-form',
    fetch: takes((type) => type === 'application/x-www-form-urlencoded'),
  },
  {
    name: 'a type with a parameter is another type',
    law: '5.2/bodies/type-parameters',
    fetch: refuses((type) => type.includes(';')),
  },
  {
    name: 'a quoted charset is another one',
    law: '5.2/bodies/type-parameters',
    fetch: refuses((type) => type.includes('"')),
  },
  {
    name: 'a type is compared in lower case',
    law: '5.2/bodies/type-case',
    fetch: refuses((type) => /[A-Z]/.test(type.replace('UTF', ''))),
  },
  {
    name: 'no header Content-Encoding is read',
    law: '5.2/bodies/encoding',
    fetch: asking((request) => askedWith(request, { 'content-encoding': undefined })),
  },
  {
    name: 'identity is an encoding like none',
    law: '5.2/bodies/encoding',
    fetch: asking((request) =>
      request.headers.get('content-encoding') === 'identity'
        ? askedWith(request, { 'content-encoding': undefined })
        : request,
    ),
  },
  {
    name: 'the record is stored before the type is judged',
    law: '5.2/bodies/refused-does-nothing',
    fetch: (forward) => async (request) => {
      if (typeOf(request) !== 'text/plain') return forward(request);
      await forward(askedWith(request, { 'content-type': 'application/json' }));
      return refusal(415, 'unsupported_media_type');
    },
  },
  {
    name: 'no white space before JSON',
    law: 'i/bodies/white-space',
    fetch: ifBody((text) => /^\s/.test(text), badRequest),
  },
  {
    name: 'members are sought in the text',
    law: 'i/bodies/escapes',
    fetch: ifBody((text) => text.includes('\\u'), badRequest),
  },
  {
    name: 'a repeated member is an error',
    law: '1.7/bodies/repeated',
    fetch: ifBody((text) => /("\w+":)5,.*\1/s.test(text), badRequest),
  },
  {
    name: 'the first of repeated members counts',
    law: '1.7/bodies/repeated',
    fetch: reads((text) => text.replace(/,"(?:street|description)":5\}$/, '}')),
  },
  {
    name: 'a member that is not known is an error',
    law: '1.7/bodies/unknown',
    fetch: ifBody(
      (text) => text.includes('"unknown_0"'),
      () => refusal(400, 'validation_failed'),
    ),
  },
  {
    name: 'a member constructor is an attack',
    law: '1.7/bodies/inherited',
    fetch: ifBody((text) => text.includes('"constructor":'), badRequest),
  },
  {
    name: '__proto__ is copied',
    law: '1.7/bodies/proto',
    fetch: reads(inherit),
  },
  {
    name: '__proto__ stays for later requests',
    law: '1.7/bodies/proto-later',
    fetch: (forward) => {
      let polluted: string | undefined;
      return async (request) =>
        forward(
          await askedAs(request, (text) => {
            const inherited = inherit(text);
            if (inherited !== text) polluted = inherited;
            return text === '{}' ? (polluted ?? text) : text;
          }),
        );
    },
  },
  {
    name: 'the charset is not read',
    law: '5.2/bodies/charset',
    fetch: takes((type) => type?.includes('charset=') === true),
  },
  {
    name: 'no limit',
    law: '5.2/bodies/size',
    fetch: reads((text) => text.replace(/,"filler":"x+"/, '')),
  },
  {
    name: 'a limit of 1,000,000 bytes',
    law: '5.2/bodies/size-within',
    fetch: ifBody(
      (text) => text.length > 1_000_000,
      () => refusal(413, 'payload_too_large'),
    ),
  },
  {
    name: '413 has another code',
    law: '5.2/bodies/size',
    fetch: ifBody(
      (text) => text.length > 2 ** 20,
      () => refusal(413, 'too_large'),
    ),
  },
];
