import {
  answering,
  askedWith,
  asking,
  hasToken,
  inErrors,
  pathOf,
  withHeaders,
  withMembers,
} from './changes.js';
import type { Mutant } from './mutant.js';

const problem = 'application/problem+json';

/** Sends errors as problem details if the header `Accept` fits. */
const problemIf = (fits: (accept: string) => boolean) =>
  answering((response, { headers }) =>
    response.status < 400
      ? response
      : withHeaders(response, {
          'content-type': fits(headers.get('accept') ?? '') ? problem : 'application/json',
        }),
  );

/** Takes a member out of the errors that fit. */
const without = (name: string, fits = (_: Response) => true) =>
  inErrors((error, response) => (fits(response) ? { ...error, [name]: undefined } : error));

/** Says in its detail what came in. */
const tell = (
  law: string,
  name: string,
  code: string,
  toldOf: (text: string) => string,
): Mutant => ({
  law,
  name,
  fetch: answering(async (response, request) => {
    const text = request.body === null ? '' : await request.text();
    return withMembers(response, (members) =>
      members['code'] === code ? { ...members, detail: `no: ${toldOf(text)}` } : members,
    );
  }),
});

export const mutants: readonly Mutant[] = [
  {
    name: 'type is about:blank',
    law: '5.1/errors/type',
    fetch: inErrors((error) => ({ ...error, type: 'about:blank' })),
  },
  {
    name: 'no title of a 404',
    law: '5.1/errors/title',
    fetch: without('title', ({ status }) => status === 404),
  },
  {
    name: 'the status as a text',
    law: '5.1/errors/status',
    fetch: inErrors((error) => ({ ...error, status: String(error['status']) })),
  },
  {
    name: 'the status of every error is 400',
    law: '5.1/errors/status',
    fetch: inErrors((error) => ({ ...error, status: 400 })),
  },
  {
    name: 'no detail of a 405',
    law: '5.1/errors/detail',
    fetch: without('detail', ({ status }) => status === 405),
  },
  {
    name: 'no instance',
    law: '5.1/errors/instance',
    fetch: without('instance'),
  },
  {
    name: 'the code of a 415 is that of its framework',
    law: '5.1/errors/code',
    fetch: inErrors((error, { status }) =>
      status === 415 ? { ...error, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' } : error,
    ),
  },
  {
    name: 'request_id is another id',
    law: '5.1/errors/request-id',
    fetch: inErrors((error) => ({ ...error, request_id: crypto.randomUUID() })),
  },
  {
    name: 'the problems are called issues',
    law: '5.1/errors/issues',
    fetch: inErrors(({ errors, ...error }) => ({ ...error, issues: errors })),
  },
  {
    name: 'a 401 of 1.0 comes before the version is known',
    law: '5.1/errors/success-false',
    fetch: without('success', ({ status }) => status === 401),
  },
  {
    name: 'success in both versions',
    law: '5.1/errors/no-success',
    fetch: inErrors((error) => ({ ...error, success: false })),
  },
  {
    name: 'a conflict is a conflict',
    law: '5.1/errors/exists',
    fetch: inErrors((error, { status }) =>
      status === 409 ? { ...error, code: 'conflict' } : error,
    ),
  },
  {
    name: 'always problem+json',
    law: '5.1/errors/json',
    fetch: problemIf(() => true),
  },
  {
    name: 'problem+json for all but application/json',
    law: '5.1/errors/json-for-others',
    fetch: problemIf((accept) => accept !== '' && accept !== 'application/json'),
  },
  {
    name: 'never problem+json',
    law: '5.1/errors/problem',
    fetch: problemIf(() => false),
  },
  {
    name: 'a 401 is never problem+json',
    law: '5.1/errors/problem',
    fetch: answering((response) =>
      response.status === 401
        ? withHeaders(response, { 'content-type': 'application/json' })
        : response,
    ),
  },
  {
    name: 'Accept is compared as a whole',
    law: '5.1/errors/problem-among-others',
    fetch: problemIf((accept) => accept.toLowerCase() === problem),
  },
  {
    name: 'Accept is compared in lower case',
    law: '5.1/errors/problem-case',
    fetch: problemIf((accept) => accept.includes(problem)),
  },
  {
    name: 'weights are not read',
    law: '5.1/errors/problem-refused',
    fetch: problemIf((accept) => accept.toLowerCase().includes(problem)),
  },
  {
    name: 'problem details have the members of the RFC alone',
    law: '5.1/errors/problem-same-members',
    fetch: inErrors((error, { headers }) =>
      headers.get('content-type') === problem ? { ...error, request_id: undefined } : error,
    ),
  },
  tell('1.8/errors/no-value', 'the body is told', 'validation_failed', (text) => text),
  {
    name: 'a parameter of a problem is the value',
    law: '1.8/errors/no-value',
    fetch: answering(async (response, request) => {
      const { country_code, amount } = JSON.parse((await request.text()) || '{}');
      return withMembers(response, ({ errors, ...members }) => ({
        ...members,
        errors: Array.isArray(errors)
          ? errors.map((each) => ({ ...each, params: { value: country_code ?? amount } }))
          : errors,
      }));
    }),
  },
  tell('1.8/errors/no-value-unknown', 'who is unknown', 'validation_failed', (text) => text),
  tell('1.8/errors/no-value-exists', 'which deal exists', 'deal_exists', (text) => text),
  tell(
    '1.8/errors/no-value-json',
    'what the parser says',
    'invalid_json',
    (text) => `unexpected token at ${text.slice(0, 40)}`,
  ),
  {
    name: 'the unknown token is told',
    law: '1.8/errors/no-token',
    fetch: inErrors((error, { status }, { headers }) =>
      status === 401 ? { ...error, detail: `who is ${headers.get('authorization')}?` } : error,
    ),
  },
  ...(
    [
      ['English alone', 'language', () => 'en'],
      ['Polish is the default', 'language-default', (accept: string) => accept || 'pl'],
      [
        'the first language counts',
        'language-weights',
        (accept: string) => accept.split(/[,;]/)[0],
      ],
      [
        'Polish for others',
        'language-others',
        (accept: string) => (accept === 'de' ? 'pl' : accept),
      ],
      [
        'weights of 0 count',
        'language-refused',
        (accept: string) => accept.replace(/;q=0(\.0)?(?=,|$)/, ''),
      ],
      ['pl in lower case', 'language-case', (accept: string) => accept.replace(/P[Ll]/g, 'x')],
      ['garbage is Polish', 'language-garbage', (accept: string) => accept.replace(/^[;,]/, 'pl,')],
      ['no regions', 'language-regions', (accept: string) => accept.replace(/^pl-PL$/, '')],
    ] as const
  ).map(([name, law, change]) => ({
    name,
    law: `1.8/errors/${law}`,
    fetch: asking((request) =>
      askedWith(request, {
        'accept-language': change(request.headers.get('accept-language') ?? ''),
      }),
    ),
  })),
  {
    name: 'codes are translated',
    law: '1.8/errors/language-codes',
    fetch: inErrors(({ errors, ...error }, _, { headers }) => ({
      ...error,
      errors:
        Array.isArray(errors) && headers.get('accept-language') === 'pl'
          ? errors.map((each) => ({ ...each, code: 'wymagane' }))
          : errors,
    })),
  },
  {
    name: 'a header that cannot be parsed is a 500',
    law: '1.8/errors/language-garbage',
    fetch: asking((request) =>
      hasToken(request) && request.headers.get('accept-language') === ';q=1'
        ? Response.json({ error: pathOf(request) }, { status: 500 })
        : request,
    ),
  },
];
