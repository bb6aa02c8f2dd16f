import { check, equal, show } from '../expectations.js';
import { expectType, idOf } from './headers.js';
import { type Provoked, provoke } from './provoked.js';
import { expectError, expectStatus, group, type Members, type Reply } from './server.js';
import { inEachVersion, version1, version2 } from './versions.js';

const problem = 'application/problem+json';

/** Decision 5.1: every error has a body of one form. */
export const errors = group(
  'errors',
  {
    must: {
      '5.1/errors/type': 'The member `type` of an error is `urn:dealwright:error:` and its code.',
      '5.1/errors/title': 'The member `title` of an error is a text.',
      '5.1/errors/status': 'The member `status` of an error is the status of the answer.',
      '5.1/errors/detail': 'The member `detail` of an error is a text.',
      '5.1/errors/instance': 'The member `instance` of an error is a URI reference.',
      '5.1/errors/code': 'Each kind of error has the code that is fixed for it.',
      '5.1/errors/request-id': 'The member `request_id` of an error is its `X-Request-Id`.',
      '5.1/errors/issues': 'A validation error has its problems in the member `errors`.',
      '5.1/errors/success-false': 'An error of version 1.0 has the member `success: false`.',
      '5.1/errors/no-success': 'An error of version 2.0 has no member `success`.',
      '5.1/errors/exists': 'The code of a second create is `contractor_exists` or `deal_exists`.',
      '5.1/errors/json': 'Without a header `Accept`, an error is `application/json`.',
      '5.1/errors/json-for-others':
        'An error is `application/json` if `Accept` does not name `application/problem+json`.',
      '5.1/errors/problem':
        'An error is `application/problem+json` if the header `Accept` asks for that type.',
      '5.1/errors/problem-among-others':
        'An error is `application/problem+json` if `Accept` names it beside less wanted types.',
      '5.1/errors/problem-case':
        'An error is `application/problem+json` if `Accept` asks for it in other case of letters.',
      '5.1/errors/problem-refused':
        'An error is `application/json` if `Accept` gives the weight 0 to `application/problem+json`.',
      '5.1/errors/problem-same-members':
        'An error has the same members as `application/problem+json`.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);
    const defineMember = (
      id: Parameters<typeof define>[0],
      judge: (error: Members, provoked: Provoked) => void,
    ) =>
      defineInEach(id, async (server, version) => {
        for (const each of await provoke(server, version)) judge(each.reply.members(), each);
      });

    defineMember('5.1/errors/type', ({ type, code }, { status }) => {
      equal(type, `urn:dealwright:error:${code}`, `the member type of ${status}`);
    });
    for (const name of ['title', 'detail'] as const) {
      defineMember(`5.1/errors/${name}`, ({ [name]: text }, { status }) => {
        const isText = typeof text === 'string' && text.trim() !== '';
        check(isText, `the member ${name} of ${status} is a text\n  actual: ${show(text)}`);
      });
    }
    defineMember('5.1/errors/status', ({ status }, { reply }) => {
      equal(status, reply.status, 'the member status');
    });
    defineMember('5.1/errors/instance', ({ instance }, { status }) => {
      const isUri = typeof instance === 'string' && /^[!#-;=?-[\]_a-z~%]+$/i.test(instance);
      check(isUri, `instance of ${status} is a URI reference\n  actual: ${show(instance)}`);
    });
    defineMember('5.1/errors/code', (error, { status, code }) => {
      equal(error['code'], code, `the member code of ${status}`);
    });
    defineMember('5.1/errors/request-id', ({ request_id }, { reply }) => {
      const id = idOf(reply);
      check(id !== '', `${reply.status} has the header X-Request-Id`);
      equal(request_id, id, `the member request_id of ${reply.status}`);
    });

    defineInEach('5.1/errors/issues', async ({ partner }, { create }) => {
      const reply = await partner.send('POST', create, { body: {} });
      const issues = reply.members()['errors'];
      const isList = Array.isArray(issues) && issues.length > 0;
      check(isList, `the member errors is an array of problems\n  actual: ${show(issues)}`);
    });

    define('5.1/errors/success-false', async (server) => {
      for (const { status, reply } of await provoke(server, version1)) {
        equal(reply.members()['success'], false, `the member success of ${status}`);
      }
    });

    define('5.1/errors/no-success', async (server) => {
      for (const { status, reply } of await provoke(server, version2)) {
        equal(reply.members()['success'], undefined, `the member success of ${status}`);
      }
    });

    defineInEach('5.1/errors/exists', async (server, { create, valid, exists }) => {
      const body = valid(server);
      expectStatus(await server.partner.send('POST', create, { body }), 201);
      expectError(await server.partner.send('POST', create, { body }), 409, exists);
    });
    // the members of this one error depend on the version of the path
    define(
      '5.1/errors/exists',
      async (server) => {
        const contractor_email = await server.registered();
        const body = server.deal({ contractor_email });
        expectStatus(await server.partner.send('POST', '/api/1.0/deal/', { body }), 201);
        const again = await server.partner.send('POST', '/api/1.0/deal/', { body });
        expectError(again, 409, 'deal_exists');
      },
      'deal of 1.0',
    );

    for (const [id, type, accepts] of [
      ['5.1/errors/json', 'application/json', [undefined]],
      [
        '5.1/errors/json-for-others',
        'application/json',
        [
          '*/*',
          'application/json',
          'text/html, application/xhtml+xml',
          'application/xml;q=0.9',
          `${problem}x`,
        ],
      ],
      ['5.1/errors/problem', problem, [problem]],
      [
        '5.1/errors/problem-among-others',
        problem,
        [
          `text/html, ${problem}`,
          `${problem}, application/json;q=0.5`,
          `application/json;q=0.5, ${problem};q=0.9, */*;q=0.1`,
        ],
      ],
      ['5.1/errors/problem-case', problem, ['Application/Problem+JSON']],
      ['5.1/errors/problem-refused', 'application/json', [`application/json, ${problem};q=0`]],
    ] as const) {
      defineInEach(id, async (server, version) => {
        for (const accept of accepts) {
          const errors = await provoke(server, version, accept === undefined ? {} : { accept });
          for (const { reply } of errors) expectType(reply, type);
        }
      });
    }

    defineInEach('5.1/errors/problem-same-members', async (server, version) => {
      const plain = (await provoke(server, version)).map(({ reply }) => namesOf(reply));
      const asked = await provoke(server, version, { accept: problem });
      for (const [at, { status, reply }] of asked.entries()) {
        equal(namesOf(reply), plain[at], `the names of the members of ${status}`);
      }
    });
  },
);

const namesOf = (reply: Reply) => Object.keys(reply.members()).sort();
