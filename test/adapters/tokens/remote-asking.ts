import type { PortFailure, Timer } from 'dealwright/ports';
import { createRemoteTokenIssuer, type RemoteTokenOptions } from 'dealwright/tokens';
import type { Result } from 'neverthrow';
import { afterEach, expect } from 'vitest';
import { type Reply, remoteToken, startTokenService, type TokenService } from './token-service.js';
import { acme, claims, heldBy } from './token-values.js';

export const secret = 'service-secret-0123456789';
/** The headers of every request. */
export const requestHeaders = {
  authorization: `Bearer ${secret}`,
  'content-type': 'application/json',
  accept: 'application/json',
  'idempotency-key': expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
};
/** The claims of every request about the tenant and the deal. */
export const sentClaims = {
  environment: 'sandbox',
  partner: 'acme',
  partner_id: 'order-2',
  amount: '500.00',
  currency: 'PLN',
};
const started: TokenService[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.close()));
});

/** A service that is closed when the test is over. */
export async function service(...replies: readonly Reply[]): Promise<TokenService> {
  const one = await startTokenService(...replies);
  started.push(one);
  return one;
}

/** A clock whose pauses take no time, and are noted; time-outs are those of the runtime. */
function createHastyClock(timeout: number) {
  const pauses: number[] = [];
  const timer: Timer = {
    now: () => Date.UTC(2026, 0, 1),
    sleep(milliseconds, wake) {
      if (milliseconds !== timeout) pauses.push(milliseconds);
      const timer = setTimeout(wake, milliseconds === timeout ? timeout : 0);
      return () => clearTimeout(timer);
    },
  };
  return { timer, pauses };
}

/** An issuer whose service has one address for everything. */
function hastyIssuer(url: string, options: Partial<RemoteTokenOptions>) {
  const timeout = options.timeout ?? 5_000;
  const { timer, pauses } = createHastyClock(timeout);
  const wiring = { url, verifyUrl: url, secret, timer, ...options, timeout };
  return { issuer: createRemoteTokenIssuer(wiring), pauses };
}

export async function ask(url: string, options: Partial<RemoteTokenOptions> = {}) {
  const { issuer, pauses } = hastyIssuer(url, options);
  return { result: await issuer.issue(acme, claims), pauses };
}

export const held = heldBy(remoteToken);

export async function askForVerdict(url: string, options: Partial<RemoteTokenOptions> = {}) {
  const { issuer, pauses } = hastyIssuer(url, options);
  return { result: await issuer.verify(acme, held), pauses };
}

interface Asked<T> {
  readonly result: Result<T, PortFailure>;
  readonly pauses: readonly number[];
}

/** The failure, after a check that it holds no secret. */
export async function failureOf(url: string, options: Partial<RemoteTokenOptions> = {}) {
  return failed(await ask(url, options));
}

/** The same, for a verdict that did not come. */
export async function verdictFailureOf(url: string, options: Partial<RemoteTokenOptions> = {}) {
  return failed(await askForVerdict(url, options));
}

function failed<T>({ result, pauses }: Asked<T>) {
  const failure = result._unsafeUnwrapErr();
  const text = JSON.stringify(failure) + String(failure.cause);
  for (const hidden of [secret, remoteToken, '127.0.0.1', 'order-2', 'Bearer']) {
    expect(text).not.toContain(hidden);
  }
  expect(Object.isFrozen(failure)).toBe(true);
  return { failure, pauses };
}
