import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asAcme, ask, createService, token } from './service.js';
import {
  asForm,
  boundary,
  createUploads,
  encode,
  expectNothing,
  filePart,
  form,
  part,
  refusalOf,
  sha256,
  stagePart,
} from './uploads.js';

const text = 'some work, in a file\r\nof two lines';

test('what comes before a form and after it is not part of it', async () => {
  const uploads = await createUploads();
  const body = `a preamble\r\n${form(filePart(text))}an epilogue: --\r\n${'x'.repeat(5000)}`;
  expect((await uploads.send(body)).json.data).toMatchObject({ sha256: sha256(text) });
});

// the last could be taken for the end of the form
const contents = [
  '',
  'x',
  '-',
  '--',
  '\r\n',
  '\r\n--',
  `\r\n--${boundary.slice(0, -1)}`,
  '\r\r\n\r\n-\r\n--\r',
];

test('a second form after the first is not part of it either', async () => {
  const uploads = await createUploads();
  const whole = form(filePart(text), stagePart(uploads.stage));
  const second = form(
    part('name="file"; filename="b.txt"', 'other'),
    stagePart('x'),
    filePart('x'),
  );
  const bytes = encode(`${whole}an epilogue\r\n${second}`);
  for (const at of [bytes.length, whole.length - 4, whole.length, whole.length + 40]) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
    const { status, json } = await uploads.send('', { chunks });
    expect([status, json.data?.name, json.data?.sha256]).toEqual([201, 'a.txt', sha256(text)]);
  }
});

test('a form may be cut anywhere', async () => {
  const uploads = await createUploads();
  const cut = fc.record({
    content: fc.oneof(fc.constantFrom(...contents), fc.string({ unit: 'binary' })),
    end: fc.constantFrom('\r\n', '', '\r\nan epilogue'),
    sizes: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(cut, async ({ content, end, sizes }) => {
      const bytes = encode(form(filePart(content), stagePart(uploads.stage)).trimEnd() + end);
      function* chunks() {
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      }
      const { status, json } = await uploads.send('', { chunks: chunks() });
      expect([status, json.data?.sha256]).toEqual([201, sha256(encode(content))]);
    }),
    { numRuns: 300 },
  );
});

test('a file that is too large is refused at its end, and not at that of the body', async () => {
  const uploads = await createUploads({ fileLimit: 1000 });
  const whole = encode(form(stagePart(uploads.stage), filePart('x'.repeat(1001))));
  async function* chunks() {
    yield whole;
    // a body that never ends
    await new Promise(() => {});
  }
  const { status, json } = await uploads.send('', { chunks: chunks() });
  expect([status, json.max_bytes]).toEqual([413, 1000]);
});

test('a form that is truncated anywhere is refused, and leaves nothing', async () => {
  const uploads = await createUploads();
  const whole = form(stagePart(uploads.stage), filePart('work'));
  for (let length = 0; length < whole.length - 2; length += 1) {
    expect((await refusalOf(uploads, whole.slice(0, length)))[0]).toBe(400);
  }
  await expectNothing(uploads);
});

test('a file up to its limit is taken, and one byte more is not', async () => {
  const ports = { fileLimit: 1000 };
  const uploads = await createUploads(ports);
  const sized = (size: number) => form(filePart('x'.repeat(size)), stagePart(uploads.stage));
  expect((await uploads.send(sized(1000))).status).toBe(201);
  const { status, json } = await uploads.send(sized(1001));
  expect([status, json.code, json.max_bytes]).toEqual([413, 'payload_too_large', 1000]);
  expect(await uploads.kept()).toHaveLength(1);
});

test('a form around a small file has its bounds as well', async () => {
  const uploads = await createUploads({ fileLimit: 1000 });
  const other = part('name="x"; filename="y"', 'z'.repeat(70_000));
  for (const body of [form(other, filePart('x')), form(filePart('x'), other), 'x'.repeat(70_000)]) {
    const { status, json } = await uploads.send(body);
    expect([status, json.max_bytes]).toEqual([413, 1000]);
  }
  await expectNothing(uploads);
});

test('a declared length beyond all bounds is refused unread', async () => {
  const uploads = await createUploads();
  let isRead = false;
  async function* chunks() {
    isRead = true;
    yield encode(form(filePart('x')));
  }
  const headers = { ...asForm, 'content-length': String(26 * 2 ** 20) };
  const { status, json } = await uploads.send('', { headers, chunks: chunks() });
  expect([status, json.max_bytes, isRead]).toEqual([413, 25 * 2 ** 20, false]);
});

test('the body of a refused form is released, read or not', async () => {
  const uploads = await createUploads();
  const body = encode(form(filePart('x'.repeat(1000)), stagePart('x')));
  for (const [target, size] of [
    [uploads.path, 100],
    [uploads.path, 10_000],
    ['/api/1.0/deal/987654321/file/', 100],
    ['/api/1.0/deal/987654321/file/', 300],
  ] as const) {
    const ended: string[] = [];
    async function* chunks() {
      try {
        for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
      } finally {
        ended.push('ended');
      }
    }
    const asked = { headers: asForm, chunks: chunks() };
    expect((await ask(uploads.handler, target, asked)).status).toBeGreaterThanOrEqual(400);
    expect(ended).toEqual(['ended']);
  }
});

test('a stranger, a wrong path and a wrong method are answered before the body is read', async () => {
  const uploads = await createUploads();
  const unread = async (
    target: string,
    headers: Readonly<Record<string, string>>,
    method = 'POST',
  ) => {
    let read = 0;
    async function* chunks() {
      for (;;) {
        read += 1;
        yield encode('x');
      }
    }
    const { status } = await ask(uploads.handler, target, { method, headers, chunks: chunks() });
    return [status, read];
  };
  expect(await unread(uploads.path, { ...asForm, authorization: 'Token unknown' })).toEqual([
    401, 0,
  ]);
  expect(await unread(`${uploads.path}x/`, asForm)).toEqual([404, 0]);
  expect(await unread(uploads.path, asForm, 'PUT')).toEqual([405, 0]);
  expect(await unread(uploads.path, { ...asForm, 'content-encoding': 'gzip' })).toEqual([415, 0]);
});

test('for a deal that is not there, no more of a form is read than the head of its file', async () => {
  let read = 0;
  async function* chunks() {
    yield encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    );
    for (; read < 1000; read += 1) yield new Uint8Array(1000);
  }
  const target = '/api/1.0/deal/1/file/';
  const { status } = await ask(createService(), target, { headers: asForm, chunks: chunks() });
  expect(status).toBe(404);
  expect(read).toBeLessThan(3);
});

test('a key gives the first answer again, whichever way the same file comes', async () => {
  const uploads = await createUploads();
  const keyed = { ...asForm, 'idempotency-key': 'form-1' };
  const typed = filePart(text, 'Content-Type: text/plain');
  const first = await uploads.send(form(typed, stagePart(uploads.stage)), { headers: keyed });
  expect(first.status).toBe(201);
  const again = await uploads.send(form(stagePart(uploads.stage), typed), { headers: keyed });
  expect(again).toMatchObject({ status: 201, json: first.json });
  const asJson = await uploads.json(
    { name: 'a.txt', content_type: 'text/plain', content: Buffer.from(text).toString('base64') },
    { headers: { ...asAcme, 'idempotency-key': 'form-1' } },
  );
  expect(asJson).toMatchObject({ status: 201, json: first.json });
  const other = await uploads.send(form(filePart('other')), { headers: keyed });
  expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  expect(await uploads.kept()).toEqual([first.json.data.id]);
});

test('a stream that breaks off leaves nothing', async () => {
  const uploads = await createUploads();
  async function* chunks() {
    yield encode(filePart('x'.repeat(5000)).slice(0, 3000));
    throw new Error('the client is gone');
  }
  const { status, body } = await uploads.send('', { chunks: chunks() });
  expect(status).toBe(400);
  expect(body).not.toContain('gone');
  expect(body).not.toContain(token);
  await expectNothing(uploads);
});
