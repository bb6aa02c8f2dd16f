import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { createManualClock } from 'dealwright/testing';
import {
  createSignedTokenIssuer,
  createTokenVerifier,
  type SignedTokenOptions,
  type TokenKeyOptions,
} from 'dealwright/tokens';
import { expect } from 'vitest';

export const secret = new Uint8Array(32).fill(7);
export const timer = createManualClock();

export const ed25519 = generateKeyPairSync('ed25519');
export const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const web = await webcrypto.subtle.generateKey(
  { name: 'ECDSA', namedCurve: 'P-256' },
  true,
  ['sign', 'verify'],
);
export const webEd = (await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as {
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: webcrypto.CryptoKey;
};
export const hmac = await webcrypto.subtle.importKey(
  'raw',
  secret,
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['sign', 'verify'],
);

/** Every kind of key, with the one that verifies. */
export const keys: readonly (readonly [string, TokenKeyOptions, TokenKeyOptions])[] = [
  ['HS256, bytes', { key: secret }, { key: secret }],
  ['HS256, CryptoKey', { key: hmac, algorithm: 'HS256' }, { key: secret }],
  [
    'EdDSA, KeyObject',
    { key: ed25519.privateKey, algorithm: 'EdDSA' },
    { key: ed25519.publicKey, algorithm: 'EdDSA' },
  ],
  [
    'EdDSA, CryptoKey',
    { key: webEd.privateKey, algorithm: 'EdDSA' },
    { key: webEd.publicKey, algorithm: 'EdDSA' },
  ],
  [
    'ES256, KeyObject',
    { key: p256.privateKey, algorithm: 'ES256' },
    { key: p256.publicKey, algorithm: 'ES256' },
  ],
  [
    'ES256, CryptoKey',
    { key: web.privateKey, algorithm: 'ES256' },
    { key: web.publicKey, algorithm: 'ES256' },
  ],
];

export const issuerOf = (options: Partial<SignedTokenOptions> = {}) =>
  createSignedTokenIssuer({ key: secret, timer, ...options });

/** The verdict of the verifier: `valid` or the reason why not. */
export async function reasonOf(
  token: string,
  options: Partial<Parameters<typeof createTokenVerifier>[0]> = {},
): Promise<string> {
  const result = await createTokenVerifier({ key: secret, timer, ...options }).verify(token);
  if (result.isOk()) return 'valid';
  if (result.error.code !== 'invalid_token') throw new Error('the verifier could not judge');
  expect(Object.isFrozen(result.error)).toBe(true);
  expect(result.error.message).toMatch(/^The |^This /);
  expect(token.length > 20 && JSON.stringify(result.error).includes(token)).toBe(false);
  return result.error.reason;
}
