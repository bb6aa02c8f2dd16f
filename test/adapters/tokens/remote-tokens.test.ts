import type { Clock } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createRemoteTokenIssuer, type RemoteTokenOptions } from 'dealwright/tokens';
import { afterEach, describe, expect, it } from 'vitest';
import {
  hangUp,
  json,
  type Reply,
  remoteToken,
  stall,
  startTokenService,
  stayMute,
  succeed,
  type TokenService,
} from './token-service.js';
import { acme, claims } from './token-values.js';

const secret = 'service-secret-0123456789';
const started: TokenService[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.close()));
});

async function service(...replies: readonly Reply[]): Promise<TokenService> {
  const one = await startTokenService(...replies);
  started.push(one);
  return one;
}

/** A clock whose pauses take no time, and are written down; time-outs are those of the runtime. */
function createHastyClock(timeout: number) {
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => Date.UTC(2026, 0, 1),
    sleep(milliseconds, wake) {
      if (milliseconds !== timeout) pauses.push(milliseconds);
      const timer = setTimeout(wake, milliseconds === timeout ? timeout : 0);
      return () => clearTimeout(timer);
    },
  };
  return { clock, pauses };
}

async function ask(url: string, options: Partial<RemoteTokenOptions> = {}) {
  const timeout = options.timeout ?? 5_000;
  const { clock, pauses } = createHastyClock(timeout);
  const issuer = createRemoteTokenIssuer({ url, secret, clock, ...options, timeout });
  const result = await issuer.issue(acme, claims);
  return { result, pauses };
}

/** The failure, after a look at what must not be in it. */
async function failureOf(url: string, options: Partial<RemoteTokenOptions> = {}) {
  const { result, pauses } = await ask(url, options);
  const failure = result._unsafeUnwrapErr();
  const text = JSON.stringify(failure) + String(failure.cause);
  for (const hidden of [secret, remoteToken, '127.0.0.1', 'order-2', 'Bearer']) {
    expect(text).not.toContain(hidden);
  }
  expect(Object.isFrozen(failure)).toBe(true);
  return { failure, pauses };
}

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
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      environment: 'sandbox',
      partner: 'acme',
      partner_id: 'order-2',
      amount: '500.00',
      currency: 'PLN',
    });
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

  it('is given up at once where nobody listens any more, after so many attempts', async () => {
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

  it.each([301, 302, 303, 307, 308])('is not sought where %i sends', async (status) => {
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
    ['a token with a line behind it', { payment_token: `${remoteToken}\n` }],
  ])('is none where the answer has %s', async (_, body) => {
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
    // what the sockets hold, and no more
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('the time that a remote token takes', () => {
  it.each<[string, Reply]>([
    ['says nothing', stayMute],
    ['begins to answer and stops', stall],
  ])('ends, attempt by attempt, where the service %s', async (_, reply) => {
    const { url, received } = await service(reply);
    const { failure } = await failureOf(url, { timeout: 40 });
    expect(failure.cause).toEqual({ reason: 'timed_out', attempts: 3 });
    expect(failure.retryable).toBe(true);
    expect(received).toHaveLength(3);
  });

  it('ends where fetch does not heed the signal', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const { failure } = await failureOf('http://127.0.0.1:1/', { timeout: 10, fetch });
    expect(failure.cause).toEqual({ reason: 'timed_out', attempts: 3 });
  });

  it('is the next attempt after a slow one', async () => {
    const { url } = await service(stayMute, succeed);
    const { result } = await ask(url, { timeout: 60 });
    expect(result._unsafeUnwrap()).toBe(remoteToken);
  });

  it('has pauses that grow twofold up to the longest, with full jitter', async () => {
    const { url } = await service(json(500, {}));
    const longest = await failureOf(url, { attempts: 6, random: () => 1 });
    expect(longest.pauses).toEqual([100, 200, 400, 800, 1000]);
    const half = await failureOf(url, { attempts: 6, random: () => 0.5 });
    expect(half.pauses).toEqual([50, 100, 200, 400, 500]);
    const none = await failureOf(url, { attempts: 6, random: () => 0 });
    expect(none.pauses).toEqual([0, 0, 0, 0, 0]);
    const capped = await failureOf(url, { attempts: 4, maxPause: 150, random: () => 1 });
    expect(capped.pauses).toEqual([100, 150, 150]);
  });

  it('honours Retry-After within the longest pause, in seconds or as a date', async () => {
    const random = () => 0;
    const inSeconds = await service(json(429, {}, { 'retry-after': '1' }));
    expect((await failureOf(inSeconds.url, { random })).pauses).toEqual([1000, 1000]);
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 2)).toUTCString();
    const asDate = await service(json(503, {}, { 'retry-after': date }));
    const { pauses } = await failureOf(asDate.url, { random, maxPause: 2000 });
    expect(pauses).toEqual([2000, 2000]);
    const past = await service(json(503, {}, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }));
    expect((await failureOf(past.url, { random })).pauses).toEqual([0, 0]);
    const nonsense = await service(json(503, {}, { 'retry-after': 'soon' }));
    const { failure } = await failureOf(nonsense.url, { random });
    expect(failure).not.toHaveProperty('retryAfter');
    expect(failure.cause).toMatchObject({ attempts: 3 });
  });

  it('ends at once where Retry-After asks for more, and says for how much', async () => {
    const { url, received } = await service(json(429, {}, { 'retry-after': '30' }));
    const { failure, pauses } = await failureOf(url);
    expect(failure).toEqual({
      code: 'unavailable',
      outcome: 'none',
      retryable: true,
      retryAfter: 30,
      cause: { reason: 'status', status: 429, attempts: 1 },
    });
    expect([pauses.length, received.length]).toEqual([0, 1]);
  });

  it('is over within attempts * timeout + pauses, by the clock alone', async () => {
    const clock = createManualClock();
    const start = clock.now();
    const issuer = createRemoteTokenIssuer({
      url: 'http://127.0.0.1:1/',
      secret,
      clock,
      fetch: () => new Promise<Response>(() => {}),
      random: () => 1,
    });
    let done = false;
    const answer = Promise.resolve(issuer.issue(acme, claims)).then((result) => {
      done = true;
      return result;
    });
    while (!done) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await answer).isErr()).toBe(true);
    expect(clock.now() - start).toBeLessThanOrEqual(9_500);
    expect(clock.sleepers()).toBe(0);
  });

  it('leaves no timer behind', async () => {
    const clock = createManualClock();
    const { url } = await service(succeed);
    const issuer = createRemoteTokenIssuer({ url, secret, clock });
    expect((await issuer.issue(acme, claims)).isOk()).toBe(true);
    expect(clock.sleepers()).toBe(0);
  });
});

describe('what else fails in a remote token', () => {
  it('is an answer too: a fetch that throws, and one whose error tells the secret', async () => {
    const telling = () => {
      throw new TypeError(`Headers: Bearer ${secret} to 127.0.0.1`);
    };
    const { failure } = await failureOf('http://127.0.0.1:1/', { fetch: telling });
    expect(failure.cause).toEqual({ reason: 'network', attempts: 3 });
  });

  it('is an answer too: a clock that throws, when it sleeps or when it is called off', async () => {
    const { url } = await service(succeed);
    const options = { url, secret };
    const asleep: Clock = {
      now: () => 0,
      sleep: () => {
        throw new Error('no timers');
      },
    };
    const failed = await createRemoteTokenIssuer({ ...options, clock: asleep }).issue(acme, claims);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
    const stubborn: Clock = {
      now: () => 0,
      sleep: () => () => {
        throw new Error('no way back');
      },
    };
    const issuer = createRemoteTokenIssuer({ ...options, clock: stubborn });
    expect((await issuer.issue(acme, claims))._unsafeUnwrap()).toBe(remoteToken);
  });

  it.each<[string, Partial<RemoteTokenOptions>, RegExp]>([
    ['a URL that is none', { url: 'payments.example.com' }, /url/],
    ['a file', { url: 'file:///tokens' }, /url/],
    ['a URL with a password', { url: 'https://me:hidden@example.com' }, /url/],
    ['an empty secret', { secret: '' }, /secret/],
    ['a secret of two lines', { secret: 'hidden\r\nx' }, /secret/],
    ['no clock', { clock: undefined as never }, /clock/],
    ['a time-out of 0', { timeout: 0 }, /timeout/],
    ['an endless time-out', { timeout: Number.POSITIVE_INFINITY }, /timeout/],
    ['no attempt', { attempts: 0 }, /attempts/],
    ['too many attempts', { attempts: 11 }, /attempts/],
    ['half an attempt', { attempts: 1.5 }, /attempts/],
    ['a negative pause', { maxPause: -1 }, /maxPause/],
    ['a fetch that is none', { fetch: 'fetch' as never }, /fetch/],
    ['no randomness', { random: 4 as never }, /random/],
  ])('%s throws a TypeError that repeats nothing', (_, options, message) => {
    const clock = createManualClock();
    const wire = () =>
      createRemoteTokenIssuer({ url: 'https://example.com', secret, clock, ...options });
    expect(wire).toThrow(TypeError);
    expect(wire).toThrow(message);
    expect(wire).not.toThrow(/hidden|example\.com|service-secret/);
  });
});
