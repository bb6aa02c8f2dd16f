import { answering, askedWith, asking, refusal, withHeaders } from './changes.js';
import { headersOfDownloads, inDownloads, readingHeader } from './file-changes.js';
import type { Mutant } from './mutant.js';

const isHead = (_: Response, { method }: Request) => method === 'HEAD';
const isPart = ({ status }: Response) => status === 206;
const isDownloadPath = ({ url }: Request) => /\/file\/[^/]+\/?$/.test(new URL(url).pathname);

/** The bytes of downloads, changed. */
const inBytes = (change: (bytes: Buffer) => Uint8Array<ArrayBuffer> | string) =>
  inDownloads(async (response, { method }) => {
    const { status, headers } = response;
    if (method === 'HEAD') return response;
    return new Response(change(Buffer.from(await response.arrayBuffer())), { status, headers });
  });

/** Changes the header Content-Disposition of downloads. */
const disposing = (change: (header: string) => string) =>
  inDownloads((response) => {
    const header = change(response.headers.get('content-disposition') ?? '');
    return withHeaders(response, { 'content-disposition': header });
  });

/** The old form of the parameter alone, with the name as `change` writes it. */
const plainName = (change: (name: string) => string) =>
  disposing((header) => {
    const name = decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(header)?.[1] ?? '');
    return `attachment; filename="${change(name)}"`;
  });

/** Reads the range of downloads otherwise. */
const readingRange = (change: (range: string, request: Request) => string | undefined) =>
  readingHeader('range', change);

/** Answers downloads of ranges that fit. */
const ifRange = (
  fits: RegExp,
  answer: (response: Response) => Response | Promise<Response>,
): Mutant['fetch'] =>
  answering((response, request) =>
    isDownloadPath(request) && fits.test(request.headers.get('range') ?? '')
      ? answer(response)
      : response,
  );

const noBytes = (response: Response) =>
  new Response('', { status: 206, headers: withHeaders(response, {}).headers });

/** Reads the header If-None-Match otherwise. */
const readingMatch = (change: (value: string, request: Request) => string | undefined) =>
  readingHeader('if-none-match', change);

const readingIfRange = (change: (value: string) => string | undefined) =>
  readingHeader('if-range', change);

export const mutants: readonly Mutant[] = [
  {
    name: '206 for a whole file',
    law: '6.4/files/download',
    fetch: inDownloads(({ body, headers }) => new Response(body, { status: 206, headers })),
  },
  {
    name: 'a download is sent as text',
    law: '6.4/files/download-bytes',
    fetch: inBytes((bytes) => bytes.toString()),
  },
  {
    name: 'ends of lines are changed',
    law: '6.4/files/download-bytes-of-form',
    fetch: inBytes((bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1'),
    ),
  },
  {
    name: 'carriage returns are dropped',
    law: '6.4/files/download-random',
    fetch: inBytes((bytes) => Buffer.from(bytes.toString('latin1').replace(/\r/g, ''), 'latin1')),
  },
  {
    name: 'an empty file has no content',
    law: '6.4/files/download-empty',
    fetch: inDownloads((response) =>
      response.headers.get('content-length') === '0'
        ? new Response(null, { status: 204 })
        : response,
    ),
  },
  {
    name: 'the length of the base64',
    law: '6.4/files/download-length',
    fetch: headersOfDownloads({ 'content-length': '1368' }),
  },
  {
    name: 'no length',
    law: '6.4/files/download-length-known',
    fetch: headersOfDownloads({ 'content-length': undefined }),
  },
  {
    name: 'every file is an octet stream',
    law: '6.4/files/download-type',
    fetch: headersOfDownloads({ 'content-type': 'application/octet-stream' }),
  },
  {
    name: 'a file is shown in the browser',
    law: '6.4/files/attachment',
    fetch: disposing((header) => header.replace('attachment', 'inline')),
  },
  {
    name: 'an attachment without a name',
    law: '6.4/files/filename',
    fetch: disposing(() => 'attachment'),
  },
  {
    name: 'a name without quotation marks',
    law: '6.4/files/filename',
    fetch: disposing((header) => header.replace(/filename="([^"]*)".*/, 'filename=$1')),
  },
  {
    name: 'quotation marks within quotation marks',
    law: '6.4/files/filename-quoted',
    fetch: plainName((name) => name.replaceAll(/[^ -~]/g, '_')),
  },
  {
    name: 'quotation marks become underscores',
    law: '6.4/files/filename-quoted',
    fetch: plainName((name) => name.replaceAll(/[^ !#-[\]-~]/g, '_')),
  },
  {
    name: 'a percent sign is not encoded',
    law: '6.4/files/filename-percent',
    fetch: disposing((header) =>
      header.replace(/(filename\*=[^;]*)/, (found) => found.replaceAll('%25', '%')),
    ),
  },
  {
    name: 'a name beyond ASCII in the old form alone',
    law: '6.4/files/filename-non-ascii',
    fetch: plainName((name) => Buffer.from(name.replaceAll(/["\\]/g, '_')).toString('latin1')),
  },
  {
    name: 'a name beyond ASCII loses its letters',
    law: '6.4/files/filename-non-ascii',
    fetch: plainName((name) => name.replaceAll(/[^ !#-[\]-~]/g, '_')),
  },
  {
    name: 'a name with a control character breaks the server',
    law: '6.4/files/filename-any',
    fetch: inDownloads((response) =>
      /%0[0-9A-F]/.test(response.headers.get('content-disposition') ?? '')
        ? refusal(500, 'internal')
        : response,
    ),
  },
  {
    name: 'browsers may guess another type',
    law: '6.4/files/nosniff',
    fetch: headersOfDownloads({ 'x-content-type-options': undefined }),
  },
  {
    name: 'a weak tag',
    law: '6.4/files/etag',
    fetch: inDownloads((response) =>
      withHeaders(response, { etag: `W/${response.headers.get('etag')}` }),
    ),
  },
  {
    name: 'the tag is made from time and size',
    law: '6.4/files/etag',
    fetch: headersOfDownloads({ etag: '"18c7f2e1-400"' }),
  },
  {
    name: 'a file can be deleted',
    law: '6.4/files/unchangeable',
    fetch: (forward) => {
      const deleted = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (request.method === 'DELETE') deleted.add(pathname);
        return deleted.has(pathname) ? refusal(404, 'not_found') : forward(request);
      };
    },
  },
  {
    name: 'files know no HEAD',
    law: '5.2/files/head',
    fetch: asking((request) =>
      request.method === 'HEAD' ? refusal(405, 'method_not_allowed') : request,
    ),
  },
  {
    name: 'a HEAD is answered as a GET',
    law: '5.2/files/head-empty',
    fetch: asking((request) =>
      request.method === 'HEAD' ? new Request(request.url, { headers: request.headers }) : request,
    ),
  },
  {
    name: 'a HEAD says that there is nothing',
    law: '5.2/files/head-length',
    fetch: headersOfDownloads({ 'content-length': '0' }, isHead),
  },
  {
    name: 'a HEAD without the tag',
    law: '5.2/files/head-headers',
    fetch: headersOfDownloads({ etag: undefined }, isHead),
  },
  {
    name: 'a HEAD of anything is 200',
    law: '5.2/files/head-unknown',
    fetch: answering((response, request) =>
      request.method === 'HEAD' ? new Response(null, { headers: response.headers }) : response,
    ),
  },
  {
    name: 'the end of a range is not in it',
    law: '6.4/files/range-first',
    fetch: readingRange((range) => range.replace('0-99', '0-98')),
  },
  {
    name: 'ranges are ignored',
    law: '6.4/files/range-middle',
    fetch: readingRange(() => undefined),
  },
  {
    name: 'the header of a range, with the whole file',
    law: '6.4/files/range-middle',
    fetch: (forward) => async (request) => {
      const response = await forward(request.clone());
      if (response.status !== 206) return response;
      const whole = await forward(askedWith(request, { range: undefined }));
      return new Response(whole.body, { status: 206, headers: response.headers });
    },
  },
  {
    name: 'a range of one byte is empty',
    law: '6.4/files/range-one-byte',
    fetch: ifRange(/=(\d+)-\1$/, noBytes),
  },
  {
    name: 'the last byte is beyond the file',
    law: '6.4/files/range-last-byte',
    fetch: ifRange(/^bytes=1023-/, () => refusal(416, 'range_not_satisfiable')),
  },
  {
    name: 'a range without an end is ignored',
    law: '6.4/files/range-open',
    fetch: readingRange((range) => (range.endsWith('-') ? undefined : range)),
  },
  {
    name: 'a range without a beginning begins at 0',
    law: '6.4/files/range-suffix',
    fetch: readingRange((range) => range.replace('=-', '=0-')),
  },
  {
    name: 'a range that ends beyond the file is refused',
    law: '6.4/files/range-beyond',
    fetch: ifRange(/-\d{5}$/, () => refusal(416, 'range_not_satisfiable')),
  },
  {
    name: 'more of the last bytes than there are',
    law: '6.4/files/range-whole',
    fetch: ifRange(/=-\d{4,}$/, () => refusal(416, 'range_not_satisfiable')),
  },
  {
    name: 'a range without the size of the file',
    law: '6.4/files/range-content-range',
    fetch: inDownloads((response) =>
      isPart(response)
        ? withHeaders(response, {
            'content-range': response.headers.get('content-range')?.replace(/\d+$/, '*'),
          })
        : response,
    ),
  },
  {
    name: 'a range with the length of the whole file',
    law: '6.4/files/range-length',
    fetch: headersOfDownloads({ 'content-length': '1024' }, isPart),
  },
  {
    name: 'each range has a tag of its own',
    law: '6.4/files/range-etag',
    fetch: headersOfDownloads({ etag: '"a-range"' }, isPart),
  },
  {
    name: 'a range beyond the file is empty',
    law: '6.4/files/range-unsatisfiable',
    fetch: answering((response) => (response.status === 416 ? noBytes(response) : response)),
  },
  {
    name: 'a range beyond the file is the whole file',
    law: '6.4/files/range-416',
    fetch: readingRange((range) => (/=(10\d\d-|-0$)/.test(range) ? undefined : range)),
  },
  {
    name: 'a 416 does not tell the size',
    law: '6.4/files/range-416-content-range',
    fetch: answering((response) => withHeaders(response, { 'content-range': undefined })),
  },
  {
    name: 'a malformed range breaks the server',
    law: '6.4/files/range-malformed',
    fetch: ifRange(/^bytes=(9-5|a-b)/, () => refusal(500, 'internal')),
  },
  {
    name: 'numbers at the beginning of a range count',
    law: '6.4/files/range-malformed',
    fetch: readingRange((range) => /^bytes=\d+-\d+/.exec(range)?.[0] ?? range),
  },
  {
    name: 'every unit is bytes',
    law: '6.4/files/range-unit',
    fetch: readingRange((range) => range.replace(/^\w+=/, 'bytes=')),
  },
  {
    name: 'the first of several ranges alone',
    law: '6.4/files/range-several',
    fetch: readingRange((range) => range.split(',')[0]),
  },
  {
    name: 'an empty file has a first byte',
    law: '6.4/files/range-of-empty',
    fetch: answering((response) => (response.status === 416 ? noBytes(response) : response)),
  },
  {
    name: 'a HEAD has ranges',
    law: '6.4/files/range-of-head',
    fetch: answering((response, request) =>
      request.method === 'HEAD' && request.headers.has('range')
        ? new Response(null, { status: 206, headers: response.headers })
        : response,
    ),
  },
  {
    name: 'no word of ranges',
    law: '6.4/files/accept-ranges',
    fetch: headersOfDownloads({ 'accept-ranges': undefined }),
  },
  {
    name: 'If-None-Match is ignored',
    law: '6.4/files/if-none-match',
    fetch: readingMatch(() => undefined),
  },
  {
    name: 'a 304 with the file',
    law: '6.4/files/if-none-match-empty',
    fetch: answering((response) => {
      if (response.status !== 304) return response;
      // a response with this status and a body cannot be made
      return new Proxy(response, {
        get: (target, name) => {
          if (name === 'body') return new Response('Once upon a time').body;
          return Reflect.get(target, name, target);
        },
      });
    }),
  },
  {
    name: 'a 304 without the tag',
    law: '6.4/files/if-none-match-etag',
    fetch: answering((response) =>
      response.status === 304 ? new Response(null, { status: 304 }) : response,
    ),
  },
  {
    name: 'tags are compared as texts',
    law: '6.4/files/if-none-match-weak',
    fetch: readingMatch((value) => (value.startsWith('W/') ? undefined : value)),
  },
  {
    name: 'one tag alone is read',
    law: '6.4/files/if-none-match-list',
    fetch: readingMatch((value) => value.split(',')[0]),
  },
  {
    name: 'a star is a tag like any other',
    law: '6.4/files/if-none-match-any',
    fetch: readingMatch((value) => (value === '*' ? '"*"' : value)),
  },
  {
    name: 'any tag will do',
    law: '6.4/files/if-none-match-other',
    fetch: readingMatch(() => '*'),
  },
  {
    name: 'a range comes before the condition',
    law: '6.4/files/if-none-match-range',
    fetch: readingMatch((value, request) => (request.headers.has('range') ? undefined : value)),
  },
  {
    name: 'a HEAD knows no condition',
    law: '6.4/files/if-none-match-of-head',
    fetch: readingMatch((value, { method }) => (method === 'HEAD' ? undefined : value)),
  },
  {
    name: 'a range with a condition is ignored',
    law: '6.4/files/if-range',
    fetch: readingRange((range, { headers }) => (headers.has('if-range') ? undefined : range)),
  },
  {
    name: 'If-Range is ignored',
    law: '6.4/files/if-range-other',
    fetch: readingIfRange(() => undefined),
  },
  {
    name: 'a weak tag is as good in If-Range',
    law: '6.4/files/if-range-weak',
    fetch: readingIfRange((value) => value.replace(/^W\//, '')),
  },
  {
    name: 'a date in If-Range is not understood',
    law: '6.4/files/if-range-date',
    fetch: readingIfRange((value) => (value.startsWith('"') ? value : undefined)),
  },
];
