import { createMarketplace } from 'dealwright';
import { createOperatorAuthenticator, createRateLimiter } from 'dealwright/auth';
import type { LimitedCaller, Limiter } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { acme, asAcme, ask, createService, dealV2, type Wiring } from './service.js';

const operatorToken = 'operator-token-of-the-host';
const ofOperator = { authorization: `Operator ${operatorToken}` };
const deals = '/operator/deal/?partner=acme';
const offer = '/api/2.0/offer/';

/** A service with one deal, its payment token, and the calls of its limiter. */
async function createLimited(limiter: Limiter, wiring: Wiring = {}) {
  const ports = { ...createPorts(), paymentTokens: createOpaqueTokenIssuer() };
  const created = await createMarketplace(ports).partner(acme).createDealV2(dealV2);
  const operatorAuthenticator = createOperatorAuthenticator([[operatorToken, 'sandbox']], ports);
  const service = createService({ ports, limiter, operatorAuthenticator, ...wiring });
  const { payment_token } = created._unsafeUnwrap();
  const get = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    from = '192.0.2.1',
  ) => {
    const answer = await ask(
      { handle: (request) => service.handle({ ...request, address: () => from }) },
      path,
      { method: 'GET', headers },
    );
    return answer.status;
  };
  return { get, ofOffer: { authorization: `Offer ${payment_token}` }, payment_token };
}

function noting(refused: (other: LimitedCaller) => boolean) {
  const asked: LimitedCaller[] = [];
  const limiter: Limiter = {
    take: () => ok({ allowed: true }),
    takeOther(other) {
      asked.push(other);
      return ok(refused(other) ? { allowed: false, retryAfter: 3 } : { allowed: true });
    },
  };
  return { asked, limiter };
}

test('tokens of operators and offers are counted by a digest, with the scheme in any case', async () => {
  const { asked, limiter } = noting(({ kind }) => kind === 'offer');
  const { get, ofOffer, payment_token } = await createLimited(limiter);
  expect(await get(deals, ofOperator)).toBe(200);
  expect(await get(offer, ofOffer)).toBe(429);
  expect(await get(offer, { authorization: `oFFer   ${payment_token}` })).toBe(429);
  const { digest } = createPorts();
  expect(asked).toEqual([
    { kind: 'operator', key: digest(operatorToken) },
    { kind: 'offer', key: digest(payment_token) },
    { kind: 'offer', key: digest(payment_token) },
  ]);
});

test('only tokens that are not valid count against an address, and are refused for it', async () => {
  const { asked, limiter } = noting(({ kind }) => kind === 'failed_token');
  const { get, ofOffer } = await createLimited(limiter);
  const unknown = 'x'.repeat(30);
  const paths = [
    ['/api/2.0/deal/', 'Token'],
    [deals, 'Operator'],
    [offer, 'Offer'],
  ] as const;
  for (const [path, scheme] of paths) {
    expect(await get(path, { authorization: `${scheme} ${unknown}` })).toBe(429);
    // without a token, there was no guess
    expect(await get(path, {})).toBe(401);
    expect(await get(path, { authorization: scheme })).toBe(401);
  }
  const failed = asked.filter(({ kind }) => kind === 'failed_token');
  expect(failed).toEqual(Array(3).fill({ kind: 'failed_token', key: '192.0.2.1' }));
  expect(await get('/api/2.0/deal/', asAcme)).toBe(200);
  expect(await get(deals, ofOperator)).toBe(200);
  expect(await get(offer, ofOffer)).toBe(200);
});

test.each([
  [0, '198.51.100.7, 203.0.113.9', '192.0.2.1'],
  [1, '198.51.100.7, 203.0.113.9', '203.0.113.9'],
  [2, '198.51.100.7, 203.0.113.9', '198.51.100.7'],
  [2, 'forged, 198.51.100.7, 203.0.113.9', '198.51.100.7'],
  [2, '203.0.113.9', '203.0.113.9'],
  [1, '', '192.0.2.1'],
  [1, undefined, '192.0.2.1'],
])('behind %i proxies with X-Forwarded-For %j the address is %s', async (proxies, noted, key) => {
  const { asked, limiter } = noting(() => false);
  const { get } = await createLimited(limiter, { proxies });
  const headers = {
    authorization: 'Token unknown',
    ...(noted !== undefined && { 'x-forwarded-for': noted }),
  };
  expect(await get('/api/2.0/deal/', headers)).toBe(401);
  expect(asked).toEqual([{ kind: 'failed_token', key }]);
});

test('a limiter that knows partners alone, or fails, is no way around it', async () => {
  const some = await createLimited({ take: () => ok({ allowed: true }) });
  expect(await some.get(offer, some.ofOffer)).toBe(200);
  expect(await some.get(offer, { authorization: 'Offer unknown' })).toBe(401);
  const broken = await createLimited({
    take: () => ok({ allowed: true }),
    takeOther: () => {
      throw new Error('down');
    },
  });
  expect(await broken.get(offer, broken.ofOffer)).toBe(503);
});

test('the limiter of a process gives each its own, and back what time gives', async () => {
  const timer = createManualClock();
  const limiter = createRateLimiter({
    timer,
    perSecond: 1_000,
    burst: 5_000,
    offers: { perSecond: 20, burst: 200 },
    failedTokens: { perSecond: 10, burst: 100 },
  });
  const { get, ofOffer } = await createLimited(limiter);
  const count = async (times: number, path: string, headers: object, from?: string) => {
    const statuses = [];
    for (let time = 0; time < times; time += 1) {
      statuses.push(await get(path, headers as Record<string, string>, from));
    }
    return statuses;
  };
  const unknown = { authorization: 'Token unknown' };
  expect(new Set(await count(100, '/api/2.0/deal/', unknown))).toEqual(new Set([401]));
  expect(await get('/api/2.0/deal/', unknown)).toBe(429);
  expect(await get('/api/2.0/deal/', unknown, '192.0.2.2')).toBe(401);
  expect(await get('/api/2.0/deal/', asAcme)).toBe(200);
  expect(new Set(await count(200, offer, ofOffer))).toEqual(new Set([200]));
  expect(await get(offer, ofOffer)).toBe(429);
  timer.advance(100);
  expect(await count(2, '/api/2.0/deal/', unknown)).toEqual([401, 429]);
  expect(await count(3, offer, ofOffer)).toEqual([200, 200, 429]);
});
