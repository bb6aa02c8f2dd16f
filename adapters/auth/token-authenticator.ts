import { type Environment, isTenant } from 'dealwright';
import {
  type Answer,
  type Authenticator,
  checkOptions,
  type Digest,
  type OperatorAuthenticator,
  type Tenant,
} from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * An authenticator over a fixed list of API tokens. It keeps only their digests, and compares them
 * in constant time. A token has 1 to 4096 visible ASCII characters. An invalid list throws a
 * `TypeError` that names the wrong entries, and never a token.
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
  return createAuthenticator(tokens, ports, {
    who: 'createTokenAuthenticator',
    takes: 'tenant',
    read(tenant) {
      if (!isTenant(tenant)) return undefined;
      const { environment, partner } = tenant;
      return Object.freeze({ environment, partner });
    },
    rule: "belongs to a tenant: { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }",
  });
}

/**
 * The same for the tokens of operators: each is valid in one environment.
 *
 * @example
 * ```ts
 * import { createOperatorAuthenticator } from 'dealwright/auth';
 * import { createDigest } from 'dealwright/system';
 *
 * const operatorAuthenticator = createOperatorAuthenticator([['operator-token', 'sandbox']], {
 *   digest: createDigest(),
 * });
 * ```
 */
export function createOperatorAuthenticator(
  tokens: Iterable<readonly [token: string, environment: Environment]>,
  ports: { readonly digest: Digest },
): OperatorAuthenticator {
  return createAuthenticator(tokens, ports, {
    who: 'createOperatorAuthenticator',
    takes: 'environment',
    read: (environment) =>
      isTenant({ environment, partner: '-' }) ? (environment as Environment) : undefined,
    rule: "is good in an environment: 'production' or 'sandbox'",
  });
}

/** The kind of the tokens of a list. */
interface Kind<T> {
  readonly who: string;
  readonly takes: string;
  readonly read: (value: unknown) => T | undefined;
  readonly rule: string;
}

function createAuthenticator<T>(
  tokens: Iterable<readonly [token: string, meaning: T]>,
  ports: { readonly digest: Digest },
  { who, takes, read, rule }: Kind<T>,
): { authenticate(token: string): Answer<T | undefined> } {
  const { digest } = Object(ports) as typeof ports;
  checkOptions(who, {
    'digest is missing; createSystemPorts() has one': typeof digest === 'function',
    [`tokens is a list of [token, ${takes}]`]:
      typeof tokens === 'object' && typeof tokens?.[Symbol.iterator] === 'function',
  });
  const meanings = new Map<string, T>();
  for (const pair of tokens) {
    const which = `API token ${meanings.size + 1} of the list`;
    checkOptions(who, { [`${which} is [token, ${takes}]`]: Array.isArray(pair) });
    const [token, given] = pair;
    const meaning = read(given);
    checkOptions(who, {
      [`${which} has 1 to 4096 visible ASCII characters`]: isApiToken(token),
      [`${which} ${rule}`]: meaning !== undefined,
    });
    const key = digest(token);
    checkOptions(who, { [`${which} appears more than once`]: !meanings.has(key) });
    meanings.set(key, meaning as T);
  }
  return {
    authenticate(token) {
      const key = digest(token);
      let found: T | undefined;
      // all of them, and each to its end: the time reveals neither which one is near nor where it
      // differs
      for (const [known, meaning] of meanings) if (areEqual(known, key)) found = meaning;
      return ok(found);
    },
  };
}

/**
 * Says whether a value can be an API token: 1 to 4096 visible ASCII characters, the form that an
 * Authorization header can carry.
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

/** Compares two digests in a time that does not reveal where they differ. */
function areEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
