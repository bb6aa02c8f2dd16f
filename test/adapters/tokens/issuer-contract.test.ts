import type { PaymentTokenIssuer } from 'dealwright/ports';
import { type PaymentTokenIssuerSubject, paymentTokenIssuerContract } from 'dealwright/spec';
import { createManualClock, type ManualClock } from 'dealwright/testing';
import {
  createOpaqueTokenIssuer,
  createRemoteTokenIssuer,
  createSignedTokenIssuer,
  type TokenKeyOptions,
} from 'dealwright/tokens';
import { describe, it } from 'vitest';
import { keepTokens, tenantOfKept } from './kept-tokens.js';
import { hmac, keys, secret } from './signed-values.js';
import { startTokenService } from './token-service.js';

/** A subject with a clock, and with a lifetime if tokens have one. */
function subjectOf(
  bindsDeals: boolean,
  lifetime: number | undefined,
  create: (timer: ManualClock) => PaymentTokenIssuer,
): () => PaymentTokenIssuerSubject {
  return () => {
    const timer = createManualClock();
    return {
      issuer: create(timer),
      restarted: () => create(timer),
      bindsDeals,
      timer,
      ...(lifetime === undefined ? {} : { lifetime }),
      close: async () => undefined,
    };
  };
}

describe('opaque tokens', () => {
  describe('without a lifetime', () => {
    const makeSubject = subjectOf(false, undefined, () => createOpaqueTokenIssuer());
    paymentTokenIssuerContract({ describe, it }, makeSubject);
  });

  describe('with a clock alone', () => {
    const create = (timer: ManualClock) => createOpaqueTokenIssuer({ timer });
    paymentTokenIssuerContract({ describe, it }, subjectOf(false, undefined, create));
  });

  describe.each([1, 3600])('for %i s', (lifetime) => {
    const create = (timer: ManualClock) => createOpaqueTokenIssuer({ timer, lifetime });
    paymentTokenIssuerContract({ describe, it }, subjectOf(false, lifetime, create));
  });
});

describe('signed tokens', () => {
  const signed = (options: TokenKeyOptions, lifetime?: number) => (timer: ManualClock) =>
    createSignedTokenIssuer({
      ...options,
      issuer: 'https://deals.example.com',
      ...(lifetime === undefined ? {} : { lifetime }),
      timer,
    });

  describe('without a lifetime', () => {
    const makeSubject = subjectOf(true, undefined, signed({ key: secret, keyId: '2026-01' }));
    paymentTokenIssuerContract({ describe, it }, makeSubject);
  });

  describe('for 1 s', () => {
    const makeSubject = subjectOf(true, 1, signed({ key: hmac, algorithm: 'HS256' }, 1));
    paymentTokenIssuerContract({ describe, it }, makeSubject);
  });

  describe.each(keys)('%s, for an hour', (_, options) => {
    const makeSubject = subjectOf(true, 3600, signed({ ...options, keyId: 'k' }, 3600));
    paymentTokenIssuerContract({ describe, it }, makeSubject);
  });
});

describe('remote tokens', () => {
  describe.each([undefined, 3600])('for %s s', (lifetime) => {
    paymentTokenIssuerContract({ describe, it }, async () => {
      const timer = createManualClock();
      const service = await startTokenService(keepTokens('service-secret', timer, lifetime));
      const wiring = {
        url: service.url,
        verifyUrl: `${service.url}/verify`,
        secret: 'service-secret',
        timer,
        tenantOf: tenantOfKept,
      };
      return {
        issuer: createRemoteTokenIssuer(wiring),
        restarted: () => createRemoteTokenIssuer(wiring),
        bindsDeals: true,
        timer,
        ...(lifetime === undefined ? {} : { lifetime }),
        close: () => service.close(),
      };
    });
  });
});
