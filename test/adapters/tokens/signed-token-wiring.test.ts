import { generateKeyPairSync } from 'node:crypto';
import {
  createOpaqueTokenIssuer,
  createRemoteTokenIssuer,
  createSignedTokenIssuer,
  createTokenVerifier,
  type SignedTokenOptions,
  tenantOfPaymentToken,
} from 'dealwright/tokens';
import { describe, expect, it } from 'vitest';
import {
  ed25519,
  hmac,
  issuerOf,
  keys,
  p256,
  reasonOf,
  secret,
  timer,
  webEd,
} from './signed-values.js';
import { acme, claims, issued, tokenForm } from './token-values.js';

describe('the length of a signed token', () => {
  it('is at most 2048, with the longest names that can be', async () => {
    const wide = { environment: 'production', partner: '\u0001'.repeat(128) } as const;
    const deal = {
      partner_id: '\u0001'.repeat(40),
      amount: `${'9'.repeat(18)}.99`,
      currency: '\u0001'.repeat(3),
    };
    for (const [, signing] of keys) {
      let longest = 0;
      for (let size = 1; size < 600; size += 1) {
        try {
          issuerOf({ ...signing, lifetime: 60, issuer: 'i'.repeat(size) });
          longest = size;
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }
      // room for an address and a name at least, but with a limit
      expect(longest).toBeGreaterThan(100);
      const issuer = issuerOf({ ...signing, lifetime: 60, issuer: 'i'.repeat(longest) });
      const token = await issued(issuer, wide, deal);
      expect(token).toMatch(tokenForm);
      expect(tenantOfPaymentToken(token)).toEqual(wide);
    }
  });
});

describe('the wiring of signed tokens', () => {
  const short = new Uint8Array(31);
  const small = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const wrong: readonly (readonly [string, Partial<SignedTokenOptions>, RegExp])[] = [
    ['a short secret', { key: short }, /at least 32 bytes/],
    ['a secret for EdDSA', { key: secret, algorithm: 'EdDSA' }, /secret for HS256/],
    ['a key without algorithm', { key: ed25519.privateKey }, /algorithm is one of/],
    ['a public key', { key: ed25519.publicKey, algorithm: 'EdDSA' }, /private/],
    ['a key of another kind', { key: p256.privateKey, algorithm: 'EdDSA' }, /is one to sign/],
    ['another curve', { key: small.privateKey, algorithm: 'ES256' }, /is one to sign/],
    ['an Ed25519 key for ES256', { key: webEd.privateKey, algorithm: 'ES256' }, /is one to sign/],
    ['an HMAC key for ES256', { key: hmac, algorithm: 'ES256' }, /private/],
    ['no key', { key: 'secret' as never }, /Uint8Array/],
    ['an algorithm of no kind', { key: hmac, algorithm: 'none' as never }, /algorithm is one of/],
    ['a lifetime of 0', { lifetime: 0 }, /lifetime/],
    ['a lifetime of 0.5', { lifetime: 0.5 }, /lifetime/],
    ['no timer', { timer: undefined as never }, /timer/],
    ['an issuer without end', { issuer: 'x'.repeat(2000) }, /too long/],
    ['a keyId without end', { keyId: 'x'.repeat(2000) }, /too long/],
  ];

  it.each(wrong)('%s throws a TypeError', (_, options, message) => {
    expect(() => issuerOf(options)).toThrow(TypeError);
    expect(() => issuerOf(options)).toThrow(message);
  });

  it('a private key does not verify', () => {
    const options = { key: ed25519.privateKey, algorithm: 'EdDSA', timer } as const;
    expect(() => createTokenVerifier(options)).toThrow(/public/);
    expect(() => createTokenVerifier({ key: secret, timer: undefined as never })).toThrow(/timer/);
  });

  it('keeps a copy of the secret', async () => {
    const key = new Uint8Array(32).fill(7);
    const issuer = issuerOf({ key });
    key.fill(0);
    expect(await reasonOf(await issued(issuer))).toBe('valid');
  });

  it('a key that fails when it is used is unavailable, and says nothing of itself', async () => {
    const broken = { type: 'secret', symmetricKeySize: 32 };
    const result = await issuerOf({ key: broken, algorithm: 'HS256' }).issue(acme, claims);
    expect(result._unsafeUnwrapErr()).toEqual({
      code: 'unavailable',
      outcome: 'none',
      retryable: false,
      cause: { reason: 'signing_failed' },
    });
  });
});

describe('an issuer or a verifier without options', () => {
  it.each([
    ['createSignedTokenIssuer: key is ', () => createSignedTokenIssuer(undefined as never)],
    ['createTokenVerifier: key is ', () => createTokenVerifier(undefined as never)],
    ['createRemoteTokenIssuer: url is ', () => createRemoteTokenIssuer(undefined as never)],
    [
      'createSignedTokenIssuer: issuer is a text',
      () => createSignedTokenIssuer({ key: secret, timer, issuer: 7 as never }),
    ],
    [
      'createOpaqueTokenIssuer: lifetime is a whole number of seconds above 0',
      () => createOpaqueTokenIssuer({ timer, lifetime: 1.5 }),
    ],
  ])('is told %s', (says, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(says);
  });
});
