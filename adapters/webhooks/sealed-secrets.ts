import { checkOptions, type SecretKeeper, type Tenant, unavailable } from 'dealwright/ports';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { ok } from 'neverthrow';

/** AES-256-GCM with the key itself: there is no other party to agree on another one with. */
const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * Seals secrets with keys of the host: an encrypted JSON Web Token (compact JWE, `A256GCM`) that
 * names its key and opens for its tenant alone. `keys` has 32 random bytes as base64url by the name
 * of each key. The first key seals, all of them open: to change keys, put a new one in front, and
 * keep the old ones for as long as secrets are sealed with them.
 *
 * Throws a `TypeError` for keys that do not fit, without the key in it.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { createSealedSecrets } from 'dealwright/webhooks';
 *
 * // as a command: node -p "require('crypto').randomBytes(32).toString('base64url')"
 * const secrets = createSealedSecrets({ k2026: randomBytes(32).toString('base64url') });
 * ```
 */
export function createSealedSecrets(keys: Readonly<Record<string, string>>): SecretKeeper {
  const known = readKeys(keys);
  const [[first, sealing]] = known;
  const byName = new Map(known);
  return {
    async seal({ environment, partner }, secret) {
      try {
        const content = JSON.stringify([environment, partner, secret]);
        const sealed = await new CompactEncrypt(new TextEncoder().encode(content))
          .setProtectedHeader({ ...algorithms, kid: first })
          .encrypt(sealing);
        return ok(sealed);
      } catch {
        return failure({ reason: 'cannot_seal', kid: first });
      }
    },
    async open(tenant, sealed) {
      const kid = keyNameOf(sealed);
      if (kid === undefined) return failure({ reason: 'not_sealed_here' });
      const key = byName.get(kid);
      if (key === undefined) return failure({ reason: 'missing_key', kid });
      try {
        const { plaintext } = await compactDecrypt(sealed, key, {
          keyManagementAlgorithms: [algorithms.alg],
          contentEncryptionAlgorithms: [algorithms.enc],
        });
        const secret = secretOf(tenant, JSON.parse(new TextDecoder().decode(plaintext)));
        return secret === undefined ? failure({ reason: 'other_tenant', kid }) : ok(secret);
      } catch {
        // an error of the library may contain decrypted text
        return failure({ reason: 'cannot_open', kid });
      }
    },
  };
}

/** At least one: the type guarantees the first. */
type Keys = readonly [[string, Uint8Array], ...[string, Uint8Array][]];

function readKeys(given: Readonly<Record<string, string>>): Keys {
  const isObject = typeof given === 'object' && given !== null;
  const keys = Object.entries<unknown>(isObject ? given : {});
  checkOptions('createSealedSecrets', {
    'keys is { name: key }': isObject,
    'keys has at least one key': !isObject || keys.length > 0,
    // JavaScript puts other names first, in the order of their numbers: another key would seal
    'the name of a key has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter': keys.every(
      ([name]) => isKeyName(name),
    ),
    ...Object.fromEntries(
      keys
        .filter(([name]) => isKeyName(name))
        .map(([name, text]) => [
          `the key ${name} is 32 bytes as base64url without padding`,
          isKey(text),
        ]),
    ),
  });
  return keys.map(([name, text]) => [name, bytesOf(text)]) as [Keys[0], ...Keys[0][]];
}

const bytesOf = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'));

function isKey(text: unknown): boolean {
  const bytes = bytesOf(text);
  return bytes.length === 32 && Buffer.from(bytes).toString('base64url') === text;
}

function isKeyName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z][\w.-]{0,63}$/.test(name);
}

/** The name of the key that a text was sealed with, if it may be one of ours. */
function keyNameOf(sealed: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(sealed);
    return isKeyName(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** The secret of a content, unless it was sealed for another tenant. */
function secretOf({ environment, partner }: Tenant, content: unknown): string | undefined {
  const [of, whose, secret] = content as readonly string[];
  return of === environment && whose === partner ? secret : undefined;
}

/**
 * A failure that no retry can change: a key is missing, or the text was not sealed with these keys.
 */
function failure(cause: { readonly reason: string; readonly kid?: string }) {
  return unavailable({ outcome: 'none', retryable: false, cause: Object.freeze(cause) });
}
