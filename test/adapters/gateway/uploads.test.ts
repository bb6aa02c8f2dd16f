import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileUpload } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { fetchFrom } from '../../kit/gateway.js';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal } from '../../kit/requests.js';
import { createTestHandler, serve } from '../../kit/service.js';
import {
  acme,
  answering,
  closing,
  errorOf,
  json,
  listen,
  recording,
  refusing,
  textsOf,
  through,
  token,
} from './asking.js';

async function* pieces(count: number, size: number, pause = 0): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    if (pause > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, pause);
      });
    }
    yield new Uint8Array(size).fill(index);
  }
}

/** A gateway to a service of ours, with a deal in it. */
async function withDeal(fileLimit = 2 ** 20, own: { fileLimit?: number } = {}) {
  const ports = createPorts();
  const service = createTestHandler(ports, {}, { fileLimit });
  const { fetch, sent } = recording(fetchFrom(service));
  const api = through({ fetch, ...own });
  await api.registerContractor(contractor);
  const { id, stage_ids } = (await api.createDeal(deal))._unsafeUnwrap();
  sent.length = 0;
  const kept = async () => (await ports.files.list(acme, undefined))._unsafeUnwrap().length;
  return { api, id, stage_id: stage_ids[0] ?? 0, sent, kept };
}

const file: FileUpload = { name: 'draft.txt', content_type: 'text/plain', content: 'YWJj' };

describe('an upload to the service', () => {
  it('is one request with its key, for any content, and is read back', async () => {
    const { api, id, stage_id, sent } = await withDeal();
    const key = { idempotencyKey: 'k' };
    const abc = new TextEncoder().encode('abc');
    for (const content of ['YWJj', abc, Readable.from([abc])]) {
      const stored = (await api.uploadFile({ id }, { ...file, content }, key))._unsafeUnwrap();
      expect(stored).toMatchObject({ name: 'draft.txt', stage_id, size: 3 });
    }
    const other = { ...file, content: pieces(3, 1) };
    expect(await errorOf(api.uploadFile({ id }, other, key))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(sent.map(({ request }) => [request.method, request.headers['Idempotency-Key']])).toEqual(
      Array.from({ length: 4 }, () => ['POST', 'k']),
    );
    expect((await api.retrieveDeal(id))._unsafeUnwrap().stages[0]?.work_files).toHaveLength(1);
  });

  it('names a stage that is known only after the content', async () => {
    const { api, id, stage_id, kept } = await withDeal();
    let isRead = false;
    async function* content() {
      yield* pieces(5, 1000);
      isRead = true;
    }
    const said = () => (isRead ? stage_id : 'too early');
    const upload = { ...file, content: content(), stage_id: said };
    expect((await api.uploadFile({ id }, upload))._unsafeUnwrap().stage_id).toBe(stage_id);
    for (const [late, code] of [
      [() => 'one', 'wrong_type'],
      [() => stage_id + 1, 'unknown_stage'],
    ] as const) {
      expect(await errorOf(api.uploadFile({ id }, { ...file, stage_id: late }))).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: ['stage_id'], code }],
      });
    }
    expect(await kept()).toBe(1);
  });

  it('without a fault in its content is judged by the service, the deal first', async () => {
    const { api, id, kept } = await withDeal();
    const broken = { name: '', content: '?', stage_id: 'x' as never, content_type: 'x' };
    expect(await errorOf(api.uploadFile({ id }, broken))).toMatchObject({
      errors: ['stage_id', 'name', 'content_type', 'content'].map((field) => ({ path: [field] })),
    });
    for (const [name, value] of Object.entries(broken)) {
      const refused = await errorOf(api.uploadFile({ id }, { ...file, [name]: value }));
      expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: [name] }] });
    }
    const nowhere = await errorOf(api.uploadFile({ id: id + 1 }, broken));
    expect(nowhere).toMatchObject({ code: 'not_found' });
    expect(await kept()).toBe(0);
  });

  it('is held to our own limit, and to the one of the service', async () => {
    const ours = await withDeal(2 ** 20, { fileLimit: 5_000 });
    const theirs = await withDeal(5_000);
    const large = { code: 'payload_too_large', max_bytes: 5_000 };
    for (const { api, id, kept } of [ours, theirs]) {
      expect((await api.uploadFile({ id }, { ...file, content: pieces(5, 1000) })).isOk()).toBe(
        true,
      );
      for (const content of [pieces(6, 1000), new Uint8Array(5_001), 'YWJj'.repeat(1_667)]) {
        expect(await errorOf(api.uploadFile({ id }, { ...file, content }))).toMatchObject(large);
      }
      expect(await kept()).toBe(1);
      const nowhere = api.uploadFile({ id: id + 1 }, { ...file, content: pieces(6, 1000) });
      expect(await errorOf(nowhere)).toMatchObject({ code: 'not_found' });
    }
  });

  it('to no deal is that, even if the service has not answered yet', async () => {
    const { fetch, sent } = recording(async (_, { body }) => {
      if (body instanceof ReadableStream) await new Response(body).arrayBuffer();
      return json(404, {});
    });
    const api = through({ fetch, fileLimit: 10 });
    const large = { ...file, content: pieces(2, 10) };
    expect(await errorOf(api.uploadFile({ id: 1 }, large))).toMatchObject({ code: 'not_found' });
    expect(sent.map(({ request }) => request.method)).toEqual(['POST', 'GET']);
  });

  it('of a content that breaks off leaves nothing', async () => {
    const { api, id, kept } = await withDeal();
    async function* content() {
      yield* pieces(3, 1000);
      throw new Error('the line is dead');
    }
    expect(await errorOf(api.uploadFile({ id }, { ...file, content: content() }))).toEqual({
      code: 'validation_failed',
      message: expect.any(String),
      errors: [expect.objectContaining({ path: ['content'], code: 'unreadable' })],
    });
    expect(await kept()).toBe(0);
  });

  it('that is refused unread closes what its content comes from', async () => {
    const stream = Readable.from([Buffer.from('abc')]);
    const refused = answering(async () => json(404, {})).uploadFile(
      { id: 1 },
      {
        ...file,
        content: stream,
      },
    );
    expect(await errorOf(refused)).toMatchObject({ code: 'not_found' });
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  it('goes through whole over HTTP, and stops if there is no such deal', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closing(close);
    const api = through({ baseUrl });
    await api.registerContractor(contractor);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    const size = 2 ** 16;
    const hash = createHash('sha256');
    for await (const piece of pieces(100, size)) hash.update(piece);
    const stored = await api.uploadFile({ id }, { ...file, content: pieces(100, size) });
    expect(stored._unsafeUnwrap()).toMatchObject({ size: 100 * size, sha256: hash.digest('hex') });
    const nowhere = api.uploadFile({ id: id + 1 }, { ...file, content: pieces(100, size) });
    expect(await errorOf(nowhere)).toMatchObject({ code: 'not_found' });
  });

  it('may take its sender longer than the service may take', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closing(close);
    const api = through({ baseUrl, timeout: 2_000 });
    await api.registerContractor(contractor);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    const slow = await api.uploadFile({ id }, { ...file, content: pieces(2, 10, 2_500) });
    expect(slow._unsafeUnwrap().size).toBe(20);
  });

  it('may have been stored if the service falls silent', async () => {
    let count = 0;
    const baseUrl = await listen((request) => {
      count += 1;
      request.resume();
    });
    const silent = through({ baseUrl, timeout: 500 }).uploadFile(
      { id: 1 },
      {
        ...file,
        content: pieces(3, 10),
      },
    );
    expect(await errorOf(silent)).toMatchObject({
      code: 'unavailable',
      outcome: 'unknown',
      retryable: true,
      cause: { code: 'aborted', cause: 'no progress within 500 ms' },
    });
    expect(count).toBe(1);
  });
});

const stored = {
  id: 'an id of another make',
  stage_id: 1,
  name: 'draft.txt',
  size: 3,
  sha256: 'unknown',
  content_type: 'text/plain',
  uploaded_at: '2026-01-01T00:00:00Z',
  status: 'a_later_status',
};

describe('the answer to an upload', () => {
  it.each<[string, () => Response, object]>([
    ['200', () => json(200, { data: stored }), stored],
    ['201', () => json(201, { data: stored }), stored],
    ['404', () => json(404, {}), { code: 'not_found' }],
    ['413', () => json(413, { max_bytes: 7 }), { code: 'payload_too_large', max_bytes: 7 }],
    ['413 without a figure', () => json(413, {}), { code: 'payload_too_large' }],
    ['422', () => json(422, {}), { code: 'idempotency_key_reused' }],
    [
      'no stage',
      () => refusing('stage_id', 'required'),
      { errors: [{ path: ['stage_id'], code: 'required' }] },
    ],
    [
      'a scanner',
      () => refusing('content', 'refused_by_scanner'),
      { errors: [{ path: ['content'], code: 'refused_by_scanner' }] },
    ],
    [
      'a full deal',
      () => refusing('content', 'too_many_files', { max: 7 }),
      { errors: [{ path: ['content'], code: 'too_many_files', params: { max: 7 } }] },
    ],
    [
      'a stricter rule',
      () => refusing('name', 'too_long'),
      { code: 'validation_failed', errors: [{ path: ['name'], code: 'too_long' }] },
    ],
    [
      'no time',
      () => json(201, { data: { ...stored, uploaded_at: undefined } }),
      { code: 'unavailable', outcome: 'unknown', retryable: false },
    ],
    ['401', () => json(401, { detail: token }), { code: 'unavailable', retryable: false }],
    [
      '429',
      () => json(429, {}, { 'Retry-After': '3' }),
      { code: 'unavailable', retryable: true, retryAfter: 3, outcome: 'none' },
    ],
    ['503', () => json(503, {}), { code: 'unavailable', retryable: true, outcome: 'unknown' }],
  ])('%s', async (_, answer, expected) => {
    const { fetch, sent } = recording(async (_url, { body }) => {
      // a service reads its requests
      if (body instanceof ReadableStream) await new Response(body).arrayBuffer();
      return answer();
    });
    const result = await answering(fetch).uploadFile({ id: 1 }, file, { idempotencyKey: 'key' });
    const came = result.isOk() ? result.value : result.error;
    expect(came).toMatchObject(expected);
    expect(sent).toHaveLength(1);
    expect(textsOf(came).filter((text) => text.includes(token))).toEqual([]);
  });
});
