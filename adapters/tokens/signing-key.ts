import type { OptionRules } from 'dealwright/ports';
import type { SignJWT } from 'jose/jwt/sign';

/**
 * The algorithm of signed tokens: `HS256` with a secret that issuer and verifier share, `EdDSA`
 * (Ed25519) or `ES256` with a private key, so that a verifier cannot issue.
 */
export type SigningAlgorithm = 'HS256' | 'EdDSA' | 'ES256';

/** The shape of a Web Crypto `CryptoKey` and of a `KeyObject` of Node: either works. */
export interface CryptoKeyLike {
  /** `secret`, `private` or `public`. */
  readonly type: string;
  /** Of a `CryptoKey`. */
  readonly algorithm?: { readonly name: string } | undefined;
  /** Of a `CryptoKey`. */
  readonly usages?: readonly string[] | undefined;
  /** Of a `KeyObject`. */
  readonly asymmetricKeyType?: string | undefined;
  /** Of a `KeyObject`. */
  readonly symmetricKeySize?: number | undefined;
}

/** A key and its use. */
export interface TokenKeyOptions {
  /** A secret of at least 32 bytes, or a key of the runtime. */
  readonly key: Uint8Array | CryptoKeyLike;
  /** Default `HS256` for a secret in bytes; required for a key of the runtime. */
  readonly algorithm?: SigningAlgorithm;
  /** The name of the key, written into each token (`kid`), so that keys can be changed. */
  readonly keyId?: string;
}

/** A key that fits its algorithm and use. */
export interface TokenKey {
  readonly key: Uint8Array | CryptoKeyLike;
  readonly algorithm: SigningAlgorithm;
}

/** RFC 7518, section 3.2: a key of the size of the hash output or larger. */
const minSecretBytes = 32;

const fitting = {
  HS256: { name: 'HMAC', hash: 'SHA-256', curve: undefined, node: undefined },
  EdDSA: { name: 'Ed25519', hash: undefined, curve: undefined, node: 'ed25519' },
  ES256: { name: 'ECDSA', hash: undefined, curve: 'P-256', node: 'ec' },
} as const;

/** The node name of the curve of ES256. */
const nodeCurve = 'prime256v1';

/** The rules of a key, and of its algorithm. */
export function rulesOfKey(
  use: 'sign' | 'verify',
  { key, algorithm }: TokenKeyOptions,
): OptionRules {
  if (key instanceof Uint8Array) {
    return {
      'a key in bytes is a secret for HS256: another algorithm needs a CryptoKey or KeyObject':
        algorithm === undefined || algorithm === 'HS256',
      [`a secret has at least ${minSecretBytes} bytes`]: key.length >= minSecretBytes,
    };
  }
  const isKey = typeof key === 'object' && key !== null && typeof key.type === 'string';
  if (!isKey) return { 'key is a Uint8Array, a CryptoKey or a KeyObject': false };
  if (algorithm === undefined || !Object.hasOwn(fitting, algorithm)) {
    return { 'with a CryptoKey or KeyObject, algorithm is one of HS256, EdDSA and ES256': false };
  }
  const type = algorithm === 'HS256' ? 'secret' : use === 'sign' ? 'private' : 'public';
  if (key.type !== type)
    return { [`to ${use} with ${algorithm}, the key is a ${type} one`]: false };
  return {
    [`the key is one to ${use} with ${algorithm}`]:
      key.algorithm === undefined ? fitsNode(key, algorithm) : fitsWeb(key, algorithm, use),
  };
}

/** The key of checked options. */
export function readTokenKey({ key, algorithm = 'HS256' }: TokenKeyOptions): TokenKey {
  // a copy, so that the secret cannot change afterwards
  return { key: key instanceof Uint8Array ? key.slice() : key, algorithm };
}

function fitsWeb(key: CryptoKeyLike, algorithm: SigningAlgorithm, use: string): boolean {
  // the members of the algorithms differ, and CryptoKey's own type does not distinguish them
  const own = key.algorithm as {
    readonly name: string;
    readonly namedCurve?: string;
    readonly hash?: { readonly name: string };
    readonly length?: number;
  };
  const { name, hash, curve } = fitting[algorithm];
  return (
    own.name === name &&
    own.namedCurve === curve &&
    own.hash?.name === hash &&
    (hash === undefined || (own.length ?? 0) >= 8 * minSecretBytes) &&
    key.usages?.includes(use) === true
  );
}

function fitsNode(key: CryptoKeyLike, algorithm: SigningAlgorithm): boolean {
  if (algorithm === 'HS256') return (key.symmetricKeySize ?? 0) >= minSecretBytes;
  const { asymmetricKeyDetails: details } = key as {
    readonly asymmetricKeyDetails?: { readonly namedCurve?: string };
  };
  return (
    key.asymmetricKeyType === fitting[algorithm].node &&
    (algorithm !== 'ES256' || details?.namedCurve === nodeCurve)
  );
}

export type JoseKey = Parameters<SignJWT['sign']>[0];

/** A key that `readTokenKey` accepted is also one of jose. */
export function joseKey({ key }: TokenKey): JoseKey {
  return key as JoseKey;
}

/**
 * The key that verifies the signatures of a signing key: the secret itself, or the public part of a
 * private key. It is `undefined` if the runtime does not export it.
 */
export function verifyingKeyOf(signing: TokenKey): (() => JoseKey | Promise<JoseKey>) | undefined {
  const { key, algorithm } = signing;
  if (key instanceof Uint8Array) return () => joseKey(signing);
  if (algorithm === 'HS256') {
    return key.usages?.includes('verify') === false ? undefined : () => joseKey(signing);
  }
  // a `KeyObject` can always be exported
  const { extractable } = key as { readonly extractable?: boolean };
  if (key.algorithm !== undefined && extractable !== true) return undefined;
  let found: Promise<JoseKey> | undefined;
  return () => {
    found ??= exportPublic(key);
    return found;
  };
}

type Jwk = Readonly<Record<'kty' | 'crv' | 'x' | 'y', string | undefined>>;

/** A `KeyObject` of Node can also export itself. */
interface ExportingKey extends CryptoKeyLike {
  export(options: { readonly format: 'jwk' }): Jwk;
}

/** The members of a public key by their names: the private one is left out. */
async function exportPublic(key: CryptoKeyLike): Promise<JoseKey> {
  const { subtle } = globalThis.crypto;
  const { kty, crv, x, y } =
    key.algorithm === undefined
      ? (key as ExportingKey).export({ format: 'jwk' })
      : ((await subtle.exportKey('jwk', key as Parameters<typeof subtle.exportKey>[1])) as Jwk);
  return { kty, crv, x, ...(y === undefined ? {} : { y }) } as JoseKey;
}
