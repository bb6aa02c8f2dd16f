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
  sha256,
  stagePart,
} from './uploads.js';

const text = 'some work, in a file\r\nof two lines';

type Uploads = Awaited<ReturnType<typeof createUploads>>;

/** What a form is refused with, all of it. */
async function refusalOf(uploads: Uploads, body: unknown, headers = asForm) {
  const { status, json } = await uploads.send(body, { headers });
  const errors = json.errors?.map((each: { path: string[]; code: string }) => [
    each.path.join('.'),
    each.code,
  ]);
  return [status, json.code, errors];
}

const malformed = [400, 'validation_failed', [['', 'malformed_form']]];

test.each([
  ['before', (stage: number) => form(stagePart(stage), filePart(text, 'Content-Type: text/plain'))],
  ['behind', (stage: number) => form(filePart(text, 'Content-Type: text/plain'), stagePart(stage))],
])('a form with the stage %s the file', async (_, make) => {
  const uploads = await createUploads();
  const { status, json } = await uploads.send(make(uploads.stage));
  expect(status).toBe(201);
  expect(json.data).toMatchObject({
    stage_id: uploads.stage,
    name: 'a.txt',
    size: text.length,
    sha256: sha256(text),
    content_type: 'text/plain',
  });
  expect(await uploads.recorded()).toEqual([json.data]);
  expect(await uploads.kept()).toEqual([json.data.id]);
});

test('a type means the same wherever the connection cuts the form, and with white space around it', async () => {
  const uploads = await createUploads();
  const bytes = encode(form(filePart(text, 'Content-Type: text/plain')));
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
    const { status, json } = await uploads.send('', { headers: asForm, chunks });
    expect([cut, status, json.data?.content_type]).toEqual([cut, 201, 'text/plain']);
  }
  for (const type of ['text/plain ', 'text/plain\t', '\t text/plain \t ']) {
    const { status, json } = await uploads.send(form(filePart(text, `Content-Type:${type}`)));
    expect([status, json.data?.content_type]).toEqual([201, 'text/plain']);
  }
  expect(await refusalOf(uploads, form(filePart(text, 'Content-Type: \t')))).toEqual([
    400,
    'validation_failed',
    [['content_type', 'too_short']],
  ]);
});

test('where the stage is wrong, behind the file or before it, nothing is kept', async () => {
  const uploads = await createUploads();
  for (const [stage, code] of [
    [uploads.stage + 1, 'unknown_stage'],
    ['x', 'wrong_type'],
    ['', 'wrong_type'],
    ['1.5', 'not_an_integer'],
    ['9'.repeat(400), 'out_of_range'],
  ] as const) {
    for (const body of [
      form(filePart(text), stagePart(stage)),
      form(stagePart(stage), filePart(text)),
    ]) {
      expect(await refusalOf(uploads, body)).toEqual([
        400,
        'validation_failed',
        [['stage_id', code]],
      ]);
    }
  }
  await expectNothing(uploads);
});

test('the form of the platform itself: names with quotes, backslashes, in any letters', async () => {
  const uploads = await createUploads();
  for (const name of [
    'umowa końcowa.pdf',
    'a "quoted" name',
    'C:\\dir\\file',
    'ends in \\',
    '文書😀.doc',
    'a;b=c; name="x"',
    "it's",
    '%41',
  ]) {
    const data = new FormData();
    data.append('file', new Blob([text], { type: 'text/plain' }), name);
    data.append('stage_id', String(uploads.stage));
    const request = new Request('http://localhost/', { method: 'POST', body: data });
    const headers = { ...asForm, 'content-type': request.headers.get('content-type') ?? '' };
    const body = new Uint8Array(await request.arrayBuffer());
    const { status, json } = await uploads.send(body, { headers });
    expect([status, json.data?.name]).toEqual([201, name]);
  }
});

test.each([
  ['filename="a\\"b.txt"', 'a"b.txt'],
  ['filename=plain.txt', 'plain.txt'],
  ['filename="x.txt"; filename*=UTF-8\'\'%E2%82%AC%20a.txt', '€ a.txt'],
  ["filename*=utf-8'en'%c5%82.txt", 'ł.txt'],
  ['filename*=iso-8859-1\'\'a.txt; filename="b.txt"', 'b.txt'],
  ['FILENAME="b.txt"', 'b.txt'],
  ['filename = "b.txt"', 'b.txt'],
  ['filename="../../b.txt"', '../../b.txt'],
  ['filename="x; name=stage_id"', 'x; name=stage_id'],
])('the name in %s', async (parameter, name) => {
  const uploads = await createUploads();
  const { status, json } = await uploads.send(form(part(`name="file"; ${parameter}`, text)));
  expect([status, json.data?.name]).toEqual([201, name]);
});

test('a parameter inside a quoted one is none', async () => {
  const uploads = await createUploads();
  const misleading = 'filename="; name=\\"file\\""; name="other"';
  expect(await refusalOf(uploads, form(part(misleading, text)))).toEqual([
    400,
    'validation_failed',
    [['file', 'required']],
  ]);
});

test('a file without a name, none at all, or under another name is refused', async () => {
  const uploads = await createUploads();
  const nameless = [400, 'validation_failed', [['name', 'too_short']]];
  expect(await refusalOf(uploads, form(part('name="file"', text)))).toEqual(nameless);
  expect(await refusalOf(uploads, form(part('name="file"; filename=""', text)))).toEqual(nameless);
  const none = [400, 'validation_failed', [['file', 'required']]];
  for (const body of [
    form(),
    form(stagePart(uploads.stage)),
    form(part('name="document"; filename="a.txt"', text)),
    form(part('filename="a.txt"; name="File"', text)),
    `--${boundary}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  ]) {
    expect(await refusalOf(uploads, body)).toEqual(none);
  }
  await expectNothing(uploads);
});

test('two files are one too many, and unknown members are not looked at', async () => {
  const uploads = await createUploads();
  expect(await refusalOf(uploads, form(filePart(text), filePart(text)))).toEqual([
    400,
    'validation_failed',
    [['file', 'repeated']],
  ]);
  await expectNothing(uploads);
  const others = [part('name="other"; filename="b"', 'x'), part('name="__proto__"', 'y')];
  expect((await uploads.send(form(...others, filePart(text), ...others))).status).toBe(201);
});

test.each([
  ['nothing', ''],
  ['no boundary', text],
  ['another boundary', form(filePart(text)).replaceAll(boundary, 'other')],
  ['a form without its end', filePart(text)],
  ['a file that breaks off', form(filePart(text)).slice(0, 150)],
  ['half an end', form(filePart(text)).slice(0, -3)],
  ['a head that breaks off', `--${boundary}\r\nContent-Disposition: form-da`],
  ['a head that is none', `--${boundary}\r\nno head\r\n\r\n${text}\r\n--${boundary}--\r\n`],
  ['a head with a NUL', form(filePart(text, 'X-Y: a\0b'))],
  ['a part without a name', form(part('filename="a.txt"', text))],
  ['a bare line feed', form(filePart(text)).replaceAll('\r\n', '\n')],
  ['a head of 17 KiB', form(filePart(text, `X-Long: ${'x'.repeat(17 * 1024)}`))],
  [
    '200 headers of a part',
    form(filePart(text, ...Array.from({ length: 200 }, (_, i) => `X-${i}: y`))),
  ],
  ['a name in no UTF-8', form(part('name="file"; filename*=UTF-8\'\'%ff', text))],
  [
    '10,000 parts',
    form(...Array.from({ length: 10_000 }, () => part('name="x"', '')), filePart(text)),
  ],
  ['65 parts', form(filePart(text), ...Array.from({ length: 64 }, () => part('name="x"', 'y')))],
  ['a field of 65 KiB', form(part('name="x"', 'y'.repeat(65 * 1024)), filePart(text))],
])('%s is a malformed form', async (_, body) => {
  const uploads = await createUploads();
  expect(await refusalOf(uploads, body)).toEqual(malformed);
  await expectNothing(uploads);
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; charset=utf-8',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
  'multipart/form-data; boundary="a\\"b"',
  'multipart/form-data; boundary=ł',
])('%s has no boundary', async (type) => {
  const uploads = await createUploads();
  const headers = { ...asForm, 'content-type': type };
  expect(await refusalOf(uploads, form(filePart(text)), headers)).toEqual(malformed);
  await expectNothing(uploads);
});

test.each([
  `multipart/form-data; charset=utf-8; boundary="${boundary}"`,
  `Multipart/Form-Data ;BOUNDARY=${boundary}`,
  `multipart/form-data; boundary=${boundary}; foo`,
])('%s has one', async (type) => {
  const uploads = await createUploads();
  const headers = { ...asForm, 'content-type': type };
  expect((await uploads.send(form(filePart(text)), { headers })).status).toBe(201);
});

test.each([
  'multipart/mixed; boundary=x',
  'multipart/form-dataa',
  'application/x-www-form-urlencoded',
  'text/plain',
  '',
])('%s is no form', async (type) => {
  const uploads = await createUploads();
  const headers = { ...asForm, 'content-type': type };
  const answered = await uploads.send(form(filePart(text)), { headers });
  expect([answered.status, answered.json.code]).toEqual([415, 'unsupported_media_type']);
  expect(answered.headers['accept']).toBe('application/json, multipart/form-data');
});

test('what stands before a form and behind it is no part of it', async () => {
  const uploads = await createUploads();
  const body = `a preamble\r\n${form(filePart(text))}an epilogue: --\r\n${'x'.repeat(5000)}`;
  expect((await uploads.send(body)).json.data).toMatchObject({ sha256: sha256(text) });
});

// the last holds what could be taken for the end of it
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

test('a second form behind the first is no part of it either', async () => {
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

test('the body of a refused form is let go of, read or not', async () => {
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
