import { generateKeyPairSync, webcrypto } from 'node:crypto';
import type { IssuedPaymentToken, Timer } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import {
  createTokenVerifier,
  type SignedTokenOptions,
  type TokenVerifier,
} from 'dealwright/tokens';
import * as fc from 'fast-check';
import { SignJWT } from 'jose';
import { okAsync, ResultAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { ed25519, issuerOf, keys, p256, secret, timer } from './signed-values.js';
import { acme, anyClaims, anyTenant, heldBy, issued, verdictOn } from './token-values.js';

const typ = 'payment-token+jwt';

describe('the verdict on a signed token', () => {
  it.each(keys)('%s: is valid for its own deal and no other', async (_, signing) => {
    const issuer = issuerOf({ ...signing, lifetime: 60, issuer: 'us', keyId: 'k' });
    await fc.assert(
      fc.asyncProperty(anyTenant(), anyClaims(), anyClaims(), async (tenant, deal, other) => {
        const held = { ...heldBy(await issued(issuer, tenant, deal)), ...deal };
        expect(await verdictOn(issuer, held, tenant)).toBe('valid');
        for (const name of ['partner_id', 'amount', 'currency'] as const) {
          const expected = other[name] === deal[name] ? 'valid' : 'invalid';
          expect(await verdictOn(issuer, { ...held, [name]: other[name] }, tenant)).toBe(expected);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is invalid if another key, keyId, issuer or algorithm signed', async () => {
    const issuer = issuerOf({ issuer: 'us', keyId: 'k' });
    const others: readonly Partial<SignedTokenOptions>[] = [
      { issuer: 'them', keyId: 'k' },
      { issuer: 'us', keyId: 'l' },
      { issuer: 'us' },
      { keyId: 'k' },
      { issuer: 'us', keyId: 'k', key: new Uint8Array(32).fill(8) },
      { issuer: 'us', keyId: 'k', key: ed25519.privateKey, algorithm: 'EdDSA' },
    ];
    for (const other of others) {
      expect(await verdictOn(issuer, heldBy(await issued(issuerOf(other))))).toBe('invalid');
    }
    const same = issuerOf({ issuer: 'us', keyId: 'k' });
    expect(await verdictOn(issuer, heldBy(await issued(same)))).toBe('valid');
  });

  it('is invalid if the public key signed as if it were a secret', async () => {
    for (const [pair, algorithm] of [
      [ed25519, 'EdDSA'],
      [p256, 'ES256'],
    ] as const) {
      const issuer = issuerOf({ key: pair.privateKey, algorithm });
      const { publicKey } = pair;
      const jwk = Buffer.from(JSON.stringify(publicKey.export({ format: 'jwk' })));
      for (const bytes of [publicKey.export({ type: 'spki', format: 'der' }), jwk]) {
        const forged = await new SignJWT({ ...acme, sub: 'order-2', amount: '500.00' })
          .setProtectedHeader({ alg: 'HS256', typ })
          .sign(new Uint8Array(bytes));
        expect(await verdictOn(issuer, heldBy(forged))).toBe('invalid');
      }
    }
  });

  it('is expired for its own deal only, and invalid for any other', async () => {
    const own = createManualClock();
    const issuer = issuerOf({ lifetime: 60, timer: own });
    const held = heldBy(await issued(issuer));
    own.advance(60_000);
    expect(await verdictOn(issuer, held)).toBe('expired');
    expect(await verdictOn(issuer, { ...held, amount: '0.01' })).toBe('invalid');
    expect(await verdictOn(issuer, { ...held, partner_id: 'order-3' })).toBe('invalid');
    expect(await verdictOn(issuer, held, { ...acme, partner: 'globex' })).toBe('invalid');
  });

  it('is invalid if what expired was signed, but is no payment token', async () => {
    const expired = await new SignJWT({ ...acme, sub: 'order-2', exp: 1 })
      .setProtectedHeader({ alg: 'HS256', typ })
      .sign(secret);
    expect(await verdictOn(issuerOf(), heldBy(expired))).toBe('invalid');
  });

  it('is the same for any issued_at: the token says it itself', async () => {
    const issuer = issuerOf({ lifetime: 60 });
    const held = heldBy(await issued(issuer));
    for (const issued_at of ['', 'yesterday', '1970-01-01T00:00:00.000Z']) {
      expect(await verdictOn(issuer, { ...held, issued_at })).toBe('valid');
    }
  });

  it('is invalid for what is no text at all, and nothing throws', async () => {
    const issuer = issuerOf();
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        expect(await verdictOn(issuer, heldBy(value as string))).toBe('invalid');
      }),
    );
  });

  it('is not given by a clock or a key that fails', async () => {
    const now = () => {
      throw new Error('no time');
    };
    const held = heldBy(await issued(issuerOf()));
    const timeless: Timer = { ...timer, now };
    const failure = await verdictOn(issuerOf({ timer: timeless }), held);
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: true });
    const broken = [
      { key: { type: 'secret', symmetricKeySize: 32 }, algorithm: 'HS256' },
      { key: { type: 'private', asymmetricKeyType: 'ed25519' }, algorithm: 'EdDSA' },
    ] as const;
    for (const options of broken) {
      const unable = await verdictOn(issuerOf(options), held);
      expect(unable).toMatchObject({ code: 'unavailable', outcome: 'none' });
      expect(JSON.stringify(unable) + String(unable)).not.toContain(held.payment_token);
    }
  });

  it('is not given by a verifier that throws, and the token is not said', async () => {
    const held = heldBy(await issued(issuerOf()));
    const throwing: TokenVerifier = {
      verify: (token) => {
        throw new Error(`no good: ${token}`);
      },
    };
    const rejecting: TokenVerifier = {
      verify: (token) => new ResultAsync(Promise.reject(new Error(`no good: ${token}`))),
    };
    for (const verifier of [throwing, rejecting]) {
      const issuer = issuerOf({ keyId: 'new', verifiers: [verifier] });
      expect(await verdictOn(issuer, held)).toEqual({
        code: 'unavailable',
        outcome: 'none',
        retryable: false,
        cause: { reason: 'verifying_failed' },
      });
    }
  });
});

describe('while keys change', () => {
  const old = { key: new Uint8Array(32).fill(1), keyId: 'old' };

  it('tokens of an earlier key are verified by its verifier', async () => {
    const before = issuerOf({ ...old, lifetime: 60 });
    const held = heldBy(await issued(before));
    const alone = issuerOf({ key: ed25519.privateKey, algorithm: 'EdDSA', keyId: 'new' });
    expect(await verdictOn(alone, held)).toBe('invalid');
    const own = createManualClock();
    const after = issuerOf({
      key: ed25519.privateKey,
      algorithm: 'EdDSA',
      keyId: 'new',
      verifiers: [
        createTokenVerifier({ key: new Uint8Array(32).fill(2), keyId: 'older', timer: own }),
        createTokenVerifier({ ...old, timer: own }),
      ],
    });
    expect(await verdictOn(after, held)).toBe('valid');
    expect(await verdictOn(after, heldBy(await issued(after)))).toBe('valid');
    expect(await verdictOn(after, { ...held, amount: '0.01' })).toBe('invalid');
    own.advance(60_000);
    expect(await verdictOn(after, held)).toBe('expired');
  });

  it('a verifier is not asked about what the key itself has signed', async () => {
    const generous: TokenVerifier = {
      verify: () =>
        okAsync({ ...heldBy(''), tenant: acme, id: 'x'.repeat(22), issuedAt: timer.now() }),
    };
    const own = createManualClock();
    const issuer = issuerOf({ lifetime: 60, timer: own, verifiers: [generous] });
    const held: IssuedPaymentToken = heldBy(await issued(issuer));
    own.advance(60_000);
    expect(await verdictOn(issuer, held)).toBe('expired');
  });
});

describe('a key that does not give out what verifies', () => {
  it.each(['Ed25519', 'ECDSA'] as const)('of %s needs its verifier', async (name) => {
    const pair = (await webcrypto.subtle.generateKey({ name, namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const algorithm = name === 'ECDSA' ? 'ES256' : 'EdDSA';
    const signing = { key: pair.privateKey, algorithm } as const;
    expect(() => issuerOf(signing)).toThrow(TypeError);
    expect(() => issuerOf(signing)).toThrow(/verifiers/);
    const verifier = createTokenVerifier({ key: pair.publicKey, algorithm, timer });
    const issuer = issuerOf({ ...signing, verifiers: [verifier] });
    const held = heldBy(await issued(issuer));
    expect(await verdictOn(issuer, held)).toBe('valid');
    expect(await verdictOn(issuer, { ...held, amount: '0.01' })).toBe('invalid');
    // a verifier with another key: nothing is trusted
    const { publicKey } = generateKeyPairSync('ed25519');
    const wrong = createTokenVerifier({ key: publicKey, algorithm: 'EdDSA', timer });
    expect(await verdictOn(issuerOf({ ...signing, verifiers: [wrong] }), held)).toBe('invalid');
  });

  it('is a secret, too, that may sign only', async () => {
    const hash = { name: 'HMAC', hash: 'SHA-256' };
    const key = await webcrypto.subtle.importKey('raw', secret, hash, false, ['sign']);
    const signing = { key, algorithm: 'HS256' } as const;
    expect(() => issuerOf(signing)).toThrow(/verifiers/);
    const verifiers = [createTokenVerifier({ key: secret, timer })];
    const issuer = issuerOf({ ...signing, verifiers });
    expect(await verdictOn(issuer, heldBy(await issued(issuer)))).toBe('valid');
  });

  it.each([[{}], [[undefined]], [[{ verify: true }]], ['verify']])(
    'has no verifiers such as %j: wiring it throws a TypeError',
    (verifiers) => {
      expect(() => issuerOf({ verifiers: verifiers as never })).toThrow(TypeError);
    },
  );
});
