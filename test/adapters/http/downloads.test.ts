import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createDownloads,
  getByFetch,
  getByHeart,
  getByNode,
  type Headers,
  text,
} from './downloads.js';

const sha256 = createHash('sha256').update(text).digest('hex');
const etag = `"${sha256}"`;
const asOther = { authorization: 'Token token-of-other' };

describe.each([
  ['the heart', getByHeart],
  ['the fetch handler', getByFetch],
  ['the Node listener', getByNode],
])('a download by %s', (_, get) => {
  let service: Awaited<ReturnType<typeof createDownloads>>;
  beforeEach(async () => {
    service = await createDownloads();
  });
  const download = (headers: Headers = {}, method = 'GET') =>
    get(service.handler, service.path, headers, method);

  test('is the whole file, in its own type, and never a page', async () => {
    const { status, headers, body } = await download();
    expect([status, body.toString()]).toEqual([200, text]);
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '16',
      'content-disposition': `attachment; filename="draft.txt"; filename*=UTF-8''draft.txt; size=16`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache, no-transform',
      'accept-ranges': 'bytes',
      etag,
    });
    expect(headers).not.toHaveProperty('content-range');
  });

  test('HEAD has the same head, even if a range is asked for', async () => {
    const whole = await download();
    for (const headers of [{}, { range: 'bytes=0-3' }]) {
      const { status, headers: told, body } = await download(headers, 'HEAD');
      expect([status, body.length]).toEqual([200, 0]);
      // headers of the connection are not part of the answer
      const own = /^(date|x-request-id|connection|keep-alive)$/;
      const same = Object.entries(whole.headers).filter(([name]) => !own.test(name));
      expect(told).toMatchObject(Object.fromEntries(same));
    }
  });

  test.each([
    ['bytes=0-0', 'O', '0-0'],
    ['bytes=0-3', 'Once', '0-3'],
    ['bytes=5-8', 'upon', '5-8'],
    ['bytes=15-15', 'e', '15-15'],
    ['bytes=12-', 'time', '12-15'],
    ['bytes=0-', text, '0-15'],
    ['bytes=12-15', 'time', '12-15'],
    ['bytes=12-16', 'time', '12-15'],
    ['bytes=0-99999999999999999999', text, '0-15'],
    ['bytes=-1', 'e', '15-15'],
    ['bytes=-16', text, '0-15'],
    ['bytes=-17', text, '0-15'],
    ['Bytes=0-3', 'Once', '0-3'],
  ])('%s is the bytes %j', async (range, content, told) => {
    const { status, headers, body } = await download({ range });
    expect([status, body.toString()]).toEqual([206, content]);
    expect(headers).toMatchObject({
      'content-range': `bytes ${told}/16`,
      'content-length': String(content.length),
      etag,
    });
  });

  test.each(['bytes=16-', 'bytes=16-17', `bytes=${'9'.repeat(400)}-`, 'bytes=-0'])(
    '%s is beyond the end',
    async (range) => {
      const { status, headers, body } = await download({ range });
      expect([status, headers['content-range']]).toEqual([416, 'bytes */16']);
      expect(JSON.parse(body.toString()).code).toBe('range_not_satisfiable');
    },
  );

  test.each([
    ...['bytes=0-1,3-4', 'bytes=3-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1', 'items=0-1'],
    ...['bytes 0-1', 'bytes=0x0-1', 'bytes=1-2-3', 'bytes=- 1'],
  ])('%s is answered with the whole file', async (range) => {
    const { status, body } = await download({ range });
    expect([status, body.toString()]).toEqual([200, text]);
  });

  test('a range is given if its condition holds, and otherwise the whole file', async () => {
    const range = 'bytes=0-3';
    for (const [condition, status] of [
      [etag, 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      ['Thu, 01 Jan 2026 00:00:00 GMT', 200],
    ] as const) {
      const answered = await download({ range, 'if-range': condition });
      expect([condition, answered.status]).toEqual([condition, status]);
    }
  });

  test('what is there already is not sent again', async () => {
    for (const [tags, status] of [
      [etag, 304],
      [`"other", W/${etag}`, 304],
      ['*', 304],
      ['"other"', 200],
      [sha256, 200],
    ] as const) {
      const answered = await download({ 'if-none-match': tags, range: 'bytes=99-' });
      expect([tags, answered.status]).toEqual([tags, status === 304 ? 304 : 416]);
      const { headers, body } = await download({ 'if-none-match': tags });
      expect([tags, headers['etag'], body.length]).toEqual([tags, etag, status === 304 ? 0 : 16]);
    }
  });

  test('is for the deal and the partner of the file alone', async () => {
    const { handler, id, path } = service;
    for (const [elsewhere, headers] of [
      [`/api/2.0/deal/two/file/${id}/`, {}],
      [`/api/2.0/deal/by-id/file/${id}/?partner_id=two`, {}],
      [path, asOther],
      [path.replace(id, id.toLowerCase()), {}],
      [path.replace(id, '%00'), {}],
      [path.replace(id, '%ff'), {}],
    ] as const) {
      const { status } = await get(handler, elsewhere, headers);
      expect([elsewhere, status]).toEqual([elsewhere, 404]);
    }
    const byParameter = `/api/2.0/deal/by-id/file/${id}/?partner_id=one`;
    expect((await get(handler, byParameter)).body.toString()).toBe(text);
    expect((await get(handler, path.slice(0, -1))).body.toString()).toBe(text);
  });

  test('of an empty file is empty, and has no range', async () => {
    service = await createDownloads('empty', undefined, '');
    const { status, headers, body } = await download();
    expect([status, headers['content-length'], body.length]).toEqual([200, '0', 0]);
    expect((await download({ range: 'bytes=0-' })).headers['content-range']).toBe('bytes */0');
  });

  test.each([
    ['a "quoted" name.txt', 'a _quoted_ name.txt'],
    ['back\\slash', 'back_slash'],
    ['100%.txt', '100_.txt'],
    ['%22; filename=evil.exe', '_22; filename=evil.exe'],
    ["it's (a) *star*.txt", "it's (a) *star*.txt"],
    ['Zażółć 😀.pdf', 'Za____ __.pdf'],
    ['a;b,c=d.txt', 'a;b,c=d.txt'],
    ['a\r\nSet-Cookie: x=1\r\n\r\n<html>', 'a__Set-Cookie: x=1____<html>'],
    ['\u202Egpj.exe', '_gpj.exe'],
  ])('of the file %j has its name, and no other header', async (name, plain) => {
    service = await createDownloads(name);
    const { status, headers, body } = await download();
    expect([status, body.toString()]).toEqual([200, text]);
    expect(headers).not.toHaveProperty('set-cookie');
    const disposition = headers['content-disposition'] ?? '';
    // RFC 6266, 4.1, and RFC 8187, 3.2.1, to the letter
    const form =
      /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''((?:%[\dA-F]{2}|[\w!#$&+.^`|~-])+); size=(\d+)$/;
    const [, quoted, whole = '', size] = form.exec(disposition) ?? [];
    expect([quoted, decodeURIComponent(whole), size]).toEqual([plain, name, String(text.length)]);
  });
});
