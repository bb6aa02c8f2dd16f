import { check, equal } from '../expectations.js';
import { NotApplicable } from '../laws.js';
import { expectError, expectStatus, group, type Server, withoutIds } from './server.js';
import { inEachVersion, versions } from './versions.js';

/** Decision 5.2: the token comes before anything else of a request. */
export const authorization = group(
  'authorization',
  {
    must: {
      'i/auth/token': 'A request with `Authorization: Token <token>` of a partner is answered.',
      'i/auth/header': 'A token in another header than `Authorization` is 401.',
      '5.2/auth/missing': 'A request below `/api/` without a header `Authorization` is 401.',
      '5.2/auth/challenge': 'A 401 has the header `WWW-Authenticate` with the scheme `Token`.',
      '5.2/auth/scheme-case': 'The scheme of the token may have any case.',
      '5.2/auth/unknown': 'A token that the service does not know is 401.',
      '5.2/auth/whole': 'A token in other case of its letters, or cut short, is 401.',
      '5.2/auth/malformed':
        'A header `Authorization` of another form is 401. `Bearer` is another form, unless the service promises to take it.',
      '5.2/auth/before-path':
        'Without a token, a path that does not exist below `/api/` is 401 too.',
      '5.2/auth/before-encoding':
        'Without a token, a path with a malformed percent-encoding below `/api/` is 401 too.',
      '5.2/auth/before-method': 'Without a token, a method that the path does not have is 401 too.',
      '5.2/auth/before-type': 'Without a token, a body that is not declared as JSON is 401 too.',
      '5.2/auth/before-body': 'Without a token, a body that is not JSON is 401 too.',
      '5.2/auth/before-rules': 'Without a token, a body that breaks the rules is 401 too.',
      '5.2/auth/head': 'Without a token, `HEAD` is 401, as `GET` is.',
      '5.2/auth/same-answer':
        'A missing and an unknown token get the same error, apart from the id of the request.',
      '5.2/auth/healthz': 'If a server has `/healthz`, it needs no token.',
      '5.2/auth/openapi': 'If a server has `/openapi.json`, it needs no token.',
      '6.5/auth/no-payment-token':
        'The token of a partner is 401 as the payment token of an offer.',
    },
  },
  (define) => {
    for (const { read: path } of versions) {
      define(
        'i/auth/token',
        async ({ partner }) => {
          expectStatus(await partner.send('GET', path), 200);
        },
        path,
      );

      define(
        '5.2/auth/missing',
        async ({ anonymous }) => {
          expectError(await anonymous.send('GET', path), 401, 'unauthorized');
        },
        path,
      );

      define(
        '5.2/auth/challenge',
        async ({ anonymous }) => {
          const challenge = (await anonymous.send('GET', path)).header('www-authenticate');
          check(
            /^token\b/i.test(challenge ?? ''),
            `the challenge is Token\n  actual: ${challenge}`,
          );
        },
        path,
      );

      define(
        '5.2/auth/scheme-case',
        async ({ anonymous, token }) => {
          for (const scheme of ['token', 'TOKEN', 'tOkEn']) {
            expectStatus(await send(anonymous, path, `${scheme} ${token}`), 200);
          }
        },
        path,
      );

      define(
        '5.2/auth/unknown',
        async ({ anonymous, token }) => {
          for (const unknown of [`${token}x`, 'unknown', 'x'.repeat(2000)]) {
            expectError(await send(anonymous, path, `Token ${unknown}`), 401, 'unauthorized');
          }
        },
        path,
      );

      define(
        '5.2/auth/malformed',
        async ({ anonymous, token, promised }) => {
          const forms = [
            '',
            'Token',
            token,
            'Bearer',
            `Bearer ${token} x`,
            `Basic ${token}`,
            `Token ${token} x`,
          ];
          for (const form of forms) {
            expectError(await send(anonymous, path, form), 401, 'unauthorized');
          }
          const bearer = await send(anonymous, path, `Bearer ${token}`);
          if (promised.accepts_bearer) expectStatus(bearer, 200);
          else expectError(bearer, 401, 'unauthorized');
        },
        path,
      );

      define(
        '5.2/auth/same-answer',
        async ({ anonymous }) => {
          const missing = withoutIds(await anonymous.send('GET', path));
          equal(withoutIds(await send(anonymous, path, 'Token unknown')), missing, 'the error');
        },
        path,
      );
    }

    const defineInEach = inEachVersion(define);

    defineInEach('i/auth/header', async ({ anonymous, token }, { read }) => {
      for (const name of ['x-api-key', 'x-auth-token', 'api-token', 'token']) {
        const headers = { [name]: token };
        expectError(await anonymous.send('GET', read, { headers }), 401, 'unauthorized');
      }
    });

    defineInEach('5.2/auth/whole', async ({ anonymous, token }, { read }) => {
      const others = [token.slice(0, -1), token.slice(1), token.toUpperCase(), token.toLowerCase()];
      for (const other of others.filter((each) => each !== token)) {
        expectError(await send(anonymous, read, `Token ${other}`), 401, 'unauthorized');
      }
    });

    for (const path of ['/api/1.0/nothing/', '/api/2.0/nothing/', '/api/3.0/category/']) {
      define(
        '5.2/auth/before-path',
        async ({ anonymous }) => {
          expectError(await anonymous.send('GET', path), 401, 'unauthorized');
        },
        path,
      );
    }

    define('5.2/auth/before-encoding', async ({ anonymous }) => {
      for (const path of ['/api/2.0/deal/%/', '/api/2.0/deal/%zz/', '/api/2.0/deal/%ff/']) {
        expectError(await anonymous.send('GET', path), 401, 'unauthorized');
      }
    });

    defineInEach('5.2/auth/before-method', async ({ anonymous }, { read }) => {
      for (const method of ['DELETE', 'PUT', 'PATCH']) {
        expectError(await anonymous.send(method, read), 401, 'unauthorized');
      }
    });

    defineInEach('5.2/auth/before-type', async (server, { create, valid }) => {
      for (const type of [undefined, 'text/plain']) {
        const request = { body: valid(server), headers: { 'content-type': type } };
        expectError(await server.anonymous.send('POST', create, request), 401, 'unauthorized');
      }
    });

    defineInEach('5.2/auth/before-body', async ({ anonymous }, { create }) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await anonymous.send('POST', create, { raw: '{', headers });
      expectError(reply, 401, 'unauthorized');
    });

    defineInEach('5.2/auth/before-rules', async ({ anonymous }, { create }) => {
      expectError(await anonymous.send('POST', create, { body: {} }), 401, 'unauthorized');
    });

    defineInEach('5.2/auth/head', async ({ anonymous }, { read }) => {
      expectStatus(await anonymous.send('HEAD', read), 401);
    });

    for (const [id, path] of [
      ['5.2/auth/healthz', '/healthz'],
      ['5.2/auth/openapi', '/openapi.json'],
    ] as const) {
      define(id, async ({ anonymous }) => {
        const reply = await anonymous.send('GET', path);
        if (reply.status === 404) throw new NotApplicable(`it has no ${path}`);
        expectStatus(reply, 200);
      });
    }

    define('6.5/auth/no-payment-token', async ({ freelancer, token }) => {
      expectError(await freelancer(token).send('GET', '/api/2.0/offer/'), 401, 'unauthorized');
    });
  },
);

const send = (anonymous: Server['anonymous'], path: string, value: string) =>
  anonymous.send('GET', path, { headers: { authorization: value } });
