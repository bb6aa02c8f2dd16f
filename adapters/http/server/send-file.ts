import type { DownloadedFile } from 'dealwright';
import type { HttpRequest } from './messages.js';
import type { Refusal, Reply } from './reply.js';

/** The requested bytes of a file, the last one included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * The answer to a download (decision 6.4): its headers keep browsers from guessing another type,
 * and make them save the file instead of showing it.
 */
export function sendFile(request: HttpRequest, file: DownloadedFile): Reply | Refusal {
  const { name, size, sha256, content_type, content } = file;
  const etag = `"${sha256}"`;
  const headers = {
    'accept-ranges': 'bytes',
    // compressed on the way, its ranges and its tag would be of other bytes (RFC 9111, 5.2.2.6)
    'cache-control': 'private, no-cache, no-transform',
    'content-disposition': dispositionOf(name, size),
    'content-security-policy': "default-src 'none'; sandbox",
    etag,
  };
  if (listsTag(request.header('if-none-match'), etag)) {
    return { status: 304, body: undefined, headers };
  }
  const isWhole = { status: 200, first: 0, last: size - 1 };
  const asked = rangeOf(request, etag, size);
  if (asked === 'unsatisfiable') {
    return { code: 'range_not_satisfiable', headers: { 'content-range': `bytes */${size}` } };
  }
  const { status, first, last } = asked === undefined ? isWhole : { status: 206, ...asked };
  return {
    status,
    body: piecesBetween(content, first, last),
    headers: {
      ...headers,
      'content-type': content_type,
      'content-length': String(last + 1 - first),
      ...(status === 206 && { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
  };
}

/** RFC 9110, 13.1.2; a proxy that compresses makes a tag weak. */
export function listsTag(asked: string | undefined, etag: string | undefined): boolean {
  return (asked ?? '')
    .split(',')
    .some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}

/**
 * RFC 6266, with the name in ASCII for old clients, and whole as in RFC 8187. The size (RFC 2183,
 * 2.7) is that of Content-Length, which Bun and compression leave out of a stream.
 */
function dispositionOf(name: string, size: number): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}; size=${size}`;
}

/**
 * One range of bytes (RFC 9110, 14.1.2). Several ranges get the whole file, which is allowed. Only
 * GET has ranges (14.2).
 */
function rangeOf(
  request: HttpRequest,
  etag: string,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const condition = request.header('if-range');
  const asked = /^bytes=(\d*)-(\d*)$/i.exec(request.header('range')?.trim() ?? '');
  if (request.method !== 'GET' || asked === null || (condition !== undefined && condition !== etag))
    return undefined;
  const [from, to] = [asked[1] ?? '', asked[2] ?? ''];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const first = Math.max(0, size - Number(to));
    return first < size ? { first, last: size - 1 } : 'unsatisfiable';
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Number(to)];
  if (to !== '' && last < first) return undefined;
  return first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable';
}

/** The pieces of a content from byte `first` to byte `last`. */
async function* piecesBetween(
  content: AsyncIterable<Uint8Array>,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of content) {
    const wanted = piece.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += piece.length;
    if (wanted.length > 0) yield wanted;
    if (at > last) return;
  }
  if (at <= last) throw new Error('the content is shorter than its record says');
}
