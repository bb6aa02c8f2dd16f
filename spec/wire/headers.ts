import { check, equal } from '../expectations.js';
import { NotApplicable } from '../laws.js';
import { provoke } from './provoked.js';
import { expectStatus, group, membersOf, type Reply, type Server } from './server.js';
import { inEachVersion, type Version, version1, version2, versions } from './versions.js';

/** Decision 5.4: a request has an id, and the interface: bodies are JSON. */
export const headers = group(
  'headers',
  {
    must: {
      'i/http/content-type': 'A successful answer has the content type `application/json`.',
      'i/http/content-type-always':
        'A successful answer is `application/json` whatever the header `Accept` asks for.',
      'i/http/utf8': 'The body of an answer is one JSON value in UTF-8, without a byte order mark.',
      'i/http/length': 'A header `Content-Length` of an answer is the number of bytes of its body.',
      '5.4/http/request-id': 'A successful answer has the header `X-Request-Id`.',
      '5.4/http/request-id-of-errors': 'An error has the header `X-Request-Id`.',
      '5.4/http/request-id-echo': 'An `X-Request-Id` of the caller that is a UUID is given back.',
      '5.4/http/request-id-echo-of-errors':
        'An `X-Request-Id` of the caller that is a UUID is given back with an error too.',
      '5.4/http/request-id-long':
        'An `X-Request-Id` of the caller with 5,000 characters is replaced by another one.',
      '5.4/http/request-id-markup':
        'An `X-Request-Id` of the caller that holds HTML is replaced by another one.',
      '5.4/http/request-id-empty': 'An empty `X-Request-Id` of the caller is replaced.',
      '5.4/http/request-id-ulid': 'Without one of the caller, the `X-Request-Id` is a ULID.',
      '5.4/http/request-id-unique': 'No two requests get the same new `X-Request-Id`.',
      '5.5/http/deprecation':
        'A header `Deprecation` of version 1.0 is a time as RFC 9745 writes it: `@` and seconds.',
      '5.5/http/sunset': 'A header `Sunset` of version 1.0 is an HTTP date.',
      '5.5/http/sunset-later': 'The time of `Sunset` is not before that of `Deprecation`.',
      '5.5/http/deprecation-of-v1-alone': 'Version 2.0 has no header `Deprecation`.',
      '5.5/http/deprecated-in-openapi':
        'The OpenAPI document says `deprecated: true` for each operation of version 1.0.',
    },
    should: {
      '5.7/http/cors':
        'A page of an origin that is not known may not read an answer, unless the service promises that any may.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    defineInEach('i/http/content-type', async ({ partner }, { read }) => {
      expectType(await partner.send('GET', read), 'application/json');
    });

    defineInEach('i/http/content-type-always', async ({ partner }, { read }) => {
      for (const accept of ['text/html', 'application/problem+json', '*/*', 'application/xml']) {
        const reply = await partner.send('GET', read, { headers: { accept } });
        expectStatus(reply, 200);
        expectType(reply, 'application/json');
      }
    });

    defineInEach('i/http/utf8', async (server, version) => {
      for (const reply of await answersOf(server, version)) {
        reply.json();
        check(reply.bytes[0] !== 0xef, 'the body does not begin with a byte order mark');
      }
    });

    defineInEach('i/http/length', async (server, version) => {
      for (const reply of await answersOf(server, version)) {
        const length = reply.header('content-length');
        if (length === null) continue;
        equal(length, String(reply.bytes.length), `the header Content-Length of ${reply.status}`);
      }
    });

    defineInEach('5.4/http/request-id', async ({ partner }, { read }) => {
      const reply = await partner.send('GET', read);
      check(idOf(reply) !== '', `${reply.status} has no X-Request-Id`);
    });

    defineInEach('5.4/http/request-id-of-errors', async (server, version) => {
      for (const reply of await errorsOf(server, version)) {
        check(idOf(reply) !== '', `${reply.status} has no X-Request-Id`);
      }
    });

    defineInEach('5.4/http/request-id-echo', async ({ partner }, { read }) => {
      const id = crypto.randomUUID();
      const reply = await partner.send('GET', read, { headers: { 'x-request-id': id } });
      equal(idOf(reply), id, 'the X-Request-Id of the answer');
    });

    defineInEach('5.4/http/request-id-echo-of-errors', async (server, version) => {
      const id = crypto.randomUUID();
      for (const reply of await errorsOf(server, version, { 'x-request-id': id })) {
        equal(idOf(reply), id, `the X-Request-Id of ${reply.status}`);
      }
    });

    for (const [id, sent] of [
      ['5.4/http/request-id-long', 'x'.repeat(5000)],
      ['5.4/http/request-id-markup', '<script>alert(1)</script>'],
      ['5.4/http/request-id-empty', ''],
    ] as const) {
      defineInEach(id, async ({ partner }, { read }) => {
        const reply = await partner.send('GET', read, { headers: { 'x-request-id': sent } });
        expectStatus(reply, 200);
        const got = idOf(reply);
        check(got !== '' && got !== sent, `X-Request-Id is a new one\n  actual: ${got}`);
      });
    }

    defineInEach('5.4/http/request-id-ulid', async ({ partner }, { read }) => {
      const id = idOf(await partner.send('GET', read));
      check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(id), `X-Request-Id is a ULID\n  actual: ${id}`);
    });

    defineInEach('5.4/http/request-id-unique', async ({ partner }, { read }) => {
      const ids = new Set<string>();
      for (let count = 1; count <= 20; count += 1) {
        const id = idOf(await partner.send('GET', read));
        equal(ids.add(id).size, count, `the number of ids in ${count} answers, the last ${id}`);
      }
    });

    define('5.5/http/deprecation', async (server) => {
      const { deprecation } = await deprecationOf(server);
      check(/^@-?\d+$/.test(deprecation), `Deprecation is @ and seconds\n  actual: ${deprecation}`);
    });

    define('5.5/http/sunset', async (server) => {
      const { sunset } = await sunsetOf(server);
      equal(new Date(sunset).toUTCString(), sunset, 'Sunset as an HTTP date');
    });

    define('5.5/http/sunset-later', async (server) => {
      const { deprecation, sunset } = await sunsetOf(server);
      check(
        Date.parse(sunset) >= Number(deprecation.slice(1)) * 1000,
        `Sunset is not before Deprecation\n  actual: ${sunset} and ${deprecation}`,
      );
    });

    define('5.5/http/deprecation-of-v1-alone', async ({ partner }) => {
      const deprecation = (await partner.send('GET', version2.read)).header('deprecation');
      equal(deprecation, null, 'the header Deprecation of version 2.0');
    });

    define('5.5/http/deprecated-in-openapi', async ({ anonymous }) => {
      const reply = await anonymous.send('GET', '/openapi.json');
      if (reply.status !== 200) throw new NotApplicable('it has no /openapi.json');
      const items = Object.entries(membersOf(reply.members()['paths'], 'the member paths'));
      const old = items.filter(([path]) => path.includes('/api/1.0/'));
      if (old.length === 0) throw new NotApplicable('its OpenAPI document has no version 1.0');
      for (const [path, item] of old) {
        for (const [method, operation] of Object.entries(membersOf(item, path))) {
          if (!/^(get|post|put|patch|delete)$/.test(method)) continue;
          const { deprecated } = membersOf(operation, `${method} ${path}`);
          equal(deprecated, true, `the member deprecated of ${method} ${path}`);
        }
      }
    });

    for (const { name, read } of versions) {
      define(
        '5.7/http/cors',
        async ({ partner, promised }) => {
          const origin = `https://${crypto.randomUUID()}.example`;
          const reply = await partner.send('GET', read, { headers: { origin } });
          const allowed = reply.header('access-control-allow-origin');
          if (promised.allows_any_origin) {
            check(allowed === '*' || allowed === origin, `any origin is allowed: ${allowed}`);
          } else {
            equal(allowed, null, 'the header Access-Control-Allow-Origin');
          }
        },
        name,
      );
    }
  },
);

/** Fails the case unless the answer has this media type, with any parameters. */
export function expectType(reply: Reply, type: string): void {
  const [essence = ''] = (reply.header('content-type') ?? '').split(';');
  equal(essence.trim().toLowerCase(), type, `the content type of ${reply.status}`);
}

/** The id of the request; empty if the answer has none. */
export const idOf = (reply: Reply) => reply.header('x-request-id') ?? '';

/** Answers whose bytes are as the server wrote them. */
async function answersOf(server: Server, version: Version): Promise<Reply[]> {
  const plain = { 'accept-encoding': 'identity' };
  const success = await server.partner.send('GET', version.read, { headers: plain });
  return [success, ...(await errorsOf(server, version, plain))];
}

const errorsOf = async (...asked: Parameters<typeof provoke>) =>
  (await provoke(...asked)).map(({ reply }) => reply);

async function deprecationOf({ partner }: Server) {
  const reply = await partner.send('GET', version1.read);
  const deprecation = reply.header('deprecation');
  if (deprecation === null) throw new NotApplicable('it names no date for version 1.0');
  return { deprecation, sunset: reply.header('sunset') };
}

async function sunsetOf(server: Server) {
  const { deprecation, sunset } = await deprecationOf(server);
  if (sunset === null) throw new NotApplicable('it names no end of version 1.0');
  return { deprecation, sunset };
}
