import { askedAs, asking, refusal } from './changes.js';
import type { Mutant } from './mutant.js';

/** A reader that mends what is not JSON. */
const mends = (law: string, name: string, change: (text: string) => string): Mutant => ({
  law: `5.2/bodies/${law}`,
  name,
  fetch: asking((request) => askedAs(request, change)),
});

const answers = (
  law: string,
  name: string,
  fits: (text: string) => boolean,
  answer: () => Response,
): Mutant => ({
  law: `5.2/bodies/${law}`,
  name,
  fetch: asking(async (request) =>
    request.body !== null && fits(await request.clone().text()) ? answer() : request,
  ),
});

/** The member that is not known, with a value that every reader takes. */
const plainMember = (fits: RegExp) => (text: string) =>
  text.replace(/^(\{"unknown":)(".*?"|[^,"]+)(?=,")/s, (all, name, value) =>
    fits.test(value) ? `${name}null` : all,
  );

/** The bytes, read as another encoding. */
const decodes = (law: string, name: string, decode: (bytes: Uint8Array) => string): Mutant => ({
  law: `5.2/bodies/${law}`,
  name,
  fetch: asking(async (request) => {
    if (request.body === null) return request;
    const text = decode(new Uint8Array(await request.clone().arrayBuffer()));
    return askedAs(request, () => text);
  }),
});

export const mutants: readonly Mutant[] = [
  mends('empty', 'an empty body is an empty object', (text) => text.trim() || '{}'),
  mends('truncated', 'what is open is closed', (text) => (/"\w+"$/.test(text) ? `${text}}` : text)),
  mends('commas', 'a comma at the end', (text) => text.replace(/,\}$/, '}')),
  mends('commas', 'a comma at the end of an array', (text) => text.replace(',]', ']')),
  mends('comments', 'comments', (text) => text.replace(/^\/\*.*?\*\//, '')),
  mends('two-values', 'the first value counts', (text) => text.replace(/\}\n\{\}$/, '}')),
  mends('numbers', 'octal numbers', plainMember(/^0\d/)),
  mends('numbers', 'a plus', plainMember(/^\+/)),
  mends('not-a-number', 'NaN, as Python has it', plainMember(/^NaN$/)),
  mends('literals', 'None, as Python has it', plainMember(/^None$/)),
  mends('quotes', 'single quotes', (text) =>
    text.includes('"') ? text : text.replaceAll("'", '"'),
  ),
  mends('control-characters', 'a line break in a text', plainMember(/\n/)),
  mends('broken-escapes', 'a backslash before any character', plainMember(/\\x/)),
  decodes('utf8', 'what is not UTF-8 becomes U+FFFD', (bytes) => new TextDecoder().decode(bytes)),
  decodes('utf16', 'the encoding is found out, as in Python', (bytes) =>
    new TextDecoder(bytes[1] === 0 ? 'utf-16le' : 'utf-8').decode(bytes),
  ),
  answers(
    'truncated',
    'another code',
    (text) => text === '{',
    () => refusal(400, 'validation_failed'),
  ),
  answers(
    'empty',
    'an empty body is a validation error',
    (text) => text === '',
    () => refusal(400, 'validation_failed'),
  ),
  mends('no-object', 'a list of one', (text) => text.replace(/^\[(\{.*\})\]$/s, '$1')),
  answers(
    'no-object',
    'null has no members',
    (text) => text === 'null',
    () => refusal(500, 'internal'),
  ),
  answers(
    'deep',
    'the stack overflows',
    (text) => text.startsWith('[['.repeat(100)),
    () => refusal(500, 'internal'),
  ),
  answers(
    'deep-member',
    'the stack overflows in a member',
    (text) => text.includes('[['.repeat(100)),
    () => refusal(500, 'internal'),
  ),
];
