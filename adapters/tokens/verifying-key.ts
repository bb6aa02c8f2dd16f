import type { SignJWT } from 'jose/jwt/sign';
import type { CryptoKeyLike, TokenKey } from './signing-key.js';

export type JoseKey = Parameters<SignJWT['sign']>[0];

/** What `readTokenKey` has found to be a key of the runtime is one to jose as well. */
export function joseKey({ key }: Pick<TokenKey, 'key'>): JoseKey {
  return key as JoseKey;
}

/**
 * What verifies the signatures of a key that signs, or `undefined` where the runtime does not give
 * it out: the secret itself, or the public part of a private key.
 */
export function verifyingKeyOf(signing: TokenKey): (() => JoseKey | Promise<JoseKey>) | undefined {
  const { key, algorithm } = signing;
  if (key instanceof Uint8Array) return () => joseKey(signing);
  if (algorithm === 'HS256') {
    return key.usages?.includes('verify') === false ? undefined : () => joseKey(signing);
  }
  if (!isExportable(key)) return undefined;
  let found: Promise<JoseKey> | undefined;
  return () => {
    found ??= exportPublic(key);
    return found;
  };
}

/** A `KeyObject` always is. */
function isExportable(key: CryptoKeyLike): boolean {
  const { extractable } = key as { readonly extractable?: boolean };
  return key.algorithm === undefined || extractable === true;
}

type Jwk = Readonly<Record<'kty' | 'crv' | 'x' | 'y', string | undefined>>;

/** What a `KeyObject` of Node can do besides. */
interface ExportingKey extends CryptoKeyLike {
  export(options: { readonly format: 'jwk' }): Jwk;
}

/** The members of a public key by their names: the private one is left out. */
async function exportPublic(key: CryptoKeyLike): Promise<JoseKey> {
  const { kty, crv, x, y } = await exportJwk(key);
  return { kty, crv, x, ...(y === undefined ? {} : { y }) } as JoseKey;
}

function exportJwk(key: CryptoKeyLike): Jwk | Promise<Jwk> {
  if (key.algorithm === undefined) {
    return (key as ExportingKey).export({ format: 'jwk' });
  }
  const { subtle } = globalThis.crypto;
  return subtle.exportKey('jwk', key as Parameters<typeof subtle.exportKey>[1]) as Promise<Jwk>;
}
