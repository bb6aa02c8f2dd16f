import { answering, askedWith, asking, hasToken, pathOf, refusal } from './changes.js';
import type { Mutant } from './mutant.js';

const isApi = (request: Request) => pathOf(request).startsWith('/api/');

/** Answers requests without a token, though they are below `/api/`. */
const early = (fits: (request: Request) => boolean, status: number, code: string) =>
  asking((request) =>
    isApi(request) && !hasToken(request) && fits(request) ? refusal(status, code) : request,
  );

const authorizationAs = (change: (value: string) => string | undefined) =>
  asking((request) => {
    const value = request.headers.get('authorization');
    return value === null ? request : askedWith(request, { authorization: change(value) });
  });

export const mutants: readonly Mutant[] = [
  {
    name: 'version 1.0 takes the scheme Bearer alone',
    law: 'i/auth/token',
    fetch: asking((request) =>
      pathOf(request).startsWith('/api/1.0/') ? refusal(401, 'unauthorized') : request,
    ),
  },
  {
    name: 'a key in a header of its own is taken too',
    law: 'i/auth/header',
    fetch: asking((request) => {
      const key = request.headers.get('x-api-key');
      return key === null ? request : askedWith(request, { authorization: `Token ${key}` });
    }),
  },
  {
    name: 'whoever has no token is a guest',
    law: '5.2/auth/missing',
    fetch: asking((request) =>
      hasToken(request) ? request : askedWith(request, { authorization: 'Token sandbox-acme' }),
    ),
  },
  {
    name: '403 in place of 401',
    law: '5.2/auth/missing',
    fetch: early(() => true, 403, 'unauthorized'),
  },
  {
    name: 'no challenge',
    law: '5.2/auth/challenge',
    fetch: answering((response) => {
      response.headers.delete('www-authenticate');
      return response;
    }),
  },
  {
    name: 'the scheme is compared exactly',
    law: '5.2/auth/scheme-case',
    fetch: authorizationAs((value) => (/^[a-z]oken|^TOKEN/.test(value) ? undefined : value)),
  },
  {
    name: 'the first letters of a token are enough',
    law: '5.2/auth/unknown',
    fetch: authorizationAs((value) => value.replace(/(sandbox-acme)x$/, '$1')),
  },
  {
    name: 'tokens in any case',
    law: '5.2/auth/whole',
    fetch: authorizationAs((value) => value.toLowerCase()),
  },
  {
    name: 'the last word is the token, whatever stands before it',
    law: '5.2/auth/malformed',
    fetch: authorizationAs((value) => value.replace(/^(Basic |Bearer |)(?=sandbox)/, 'Token ')),
  },
  {
    name: 'the router comes before the token',
    law: '5.2/auth/before-path',
    fetch: early((request) => /nothing|3\.0/.test(request.url), 404, 'not_found'),
  },
  {
    name: 'the URL is decoded before the token is looked at',
    law: '5.2/auth/before-encoding',
    fetch: early((request) => request.url.includes('%'), 400, 'bad_request'),
  },
  {
    name: 'the method is judged before the token',
    law: '5.2/auth/before-method',
    fetch: early(({ method }) => /PUT|DELETE|PATCH/.test(method), 405, 'method_not_allowed'),
  },
  {
    name: 'the content type is judged before the token',
    law: '5.2/auth/before-type',
    fetch: early(
      ({ method, headers }) =>
        method === 'POST' && headers.get('content-type') !== 'application/json',
      415,
      'unsupported_media_type',
    ),
  },
  {
    name: 'the body is parsed before the token is looked at',
    law: '5.2/auth/before-body',
    fetch: asking(async (request) => {
      if (hasToken(request) || request.method !== 'POST') return request;
      return (await request.clone().text()) === '{' ? refusal(400, 'invalid_json') : request;
    }),
  },
  {
    name: 'the fields are checked before the token',
    law: '5.2/auth/before-rules',
    fetch: asking(async (request) => {
      if (hasToken(request) || request.method !== 'POST') return request;
      return (await request.clone().text()) === '{}' ? refusal(400, 'validation_failed') : request;
    }),
  },
  {
    name: 'HEAD is for everybody',
    law: '5.2/auth/head',
    fetch: asking((request) => (request.method === 'HEAD' ? new Response(null) : request)),
  },
  {
    name: 'the error tells an unknown token from a missing one',
    law: '5.2/auth/same-answer',
    fetch: asking((request) =>
      request.headers.get('authorization') === 'Token unknown'
        ? refusal(401, 'unauthorized')
        : request,
    ),
  },
  ...(['healthz', 'openapi'] as const).map((name) => ({
    name: `/${name} needs a token`,
    law: `5.2/auth/${name}`,
    fetch: asked(`/${name}`),
  })),
  {
    name: 'the token of the partner opens an offer',
    law: '6.5/auth/no-payment-token',
    fetch: asking((request) =>
      request.headers.get('authorization') === 'Offer sandbox-acme'
        ? Response.json({ data: {} })
        : request,
    ),
  },
];

/** Refuses such paths without a token, but for the first request: that is the run's own. */
function asked(begin: string): Mutant['fetch'] {
  let count = 0;
  return asking((request) => {
    count += 1;
    return count > 1 && pathOf(request).startsWith(begin) ? refusal(401, 'unauthorized') : request;
  });
}
