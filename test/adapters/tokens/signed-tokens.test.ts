import { generateKeyPairSync } from 'node:crypto';
import { createManualClock } from 'dealwright/testing';
import { createTokenVerifier, tenantOfPaymentToken } from 'dealwright/tokens';
import * as fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ed25519, issuerOf, keys, p256, reasonOf, secret, timer } from './signed-values.js';
import { acme, anyClaims, anyTenant, issued, tokenForm } from './token-values.js';

const second = 1000;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a signed token', () => {
  it.each(keys)('%s: says what it was issued for', async (_, signing, verifying) => {
    const options = { lifetime: 60, issuer: 'https://deals.example.com', keyId: 'k1' };
    const issuer = issuerOf({ ...signing, ...options });
    const verifier = createTokenVerifier({
      ...verifying,
      issuer: options.issuer,
      keyId: 'k1',
      timer,
    });
    await fc.assert(
      fc.asyncProperty(anyTenant(), anyClaims(), async (tenant, deal) => {
        const token = await issued(issuer, tenant, deal);
        expect(token).toMatch(tokenForm);
        expect(tenantOfPaymentToken(token)).toEqual(tenant);
        expect((await verifier.verify(token))._unsafeUnwrap()).toEqual({
          ...deal,
          tenant,
          id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
          issuedAt: timer.now(),
          expiresAt: timer.now() + 60 * second,
        });
      }),
      { numRuns: 40 },
    );
  });

  it('has the claims that are documented, and no others', async () => {
    const token = await issued(issuerOf({ lifetime: 60, issuer: 'us' }));
    const iat = timer.now() / second;
    expect(payloadOf(token)).toEqual({
      iss: 'us',
      sub: 'order-2',
      environment: 'sandbox',
      partner: 'acme',
      amount: '500.00',
      currency: 'PLN',
      iat,
      exp: iat + 60,
      jti: expect.any(String),
    });
    expect(Object.keys(payloadOf(await issued(issuerOf()))).sort()).toEqual(
      ['amount', 'currency', 'environment', 'iat', 'jti', 'partner', 'sub'].sort(),
    );
  });

  it('is another one each time', async () => {
    const issuer = issuerOf();
    const tokens = await Promise.all(Array.from({ length: 1000 }, () => issued(issuer)));
    expect(new Set(tokens.map((token) => payloadOf(token)['jti'])).size).toBe(1000);
  });

  it('is refused with any one character changed', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~';
    for (const [, signing, verifying] of keys) {
      const token = await issued(issuerOf(signing));
      const verifier = createTokenVerifier({ ...verifying, timer });
      expect((await verifier.verify(token)).isOk()).toBe(true);
      for (let at = 0; at < token.length; at += 1) {
        const index = alphabet.indexOf(token.charAt(at));
        // the neighbour in the alphabet differs in the lowest bit, which may be spare
        for (const other of [alphabet.charAt(index ^ 1), alphabet.charAt((index + at + 7) % 66)]) {
          if (other === token.charAt(at)) continue;
          const changed = token.slice(0, at) + other + token.slice(at + 1);
          expect((await verifier.verify(changed)).isErr(), `${at}: ${changed}`).toBe(true);
        }
      }
    }
  });

  it('is refused if it is not a token at all, and nothing throws', async () => {
    const verifier = createTokenVerifier({ key: secret, timer });
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        const result = await verifier.verify(value as string);
        expect(result._unsafeUnwrapErr()).toMatchObject({ reason: 'malformed' });
      }),
    );
    const token = await issued(issuerOf());
    for (const other of ['', '..', 'a.b', `${token}.`, `${token}=`, ` ${token}`, `${token}\n`]) {
      expect(await reasonOf(other)).toBe('malformed');
    }
    expect(await reasonOf(token.replace(/$/, 'A'.repeat(2048)))).toBe('malformed');
  });

  it('is refused if its header is invalid, whether a keyId is asked for or not', async () => {
    const token = await issued(issuerOf({ keyId: 'k' }));
    const [, body] = token.split('.');
    for (const header of ['bm8ganNvbg', '____', part(null), part([]), part('text'), part(1)]) {
      for (const options of [{}, { keyId: 'k' }]) {
        expect(await reasonOf(`${header}.${body}.c2ln`, options), header).toBe('malformed');
      }
    }
  });

  it('is not judged by a clock that fails', async () => {
    const now = () => {
      throw new Error('no time');
    };
    const verifier = createTokenVerifier({ key: secret, timer: { ...timer, now } });
    const failure = (await verifier.verify(await issued(issuerOf())))._unsafeUnwrapErr();
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: true });
  });

  it('is refused by another key', async () => {
    const token = await issued(issuerOf());
    expect(await reasonOf(token)).toBe('valid');
    expect(await reasonOf(token, { key: new Uint8Array(32).fill(8) })).toBe('wrong_signature');
    const other = generateKeyPairSync('ed25519').publicKey;
    const signed = await issued(issuerOf({ key: ed25519.privateKey, algorithm: 'EdDSA' }));
    expect(await reasonOf(signed, { key: other, algorithm: 'EdDSA' })).toBe('wrong_signature');
  });

  it('is refused under another keyId or issuer', async () => {
    const token = await issued(issuerOf({ keyId: '2026-01', issuer: 'us' }));
    expect(await reasonOf(token)).toBe('valid');
    expect(await reasonOf(token, { keyId: '2026-01', issuer: 'us' })).toBe('valid');
    expect(await reasonOf(token, { keyId: '2026-02' })).toBe('wrong_key');
    expect(await reasonOf(token, { issuer: 'them' })).toBe('wrong_issuer');
    expect(await reasonOf(await issued(issuerOf()), { keyId: '2026-01' })).toBe('wrong_key');
    expect(await reasonOf(await issued(issuerOf()), { issuer: 'us' })).toBe('wrong_issuer');
  });

  it('expires by the clock, to the second', async () => {
    const own = createManualClock();
    const token = await issued(issuerOf({ lifetime: 60, timer: own }));
    const lasting = await issued(issuerOf({ timer: own }));
    own.advance(59_999);
    expect(await reasonOf(token, { timer: own })).toBe('valid');
    own.advance(1);
    expect(await reasonOf(token, { timer: own })).toBe('expired');
    own.advance(100 * 365 * 24 * 3600 * second);
    expect(await reasonOf(lasting, { timer: own })).toBe('valid');
  });
});

describe('a forged token', () => {
  const payload = {
    sub: 'order-2',
    ...acme,
    amount: '0.01',
    currency: 'PLN',
    iat: timer.now() / second,
    jti: 'x'.repeat(22),
  };
  const typ = 'payment-token+jwt';
  const sign = (header: { alg: string; typ?: string }, body: object, key: Uint8Array) =>
    new SignJWT({ ...body }).setProtectedHeader(header).sign(key);

  it('of algorithm none is refused', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const front = `${part({ alg, typ })}.${part(payload)}`;
      expect(await reasonOf(`${front}.`)).toBe('malformed');
      expect(['malformed', 'wrong_algorithm']).toContain(await reasonOf(`${front}.c2ln`));
    }
  });

  it('signed with the public key as if it were a secret is refused', async () => {
    for (const [key, algorithm] of [
      [ed25519.publicKey, 'EdDSA'],
      [p256.publicKey, 'ES256'],
    ] as const) {
      const spki = key.export({ type: 'spki', format: 'der' });
      const pem = Buffer.from(key.export({ type: 'spki', format: 'pem' }));
      for (const bytes of [spki, pem]) {
        const token = await sign({ alg: 'HS256', typ }, payload, new Uint8Array(bytes));
        expect(await reasonOf(token, { key, algorithm })).toBe('wrong_algorithm');
      }
    }
  });

  it('of another algorithm of the same secret is refused', async () => {
    const long = new Uint8Array(64).fill(7);
    const token = await sign({ alg: 'HS512', typ }, payload, long);
    expect(await reasonOf(token, { key: long })).toBe('wrong_algorithm');
  });

  it('of another type of the same key is refused: a session is no payment', async () => {
    const token = await sign({ alg: 'HS256', typ: 'JWT' }, payload, secret);
    expect(await reasonOf(token)).toBe('malformed');
    expect(await reasonOf(await sign({ alg: 'HS256' }, payload, secret))).toBe('malformed');
    expect(await reasonOf(await sign({ alg: 'HS256', typ }, payload, secret))).toBe('valid');
  });

  it.each(['sub', 'environment', 'partner', 'amount', 'currency', 'iat', 'jti'])(
    'without %s, or with another type of it, is refused',
    async (name) => {
      const { [name]: _, ...without } = payload as Record<string, unknown>;
      const absent = await sign({ alg: 'HS256', typ }, without, secret);
      expect(await reasonOf(absent)).toBe('malformed');
      const mistyped = await sign({ alg: 'HS256', typ }, { ...payload, [name]: [1] }, secret);
      expect(await reasonOf(mistyped)).toBe('malformed');
    },
  );
});
