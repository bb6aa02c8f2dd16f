import { type Environment, isTenant } from 'dealwright';
import {
  type Authenticator,
  checkOptions,
  type Digest,
  type OperatorAuthenticator,
  type Tenant,
} from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * An authenticator over a fixed list of API tokens. It keeps only their digests and their first
 * characters, and compares digests in constant time. A token has 1 to 4096 visible ASCII
 * characters. An invalid list throws a `TypeError` that names the wrong entries, and never a token.
 *
 * Its `list` has the name of each token and its first characters. A token without a name has one by
 * its place among those of its tenant: `API token 2`.
 *
 * @example
 * ```ts
 * import { createTokenAuthenticator } from 'dealwright/auth';
 * import { createDigest } from 'dealwright/system';
 *
 * const authenticator = createTokenAuthenticator(
 *   [['secret-token', { environment: 'sandbox', partner: 'acme' }, 'Order system']],
 *   { digest: createDigest() },
 * );
 * ```
 */
export function createTokenAuthenticator(
  tokens: Iterable<readonly [token: string, tenant: Tenant, name?: string]>,
  ports: { readonly digest: Digest },
): Required<Authenticator> {
  const { find, all } = createTokens(tokens, ports, {
    who: 'createTokenAuthenticator',
    takes: 'tenant',
    read(given, token, name) {
      const { environment, partner } = Object(given) as Tenant;
      const tenant = Object.freeze({ environment, partner });
      // a name follows the rules of a partner's
      const isNamed = name === undefined || isTenant({ environment, partner: name });
      return isTenant(tenant) && isNamed ? { tenant, name, start: startOf(token) } : undefined;
    },
    rule: "belongs to a tenant: { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }, and its name, if it has one, is text of 1 to 128 characters",
  });
  return {
    authenticate: (token) => ok(find(token)?.tenant),
    list({ environment, partner }) {
      const own = all.filter(
        ({ tenant }) => tenant.environment === environment && tenant.partner === partner,
      );
      const times = { created_at: null, last_used_at: null };
      return ok(
        own.map(({ name, start }, at) => ({
          name: name ?? `API token ${at + 1}`,
          start,
          ...times,
        })),
      );
    },
  };
}

/** The first characters of a token: at most 8, and at most a quarter of it. */
function startOf(token: string): string | null {
  return token.slice(0, Math.min(8, Math.floor(token.length / 4))) || null;
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
  const { find } = createTokens(tokens, ports, {
    who: 'createOperatorAuthenticator',
    takes: 'environment',
    read: (environment) =>
      isTenant({ environment, partner: '-' }) ? (environment as Environment) : undefined,
    rule: "is good in an environment: 'production' or 'sandbox'",
  });
  return { authenticate: (token) => ok(find(token)) };
}

/** The kind of the tokens of a list. */
interface Kind<T> {
  readonly who: string;
  readonly takes: string;
  readonly read: (value: unknown, token: string, name: string | undefined) => T | undefined;
  readonly rule: string;
}

function createTokens<T>(
  tokens: Iterable<readonly [token: string, meaning: unknown, name?: string]>,
  ports: { readonly digest: Digest },
  { who, takes, read, rule }: Kind<T>,
) {
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
    const [token, given, name] = pair;
    checkOptions(who, { [`${which} has 1 to 4096 visible ASCII characters`]: isApiToken(token) });
    const meaning = read(given, token, name);
    checkOptions(who, {
      [`${which} ${rule}`]: meaning !== undefined,
    });
    const key = digest(token);
    checkOptions(who, { [`${which} appears more than once`]: !meanings.has(key) });
    meanings.set(key, meaning as T);
  }
  return {
    all: [...meanings.values()],
    find(token: string): T | undefined {
      const key = digest(token);
      let found: T | undefined;
      // all of them, and each to its end: the time reveals neither which one is near nor where it
      // differs
      for (const [known, meaning] of meanings) if (areEqual(known, key)) found = meaning;
      return found;
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
