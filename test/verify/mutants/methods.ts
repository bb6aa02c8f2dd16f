import { answering, asking, hasToken, pathOf, refusal, withHeaders } from './changes.js';
import type { Mutant } from './mutant.js';

const isDeal = (request: Request) => /^\/api\/2\.0\/deal\/[^/]+\/$/.test(pathOf(request));

/** Changes the header `Allow` of a 405. */
const allow = (change: (allowed: string, request: Request) => string | undefined) =>
  answering((response, request) =>
    response.status === 405
      ? withHeaders(response, { allow: change(response.headers.get('allow') ?? '', request) })
      : response,
  );

/** Changes the answers to one method. */
const to = (method: string, change: (response: Response, request: Request) => Response) =>
  answering((response, request) =>
    request.method === method ? change(response, request) : response,
  );

export const mutants: readonly Mutant[] = [
  {
    name: '404 for a method that is not there',
    law: '5.2/methods/refused',
    fetch: answering((response) =>
      response.status === 405 ? refusal(404, 'not_found') : response,
    ),
  },
  {
    name: '501 for PATCH',
    law: '5.2/methods/refused',
    fetch: asking((request) =>
      request.method === 'PATCH' ? refusal(501, 'method_not_allowed') : request,
    ),
  },
  {
    name: 'HEAD of a path that only takes POST is 200',
    law: '5.2/methods/refused',
    fetch: to('HEAD', ({ headers }) => new Response(null, { headers })),
  },
  { name: '405 without Allow', law: '5.2/methods/allow', fetch: allow(() => undefined) },
  {
    name: 'Allow has OPTIONS alone',
    law: '5.2/methods/allow',
    fetch: allow(() => 'OPTIONS'),
  },
  {
    name: 'Allow has the methods of all paths',
    law: '5.2/methods/allow-without-refused',
    fetch: allow(() => 'GET, HEAD, POST, DELETE, OPTIONS'),
  },
  {
    name: 'Allow has a method that is not there',
    law: '5.2/methods/allow-true',
    fetch: allow((allowed, { method }) => (method === 'PUT' ? `${allowed}, PATCH` : allowed)),
  },
  {
    name: 'DELETE of a deal is 405 and deletes it',
    law: '5.2/methods/refused-does-nothing',
    fetch: (forward) => {
      const gone = new Set<string>();
      return async (request) => {
        if (request.method === 'DELETE') gone.add(pathOf(request));
        const isGone = request.method === 'GET' && gone.has(pathOf(request));
        return isGone ? refusal(404, 'not_found') : forward(request);
      };
    },
  },
  {
    name: 'no HEAD',
    law: '5.2/methods/head',
    fetch: asking((request) =>
      request.method === 'HEAD' && hasToken(request)
        ? new Response(null, { status: 405 })
        : request,
    ),
  },
  {
    name: 'HEAD is GET, with its body',
    law: '5.2/methods/head-empty',
    fetch: asking((request) =>
      request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request,
    ),
  },
  {
    name: 'HEAD says that there are 0 bytes',
    law: '5.2/methods/head-length',
    fetch: to('HEAD', (response) => withHeaders(response, { 'content-length': '0' })),
  },
  {
    name: 'HEAD is always 200',
    law: '5.2/methods/head-of-errors',
    fetch: to('HEAD', ({ headers }) => new Response(null, { headers })),
  },
  {
    name: 'HEAD has no content type',
    law: '5.2/methods/head-type',
    fetch: to('HEAD', (response) => withHeaders(response, { 'content-type': undefined })),
  },
  {
    name: 'no OPTIONS',
    law: '5.2/methods/options',
    fetch: to('OPTIONS', () => refusal(405, 'method_not_allowed')),
  },
  {
    name: 'OPTIONS needs a token',
    law: '5.2/methods/options-open',
    fetch: asking((request) =>
      request.method === 'OPTIONS' && !hasToken(request) ? refusal(401, 'unauthorized') : request,
    ),
  },
  {
    name: 'OPTIONS says nothing',
    law: '5.2/methods/options-allow',
    fetch: to('OPTIONS', (response) => withHeaders(response, { allow: undefined })),
  },
  {
    name: 'OPTIONS looks the deal up',
    law: '2.5/methods/options-hides',
    fetch: (forward) => async (request) => {
      if (request.method !== 'OPTIONS' || !isDeal(request)) return forward(request);
      const headers = { authorization: 'Token sandbox-acme' };
      const { status } = await forward(new Request(request.url, { headers }));
      return status === 404 ? refusal(404, 'not_found') : forward(request);
    },
  },
];
