import { check, equal } from '../expectations.js';
import { expectType } from './headers.js';
import { expectError, expectStatus, group, type Reply, type Server } from './server.js';
import { inEachVersion, version2, versions } from './versions.js';

/** A path of the interface, and the methods that it does not have. */
interface Place {
  readonly name: string;
  /** The method of an operation that is there. */
  readonly has: string;
  readonly refuses: readonly string[];
  path(server: Server): Promise<string> | string;
}

const writes = ['PUT', 'PATCH', 'DELETE'];

const places: readonly Place[] = [
  ...versions.map(({ read }) => ({
    name: read,
    has: 'GET',
    refuses: ['POST', ...writes],
    path: () => read,
  })),
  ...['/api/1.0/contractor/', '/api/1.0/deal/'].map((path) => ({
    name: path,
    has: 'POST',
    refuses: ['GET', 'HEAD', ...writes],
    path: () => path,
  })),
  { name: '/api/2.0/deal/', has: 'POST', refuses: writes, path: () => '/api/2.0/deal/' },
  {
    name: '/api/1.0/deal/{id}/',
    has: 'GET',
    refuses: ['POST', ...writes],
    path: async (server) => `/api/1.0/deal/${(await server.makeDeal()).id}/`,
  },
  {
    name: '/api/2.0/deal/{partner_id}/',
    has: 'GET',
    refuses: ['POST', ...writes],
    path: async (server) => `/api/2.0/deal/${(await server.makeDealV2()).partner_id}/`,
  },
];

/** Decision 5.2: methods that a path does not have, `HEAD` and `OPTIONS`. */
export const methods = group(
  'methods',
  {
    must: {
      '5.2/methods/refused': 'A method that a path does not have is 405 `method_not_allowed`.',
      '5.2/methods/allow': 'A 405 has the header `Allow` with the methods of the path.',
      '5.2/methods/allow-without-refused': 'The `Allow` of a 405 does not have the refused method.',
      '5.2/methods/allow-true': 'No method that the header `Allow` of a 405 lists is 405.',
      '5.2/methods/refused-does-nothing': 'A refused method leaves the deal of its path there.',
      '5.2/methods/head': 'A `HEAD` has the status of the same `GET`.',
      '5.2/methods/head-empty': 'The answer to a `HEAD` has no body.',
      '5.2/methods/head-length':
        'A header `Content-Length` of a `HEAD` is the length of the body of the same `GET`.',
      '5.2/methods/head-of-errors': 'A `HEAD` is 404 without a body if the same `GET` is 404.',
      '5.2/methods/options': 'An `OPTIONS` of a path of the interface succeeds.',
      '5.2/methods/options-open': 'An `OPTIONS` needs no token.',
      '2.5/methods/options-hides': 'An `OPTIONS` does not tell whether a deal exists.',
    },
    should: {
      '5.2/methods/head-type': 'A `HEAD` has the content type of the same `GET`.',
      '5.2/methods/options-allow': 'An `OPTIONS` has the header `Allow` with the methods.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    for (const { name, has, refuses, path } of places) {
      define(
        '5.2/methods/refused',
        async (server) => {
          const at = await path(server);
          for (const method of refuses) {
            const reply = await server.partner.send(method, at);
            if (method === 'HEAD') expectStatus(reply, 405);
            else expectError(reply, 405, 'method_not_allowed');
          }
        },
        name,
      );

      define(
        '5.2/methods/allow',
        async (server) => {
          const at = await path(server);
          for (const method of refuses) {
            const allowed = allowedBy(await server.partner.send(method, at));
            check(allowed.includes(has), `Allow has ${has} after ${method}\n  actual: ${allowed}`);
          }
        },
        name,
      );

      define(
        '5.2/methods/allow-without-refused',
        async (server) => {
          const at = await path(server);
          for (const method of refuses) {
            const allowed = allowedBy(await server.partner.send(method, at));
            const isOut = allowed.length > 0 && !allowed.includes(method);
            check(isOut, `Allow does not have the refused ${method}\n  actual: ${allowed}`);
          }
        },
        name,
      );

      define(
        '5.2/methods/allow-true',
        async (server) => {
          const at = await path(server);
          for (const method of allowedBy(await server.partner.send('PUT', at))) {
            // a client cannot send these two
            if (method === 'TRACE' || method === 'CONNECT') continue;
            const { status } = await server.partner.send(method, at);
            check(status !== 405, `${method} is in Allow\n  actual: ${status}`);
          }
        },
        name,
      );

      define(
        '5.2/methods/options',
        async (server) => {
          expectSuccess(await server.partner.send('OPTIONS', await path(server)));
        },
        name,
      );

      define(
        '5.2/methods/options-open',
        async (server) => {
          expectSuccess(await server.anonymous.send('OPTIONS', await path(server)));
        },
        name,
      );

      define(
        '5.2/methods/options-allow',
        async (server) => {
          const allowed = allowedBy(await server.anonymous.send('OPTIONS', await path(server)));
          check(allowed.includes(has), `Allow has ${has}\n  actual: ${allowed}`);
        },
        name,
      );
    }

    define('5.2/methods/refused-does-nothing', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const path = `/api/2.0/deal/${partner_id}/`;
      for (const method of writes) {
        await server.partner.send(method, path, { body: { title: 'Another title' } });
      }
      const deal = await server.partner.data('GET', path);
      equal(deal['title'], server.dealV2()['title'], 'the title of the deal');
    });

    defineInEach('5.2/methods/head', async ({ partner }, { read }) => {
      const { status } = await partner.send('GET', read);
      expectStatus(await partner.send('HEAD', read), status);
    });

    defineInEach('5.2/methods/head-empty', async ({ partner }, { read }) => {
      equal((await partner.send('HEAD', read)).bytes.length, 0, 'the bytes of the body');
    });

    defineInEach('5.2/methods/head-length', async ({ partner }, { read }) => {
      const request = { headers: { 'accept-encoding': 'identity' } };
      const { bytes } = await partner.send('GET', read, request);
      const length = (await partner.send('HEAD', read, request)).header('content-length');
      if (length !== null) equal(length, String(bytes.length), 'the header Content-Length');
    });

    defineInEach('5.2/methods/head-of-errors', async (server, { missing }) => {
      const reply = await server.partner.send('HEAD', missing(server));
      expectStatus(reply, 404);
      equal(reply.bytes.length, 0, 'the bytes of the body');
    });

    defineInEach('5.2/methods/head-type', async ({ partner }, { read }) => {
      expectType(await partner.send('HEAD', read), 'application/json');
    });

    define('2.5/methods/options-hides', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const [found, missing] = [
        await server.anonymous.send('OPTIONS', `/api/2.0/deal/${partner_id}/`),
        await server.anonymous.send('OPTIONS', version2.missing(server)),
      ];
      equal(missing.status, found.status, 'the status of a deal that does not exist');
      equal(missing.header('allow'), found.header('allow'), 'its header Allow');
    });
  },
);

/** The methods of the header `Allow`, in capitals. */
function allowedBy(reply: Reply): string[] {
  const allow = reply.header('allow') ?? '';
  return allow
    .split(',')
    .map((each) => each.trim().toUpperCase())
    .filter((each) => each !== '');
}

function expectSuccess({ status }: Reply): void {
  check(status >= 200 && status < 300, `expected a success\n  actual: ${status}`);
}
