import { expect, test } from 'vitest';
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

const malformed = [400, 'validation_failed', [['', 'malformed_form']]];

test.each([
  ['before', (stage: number) => form(stagePart(stage), filePart(text, 'Content-Type: text/plain'))],
  ['after', (stage: number) => form(filePart(text, 'Content-Type: text/plain'), stagePart(stage))],
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

test('if the stage is wrong, after the file or before it, nothing is kept', async () => {
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
    'a separator\u2028 of lines',
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
  ['filename*=UTF-8\'\'%ff; filename="b.txt"', 'b.txt'],
  ['filename="b.txt"; filename*=iso-8859-1\'\'%e9.txt', 'b.txt'],
  ['filename="b.txt"; filename*=UTF-8\'\'', 'b.txt'],
  ['filename="b.txt"; filename*=%zz', 'b.txt'],
  ['filename="\uFFFD.txt"', '\uFFFD.txt'],
  ['filename=umowa z Anną (v2).txt', 'umowa z Anną (v2).txt'],
  ['filename= a  b.txt \t', 'a  b.txt'],
  ['filename=a b.txt; x=y', 'a b.txt'],
  ['FILENAME="b.txt"', 'b.txt'],
  ['filename = "b.txt"', 'b.txt'],
  ['filename="\u2028"', '\u2028'],
  ['filename="a\u2029b.txt"; x=y', 'a\u2029b.txt'],
  ['filename="../../b.txt"', '../../b.txt'],
  ['filename="x; name=stage_id"', 'x; name=stage_id'],
])('the name in %s', async (parameter, name) => {
  const uploads = await createUploads();
  const { status, json } = await uploads.send(form(part(`name="file"; ${parameter}`, text)));
  expect([status, json.data?.name]).toEqual([201, name]);
});

test('a name that is not UTF-8 is refused, unless there is another', async () => {
  const uploads = await createUploads();
  const latin1 = (parameters: string) =>
    Buffer.from(form(part(`name="file"; ${parameters}`, text)), 'latin1');
  const illFormed = [400, 'validation_failed', [['name', 'malformed_text']]];
  for (const parameters of [
    'filename="\u00e9.txt"',
    'filename=\u00e9.txt',
    'filename="a.txt\u00c5"',
    "filename*=UTF-8''%ff",
    "filename*=UTF-8''%ff; x=y",
    "filename*=iso-8859-1''%e9.txt",
  ]) {
    expect(await refusalOf(uploads, latin1(parameters))).toEqual(illFormed);
  }
  await expectNothing(uploads);
  const { json } = await uploads.send(latin1('filename="\u00e9.txt"; filename*=UTF-8\'\'%C3%A9'));
  expect(json.data?.name).toBe('é');
});

test('a part in base64 or quoted-printable is 415, and nothing of it is kept', async () => {
  const uploads = await createUploads();
  const encoded = (encoding: string) => `Content-Transfer-Encoding: ${encoding}`;
  for (const encoding of ['base64', 'quoted-printable', ' Base64 ', 'x-uuencode']) {
    for (const body of [
      form(filePart('c29tZQ==', encoded(encoding))),
      form(part('name="stage_id"', 'MQ==', encoded(encoding)), filePart(text)),
    ]) {
      const answered = await uploads.send(body);
      expect([answered.status, answered.json.code]).toEqual([415, 'unsupported_media_type']);
      expect(answered.headers['accept']).toBe('application/json, multipart/form-data');
    }
  }
  const late = form(filePart(text), part('name="stage_id"', 'MQ==', encoded('base64')));
  expect(await refusalOf(uploads, late)).toEqual(malformed);
  await expectNothing(uploads);
  const other = part('name="x"', 'MQ==', encoded('base64'));
  for (const encoding of ['7bit', '8BIT', 'binary', '']) {
    const { status, json } = await uploads.send(form(other, filePart(text, encoded(encoding))));
    expect([status, json.data?.sha256]).toEqual([201, sha256(text)]);
  }
});

test('a parameter inside a quoted one does not count', async () => {
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
  ['an invalid head', `--${boundary}\r\nno head\r\n\r\n${text}\r\n--${boundary}--\r\n`],
  ['a head with a NUL', form(filePart(text, 'X-Y: a\0b'))],
  ['a part without a name', form(part('filename="a.txt"', text))],
  ['a bare line feed', form(filePart(text)).replaceAll('\r\n', '\n')],
  ['a head of 17 KiB', form(filePart(text, `X-Long: ${'x'.repeat(17 * 1024)}`))],
  [
    '200 headers of a part',
    form(filePart(text, ...Array.from({ length: 200 }, (_, i) => `X-${i}: y`))),
  ],
  ['a longer boundary', form(filePart(text)).replaceAll(`${boundary}\r\n`, `${boundary}x\r\n`)],
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
