import type { Timer } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createRemoteTokenIssuer } from 'dealwright/tokens';
import { describe, expect, it } from 'vitest';
import { ask, failureOf, secret, service } from './remote-asking.js';
import { json, type Reply, remoteToken, stall, stayMute, succeed } from './token-service.js';
import { acme, claims } from './token-values.js';

describe('the time that a remote token takes', () => {
  it.each<[string, Reply]>([
    ['says nothing', stayMute],
    ['begins to answer and stops', stall],
  ])('ends, attempt by attempt, if the service %s', async (_, reply) => {
    const { url, received } = await service(reply);
    const { failure } = await failureOf(url, { timeout: 2_000 });
    expect(failure.cause).toEqual({ reason: 'timed_out', attempts: 3 });
    expect(failure.retryable).toBe(true);
    expect(received).toHaveLength(3);
  });

  it('ends if fetch does not heed the signal', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const { failure } = await failureOf('http://127.0.0.1:1/', { timeout: 10, fetch });
    expect(failure.cause).toEqual({ reason: 'timed_out', attempts: 3 });
  });

  it('is the next attempt after a slow one', async () => {
    const { url } = await service(stayMute, succeed);
    const { result } = await ask(url, { timeout: 2_000 });
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
    for (const value of ['soon', '1.5', '-1']) {
      const nonsense = await service(json(503, {}, { 'retry-after': value }));
      const { failure } = await failureOf(nonsense.url, { random });
      expect(failure).not.toHaveProperty('retryAfter');
      expect(failure.cause).toMatchObject({ attempts: 3 });
    }
  });

  it('ends at once if Retry-After asks for more, and says for how much', async () => {
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
    const timer = createManualClock();
    const start = timer.now();
    const issuer = createRemoteTokenIssuer({
      url: 'http://127.0.0.1:1/',
      verifyUrl: 'http://127.0.0.1:1/',
      secret,
      timer,
      fetch: () => new Promise<Response>(() => {}),
      random: () => 1,
    });
    let done = false;
    const answer = Promise.resolve(issuer.issue(acme, claims)).then((result) => {
      done = true;
      return result;
    });
    while (!done) {
      timer.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await answer).isErr()).toBe(true);
    expect(timer.now() - start).toBeLessThanOrEqual(9_500);
    expect(timer.sleepers()).toBe(0);
  });

  it('leaves no timer', async () => {
    const timer = createManualClock();
    const { url } = await service(succeed);
    const issuer = createRemoteTokenIssuer({ url, verifyUrl: url, secret, timer });
    expect((await issuer.issue(acme, claims)).isOk()).toBe(true);
    expect(timer.sleepers()).toBe(0);
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

  it('is an answer too: a clock that throws, when it sleeps or when it is cancelled', async () => {
    const { url } = await service(succeed);
    const options = { url, verifyUrl: url, secret };
    const asleep: Timer = {
      now: () => 0,
      sleep: () => {
        throw new Error('no timers');
      },
    };
    const failed = await createRemoteTokenIssuer({ ...options, timer: asleep }).issue(acme, claims);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
    const stubborn: Timer = {
      now: () => 0,
      sleep: () => () => {
        throw new Error('no way back');
      },
    };
    const issuer = createRemoteTokenIssuer({ ...options, timer: stubborn });
    expect((await issuer.issue(acme, claims))._unsafeUnwrap()).toBe(remoteToken);
  });
});
