import { expect, test } from 'vitest';
import { asAcme, ask, liveToken } from './service.js';
import { createUploads, encode, expectNothing, sha256 } from './uploads.js';

const text = 'hello';
const content = Buffer.from(text).toString('base64');

test('a file as JSON is kept, described, and shown with its deal', async () => {
  const uploads = await createUploads();
  const { stage } = uploads;
  const answered = await uploads.json({
    stage_id: stage,
    name: 'a.txt',
    content_type: 'text/plain',
    content,
  });
  expect(answered.status).toBe(201);
  expect(answered.json).toEqual({
    success: true,
    data: {
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      stage_id: stage,
      name: 'a.txt',
      size: 5,
      sha256: sha256(text),
      content_type: 'text/plain',
      uploaded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      by: 'partner',
      status: 'stored',
    },
  });
  expect(await uploads.recorded()).toEqual([answered.json.data]);
  expect(await uploads.kept()).toEqual([answered.json.data.id]);
});

test('a deal of one stage needs none to be named; no type is an unknown one; nothing is a file', async () => {
  const uploads = await createUploads();
  const answered = await uploads.json({ name: 'empty', content: '' });
  expect(answered.status).toBe(201);
  expect(answered.json.data).toMatchObject({
    stage_id: uploads.stage,
    size: 0,
    sha256: sha256(''),
    content_type: 'application/octet-stream',
  });
});

test('every problem is told at once, and nothing is kept', async () => {
  const uploads = await createUploads();
  const refused = async (body: unknown) => {
    const { status, json } = await uploads.json(body);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    return json.errors.map((each: { path: string[]; code: string }) => [
      each.path.join('.'),
      each.code,
    ]);
  };
  expect(await refused({})).toEqual([
    ['name', 'required'],
    ['content', 'required'],
  ]);
  expect(
    await refused({ stage_id: 'x', name: '', content_type: 'nonsense', content: '=' }),
  ).toEqual([
    ['stage_id', 'wrong_type'],
    ['name', 'too_short'],
    ['content_type', 'invalid_media_type'],
    ['content', 'invalid_base64'],
  ]);
  expect(await refused({ stage_id: uploads.stage + 1, name: 'a', content })).toEqual([
    ['stage_id', 'unknown_stage'],
  ]);
  for (const wrong of [null, 7, {}, ['aGk='], true]) {
    expect((await refused({ name: 'a', content: wrong })).map(([path]: [string]) => path)).toEqual([
      'content',
    ]);
  }
  for (const wrong of ['aGk', 'a===', 'aG=k', 'a-_=', 'aGk=\n', ' aGk=', 'aGk=aGk=', 'łł==']) {
    expect(await refused({ name: 'a', content: wrong })).toEqual([['content', 'invalid_base64']]);
  }
  expect(await refused(null)).toEqual([['', 'null_not_allowed']]);
  for (const wrong of [[], '"text"', 7]) {
    expect(await refused(wrong)).toEqual([['', 'wrong_type']]);
  }
  await expectNothing(uploads);
});

test('JSON of a file is held to the limit of JSON', async () => {
  const uploads = await createUploads({ bodyLimit: 1000 });
  const { status, json } = await uploads.json({ name: 'a', content: 'A'.repeat(1000) });
  expect([status, json.code, json.max_bytes]).toEqual([413, 'payload_too_large', 1000]);
  await expectNothing(uploads);
});

test('base64 of more than JSON takes is decoded, if a host takes it', async () => {
  const uploads = await createUploads({ bodyLimit: 2 ** 25 });
  const bytes = Buffer.alloc(15 * 2 ** 20, 'deal');
  const body = JSON.stringify({ name: 'large', content: bytes.toString('base64') });
  const answered = await uploads.json(body);
  expect(answered.json.data).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
  const broken = await uploads.json(body.replace(/.{8}"\}$/, '!!!!!!!!"}'));
  expect(broken.json.errors).toMatchObject([{ path: ['content'], code: 'invalid_base64' }]);
});

test('a key gives the first answer again, keeps one content, and refuses another file', async () => {
  const uploads = await createUploads();
  const headers = { ...asAcme, 'idempotency-key': 'key-1' };
  const first = await uploads.json({ name: 'a', content }, { headers });
  const again = await uploads.json({ name: 'a', content, stage_id: uploads.stage }, { headers });
  expect(again).toMatchObject({ status: 201, json: first.json });
  for (const other of [
    { name: 'b', content },
    { name: 'a', content: 'aGk=' },
    { name: 'a', content, content_type: 'text/plain' },
  ]) {
    const refused = await uploads.json(other, { headers });
    expect([refused.status, refused.json.code]).toEqual([422, 'idempotency_key_reused']);
  }
  const malformed = await uploads.json(
    { name: 'a', content },
    { headers: { ...asAcme, 'idempotency-key': 'a key' } },
  );
  expect([malformed.status, malformed.json.code]).toEqual([400, 'invalid_idempotency_key']);
  expect(await uploads.kept()).toEqual([first.json.data.id]);
  expect(await uploads.recorded()).toEqual([first.json.data]);
});

test('the deal of another partner does not exist, in the same words', async () => {
  const uploads = await createUploads();
  const stranger = { ...asAcme, authorization: `Token ${liveToken}` };
  const told = async (target: string, method: string, body: unknown = '') => {
    const { status, json } = await ask(uploads.handler, target, {
      method,
      headers: stranger,
      body,
    });
    return [status, { ...json, request_id: '', instance: '' }];
  };
  const file = { name: 'a', content };
  expect(await told(uploads.path, 'POST', file)).toEqual(
    await told('/api/1.0/deal/987654321/file/', 'POST', file),
  );
  expect((await told(uploads.path, 'POST', file))[0]).toBe(404);
  expect(await told(`/api/1.0/deal/${uploads.id}/`, 'GET')).toEqual(
    await told('/api/1.0/deal/987654321/', 'GET'),
  );
  expect(await told('/api/2.0/deal/unique-ID-of-deal/', 'GET')).toEqual(
    await told('/api/2.0/deal/nothing-of-that-name/', 'GET'),
  );
  await expectNothing(uploads);
});

test.each([
  '0',
  '-1',
  '1.0',
  '1e0',
  '01',
  '9007199254740993',
  'x',
  '%31',
  '*',
  '{id}',
  '__proto__',
])('%s is no id of a deal', async (id) => {
  const uploads = await createUploads();
  for (const [method, target] of [
    ['POST', `/api/1.0/deal/${id}/file/`],
    ['GET', `/api/1.0/deal/${id}/`],
  ] as const) {
    const { status, json } = await ask(uploads.handler, target, {
      method,
      body: { name: 'a', content },
    });
    expect([status, json.code]).toEqual([404, 'not_found']);
  }
});

test('a name is text: no path, and nothing of it is changed', async () => {
  const uploads = await createUploads();
  for (const name of [
    '../../etc/passwd',
    'C:\\boot.ini',
    '.',
    '..',
    '/',
    ' ',
    'ł😀',
    '__proto__',
    '\u202etxt.exe',
    'x'.repeat(255),
  ]) {
    expect((await uploads.json({ name, content })).json.data.name).toBe(name);
  }
  for (const name of ['x'.repeat(256), 'nul\0', '\ud800']) {
    expect((await uploads.json({ name, content })).status).toBe(400);
  }
});

test('what a file shows counts before what it is said to be', async () => {
  const uploads = await createUploads();
  const typeOf = async (bytes: Uint8Array, content_type?: string) =>
    (
      await uploads.json({
        name: 'a',
        content: Buffer.from(bytes).toString('base64'),
        content_type,
      })
    ).json.data.content_type;
  expect(await typeOf(encode('%PDF-1.7'), 'text/html')).toBe('application/pdf');
  expect(await typeOf(encode('MZ...'), 'image/png')).toBe(
    'application/vnd.microsoft.portable-executable',
  );
  expect(await typeOf(encode('<html>'), 'image/png')).toBe('application/octet-stream');
  expect(await typeOf(encode('a,b'), 'text/csv; charset=utf-8')).toBe('text/csv; charset=utf-8');
});
