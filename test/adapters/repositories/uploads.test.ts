import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FileUpload } from 'dealwright';
import { afterEach, describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal } from '../../kit/requests.js';
import { createTestHandler, serve } from '../../kit/service.js';
import { createMarketplaceOver, fetchFrom } from '../../kit/upstream.js';
import { acme, json, recording, repositories, textsOf, token } from './asking.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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

/** A marketplace over a service of ours, with a deal in it. */
async function withDeal(fileLimit = 2 ** 20, own: { fileLimit?: number } = {}) {
  const ports = createPorts();
  const { fetch, sent } = recording(fetchFrom(createTestHandler(ports, {}, { fileLimit })));
  const api = createMarketplaceOver({ fetch }, own).partner(acme);
  await api.registerContractor(contractor);
  const { id, stage_ids } = (await api.createDeal(deal))._unsafeUnwrap();
  sent.length = 0;
  const kept = async () => (await ports.files.list(acme, undefined))._unsafeUnwrap().length;
  return { api, id, stage_id: stage_ids[0] ?? 0, sent, kept };
}

const file: FileUpload = { name: 'draft.txt', content_type: 'text/plain', content: 'YWJj' };

describe('an upload to the service', () => {
  it('is one request, whatever its content is, and is read back', async () => {
    const { api, id, stage_id, sent } = await withDeal();
    const contents = ['YWJj', new TextEncoder().encode('abc'), pieces(3, 1)];
    for (const content of contents) {
      const stored = await api.uploadFile(id, { ...file, content }, { idempotencyKey: 'k' });
      if (content !== contents[2]) {
        expect(stored._unsafeUnwrap()).toMatchObject({ name: 'draft.txt', stage_id, size: 3 });
      } else {
        expect(stored._unsafeUnwrapErr().code).toBe('idempotency_key_reused');
      }
    }
    expect(sent).toHaveLength(3);
    expect(sent.map(({ request }) => request.headers['Idempotency-Key'])).toEqual(['k', 'k', 'k']);
    expect((await api.retrieveDeal(id))._unsafeUnwrap().stages[0]?.work_files).toHaveLength(1);
  });

  it('names a stage that is known behind the content only', async () => {
    const { api, id, stage_id, sent, kept } = await withDeal();
    let isRead = false;
    async function* content() {
      yield* pieces(5, 1000);
      isRead = true;
    }
    const upload = {
      ...file,
      content: content(),
      stage_id: () => (isRead ? stage_id : 'too early'),
    };
    expect((await api.uploadFile(id, upload))._unsafeUnwrap().stage_id).toBe(stage_id);
    for (const [late, issue] of [
      [() => 'one', { path: ['stage_id'], code: 'wrong_type' }],
      [() => stage_id + 1, { path: ['stage_id'], code: 'unknown_stage' }],
      [
        () => {
          throw new Error('no');
        },
        { path: ['stage_id'], code: 'unreadable' },
      ],
    ] as const) {
      const refused = await api.uploadFile(id, { ...file, stage_id: late });
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        errors: [issue],
      });
    }
    // each upload was one request; that of two was broken off, and the deal was looked for
    expect(sent.filter(({ request }) => request.method === 'POST')).toHaveLength(4);
    expect(await kept()).toBe(1);
  });

  it('is not sent where a rule of ours is broken', async () => {
    const { api, id, sent } = await withDeal();
    const broken = [
      { name: '' },
      { content: '?' },
      { stage_id: 'x' as never },
      { content_type: 'x' },
    ];
    for (const each of broken) {
      const refused = await api.uploadFile(id, { ...file, ...each });
      expect(refused._unsafeUnwrapErr().code).toBe('validation_failed');
    }
    expect(sent.every(({ request }) => request.method === 'GET')).toBe(true);
    const nowhere = await api.uploadFile(id + 1, { ...file, name: '' });
    expect(nowhere._unsafeUnwrapErr().code).toBe('not_found');
  });

  it('is held to our own limit, and to the one of the service', async () => {
    const ours = await withDeal(2 ** 20, { fileLimit: 5_000 });
    const theirs = await withDeal(5_000);
    for (const { api, id, kept } of [ours, theirs]) {
      expect((await api.uploadFile(id, { ...file, content: pieces(5, 1000) })).isOk()).toBe(true);
      const refused = await api.uploadFile(id, { ...file, content: pieces(6, 1000) });
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        code: 'payload_too_large',
        max_bytes: 5_000,
      });
      expect(await kept()).toBe(1);
      const nowhere = await api.uploadFile(id + 1, { ...file, content: pieces(6, 1000) });
      expect(nowhere._unsafeUnwrapErr().code).toBe('not_found');
    }
  });

  it('to no deal is that, also where the service has not answered yet', async () => {
    const { fetch } = recording(async (_, { body }) => {
      if (body instanceof ReadableStream) await new Response(body).arrayBuffer();
      return json(404, {});
    });
    const api = createMarketplaceOver({ fetch }, { fileLimit: 10 }).partner(acme);
    for (const more of [{ content: pieces(2, 10) }, { stage_id: () => 'one' }]) {
      const nowhere = await api.uploadFile(1, { ...file, ...more });
      expect(nowhere._unsafeUnwrapErr().code).toBe('not_found');
    }
  });

  it('of a content that breaks off leaves nothing', async () => {
    const { api, id, kept } = await withDeal();
    async function* content() {
      yield* pieces(3, 1000);
      throw new Error('the line is dead');
    }
    const refused = await api.uploadFile(id, { ...file, content: content() });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['content'], code: 'unreadable' }],
    });
    expect(await kept()).toBe(0);
  });

  it('goes through whole over HTTP, and stops where the deal is none', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closers.push(close);
    const api = createMarketplaceOver({ baseUrl }).partner(acme);
    await api.registerContractor(contractor);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    const size = 2 ** 16;
    const hash = createHash('sha256');
    for await (const piece of pieces(100, size)) hash.update(piece);
    const stored = await api.uploadFile(id, { ...file, content: pieces(100, size) });
    expect(stored._unsafeUnwrap()).toMatchObject({ size: 100 * size, sha256: hash.digest('hex') });
    const nowhere = await api.uploadFile(id + 1, { ...file, content: pieces(100, size) });
    expect(nowhere._unsafeUnwrapErr().code).toBe('not_found');
  });

  it('may take its sender longer than the service may take', async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    closers.push(close);
    const api = createMarketplaceOver({ baseUrl, timeout: 2_000 }, { deadline: 2_100 }).partner(
      acme,
    );
    await api.registerContractor(contractor);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    const slow = await api.uploadFile(id, { ...file, content: pieces(2, 10, 2_500) });
    expect(slow._unsafeUnwrap().size).toBe(20);
  });

  it('may have been stored where the service falls silent', async () => {
    let count = 0;
    const baseUrl = await listen((request) => {
      count += 1;
      request.resume();
    });
    const { workFiles } = repositories({ baseUrl, timeout: 100 });
    const silent = await workFiles.add(acme, {
      deal_id: 1,
      name: 'draft.txt',
      content: pieces(3, 10),
      idempotencyKey: 'key',
    });
    expect(silent._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      retryable: true,
      cause: { code: 'unavailable', reason: 'no progress within 100 ms' },
    });
    expect(count).toBe(1);
  });
});

const stored = {
  id: '01KDVE0000000000000000000A',
  stage_id: 1,
  name: 'draft.txt',
  size: 3,
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  content_type: 'text/plain',
  uploaded_at: '2026-01-01T00:00:00Z',
};
const issue = (path: string, code: string) => ({ path: [path], code, message: 'm', params: {} });
const refusing = (...errors: object[]) => json(400, { code: 'validation_failed', errors });

describe('the answer to an upload', () => {
  it.each<[string, () => Response, object]>([
    ['200', () => json(200, { data: stored }), { value: stored.id }],
    ['404', () => json(404, {}), { code: 'not_found' }],
    ['413', () => json(413, { max_bytes: 7 }), { code: 'payload_too_large', max_bytes: 7 }],
    ['413 without a figure', () => json(413, {}), { code: 'payload_too_large' }],
    ['422', () => json(422, {}), { code: 'idempotency_key_reused' }],
    [
      'no stage',
      () => refusing(issue('stage_id', 'required')),
      { errors: [{ path: ['stage_id'], code: 'required' }] },
    ],
    [
      'another stage',
      () => refusing(issue('stage_id', 'unknown_stage')),
      { errors: [{ path: ['stage_id'], code: 'unknown_stage' }] },
    ],
    [
      'a scanner',
      () => refusing(issue('content', 'refused_by_scanner')),
      { errors: [{ path: ['content'], code: 'refused_by_scanner' }] },
    ],
    [
      'a full deal',
      () => refusing({ ...issue('content', 'too_many_files'), params: { max: 7 } }),
      { errors: [{ path: ['content'], code: 'too_many_files', params: { max: 7 } }] },
    ],
    [
      'a full deal that does not say how many it takes',
      () => refusing(issue('content', 'too_many_files')),
      { code: 'unavailable', outcome: 'none', retryable: false },
    ],
    [
      'a stricter rule',
      () => refusing(issue('name', 'too_long')),
      {
        code: 'unavailable',
        outcome: 'none',
        retryable: false,
        cause: { issues: [{ path: ['name'], code: 'too_long' }] },
      },
    ],
    [
      'two rules',
      () => refusing(issue('stage_id', 'required'), issue('name', 'too_long')),
      { code: 'unavailable', retryable: false },
    ],
    [
      'another content',
      () => json(201, { data: { ...stored, sha256: stored.sha256.replace('b', 'c') } }),
      { code: 'unavailable', outcome: 'unknown', retryable: false },
    ],
    [
      'another size',
      () => json(201, { data: { ...stored, size: 4 } }),
      { code: 'unavailable', outcome: 'unknown', retryable: false },
    ],
    [
      'no time',
      () => json(201, { data: { ...stored, uploaded_at: 'now' } }),
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
      // a service reads what it is sent
      if (body instanceof ReadableStream) await new Response(body).arrayBuffer();
      return answer();
    });
    const api = createMarketplaceOver({ fetch }).partner(acme);
    const result = await api.uploadFile(1, file, { idempotencyKey: 'key' });
    const came = result.isOk() ? { value: result.value.id } : result.error;
    expect(came).toMatchObject(expected);
    expect(sent).toHaveLength(1);
    expect(textsOf(came).filter((text) => text.includes(token))).toEqual([]);
  });
});
