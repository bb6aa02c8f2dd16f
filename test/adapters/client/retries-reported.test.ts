import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type ExchangeReport } from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import { deal, dealV2 } from '../../kit/requests.js';
import { broken, created, scripted, status } from './scripted.js';
import { once, operations, token } from './service.js';

const content = new TextEncoder().encode('Once');

describe('an upload', () => {
  const upload = (content: unknown) => ({ name: 'a', content }) as { name: string; content: Blob };

  it('is sent again, whole, if its content can be read again', async () => {
    const bodies: string[] = [];
    for (const each of [content, new Blob([content]), 'T25jZQ==']) {
      for (const onProgress of [undefined, () => undefined]) {
        const api = createClient({
          baseUrl: 'https://deals.example.com',
          token,
          retryBase: 0,
          async fetch(_, request) {
            bodies.push(await new Response(request.body as BodyInit).text());
            return status(503)();
          },
        });
        await api.uploadFile({ id: 1 }, upload(each), onProgress && { onProgress });
      }
    }
    expect(bodies).toHaveLength(18);
    for (const body of bodies) {
      expect(body).toMatch(/^--([\d-]+)\r\n[\s\S]*\r\n\r\nOnce\r\n--\1--\r\n$/);
    }
  });

  it('of a stream is sent again only if none of it was read', async () => {
    const streams = [
      () => new Blob([content]).stream(),
      async function* () {
        yield content;
      },
    ];
    for (const make of streams) {
      let attempts = 0;
      const reading = (isRead: boolean) =>
        createClient({
          baseUrl: 'https://deals.example.com',
          token,
          retryBase: 0,
          async fetch(_, request) {
            attempts += 1;
            if (isRead) await new Response(request.body as BodyInit).text();
            return status(503)();
          },
        });
      await reading(false).uploadFile({ id: 1 }, upload(make()));
      expect(attempts).toBe(3);
      attempts = 0;
      const error = (await reading(true).uploadFile({ id: 1 }, upload(make())))._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
      expect(attempts).toBe(1);
    }
  });
});

describe('the id of the request', () => {
  const named = { 'X-Request-Id': 'r-1' };
  const lost = [broken, status(502, { 'X-Request-Id': 'r-0' })];
  const codes = [201, 302, 400, 401, 404, 409, 413, 422, 429, 500, 503];
  for (const [name, call] of Object.entries(operations)) {
    it(`is in every error of ${name} that was answered, and in no other`, async () => {
      for (const code of codes) {
        for (const answer of [
          status(code, named),
          status(code, {}, { request_id: 'r-1' }),
          status(code, { 'X-Request-Id': 'a b' }, { request_id: 'r-1' }),
          status(code, named, { request_id: 'another' }),
        ]) {
          const { api } = scripted([...(once.includes(name) ? [] : lost), answer]);
          const error = (await call(api, {}))._unsafeUnwrapErr();
          expect(error).toHaveProperty('request_id', 'r-1');
          expect(Object.isFrozen(error)).toBe(true);
        }
        for (const id of [token, `for-${token}`, 'a b', 'x'.repeat(129), '']) {
          const { api } = scripted([status(code, { 'X-Request-Id': id }, { request_id: id })]);
          const error = (await call(api, {}))._unsafeUnwrapErr();
          expect(error).not.toHaveProperty('request_id');
        }
        const { api } = scripted([status(code, {}, { request_id: 7 })]);
        expect((await call(api, {}))._unsafeUnwrapErr()).not.toHaveProperty('request_id');
      }
      const silent = scripted(once.includes(name) ? [broken] : [status(502, named), broken]);
      const error = (await call(silent.api, {}))._unsafeUnwrapErr();
      expect(error).not.toHaveProperty('request_id');
    });
  }
});

describe('onExchange', () => {
  it('reports each attempt', async () => {
    const reports: ExchangeReport[] = [];
    const { api } = scripted(
      [broken, status(503, { 'X-Request-Id': 'r-1' }), status(409, { 'X-Request-Id': 'a b' })],
      { onExchange: (report) => reports.push(report) },
    );
    await api.createDealV2(dealV2);
    const about = {
      operation: 'createDealV2',
      method: 'POST',
      route: '/api/2.0/deal/',
      duration: 0,
    };
    expect(reports).toEqual([
      { ...about, attempt: 1, failure: 'the connection failed' },
      { ...about, attempt: 2, status: 503, request_id: 'r-1' },
      { ...about, attempt: 3, status: 409 },
    ]);
    await api.retrieveDealDetails('of-a-partner');
    expect(reports.at(-1)?.route).toBe('/api/2.0/deal/{partner_id}/');
  });

  it('is told no request id that holds the token', async () => {
    const reports: ExchangeReport[] = [];
    const { api } = scripted([status(409, { 'X-Request-Id': `for-${token}` })], {
      onExchange: (report) => reports.push(report),
    });
    await api.createDeal(deal);
    expect(reports[0]).not.toHaveProperty('request_id');
    expect(JSON.stringify(reports)).not.toContain(token);
  });

  it('does no harm in any case', async () => {
    for (const onExchange of [
      () => {
        throw new Error('no');
      },
      () => Promise.reject(new Error('no')),
    ]) {
      const { api } = scripted([created], { onExchange });
      expect((await api.createDeal(deal)).isOk()).toBe(true);
    }
  });
});

it('comes to a service that was away for a while', async () => {
  let seen = 0;
  const server = createServer((request, response) => {
    seen += 1;
    if (seen < 3) request.socket.destroy();
    else response.writeHead(201).end('{"data":{"id":1,"stage_ids":[1]}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const api = createClient({ baseUrl: `http://127.0.0.1:${port}`, token, retryBase: 1 });
  expect((await api.createDeal(deal)).isOk()).toBe(true);
  expect(seen).toBe(3);
  server.closeAllConnections();
  server.close();
});
