import { check, equal } from '../expectations.js';
import { expectError, expectStatus, group, type Server } from './server.js';
import { inEachVersion } from './versions.js';

/** Paths below `/api/` that the interface does not have. */
const unknownPaths = [
  '/api/1.0/nothing/',
  '/api/2.0/nothing/',
  '/api/2.0/nothing/at/all/',
  '/api/2.0/category.json',
  '/api/3.0/category/',
  '/api/2/category/',
  '/api/category/',
];

/** Decisions 4 and 5.2: what a path names. */
export const paths = group(
  'paths',
  {
    must: {
      '4/paths/slash': 'A path without its closing slash has the same answer.',
      '4/paths/slash-post': 'A `POST` to a path without its closing slash has its effect.',
      '4/paths/slash-parameter': 'A deal is found by a path without its closing slash.',
      '4/paths/slash-query':
        'A path without its closing slash and with a query has the same answer.',
      '4/paths/slash-errors':
        'A path that does not exist has the same error without its closing slash.',
      '5.2/paths/unknown': 'A path that does not exist is 404 `not_found`.',
      '5.2/paths/unknown-post': 'A `POST` to a path that does not exist is 404 `not_found`.',
      '5.2/paths/long': 'A deal whose id in the path has 2,000 characters is 404.',
      '5.2/paths/malformed':
        'A path with a percent sign that encodes no text is 400 or 404, as an error of the interface.',
      '5.2/paths/nul': 'A path with an encoded U+0000 is 400 or 404.',
      '2.4/paths/no-id': 'A path of version 1.0 with an id that is no positive integer is 404.',
      '4/paths/encoded': 'A deal is found by its percent-encoded `partner_id`.',
      '4/paths/encoded-slash':
        'A path is split before it is decoded: `%2F` belongs to the `partner_id`, in either case.',
      '4/paths/decoded-once': 'A path is decoded once: `%252F` stands for `%2F` in a `partner_id`.',
      '4/paths/plus': 'A `+` in a path is a plus, not a space.',
      '4/paths/by-id': '`by-id/` with the parameter `partner_id` finds a deal with any id.',
      '4/paths/by-id-same':
        '`by-id/` with the parameter has the same answer as the path of the deal.',
      '4/paths/by-id-missing': '`by-id/` with the id of no deal is 404.',
      '4/paths/by-id-plain': '`by-id/` without the parameter `partner_id` is an id like any other.',
    },
    should: {
      '5.2/paths/very-long': 'A path of 8,000 characters that does not exist is 404 or 414.',
      '5.2/paths/case': 'A path in other case of its letters does not exist.',
      '5.2/paths/double-slash': 'A path with a doubled slash does not exist.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    defineInEach('4/paths/slash', async ({ partner }, { read }) => {
      const answer = (await partner.send('GET', read)).json();
      const reply = await partner.send('GET', read.slice(0, -1));
      expectStatus(reply, 200);
      equal(reply.json(), answer, 'the answer without the closing slash');
    });

    defineInEach('4/paths/slash-post', async (server, { create, valid }) => {
      const body = valid(server);
      expectStatus(await server.partner.send('POST', create.slice(0, -1), { body }), 201);
      expectStatus(await server.partner.send('POST', create, { body }), 409);
    });

    define(
      '4/paths/slash-parameter',
      async (server) => {
        const { id } = await server.makeDeal();
        expectStatus(await server.partner.send('GET', `/api/1.0/deal/${id}`), 200);
      },
      '1.0',
    );
    define(
      '4/paths/slash-parameter',
      async (server) => {
        const { partner_id } = await server.makeDealV2();
        expectStatus(await server.partner.send('GET', `/api/2.0/deal/${partner_id}`), 200);
      },
      '2.0',
    );

    define('4/paths/slash-query', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const reply = await server.partner.send(
        'GET',
        `/api/2.0/deal/by-id?partner_id=${partner_id}`,
      );
      expectStatus(reply, 200);
      equal(partnerIdIn(reply.members()), partner_id, 'the id of the deal');
    });

    defineInEach('4/paths/slash-errors', async (server, { missing, name }) => {
      for (const path of [missing(server), `/api/${name}/nothing/`]) {
        expectError(await server.partner.send('GET', path.slice(0, -1)), 404, 'not_found');
      }
    });

    for (const path of unknownPaths) {
      define(
        '5.2/paths/unknown',
        async ({ partner }) => {
          expectError(await partner.send('GET', path), 404, 'not_found');
        },
        path,
      );
      define(
        '5.2/paths/unknown-post',
        async ({ partner }) => {
          expectError(await partner.send('POST', path, { body: {} }), 404, 'not_found');
        },
        path,
      );
    }

    define('5.2/paths/long', async ({ partner }) => {
      const path = `/api/2.0/deal/${'x'.repeat(2000)}/`;
      expectError(await partner.send('GET', path), 404, 'not_found');
    });

    define('5.2/paths/very-long', async ({ partner }) => {
      const { status } = await partner.send('GET', `/api/2.0/${'nothing/'.repeat(1000)}`);
      check(status === 404 || status === 414, `expected 404 or 414\n  actual: ${status}`);
    });

    for (const [name, path] of [
      ['1.0', '/api/1.0/deal/'],
      ['2.0', '/api/2.0/deal/'],
    ] as const) {
      define(
        '5.2/paths/malformed',
        async (server) => {
          // a sign alone, no hexadecimal digits, bytes that are no UTF-8: three kinds of it
          for (const id of ['%', 'a%2', '%zz', '%ff', '%c0%af', '%ed%a0%80']) {
            await expectNothing(server, `${path}${id}/`);
          }
        },
        name,
      );
      define('5.2/paths/nul', async (server) => expectNothing(server, `${path}a%00b/`), name);
    }

    for (const id of ['0', '-1', '1.5', 'abc', '1e3', '0x1', '9007199254740993', '9'.repeat(40)]) {
      define(
        '2.4/paths/no-id',
        async ({ partner }) => {
          expectError(await partner.send('GET', `/api/1.0/deal/${id}/`), 404, 'not_found');
        },
        id,
      );
    }

    for (const [id, rest, encoded] of [
      ['4/paths/encoded', ' %?#&\u00f6\u{1f600}', ['%20%25%3F%23%26%C3%B6%F0%9F%98%80']],
      ['4/paths/encoded-slash', '/x', ['%2Fx', '%2fx']],
      ['4/paths/decoded-once', '%2Fx', ['%252Fx']],
      ['4/paths/plus', '+x', ['+x', '%2Bx']],
    ] as const) {
      define(id, async (server) => {
        const name = server.name('p');
        const { partner_id } = await server.makeDealV2({ partner_id: name + rest });
        for (const end of encoded) {
          const deal = await server.partner.data('GET', `/api/2.0/deal/${name}${end}/`);
          equal(deal['partner_id'], partner_id, `the id of the deal at ${name}${end}`);
        }
      });
    }

    define('4/paths/by-id', async (server) => {
      for (const rest of ['/../x', ' /.', '%2F', '+\u00f6&=']) {
        const { partner_id } = await server.makeDealV2({ partner_id: server.name('p') + rest });
        const deal = await server.partner.data('GET', byId(partner_id));
        equal(deal['partner_id'], partner_id, 'the id of the deal');
      }
    });

    define('4/paths/by-id-same', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const deal = await server.partner.data('GET', `/api/2.0/deal/${partner_id}/`);
      equal(await server.partner.data('GET', byId(partner_id)), deal, 'the deal by its parameter');
    });

    define('4/paths/by-id-missing', async ({ partner, name }) => {
      expectError(await partner.send('GET', byId(name('missing'))), 404, 'not_found');
    });

    define('4/paths/by-id-plain', async ({ partner }) => {
      const reply = await partner.send('GET', '/api/2.0/deal/by-id/');
      // the partner may have a deal of that id
      if (reply.status === 200) equal(partnerIdIn(reply.members()), 'by-id', 'the id of the deal');
      else expectError(reply, 404, 'not_found');
    });

    defineInEach('5.2/paths/case', async ({ partner }, { read }) => {
      for (const path of [read.toUpperCase(), read.replace('category', 'Category')]) {
        expectStatus(await partner.send('GET', path), 404);
      }
    });

    defineInEach('5.2/paths/double-slash', async ({ partner }, { read, name }) => {
      for (const path of [
        `${read}/`,
        read.replace(name, `${name}/`),
        read.replace('api', 'api/'),
      ]) {
        expectStatus(await partner.send('GET', path), 404);
      }
    });
  },
);

const byId = (id: string) => `/api/2.0/deal/by-id/?partner_id=${encodeURIComponent(id)}`;

const partnerIdIn = ({ data }: Readonly<Record<string, unknown>>) =>
  Object(data).partner_id as unknown;

async function expectNothing({ partner }: Server, path: string): Promise<void> {
  const reply = await partner.send('GET', path);
  const { code } = reply.members();
  const isRefused = reply.status === 400 || reply.status === 404;
  check(isRefused, `${path} is 400 or 404\n  actual: ${reply.status} ${code}`);
  check(typeof code === 'string', `the error of ${path} has a code\n  actual: ${code}`);
}
