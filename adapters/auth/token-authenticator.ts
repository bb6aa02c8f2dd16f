import { isTenant } from 'dealwright';
import type { Authenticator, Digest, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * An authenticator over a fixed list of API tokens. It keeps their digests only, and compares them
 * in constant time. A token has 1 to 4096 visible ASCII characters.
 *
 * @example
 * ```ts
 * import { createTokenAuthenticator } from 'dealwright/auth';
 * import { createDigest } from 'dealwright/system';
 *
 * const authenticator = createTokenAuthenticator(
 *   [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
 *   { digest: createDigest() },
 * );
 * ```
 */
export function createTokenAuthenticator(
  tokens: Iterable<readonly [token: string, tenant: Tenant]>,
  { digest }: { readonly digest: Digest },
): Authenticator {
  const tenants = new Map<string, { readonly digest: string; readonly tenant: Tenant }>();
  for (const [token, tenant] of tokens) {
    if (!/^[\x21-\x7e]{1,4096}$/.test(token)) {
      throw new TypeError('an API token has 1 to 4096 visible ASCII characters');
    }
    if (!isTenant(tenant)) throw new TypeError('an API token belongs to a tenant');
    const key = digest(token);
    if (tenants.has(key)) throw new TypeError('an API token is listed twice');
    const { environment, partner } = tenant;
    tenants.set(key, { digest: key, tenant: Object.freeze({ environment, partner }) });
  }
  return {
    authenticate(token) {
      const key = digest(token);
      const found = tenants.get(key);
      return ok(found !== undefined && areEqual(found.digest, key) ? found.tenant : undefined);
    },
  };
}

/** Compares two digests in a time that does not tell where they differ. */
function areEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
