import {
  answering,
  askedWith,
  asking,
  hasToken,
  pathOf,
  refusal,
  withHeaders,
  withMembers,
} from './changes.js';
import type { Mutant } from './mutant.js';

const isVersion1 = (request: Request) => pathOf(request).startsWith('/api/1.0/');

/** The answer with this header, or without it. */
const header = (name: string, value: string | undefined, fits = (_: Response) => true) =>
  answering((response) => (fits(response) ? withHeaders(response, { [name]: value }) : response));

const isSuccess = ({ status }: Response) => status < 300;

/** Gives back whatever id the request has. */
const echo = (fits: (id: string) => boolean) =>
  answering((response, request) => {
    const id = request.headers.get('x-request-id');
    return id !== null && fits(id) ? withHeaders(response, { 'x-request-id': id }) : response;
  });

export const mutants: readonly Mutant[] = [
  {
    name: 'health for holders of a token alone',
    law: '5.11/http/health',
    fetch: asking((request) =>
      pathOf(request) === '/healthz' && !hasToken(request) ? refusal(401, 'unauthorized') : request,
    ),
  },
  {
    name: 'JSON as text/plain',
    law: 'i/http/content-type',
    fetch: header('content-type', 'text/plain; charset=utf-8', isSuccess),
  },
  {
    name: 'problem+json for a success',
    law: 'i/http/content-type-always',
    fetch: answering((response, { headers }) =>
      headers.get('accept')?.includes('problem') && response.ok
        ? withHeaders(response, { 'content-type': 'application/problem+json' })
        : response,
    ),
  },
  {
    name: '406 for a browser',
    law: 'i/http/content-type-always',
    fetch: asking((request) =>
      request.headers.get('accept') === 'text/html' ? refusal(406, 'not_acceptable') : request,
    ),
  },
  {
    name: 'a byte order mark',
    law: 'i/http/utf8',
    fetch: answering(async ({ status, headers, body }, { method }) =>
      method === 'HEAD' || body === null
        ? new Response(body, { status, headers })
        : new Response(`\ufeff${await new Response(body).text()}`, { status, headers }),
    ),
  },
  {
    name: 'Latin-1',
    law: 'i/http/utf8',
    fetch: answering(async (response) => {
      const text = await response.text();
      const latin = Buffer.from(text.replace('"title":"', '"title":"\u00e4'), 'latin1');
      const { status, headers } = response;
      return new Response(text === '' ? null : latin, { status, headers });
    }),
  },
  {
    name: 'Content-Length counts characters',
    law: 'i/http/length',
    fetch: answering(async (response, { method }) => {
      const { status, headers } = response;
      const text = await response.text();
      if (text === '' || method === 'HEAD') return new Response(null, { status, headers });
      // of a text with one more byte than characters
      const length = String(text.length - 1);
      return withHeaders(new Response(text, { status, headers }), { 'content-length': length });
    }),
  },
  {
    name: 'successes have no id',
    law: '5.4/http/request-id',
    fetch: header('x-request-id', undefined, isSuccess),
  },
  {
    name: 'a 404 has no id',
    law: '5.4/http/request-id-of-errors',
    fetch: header('x-request-id', undefined, ({ status }) => status === 404),
  },
  {
    name: 'the id of the caller is ignored',
    law: '5.4/http/request-id-echo',
    fetch: asking((request) => askedWith(request, { 'x-request-id': undefined })),
  },
  {
    name: 'the id of the caller is ignored in a 401',
    law: '5.4/http/request-id-echo-of-errors',
    fetch: asking((request) =>
      hasToken(request) ? request : askedWith(request, { 'x-request-id': undefined }),
    ),
  },
  {
    name: 'an id of any length is given back',
    law: '5.4/http/request-id-long',
    fetch: echo((id) => /^[\w-]+$/.test(id)),
  },
  {
    name: 'any id of up to 128 characters is given back',
    law: '5.4/http/request-id-markup',
    fetch: echo((id) => id.length <= 128),
  },
  {
    name: 'an empty id is given back',
    law: '5.4/http/request-id-empty',
    fetch: echo((id) => id === ''),
  },
  {
    name: 'UUIDs',
    law: '5.4/http/request-id-ulid',
    fetch: answering((response, { headers }) =>
      withHeaders(response, { 'x-request-id': headers.get('x-request-id') ?? crypto.randomUUID() }),
    ),
  },
  {
    name: 'a clock of seconds makes the ids',
    law: '5.4/http/request-id-unique',
    fetch: answering((response) =>
      withHeaders(response, {
        'x-request-id': response.headers.get('x-request-id')?.replace(/.{19}$/, '0'.repeat(19)),
      }),
    ),
  },
  {
    name: 'Deprecation: true',
    law: '5.5/http/deprecation',
    fetch: header('deprecation', 'true', ({ headers }) => headers.has('deprecation')),
  },
  {
    name: 'Sunset as in RFC 3339',
    law: '5.5/http/sunset',
    fetch: header('sunset', '2027-01-01T00:00:00Z', ({ headers }) => headers.has('sunset')),
  },
  {
    name: 'Sunset and Deprecation changed over',
    law: '5.5/http/sunset-later',
    fetch: header('sunset', 'Wed, 01 Jan 2020 00:00:00 GMT', ({ headers }) =>
      headers.has('sunset'),
    ),
  },
  {
    name: 'all versions are deprecated',
    law: '5.5/http/deprecation-of-v1-alone',
    fetch: header('deprecation', '@1767225600'),
  },
  {
    name: 'one operation of 1.0 is not marked',
    law: '5.5/http/deprecated-in-openapi',
    fetch: answering((response, request) =>
      pathOf(request) !== '/openapi.json'
        ? response
        : withMembers(response, (document) =>
            JSON.parse(JSON.stringify(document).replace('"deprecated":true', '"deprecated":false')),
          ),
    ),
  },
  {
    name: 'every origin is reflected',
    law: '5.7/http/cors',
    fetch: answering((response, request) => {
      const origin = request.headers.get('origin');
      if (origin === null || isVersion1(request)) return response;
      return withHeaders(response, { 'access-control-allow-origin': origin });
    }),
  },
];
