import { answering, askedAt, asking, hasToken, pathOf, refusal, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

type Path = string;

/** Answers the requests whose path and query fit. */
const at = (
  fits: (path: Path, request: Request) => boolean,
  answer: (path: Path, request: Request) => Response,
) =>
  asking((request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    return hasToken(request) && path.startsWith('/api/') && fits(path, request)
      ? answer(path, request)
      : request;
  });

/** Reads another path than the one that came. */
const read = (change: (path: Path) => Path) => asking((request) => askedAt(request, change));

const redirect = (path: Path) =>
  new Response(null, { status: 301, headers: { location: path.replace(/(?=\?|$)/, '/') } });

const isOpen = (path: Path) => !/\/(?:\?|$)/.test(path);

const notFound = () => refusal(404, 'not_found');
const broken = () => refusal(500, 'internal');
const badRequest = () => refusal(400, 'bad_request');

const isUnknown = (path: Path) => /nothing|\/3\.0\/|\/2\/|api\/category/.test(path);

export const mutants: readonly Mutant[] = [
  {
    name: 'a redirect to the closing slash',
    law: '4/paths/slash',
    fetch: at((path, { method }) => method === 'GET' && isOpen(path), redirect),
  },
  {
    name: '404 for a POST without the closing slash',
    law: '4/paths/slash-post',
    fetch: at((path, { method }) => method === 'POST' && isOpen(path), notFound),
  },
  {
    name: 'a closing slash behind a parameter is asked for',
    law: '4/paths/slash-parameter',
    fetch: at((path) => /deal\/[^/?]+$/.test(path), notFound),
  },
  {
    name: 'the slash is put behind the query',
    law: '4/paths/slash-query',
    fetch: read((path) => (/[^/]\?/.test(path) ? `${path}/` : path)),
  },
  {
    name: 'unknown paths are redirected first',
    law: '4/paths/slash-errors',
    fetch: at((path) => isUnknown(path) && isOpen(path), redirect),
  },
  {
    name: 'a page for unknown paths',
    law: '5.2/paths/unknown',
    fetch: at(isUnknown, () => new Response('<h1>Not found</h1>', { status: 404 })),
  },
  {
    name: 'the version is not looked at',
    law: '5.2/paths/unknown',
    fetch: read((path) => path.replace('/3.0/', '/2.0/')),
  },
  {
    name: 'a POST to an unknown path is 405',
    law: '5.2/paths/unknown-post',
    fetch: at(
      (path, { method }) => method === 'POST' && isUnknown(path),
      () => refusal(405, 'method_not_allowed'),
    ),
  },
  {
    name: 'a long id is a validation error',
    law: '5.2/paths/long',
    fetch: at(
      (path) => /x{41}/.test(path),
      () => refusal(400, 'validation_failed'),
    ),
  },
  {
    name: 'a very long path is a 500',
    law: '5.2/paths/very-long',
    fetch: at((path) => path.length > 4096, broken),
  },
  {
    name: 'a broken percent-encoding is a 500',
    law: '5.2/paths/malformed',
    fetch: at((path) => /%(?![\da-f]{2})/i.test(path), broken),
  },
  {
    name: 'bytes that are not UTF-8 are a 500',
    law: '5.2/paths/malformed',
    fetch: at((path) => /%ff/i.test(path), broken),
  },
  {
    name: 'U+0000 reaches the database',
    law: '5.2/paths/nul',
    fetch: at((path) => path.includes('%00'), broken),
  },
  {
    name: 'an id of 1.0 that is no number is a validation error',
    law: '2.4/paths/no-id',
    fetch: at((path) => /1\.0\/deal\/[a-z]/.test(path), badRequest),
  },
  {
    name: 'an id of 1.0 is too large for the database',
    law: '2.4/paths/no-id',
    fetch: at((path) => /\d{20}/.test(path), broken),
  },
  {
    name: 'a path is decoded as a whole URL',
    law: '4/paths/encoded',
    fetch: read((path) => path.replace(/%3f/gi, '?')),
  },
  {
    name: 'a path is decoded before it is split',
    law: '4/paths/encoded-slash',
    fetch: read((path) => path.replace(/^[^?]+/, (all) => all.replace(/%2f/gi, '/'))),
  },
  {
    name: 'a path is decoded twice',
    law: '4/paths/decoded-once',
    fetch: read((path) => path.replaceAll('%25', '%')),
  },
  {
    name: 'a path is decoded like a form',
    law: '4/paths/plus',
    fetch: read((path) => path.replace(/^[^?]+/, (all) => all.replaceAll('+', '%20'))),
  },
  {
    name: 'the parameter is put into the path',
    law: '4/paths/by-id',
    fetch: read((path) =>
      path.replace(/by-id\/\?partner_id=(.+)$/, (_, id) => `${decodeURIComponent(id)}/`),
    ),
  },
  {
    name: 'by-id leaves the stages out',
    law: '4/paths/by-id-same',
    fetch: answering((response, request) =>
      pathOf(request).endsWith('/by-id/')
        ? withMembers(response, ({ data }) => ({ data: { ...Object(data), stages: undefined } }))
        : response,
    ),
  },
  {
    name: 'by-id of no deal is an empty answer',
    law: '4/paths/by-id-missing',
    fetch: answering((response, request) =>
      response.status === 404 && pathOf(request).endsWith('/by-id/')
        ? Response.json({ data: null })
        : response,
    ),
  },
  {
    name: 'by-id asks for its parameter',
    law: '4/paths/by-id-plain',
    fetch: at(
      (path) => path.endsWith('/by-id/'),
      () => refusal(400, 'validation_failed'),
    ),
  },
  {
    name: 'paths in any case',
    law: '5.2/paths/case',
    fetch: read((path) => path.toLowerCase()),
  },
  {
    name: 'slashes are merged',
    law: '5.2/paths/double-slash',
    fetch: read((path) => path.replace(/\/\/+/g, '/')),
  },
];
