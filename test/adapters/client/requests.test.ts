import type { DealInput } from 'dealwright';
import { createClient, type FetchLike, type RequestLike } from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import { deal } from '../../kit/requests.js';

const token = 'a-token-that-nobody-may-see';
const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status });

describe('what is sent', () => {
  it('is the request of the interface, below the path of the base', async () => {
    const seen: { url: string; request: RequestLike }[] = [];
    const fetch: FetchLike = async (url, request) => {
      seen.push({ url, request });
      return json(201, { data: { id: 1, stage_ids: [1] } });
    };
    for (const baseUrl of ['https://h.example/some/path', 'https://h.example/some/path//']) {
      const api = createClient({
        baseUrl,
        token,
        fetch,
        headers: { 'X-Trace': 't' },
        language: 'pl',
      });
      await api.createDeal(deal, { idempotencyKey: 'key-1' });
    }
    const api = createClient({ baseUrl: 'http://127.0.0.1:1', token, fetch });
    await api.createDeal({ ...deal, extra: 'not sent' } as DealInput, { language: 'pl' });
    expect(seen.map(({ url }) => url)).toEqual([
      'https://h.example/some/path/api/1.0/deal/',
      'https://h.example/some/path/api/1.0/deal/',
      'http://127.0.0.1:1/api/1.0/deal/',
    ]);
    expect(seen.map(({ request }) => JSON.parse(String(request.body)))).toEqual([deal, deal, deal]);
    expect(seen[0]?.request.headers).toEqual({
      'X-Trace': 't',
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'Accept-Language': 'pl',
      'Idempotency-Key': 'key-1',
    });
    expect(seen[2]?.request.headers['Accept-Language']).toBe('pl');
    expect(seen[2]?.request.headers['Idempotency-Key']).toMatch(/^[\d-]{7,43}$/);
    expect(seen[2]?.request.method).toBe('POST');
  });

  it('escapes a lone surrogate, so that the service gets to see it', async () => {
    let body = '';
    const fetch: FetchLike = async (_, request) => {
      body = String(request.body);
      return json(400, {});
    };
    const api = createClient({ baseUrl: 'http://127.0.0.1:1', token, fetch });
    await api.createDeal({ ...deal, name: 'a\ud800b' });
    expect(body).toContain('"a\\ud800b"');
    expect(body.isWellFormed()).toBe(true);
  });

  it('is nothing if there is no key', async () => {
    let calls = 0;
    const fetch: FetchLike = async () => {
      calls += 1;
      return json(500, {});
    };
    const api = createClient({ baseUrl: 'http://127.0.0.1:1', token, fetch });
    const result = await api.createDeal(deal, { idempotencyKey: 'a key' });
    expect(result._unsafeUnwrapErr().code).toBe('invalid_idempotency_key');
    expect(calls).toBe(0);
  });
});
