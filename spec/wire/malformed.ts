import { check } from '../expectations.js';
import { sendText, validText } from './bodies.js';
import { expectError, expectStatus, group } from './server.js';
import { inEachVersion } from './versions.js';

const laws = {
  '5.2/bodies/empty': 'A body that is declared as JSON and is empty is 400 `invalid_json`.',
  '5.2/bodies/truncated': 'A JSON body that breaks off is 400 `invalid_json`.',
  '5.2/bodies/commas': 'A JSON body with a comma too many or too few is 400 `invalid_json`.',
  '5.2/bodies/comments': 'A JSON body with a comment is 400 `invalid_json`.',
  '5.2/bodies/two-values': 'A body with something behind its JSON is 400 `invalid_json`.',
  '5.2/bodies/numbers': 'A JSON body with a number of another form is 400 `invalid_json`.',
  '5.2/bodies/not-a-number': 'A JSON body with `NaN` or `Infinity` is 400 `invalid_json`.',
  '5.2/bodies/literals': 'A JSON body with another literal than true, false, null is 400.',
  '5.2/bodies/quotes': 'A JSON body with single quotes, or a name without quotes, is 400.',
  '5.2/bodies/control-characters': 'A JSON body with a control character in a text is 400.',
  '5.2/bodies/broken-escapes': 'A JSON body with an escape that JSON does not have is 400.',
  '5.2/bodies/utf8': 'A body with bytes that are not UTF-8 is 400 `invalid_json`.',
  '5.2/bodies/utf16': 'A JSON body in UTF-16 is 400 `invalid_json`.',
};

type Body = string | Uint8Array<ArrayBuffer>;

/**
 * What each law does to a valid body. In all else the body stays valid, so that a reader that is
 * too tolerant creates a record.
 */
const damage: Readonly<Record<keyof typeof laws, (valid: string) => readonly Body[]>> = {
  '5.2/bodies/empty': () => ['', ' \n'],
  '5.2/bodies/truncated': (valid) => [valid.slice(0, -1), valid.slice(0, -3), '{', '"'],
  '5.2/bodies/commas': (valid) => [
    `${valid.slice(0, -1)},}`,
    valid.replace('{', '{,'),
    valid.replace(',', ',,'),
    valid.replace(',', ' '),
    withMember('[1,]', valid),
  ],
  '5.2/bodies/comments': (valid) => [`/* x */${valid}`, `${valid}// x`, `# x\n${valid}`],
  '5.2/bodies/two-values': (valid) => [valid + valid, `${valid}\n{}`, `${valid}}`, `${valid} x`],
  '5.2/bodies/numbers': inMember('01', '+1', '.5', '1.', '0x10', '1e', '1_000', '--1'),
  '5.2/bodies/not-a-number': inMember('NaN', 'Infinity', '-Infinity'),
  '5.2/bodies/literals': inMember('True', 'None', 'undefined', 'NULL', 'nul'),
  '5.2/bodies/quotes': (valid) => [valid.replaceAll('"', "'"), valid.replace(/"(\w+)":/, '$1:')],
  '5.2/bodies/control-characters': inMember('"a\nb"', '"a\tb"', '"a\u0001b"', '"a\u0000b"'),
  '5.2/bodies/broken-escapes': inMember('"\\x41"', '"\\u12"', '"\\u00zz"', '"\\\'"', '"\\0"'),
  '5.2/bodies/utf8': (valid) =>
    [
      [0xff],
      // "/" in two bytes, half of a surrogate pair, a sequence that breaks off
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xe2, 0x82],
      // a byte that continues nothing, a code point above U+10FFFF
      [0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ].map((bytes) => withBytes(bytes, valid)),
  '5.2/bodies/utf16': (valid) => [utf16(valid), utf16(`\ufeff${valid}`)],
};

/** Decision 5.2: malformed JSON or UTF-8 is 400. */
export const malformed = group(
  'malformed bodies',
  {
    must: {
      ...laws,
      '5.2/bodies/no-object': 'A JSON body that is not an object is 400.',
      '5.2/bodies/deep': 'A JSON body of 100,000 nested arrays is 400.',
      '5.2/bodies/deep-member':
        'A JSON body with 100,000 nested arrays in a member that is not known is 400 or read.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    for (const id of Object.keys(laws) as (keyof typeof laws)[]) {
      defineInEach(id, async (server, version) => {
        for (const body of damage[id](validText(server, version))) {
          expectError(await sendText(server, version, body), 400, 'invalid_json');
        }
      });
    }

    defineInEach('5.2/bodies/no-object', async (server, version) => {
      const valid = validText(server, version);
      for (const text of ['null', 'true', '5', '"text"', '[]', `[${valid}]`, `[[${valid}]]`]) {
        expectStatus(await sendText(server, version, text), 400);
      }
    });

    defineInEach('5.2/bodies/deep', async (server, version) => {
      expectStatus(await sendText(server, version, nested), 400);
    });

    defineInEach('5.2/bodies/deep-member', async (server, version) => {
      const text = withMember(nested, validText(server, version));
      const { status } = await sendText(server, version, text);
      check(status === 400 || status === 201, `expected 400 or 201\n  actual: ${status}`);
    });
  },
);

const nested = '['.repeat(100_000) + ']'.repeat(100_000);

/** The body with one more member, which is not known. */
function withMember(value: string, valid: string): string {
  return `{"unknown":${value},${valid.slice(1)}`;
}

/** The body with each of these values in one more member. */
function inMember(...values: readonly string[]): (valid: string) => readonly string[] {
  return (valid) => values.map((value) => withMember(value, valid));
}

/** The body with these bytes in a text of one more member. */
function withBytes(bytes: readonly number[], valid: string): Uint8Array<ArrayBuffer> {
  const [before = '', after = ''] = withMember('"|"', valid).split('|');
  const encoder = new TextEncoder();
  return new Uint8Array([...encoder.encode(before), ...bytes, ...encoder.encode(after)]);
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at += 1) bytes.setUint16(2 * at, text.charCodeAt(at), true);
  return new Uint8Array(bytes.buffer);
}
