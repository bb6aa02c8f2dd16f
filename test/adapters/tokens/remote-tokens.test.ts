import { describe, expect, it } from 'vitest';
import { ask, failureOf, requestHeaders, sentClaims, service } from './remote-asking.js';
import { hangUp, json, type Reply, remoteToken, succeed } from './token-service.js';

describe('a remote token', () => {
  it.each([200, 201])('is what the service answers with %i', async (status) => {
    const { url, received } = await service(
      json(status, { payment_token: remoteToken, other: true }),
    );
    const { result, pauses } = await ask(url);
    expect(result._unsafeUnwrap()).toBe(remoteToken);
    expect(pauses).toEqual([]);
    expect(received).toHaveLength(1);
    const [request] = received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/tokens',
      headers: requestHeaders,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(sentClaims);
  });

  it.each<[string, Reply]>([
    ['429', json(429, {})],
    ['500', json(500, 'oops')],
    ['503', json(503, {}, { 'retry-after': '1' })],
    ['a broken connection', hangUp],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(201, { 'content-length': '100' });
        response.write('{"payment');
        setTimeout(() => response.destroy(), 5);
      },
    ],
  ])('is asked for again after %s, with the same key', async (_, reply) => {
    const { url, received } = await service(reply, reply, succeed);
    const { result, pauses } = await ask(url);
    expect(result._unsafeUnwrap()).toBe(remoteToken);
    expect(pauses).toHaveLength(2);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('has another key in another call', async () => {
    const { url, received } = await service(succeed);
    await ask(url);
    await ask(url);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('is given up after the last attempt', async () => {
    const { url, received } = await service(json(503, {}));
    const { failure } = await failureOf(url, { attempts: 4 });
    expect(failure).toEqual({
      code: 'unavailable',
      outcome: 'none',
      retryable: true,
      cause: { reason: 'status', status: 503, attempts: 4 },
    });
    expect(received).toHaveLength(4);
  });

  it('is given up at once if no server listens any more, after so many attempts', async () => {
    const { url, close } = await service(succeed);
    await close();
    const { failure } = await failureOf(url);
    expect(failure.cause).toEqual({ reason: 'network', attempts: 3 });
    expect(failure.retryable).toBe(true);
  });

  it.each([400, 401, 403, 404, 409, 422, 204, 202, 206])(
    'is not asked for again after %i',
    async (status) => {
      const { url, received } = await service(json(status, ''));
      const { failure } = await failureOf(url);
      expect(failure.cause).toEqual({ reason: 'status', status, attempts: 1 });
      expect(failure.retryable).toBe(false);
      expect(received).toHaveLength(1);
    },
  );

  it.each([301, 302, 303, 307, 308])('is not sought if %i sends', async (status) => {
    const elsewhere = await service(succeed);
    const { url } = await service(json(status, '', { location: elsewhere.url }));
    const { failure } = await failureOf(url);
    expect(failure.cause).toEqual({ reason: 'redirected', status, attempts: 1 });
    expect(failure.retryable).toBe(false);
    expect(elsewhere.received).toHaveLength(0);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', `payment_token=${remoteToken}`],
    ['null', null],
    ['a list', [remoteToken]],
    ['a text', JSON.stringify(remoteToken)],
    ['no token', {}],
    ['a number', { payment_token: 1e22 }],
    ['a short token', { payment_token: 'x'.repeat(21) }],
    ['a long token', { payment_token: 'x'.repeat(2049) }],
    ['a token of other characters', { payment_token: `${remoteToken}/` }],
    ['a token with a line after it', { payment_token: `${remoteToken}\n` }],
  ])('does not come of an answer that has %s', async (_, body) => {
    const { url, received } = await service(json(201, body));
    const { failure } = await failureOf(url);
    expect(failure.cause).toEqual({ reason: 'malformed_answer', status: 201, attempts: 1 });
    expect(failure.retryable).toBe(false);
    expect(received).toHaveLength(1);
  });

  it('is taken from an answer of 16 KiB, and from none that is larger', async () => {
    const bodyOf = (size: number) => JSON.stringify({ payment_token: remoteToken }).padEnd(size);
    const fitting = await service(json(200, bodyOf(16 * 1024)));
    expect((await ask(fitting.url)).result._unsafeUnwrap()).toBe(remoteToken);
    const larger = await service(json(200, bodyOf(16 * 1024 + 1)));
    const { failure } = await failureOf(larger.url);
    expect(failure.cause).toEqual({ reason: 'answer_too_large', status: 200, attempts: 1 });
  });

  it('is not waited for in an answer without end', async () => {
    let sent = 0;
    const { url } = await service((response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(4096))) sent += 4096;
      };
      response.on('drain', pour);
      pour();
    });
    const { failure } = await failureOf(url);
    expect(failure.cause).toMatchObject({ reason: 'answer_too_large' });
    // only as much as the sockets hold
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});
