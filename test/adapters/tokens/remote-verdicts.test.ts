import { createManualClock } from 'dealwright/testing';
import { createRemoteTokenIssuer } from 'dealwright/tokens';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ask,
  askForVerdict,
  held,
  requestHeaders,
  secret,
  sentClaims,
  service,
  verdictFailureOf,
} from './remote-asking.js';
import { hangUp, json, type Reply, remoteToken, stayMute, succeed } from './token-service.js';
import { acme, heldBy, verdictOn } from './token-values.js';

const valid = json(200, { verdict: 'valid' });

describe('the verdict on a remote token', () => {
  it.each(['valid', 'expired', 'invalid'])('is what the service answers: %s', async (verdict) => {
    const { url, received } = await service(json(200, { verdict, other: true }));
    const { result, pauses } = await askForVerdict(url);
    expect(result._unsafeUnwrap()).toBe(verdict);
    expect(pauses).toEqual([]);
    expect(received).toHaveLength(1);
    const [request] = received;
    expect(request).toMatchObject({
      method: 'POST',
      headers: requestHeaders,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      ...sentClaims,
      payment_token: remoteToken,
      issued_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('is asked for at an address of its own', async () => {
    const issuing = await service(succeed);
    const verifying = await service(valid);
    const verifyUrl = `${verifying.url}/verify?v=1`;
    expect((await ask(issuing.url, { verifyUrl })).result._unsafeUnwrap()).toBe(remoteToken);
    expect((await askForVerdict(issuing.url, { verifyUrl })).result._unsafeUnwrap()).toBe('valid');
    expect(issuing.received.map(({ path }) => path)).toEqual(['/tokens']);
    expect(verifying.received.map(({ path }) => path)).toEqual(['/tokens/verify?v=1']);
  });

  it('is not asked for if the text has not the form of a token', async () => {
    const { url, received } = await service(valid);
    const issuer = createRemoteTokenIssuer({
      url,
      verifyUrl: url,
      secret,
      timer: createManualClock(),
    });
    const texts = fc.oneof(
      fc.anything(),
      fc.string({ maxLength: 21 }),
      fc.constant('x '.repeat(20)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (value) => {
        expect(await verdictOn(issuer, heldBy(value as string), acme)).toBe('invalid');
      }),
    );
    expect(received).toHaveLength(0);
  });

  it.each<[string, Reply]>([
    ['429', json(429, {})],
    ['500', json(500, 'oops')],
    ['a broken connection', hangUp],
  ])('is asked for again after %s, with the same key', async (_, reply) => {
    const { url, received } = await service(reply, reply, valid);
    const { result, pauses } = await askForVerdict(url);
    expect(result._unsafeUnwrap()).toBe('valid');
    expect(pauses).toHaveLength(2);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it.each<[string, Reply]>([
    ['says nothing', stayMute],
    [
      'begins to answer and stops',
      (response) => {
        response.writeHead(200);
        response.write('{"verdict":"');
      },
    ],
  ])('is given up, attempt by attempt, if the service %s', async (_, reply) => {
    const { url, received } = await service(reply);
    const { failure } = await verdictFailureOf(url, { timeout: 2_000, attempts: 2 });
    expect(failure.cause).toEqual({ reason: 'timed_out', attempts: 2 });
    expect(received).toHaveLength(2);
  });

  it('is given up at once if Retry-After asks for more than the longest pause', async () => {
    const { url, received } = await service(json(503, {}, { 'retry-after': '30' }));
    const { failure } = await verdictFailureOf(url);
    expect(failure).toMatchObject({ retryable: true, retryAfter: 30, outcome: 'none' });
    expect(received).toHaveLength(1);
  });

  it.each([201, 204, 400, 401, 404, 422])('does not come of an answer of %i', async (status) => {
    const { url } = await service(json(status, status === 204 ? '' : { verdict: 'valid' }));
    const { failure } = await verdictFailureOf(url);
    expect(failure.cause).toEqual({ reason: 'status', status, attempts: 1 });
    expect(failure).toMatchObject({ retryable: false, outcome: 'none' });
  });

  it.each([302, 307, 308])(
    'is not sought if %i sends: the token goes nowhere else',
    async (status) => {
      const elsewhere = await service(valid);
      const { url } = await service(json(status, '', { location: elsewhere.url }));
      const { failure } = await verdictFailureOf(url);
      expect(failure.cause).toEqual({ reason: 'redirected', status, attempts: 1 });
      expect(elsewhere.received).toHaveLength(0);
    },
  );

  it.each([
    ['nothing', ''],
    ['no JSON', 'valid'],
    ['null', null],
    ['a text', JSON.stringify('valid')],
    ['a list', ['valid']],
    ['no verdict', {}],
    ['a token in its place', { payment_token: remoteToken }],
    ['another verdict', { verdict: 'fine' }],
    ['a verdict in capitals', { verdict: 'VALID' }],
    ['true', { verdict: true }],
  ])('does not come of an answer that has %s', async (_, body) => {
    const { url, received } = await service(json(200, body));
    const { failure } = await verdictFailureOf(url);
    expect(failure.cause).toEqual({ reason: 'malformed_answer', status: 200, attempts: 1 });
    expect(failure.retryable).toBe(false);
    expect(received).toHaveLength(1);
  });

  it('does not come with the token if fetch throws and says it', async () => {
    const telling: typeof fetch = (url, init) => {
      throw new TypeError(`${url} ${init?.body} ${secret} ${held.payment_token}`);
    };
    const { failure } = await verdictFailureOf('http://127.0.0.1:1/', { fetch: telling });
    expect(failure.cause).toEqual({ reason: 'network', attempts: 3 });
  });
});
