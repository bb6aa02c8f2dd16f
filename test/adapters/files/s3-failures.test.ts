import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from 'dealwright/ports';
import { createS3FileStore, type S3FileStoreOptions } from 'dealwright/s3';
import { createManualClock } from 'dealwright/testing';
import { afterEach, describe, expect, it } from 'vitest';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const id = '01KDVE00000000000000000001';
const secret = 'SecretOfTheTests';
const session = 'SessionOfTheTests';
const options: S3FileStoreOptions = {
  endpoint: 'http://127.0.0.1:9',
  region: 'eu-test',
  bucket: 'bucket',
  accessKeyId: 'key',
  secretAccessKey: secret,
  sessionToken: session,
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A service that answers as the test says, and notes its requests. */
async function service(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    request.once('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, asked };
}

async function* bytes(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 65_536) yield new Uint8Array(Math.min(65_536, size - at));
}

const status =
  (code: number, headers = {}, body = ''): RequestListener =>
  (_, response) => {
    response.writeHead(code, headers).end(body);
  };

describe('a claim of contents', () => {
  const [own, another] = ['01KDVE0000000000000000000A', '01KDVE0000000000000000000B'];

  /** A bucket with at most the id of a store; the test decides its answer to a conditional write. */
  async function bucket(refusal: number, meanwhile: string | undefined) {
    let kept: string | undefined;
    const { endpoint, asked } = await service((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(kept === undefined ? 404 : 200).end(kept && `${kept}\n`);
        return;
      }
      const isConditional = request.headers['if-none-match'] === '*';
      // another writer was faster, or comes a moment later
      kept = isConditional ? meanwhile : own;
      response.writeHead(isConditional ? refusal : 200).end();
    });
    const timer = createManualClock();
    // requests sleep too, until their time-outs: only the length tells a sleep from another
    const slept: number[] = [];
    const sleep: typeof timer.sleep = (milliseconds, wake) => {
      slept.push(milliseconds);
      return timer.sleep(milliseconds, wake);
    };
    const { owner } = createS3FileStore({
      ...options,
      endpoint,
      timer: { now: () => timer.now(), sleep },
    });
    const keep = (store: string) => {
      kept = store;
    };
    return { owner, asked, timer, slept, keep };
  }

  it.each([412, 409])('is the other’s if a conditional write is refused: %i', async (refusal) => {
    const { owner, asked } = await bucket(refusal, another);
    expect((await owner.claim(own))._unsafeUnwrap()).toBe(another);
    expect(asked).toEqual(['GET', 'PUT', 'GET'].map((method) => `${method} /bucket/store-id`));
  });

  it.each([
    ['nobody else', own],
    ['another', another],
  ])(
    'of a service without conditional writes is the last’s within a second: %s',
    async (_, last) => {
      const { owner, asked, timer, slept, keep } = await bucket(501, undefined);
      let isOver = false;
      const claimed = Promise.resolve(owner.claim(own)).finally(() => {
        isOver = true;
      });
      await expect.poll(() => slept.at(-1)).toBe(1_000);
      expect(asked).toHaveLength(3);
      keep(last);
      timer.advance(999);
      expect(isOver).toBe(false);
      timer.advance(1);
      expect((await claimed)._unsafeUnwrap()).toBe(last);
      expect(asked).toEqual(
        ['GET', 'PUT', 'PUT', 'GET'].map((method) => `${method} /bucket/store-id`),
      );
    },
  );

  it('is not made if the write failed', async () => {
    const { owner } = await bucket(500, undefined);
    expect((await owner.claim(own))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a service that fails', () => {
  it.each<[string, RequestListener, object]>([
    ['403', status(403), { retryable: false, outcome: 'none' }],
    ['400', status(400), { retryable: false, outcome: 'none' }],
    ['429', status(429, { 'retry-after': '7' }), { retryable: true, retryAfter: 7 }],
    ['500', status(500), { retryable: true, outcome: 'unknown' }],
    ['503', status(503), { retryable: true, outcome: 'unknown' }],
    ['a broken line', (_, response) => response.destroy(), { retryable: true, outcome: 'unknown' }],
    [
      'a redirect',
      status(307, { location: 'http://127.0.0.1:9/' }),
      { retryable: false, outcome: 'none', cause: { reason: 'redirected', status: 307 } },
    ],
  ])('is told apart: %s', async (_, answer, expected) => {
    const { endpoint, asked } = await service(answer);
    const store = createS3FileStore({ ...options, endpoint });
    const put = await store.put(acme, id, bytes(10));
    expect(put._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', ...expected });
    expect(asked).toHaveLength(1);
    for (const read of [await store.get(acme, id), await store.list(acme, undefined)]) {
      expect(read._unsafeUnwrapErr()).toMatchObject({ ...expected, outcome: 'none' });
    }
  });

  it('is asked no longer than the time-out', async () => {
    const { endpoint } = await service(() => undefined);
    const timer = createManualClock();
    const store = createS3FileStore({ ...options, endpoint, timer, timeout: 5_000 });
    const putting = store.put(acme, id, bytes(10));
    await expect.poll(() => timer.sleepers()).toBe(1);
    timer.advance(5_000);
    expect((await putting)._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      retryable: true,
      cause: { reason: 'timed_out' },
    });
  });

  it('lets a reader wait for the next bytes no longer either, and throws', async () => {
    const { endpoint } = await service((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      if (request.method === 'HEAD') response.end();
      else response.write('the first bytes');
    });
    const timer = createManualClock();
    const store = createS3FileStore({ ...options, endpoint, timer, timeout: 5_000 });
    const got = (await store.get(acme, id))._unsafeUnwrap();
    const reader = got?.[Symbol.asyncIterator]();
    expect((await reader?.next())?.value).toHaveLength(15);
    const next = expect(reader?.next()).rejects.toMatchObject({ cause: { reason: 'timed_out' } });
    await expect.poll(() => timer.sleepers()).toBe(1);
    timer.advance(5_000);
    await next;
  });

  it.each([
    ['no page', '<html></html>'],
    ['keys that were asked for before', '<ListBucketResult><Key>a</Key></ListBucketResult>'],
    ['invalid keys', '<ListBucketResult><Key>%ff</Key></ListBucketResult>'],
    ['far too much', 'x'.repeat(5 * 1024 * 1024)],
  ])('lists nothing of %s', async (_, body) => {
    const { endpoint } = await service(status(200, {}, body));
    const store = createS3FileStore({ ...options, endpoint });
    const listed = await store.list(acme, undefined);
    expect(listed._unsafeUnwrapErr()).toMatchObject({
      retryable: false,
      cause: { reason: 'malformed_answer' },
    });
  });

  it('that always has one more page of keys of others is not followed for ever', async () => {
    let page = 0;
    const { endpoint, asked } = await service((_, response) => {
      page += 1;
      const key = `<Key>sandbox/z${String(page).padStart(6, '0')}</Key>`;
      const text = `<ListBucketResult>${key}<IsTruncated>true</IsTruncated></ListBucketResult>`;
      // after 1,000 pages the test itself ends an endless list
      response.end(page < 1_000 ? text : '');
    });
    const store = createS3FileStore({ ...options, endpoint });
    expect((await store.list(acme, undefined))._unsafeUnwrapErr()).toMatchObject({
      retryable: false,
      cause: { reason: 'malformed_answer' },
    });
    expect(asked.length).toBe(100);
  });

  it.each<[string, RequestListener, object]>([
    ['the beginning', status(503), { outcome: 'none', retryable: true }],
    [
      'a part',
      (request, response) => {
        const begins = request.url?.endsWith('?uploads=') ?? false;
        if (begins) response.end('<UploadId>a&amp;b/1</UploadId>');
        else response.writeHead(request.method === 'PUT' ? 403 : 204).end();
      },
      { outcome: 'none', retryable: false },
    ],
    [
      'the end, after a status of 200',
      (request, response) => {
        if (request.url?.endsWith('?uploads=')) response.end('<UploadId>a&amp;b/1</UploadId>');
        else if (request.method === 'PUT') response.writeHead(200, { etag: '"e"' }).end();
        else response.end('<Error><Code>InternalError</Code></Error>');
      },
      {
        outcome: 'unknown',
        retryable: true,
        cause: { reason: 'status', status: 200, s3Code: 'InternalError' },
      },
    ],
  ])('has no part left when %s goes wrong', async (what, answer, expected) => {
    const { endpoint, asked } = await service(answer);
    const store = createS3FileStore({ ...options, endpoint });
    let isEnded = false;
    async function* content() {
      try {
        yield* bytes(6 * 1024 * 1024);
      } finally {
        isEnded = true;
      }
    }
    const put = await store.put(acme, id, content());
    expect(put._unsafeUnwrapErr()).toMatchObject(expected);
    expect(isEnded).toBe(true);
    const aborts = asked.filter((each) => each.startsWith('DELETE'));
    if (what === 'the beginning') expect(aborts).toEqual([]);
    else expect(aborts).toEqual([expect.stringMatching(/\?uploadId=a%26b%2F1$/)]);
  });

  it('gets no secret into its reports', async () => {
    const { endpoint } = await service((request, response) => {
      const said = `<Code>${request.headers.authorization} ${secret} ${session}</Code>`;
      response.writeHead(403).end(`<Error>${said}</Error>`);
    });
    const refused: typeof fetch = async (input, init) => {
      throw new Error(`${String(input)} ${JSON.stringify([...new Headers(init?.headers)])}`);
    };
    for (const store of [
      createS3FileStore({ ...options, endpoint }),
      createS3FileStore({ ...options, fetch: refused }),
    ]) {
      const failure = (await store.put(acme, id, bytes(10)))._unsafeUnwrapErr();
      const told = JSON.stringify([failure, String(failure.cause)]);
      for (const hidden of [secret, session, 'Signature', 'Credential']) {
        expect(told).not.toContain(hidden);
      }
    }
  });
});

describe('options of a bucket', () => {
  it.each<[string, object]>([
    ['endpoint', { endpoint: 'ftp://example.com' }],
    ['endpoint', { endpoint: 'https://user:word@example.com' }],
    ['endpoint', { endpoint: 'https://example.com/?a=b' }],
    ['region', { region: '' }],
    ['bucket', { bucket: 'a/b' }],
    ['bucket', { bucket: '..' }],
    ['accessKeyId', { accessKeyId: '' }],
    ['secretAccessKey', { secretAccessKey: `${secret}\n` }],
    ['sessionToken', { sessionToken: '' }],
    ['prefix', { prefix: 'no-slash' }],
    ['prefix', { prefix: '../' }],
    ['prefix', { prefix: 'a//' }],
    ['addressing', { addressing: 'dns' }],
    ['fetch', { fetch: 1 }],
    ['timeout', { timeout: 0 }],
    ['timer', { timer: {} }],
  ])('says that %s is wrong, and no value: %j', (name, wrong) => {
    const create = () => createS3FileStore({ ...options, ...wrong });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(new RegExp(`^createS3FileStore: ${name} (is|has) [^;]*$`));
    expect(create).not.toThrow(new RegExp(secret));
  });

  it.each([
    ['path', 'https://s3.example.com', 'https://s3.example.com/bucket/files/'],
    ['virtual-host', 'https://s3.example.com', 'https://bucket.s3.example.com/files/'],
    ['path', 'https://example.com/storage/s3/', 'https://example.com/storage/s3/bucket/files/'],
  ] as const)('make the address of a key: %s', async (addressing, endpoint, expected) => {
    const asked: string[] = [];
    const store = createS3FileStore({
      ...options,
      endpoint,
      addressing,
      prefix: 'files/',
      fetch: async (input) => {
        asked.push(String(input));
        return new Response(null, { status: 404 });
      },
    });
    expect((await store.get(acme, id))._unsafeUnwrap()).toBeUndefined();
    expect(asked).toEqual([
      expect.stringMatching(new RegExp(`^${expected}sandbox/[0-9a-f]{64}/${id}$`)),
    ]);
  });
});
