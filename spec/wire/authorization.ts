import { check, equal } from '../expectations.js';
import { expectError, expectStatus, group, type Server } from './server.js';

/** A path that every server has, whatever it promises. */
const paths = ['/api/1.0/category/', '/api/2.0/category/'] as const;

/** Decision 5.2: the token comes before anything else of a request. */
export const authorization = group(
  'authorization',
  {
    must: {
      'i/auth/token': 'A request with `Authorization: Token <token>` of a partner is answered.',
      '5.2/auth/missing': 'A request below `/api/` without a header `Authorization` is 401.',
      '5.2/auth/challenge': 'A 401 has the header `WWW-Authenticate` with the scheme `Token`.',
      '5.2/auth/scheme-case': 'The scheme of the token may have any case.',
      '5.2/auth/unknown': 'A token that the service does not know is 401.',
      '5.2/auth/malformed': 'A header `Authorization` of another form is 401.',
      '5.2/auth/before-path':
        'Without a token, a path that does not exist below `/api/` is 401 too.',
      '5.2/auth/before-body': 'Without a token, a body that is not JSON is 401 too.',
      '5.2/auth/same-answer':
        'A missing and an unknown token get the same error, apart from the id of the request.',
    },
  },
  (define) => {
    for (const path of paths) {
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
        async ({ anonymous, token }) => {
          const forms = [
            '',
            'Token',
            token,
            `Bearer ${token}`,
            `Basic ${token}`,
            `Token ${token} x`,
          ];
          for (const form of forms) {
            expectError(await send(anonymous, path, form), 401, 'unauthorized');
          }
        },
        path,
      );

      define(
        '5.2/auth/same-answer',
        async ({ anonymous }) => {
          const missing = withoutId(await anonymous.send('GET', path));
          equal(withoutId(await send(anonymous, path, 'Token unknown')), missing, 'the error');
        },
        path,
      );
    }

    define('5.2/auth/before-path', async ({ anonymous }) => {
      expectError(await anonymous.send('GET', '/api/2.0/nothing/'), 401, 'unauthorized');
    });

    for (const path of ['/api/1.0/deal/', '/api/2.0/deal/']) {
      define(
        '5.2/auth/before-body',
        async ({ anonymous }) => {
          expectError(await anonymous.send('POST', path, { raw: '{' }), 401, 'unauthorized');
        },
        path,
      );
    }
  },
);

const send = (anonymous: Server['anonymous'], path: string, value: string) =>
  anonymous.send('GET', path, { headers: { authorization: value } });

function withoutId(reply: Awaited<ReturnType<typeof send>>): object {
  const { request_id: _, instance: __, ...rest } = reply.members();
  return rest;
}
