import { createFetchHandler } from 'dealwright/http';
import { expect, test } from 'vitest';
import { asAcme, contractor, createService, deal } from './service.js';
import { asForm, filePart } from './uploads.js';

const base = 'http://localhost';
const path = '/api/1.0/contractor/';

function post(handle: (request: Request) => Promise<Response>, to: string, init: RequestInit = {}) {
  return handle(new Request(base + to, { method: 'POST', headers: asAcme, ...init }));
}

function streamOf(chunks: Iterable<Uint8Array>, onCancel: () => unknown = () => undefined) {
  const rest = chunks[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => onCancel() as undefined,
  });
}

/** Node requires `duplex`, which the DOM types do not have. */
function streamed(
  body: ReadableStream<Uint8Array>,
  headers: Record<string, string> = asAcme,
): RequestInit {
  return Object.assign({ body, headers }, { duplex: 'half' });
}

test('the documented examples through Request and Response', async () => {
  const handle = createFetchHandler(createService());
  const registered = await post(handle, path, { body: JSON.stringify(contractor) });
  expect(registered.status).toBe(201);
  expect(registered.headers.get('content-type')).toBe('application/json');
  expect(await registered.text()).toBe(
    '{"success":true,"data":{"contractor_email":"user@example.com"}}',
  );
  const again = await post(handle, path, { body: JSON.stringify(contractor) });
  expect([again.status, (await again.json()).code]).toEqual([409, 'contractor_exists']);
  const created = await post(handle, '/api/1.0/deal?x#y', { body: JSON.stringify(deal) });
  expect(created.status).toBe(201);
});

test('GET, HEAD and OPTIONS', async () => {
  const handle = createFetchHandler(createService());
  const ask = (method: string) => handle(new Request(`${base}/healthz#x`, { method }));
  expect(await (await ask('GET')).text()).toBe('{"status":"ok"}');
  const told = await ask('HEAD');
  expect([told.status, told.body, told.headers.get('content-length')]).toEqual([200, null, '15']);
  const options = await ask('OPTIONS');
  expect([options.status, options.body, options.headers.get('allow')]).toEqual([
    204,
    null,
    'GET, HEAD, OPTIONS',
  ]);
  expect((await handle(new Request(base))).status).toBe(404);
});

test('a body in pieces, of unknown or known length', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(contractor));
  const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  for (const headers of [asAcme, { ...asAcme, 'content-length': String(bytes.length) }]) {
    const handle = createFetchHandler(createService());
    expect((await post(handle, path, streamed(streamOf(pieces), headers))).status).toBe(201);
  }
});

test('no body is no JSON', async () => {
  const handle = createFetchHandler(createService());
  expect((await post(handle, path)).status).toBe(400);
});

test('413 for more than the limit, however the length is told; the rest is not waited for', async () => {
  const handle = createFetchHandler(createService({ bodyLimit: 1000 }));
  const kilobyte = new Uint8Array(1000);
  function* endless() {
    for (;;) yield kilobyte;
  }
  const status = async (init: RequestInit) => (await post(handle, path, init)).status;
  expect(await status(streamed(streamOf(endless())))).toBe(413);
  const length = (value: string) => ({ ...asAcme, 'content-length': value });
  expect(await status(streamed(streamOf(endless()), length('1001')))).toBe(413);
  expect(await status(streamed(streamOf(endless()), length('no number')))).toBe(413);
  expect(await status(streamed(streamOf([kilobyte, kilobyte]), length('10')))).toBe(413);
});

test('a large body that is refused half-way is let in with the answer, and never cancelled', async () => {
  const handle = createFetchHandler(createService({ bodyLimit: 1 }));
  let sent = 0;
  let cancelled = 0;
  function* pieces() {
    for (; sent < 100; sent += 1) yield new Uint8Array(1000);
  }
  const onCancel = () => {
    cancelled += 1;
  };
  const response = await post(handle, path, streamed(streamOf(pieces(), onCancel)));
  expect([response.status, sent < 100]).toEqual([413, true]);
  expect((await response.json()).code).toBe('payload_too_large');
  expect([sent, cancelled]).toEqual([100, 0]);
});

test('an unread large body comes with the answer', async () => {
  const handle = createFetchHandler(createService());
  for (const [bytes, isRead] of [
    [70_000, true],
    [60_000, false],
  ] as const) {
    const body = new Uint8Array(bytes);
    const headers = { 'content-length': String(bytes) };
    const request = new Request(base + path, { method: 'POST', body, headers });
    const response = await handle(request);
    expect([response.status, (await response.json()).code]).toEqual([401, 'unauthorized']);
    expect(request.bodyUsed).toBe(isRead);
  }
});

test('of an endless body no more than 64 MiB are let in, and none when the client is gone', async () => {
  const handle = createFetchHandler(createService({ bodyLimit: 1 }));
  let sent = 0;
  function* endless() {
    for (; ; sent += 1) yield new Uint8Array(2 ** 20);
  }
  const refuse = () => post(handle, path, streamed(streamOf(endless())));
  expect((await (await refuse()).json()).code).toBe('payload_too_large');
  expect(sent).toBeGreaterThanOrEqual(64);
  expect(sent).toBeLessThan(70);
  sent = 0;
  const response = await refuse();
  await response.body?.cancel();
  expect(sent).toBeLessThan(10);
});

test('a client that stalls, or is gone, gets its answer all the same', async () => {
  const handle = createFetchHandler(createService({ bodyLimit: 1 }));
  for (const rest of [
    () => new Promise<void>(() => undefined),
    () => Promise.reject(new Error()),
  ]) {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          if (pulled > 1) return rest();
          controller.enqueue(new Uint8Array(2));
          return undefined;
        },
      },
      { highWaterMark: 0 },
    );
    const response = await post(handle, path, streamed(body));
    expect((await response.json()).code).toBe('payload_too_large');
  }
});

test('a body that breaks off says so', async () => {
  function* broken() {
    yield new TextEncoder().encode('{}');
    throw new Error('connection reset');
  }
  for (const headers of [asAcme, { ...asAcme, 'content-length': '2' }]) {
    const handle = createFetchHandler(createService());
    const response = await post(handle, path, streamed(streamOf(broken()), headers));
    expect([response.status, (await response.json()).code]).toEqual([400, 'incomplete_body']);
  }
});

test("a body that is shorter than it says is incomplete, and one that is read is the host's mistake", async () => {
  const causes: unknown[] = [];
  const handle = createFetchHandler(createService({ onError: ({ cause }) => causes.push(cause) }));
  const headers = { ...asAcme, 'content-length': '3' };
  const short = await post(
    handle,
    path,
    streamed(streamOf(['{}'].map((each) => new TextEncoder().encode(each))), headers),
  );
  expect([short.status, (await short.json()).code]).toEqual([400, 'incomplete_body']);
  const read = new Request('https://deals.example.com/api/1.0/contractor/', {
    method: 'POST',
    headers: asAcme,
    body: '{}',
  });
  await read.text();
  expect((await handle(read)).status).toBe(500);
  expect(String(causes)).toContain('read the body before');
});

test.each([
  ['that says its length', { 'content-length': '2' }],
  ['that does not', {}],
])('a body %s and that the host holds is its mistake, and is answered', async (_, length) => {
  const causes: unknown[] = [];
  const handle = createFetchHandler(createService({ onError: ({ cause }) => causes.push(cause) }));
  const held = new Request('https://deals.example.com/api/1.0/contractor/', {
    ...{ method: 'POST', headers: { ...asAcme, ...length }, body: '{}' },
  });
  held.body?.getReader();
  expect((await handle(held)).status).toBe(500);
  expect(String(causes)).toContain('read the body before');
});

test('a body is not looked at before it is read, which would make a server build a stream', async () => {
  const looked: string[] = [];
  const watched = (request: Request) =>
    new Proxy(request, {
      get(target, name) {
        if (name === 'body') looked.push(target.method);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const handle = createFetchHandler(createService());
  const headers = { ...asAcme, 'content-length': '2' };
  const post = new Request(base + path, { method: 'POST', headers, body: '{}' });
  expect((await handle(watched(post))).status).toBe(400);
  expect((await handle(watched(new Request(base + path, { headers: asAcme })))).status).toBe(405);
  expect(looked).toEqual([]);
});

test('who is not known is answered before the body is touched', async () => {
  const handle = createFetchHandler(createService());
  const request = new Request(base + path, { method: 'POST', body: '{}' });
  expect((await handle(request)).status).toBe(401);
  expect(request.bodyUsed).toBe(false);
});

test('the rest of a form that is refused half-way is not waited for', async () => {
  const handle = createFetchHandler(createService());
  let asked = 0;
  function* endless() {
    yield new TextEncoder().encode(filePart('work').slice(0, -2));
    for (;;) {
      asked += 1;
      yield new Uint8Array(1000);
    }
  }
  const body = streamed(streamOf(endless()), asForm);
  // this deal does not exist
  expect((await post(handle, '/api/1.0/deal/1/file/', body)).status).toBe(404);
  expect(asked).toBeLessThan(10);
});
