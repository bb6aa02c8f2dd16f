import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createNodeListener } from 'dealwright/node';
import { expect, it, test } from 'vitest';
import { asAcme, createService, dealV2 } from './service.js';

// it has no types
const express = createRequire(import.meta.url)('express') as {
  (): { use(...handlers: readonly unknown[]): void } & RequestListener;
  json(options?: object): unknown;
  raw(options: object): unknown;
  text(options: object): unknown;
  urlencoded(options: object): unknown;
};
type Keep = (request: { rawBody?: Uint8Array }, response: unknown, bytes: Uint8Array) => void;

/** Sends a deal through a parser of Express, and returns the outcome. */
async function sendThrough(parser: unknown, body: string | FormData, headers: HeadersInit) {
  const causes: unknown[] = [];
  const handler = createService({ onError: ({ cause }) => causes.push(cause) });
  const app = express();
  app.use(parser);
  app.use(createNodeListener(handler));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const send = (path: string, sent: string | FormData, more: HeadersInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: more, body: sent });
  try {
    const isForm = typeof body !== 'string';
    if (isForm) await send('/api/2.0/deal/', JSON.stringify(dealV2), asAcme);
    const path = isForm ? `/api/2.0/deal/${dealV2.partner_id}/file/` : '/api/2.0/deal/';
    const answer = await send(path, body, headers);
    return { status: answer.status, json: await answer.json(), causes };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json = JSON.stringify({ ...dealV2, title: 'Zażółć' });
const keep: Keep = (request, _, bytes) => {
  request.rawBody = bytes;
};

it.each([
  ['express.json()', express.json()],
  ['express.json() that keeps the bytes', express.json({ verify: keep })],
  ['express.raw()', express.raw({ type: '*/*' })],
  ['express.text()', express.text({ type: '*/*' })],
  ['a parser of something else', express.urlencoded({ extended: true })],
])('takes what %s has read before', async (_, parser) => {
  expect(await sendThrough(parser, json, asAcme)).toMatchObject({ status: 201, causes: [] });
  const bad = await sendThrough(parser, '{"partner_id":"a"}', asAcme);
  expect([bad.status, bad.json.code]).toEqual([400, 'validation_failed']);
});

it('measures what was kept', async () => {
  const large = JSON.stringify({ ...dealV2, title: 'a'.repeat(2 ** 20) });
  const parser = express.json({ limit: '5mb' });
  expect((await sendThrough(parser, large, asAcme)).status).toBe(413);
});

const taking = (request: NodeJS.ReadableStream, _: unknown, next: () => void) => {
  request.resume().once('end', next);
};

test('if nothing was kept, it is a mistake of the host, and says so to it alone', async () => {
  const form = new FormData();
  form.set('file', new Blob(['draft']), 'draft.txt');
  const { authorization } = asAcme;
  const { status, json: said, causes } = await sendThrough(taking, json, asAcme);
  expect([status, said.code]).toEqual([500, 'internal']);
  expect(JSON.stringify(said)).not.toContain('parser');
  expect(String(causes[0])).toContain('in front of all parsers of bodies');
  const upload = await sendThrough(
    (
      request: { headers: Record<string, string> } & NodeJS.ReadableStream,
      _: unknown,
      go: () => void,
    ) => (request.headers['content-type']?.startsWith('multipart') ? taking(request, _, go) : go()),
    form,
    { authorization },
  );
  expect([upload.status, upload.json.code]).toEqual([500, 'internal']);
  expect(upload.causes).toHaveLength(1);
});

it('takes a form whose bytes were kept', async () => {
  const form = new FormData();
  form.set('file', new Blob(['draft']), 'draft.txt');
  const { authorization } = asAcme;
  const sent = await sendThrough(express.raw({ type: '*/*' }), form, { authorization });
  expect([sent.status, sent.json.data?.size]).toEqual([201, 5]);
});

it('says of a body that is too deep what it says without a parser', async () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const { status, json: said, causes } = await sendThrough(express.json(), deep, asAcme);
  expect([status, said.errors[0].code, causes]).toEqual([400, 'too_deep', []]);
});

it('says of a body that is missing what it says without a parser', async () => {
  const { status, json: said } = await sendThrough(express.json(), '', asAcme);
  expect([status, said.code]).toEqual([400, 'invalid_json']);
});

it.each(['null', '5', 'true', '"abc"', '"{}"'])('says of %s that it is no object', async (body) => {
  const {
    status,
    json: said,
    causes,
  } = await sendThrough(express.json({ strict: false }), body, asAcme);
  expect([status, said.code, causes]).toEqual([400, 'validation_failed', []]);
});

it('blames only the host for a text that a parser has changed', async () => {
  const parser = express.text({ type: '*/*' });
  const { status, causes } = await sendThrough(parser, `\uFEFF${json}`, asAcme);
  expect([status, causes]).toEqual([400, []]);
});
