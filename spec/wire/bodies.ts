import { equal } from '../expectations.js';
import { within } from './promised.js';
import { expectError, expectStatus, group, type Members, type Server } from './server.js';
import { inEachVersion, type Version } from './versions.js';

const json = { 'content-type': 'application/json' };

/** Names that objects of some languages have from the start. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** Decisions 5.2 and 1.7: which bodies are read, and how. */
export const bodies = group(
  'bodies',
  {
    must: {
      '5.2/bodies/type-missing': 'A body without a `Content-Type` is 415.',
      '5.2/bodies/type-other': 'A body of another `Content-Type` than JSON is 415.',
      '5.2/bodies/type-form': 'A body that is declared as a form is 415.',
      '5.2/bodies/type-parameters': 'The type of a JSON body may have the parameter charset UTF-8.',
      '5.2/bodies/type-case': 'The type of a JSON body may be written in any case.',
      '5.2/bodies/encoding': 'A body with a header `Content-Encoding` is 415.',
      '5.2/bodies/refused-does-nothing': 'A body that is refused by its type creates nothing.',
      'i/bodies/white-space': 'JSON may have white space around its values.',
      'i/bodies/escapes': 'JSON may have escapes in its names and texts.',
      '1.7/bodies/repeated': 'The last value of a repeated member counts.',
      '1.7/bodies/unknown': 'A member that is not known is ignored, whatever it holds.',
      '1.7/bodies/inherited':
        'A member that is named like one of every object, as `__proto__`, is ignored.',
      '1.7/bodies/proto': 'A member `__proto__` supplies no other member.',
      '1.7/bodies/proto-later': 'A member `__proto__` changes no later request.',
    },
    should: {
      '5.2/bodies/charset': 'A body that is declared as JSON of another charset than UTF-8 is 415.',
      '5.2/bodies/size':
        'A JSON body of more than `max_body_size` bytes, by default 1 MiB, is 413.',
      '5.2/bodies/size-within':
        'A JSON body of exactly `max_body_size` bytes, by default 1 MiB, is read.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    for (const [id, types] of [
      ['5.2/bodies/type-missing', [undefined]],
      [
        '5.2/bodies/type-other',
        ['text/plain', 'application/xml', 'text/html', 'application/jsonp'],
      ],
      [
        '5.2/bodies/type-form',
        ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      ],
      [
        '5.2/bodies/charset',
        ['application/json; charset=iso-8859-1', 'application/json;charset=utf-16'],
      ],
    ] as const) {
      defineInEach(id, async (server, version) => {
        for (const type of types) {
          const headers = { 'content-type': type };
          const reply = await sendText(server, version, validText(server, version), headers);
          expectError(reply, 415, 'unsupported_media_type');
        }
      });
    }

    for (const [id, types] of [
      [
        '5.2/bodies/type-parameters',
        [
          'application/json; charset=utf-8',
          'application/json;charset=UTF-8',
          'application/json; charset="utf-8"',
        ],
      ],
      ['5.2/bodies/type-case', ['Application/JSON', 'APPLICATION/JSON; CHARSET=UTF-8']],
    ] as const) {
      defineInEach(id, async (server, version) => {
        for (const type of types) {
          const headers = { 'content-type': type };
          const reply = await sendText(server, version, validText(server, version), headers);
          expectStatus(reply, 201);
        }
      });
    }

    defineInEach('5.2/bodies/encoding', async (server, version) => {
      for (const encoding of ['gzip', 'deflate', 'br', 'identity']) {
        const headers = { ...json, 'content-encoding': encoding };
        const reply = await sendText(server, version, validText(server, version), headers);
        expectError(reply, 415, 'unsupported_media_type');
      }
    });

    defineInEach('5.2/bodies/refused-does-nothing', async (server, version) => {
      const text = validText(server, version);
      await sendText(server, version, text, { 'content-type': 'text/plain' });
      await sendText(server, version, text, { ...json, 'content-encoding': 'gzip' });
      expectStatus(await sendText(server, version, text), 201);
    });

    defineInEach('i/bodies/white-space', async (server, version) => {
      const text = JSON.stringify(version.valid(server), undefined, '\t');
      expectStatus(await sendText(server, version, ` \r\n\t${text}\r\n \t`), 201);
    });

    defineInEach('i/bodies/escapes', async (server, version) => {
      const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
      const text = validText(server, version).replace(/[a-z@.]/g, escaped);
      expectStatus(await sendText(server, version, text), 201);
    });

    defineInEach('1.7/bodies/repeated', async (server, version) => {
      const repeated = `"${version.text}":5`;
      const first = validText(server, version).replace('{', `{${repeated},`);
      expectStatus(await sendText(server, version, first), 201);
      const last = validText(server, version).replace(/\}$/, `,${repeated}}`);
      expectError(await sendText(server, version, last), 400, 'validation_failed');
    });

    defineInEach('1.7/bodies/unknown', async (server, version) => {
      const values = ['null', '"text"', '1e400', '[{}]', '{"partner_id":null,"email":5}'];
      const members = values.map((value, at) => `"unknown_${at}":${value},`);
      const text = validText(server, version).replace('{', `{${members.join('')}`);
      expectStatus(await sendText(server, version, text), 201);
    });

    defineInEach('1.7/bodies/inherited', async (server, version) => {
      for (const value of ['null', '{"toString":null}', '"text"']) {
        const members = inherited.map((name) => `"${name}":${value},`);
        const text = validText(server, version).replace('{', `{${members.join('')}`);
        expectStatus(await sendText(server, version, text), 201);
      }
    });

    defineInEach('1.7/bodies/proto', async (server, version) => {
      const empty = await issuesOf(server, version, '{}');
      for (const text of [
        `{"__proto__":${validText(server, version)}}`,
        protoText(server, version),
      ]) {
        equal(
          await issuesOf(server, version, text),
          empty,
          'the problems of a body without fields',
        );
      }
    });

    defineInEach('1.7/bodies/proto-later', async (server, version) => {
      const empty = await issuesOf(server, version, '{}');
      await sendText(server, version, `{"__proto__":${validText(server, version)}}`);
      await sendText(server, version, protoText(server, version));
      equal(await issuesOf(server, version, '{}'), empty, 'the problems of a later empty body');
    });

    defineInEach('5.2/bodies/size', async (server, version) => {
      const reply = await sendText(
        server,
        version,
        textOfSize(limitOf(server) + 1, server, version),
      );
      expectError(reply, 413, 'payload_too_large');
    });

    defineInEach('5.2/bodies/size-within', async (server, version) => {
      expectStatus(
        await sendText(server, version, textOfSize(limitOf(server), server, version)),
        201,
      );
    });
  },
);

const limitOf = ({ promised }: Server) => within(promised.max_body_size);

/** A valid body of the version, as JSON. */
export const validText = (server: Server, version: Version) =>
  JSON.stringify(version.valid(server));

/** Sends a body to the create of the version; by default as JSON. */
export function sendText(
  { partner }: Server,
  { create }: Version,
  text: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | undefined>> = json,
) {
  // to a text, some clients add a content type of their own
  const raw = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return partner.send('POST', create, { raw, headers });
}

async function issuesOf(
  server: Server,
  version: Version,
  text: string,
): Promise<Members['errors']> {
  const reply = await sendText(server, version, text);
  return expectError(reply, 400, 'validation_failed')['errors'];
}

const protoText = (server: Server, version: Version) =>
  `{"constructor":{"prototype":${validText(server, version)}}}`;

/** A valid body of so many bytes: what fills it is a member that is not known. */
function textOfSize(bytes: number, server: Server, version: Version): string {
  const body = version.valid(server);
  const empty = JSON.stringify({ ...body, filler: '' });
  return JSON.stringify({ ...body, filler: 'x'.repeat(bytes - empty.length) });
}
