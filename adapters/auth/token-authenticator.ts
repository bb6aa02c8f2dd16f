import { isTenant } from 'dealwright';
import type { Authenticator, Digest, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * An authenticator over a fixed list of API tokens. It keeps their digests only, and compares them
 * in constant time. A token has 1 to 4096 visible ASCII characters. Anything but a list throws a
 * `TypeError` that says which of its tokens is wrong, and never the token.
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
  ports: { readonly digest: Digest },
): Authenticator {
  const who = 'createTokenAuthenticator';
  const { digest } = Object(ports) as typeof ports;
  if (typeof digest !== 'function') {
    throw new TypeError(`${who}: digest is missing; createSystemPorts() has one`);
  }
  if (typeof tokens !== 'object' || typeof tokens?.[Symbol.iterator] !== 'function') {
    throw new TypeError(`${who}: tokens is a list of [token, tenant], not ${typeof tokens}`);
  }
  const tenants = new Map<string, Tenant>();
  for (const pair of tokens) {
    const which = `${who}: API token ${tenants.size + 1} of the list`;
    if (!Array.isArray(pair))
      throw new TypeError(`${which} is [token, tenant], not ${typeof pair}`);
    const [token, tenant] = pair;
    if (!isApiToken(token)) {
      throw new TypeError(`${which} has 1 to 4096 visible ASCII characters`);
    }
    if (!isTenant(tenant)) {
      throw new TypeError(
        `${which} belongs to a tenant: { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }`,
      );
    }
    const key = digest(token);
    if (tenants.has(key)) throw new TypeError(`${which} appears more than once`);
    const { environment, partner } = tenant;
    tenants.set(key, Object.freeze({ environment, partner }));
  }
  return {
    authenticate(token) {
      const key = digest(token);
      let found: Tenant | undefined;
      // all of them, and each to its end: the time tells neither which is near nor where it differs
      for (const [known, tenant] of tenants) if (areEqual(known, key)) found = tenant;
      return ok(found);
    },
  };
}

/**
 * Says whether a value can be an API token: 1 to 4096 visible ASCII characters, which is what an
 * Authorization header carries.
 *
 * @example
 * ```ts
 * import { isApiToken } from 'dealwright/auth';
 *
 * isApiToken('secret-token'); // true
 * isApiToken('secret token'); // false
 * ```
 */
export function isApiToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value);
}

/** Compares two digests in a time that does not tell where they differ. */
function areEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
