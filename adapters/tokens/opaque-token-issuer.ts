import { isPaymentToken } from 'dealwright';
import {
  checkOptions,
  type PaymentTokenIssuer,
  type PaymentTokenVerdict,
  type Tenant,
  type Timer,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { isLifetime } from '../shared/options.js';
import { createRandomText, decodeBytes } from './base64url.js';
import { tenantOfPaymentToken, tenantPrefix } from './token-tenant.js';

const secretSize = 32;

/** The lifetime of opaque tokens. */
export interface OpaqueTokenOptions {
  /** Whole seconds that a token is valid; without it, it never expires. */
  readonly lifetime?: number;
  readonly timer: Timer;
}

/**
 * Issues tokens of 256 random bits after the tenant they belong to:
 * `<s|p>.<base64url of the partner>.<base64url of 32 random bytes>`. They contain nothing else;
 * only the store knows their deals.
 *
 * So `verify` checks the form, the tenant and, with a `lifetime`, the age of the deal that has the
 * token: it has expired once `lifetime` seconds have passed since `issued_at`, both times in whole
 * seconds as in a signed token. Changing the lifetime also changes it for tokens that were already
 * issued.
 *
 * Throws a `TypeError` for a lifetime that is not a whole number of seconds above 0, or has no
 * timer.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const lasting = createOpaqueTokenIssuer();
 * const forADay = createOpaqueTokenIssuer({ lifetime: 24 * 3600, timer: createSystemTimer() });
 * ```
 */
export function createOpaqueTokenIssuer(options?: OpaqueTokenOptions): PaymentTokenIssuer {
  const { lifetime, timer } = options ?? {};
  checkOptions('createOpaqueTokenIssuer', {
    'lifetime is a whole number of seconds above 0': isLifetime(lifetime),
    'timer.now is a function': options === undefined || typeof timer?.now === 'function',
  });
  const randomText = createRandomText();
  const prefixOf = { production: createPrefixes(), sandbox: createPrefixes() };
  return {
    issue: (tenant) => ok(prefixOf[tenant.environment](tenant) + randomText(secretSize)),
    tenantOf: tenantOfPaymentToken,
    verify(tenant, { payment_token, issued_at }) {
      if (!isOwn(payment_token, prefixOf[tenant.environment](tenant))) return ok('invalid');
      if (lifetime === undefined || timer === undefined) return ok('valid');
      try {
        return ok(verdictOfAge(Date.parse(issued_at), timer.now(), lifetime));
      } catch (cause) {
        return unavailable({ outcome: 'none', cause });
      }
    },
  };
}

function isOwn(token: unknown, prefix: string): boolean {
  return (
    isPaymentToken(token) &&
    token.startsWith(prefix) &&
    decodeBytes(token.slice(prefix.length))?.length === secretSize
  );
}

/** Whole seconds, as in a signed token. */
function verdictOfAge(issuedAt: number, now: number, lifetime: number): PaymentTokenVerdict {
  // a store that does not know when it issued a token cannot confirm that it is still valid
  if (Number.isNaN(issuedAt)) return 'invalid';
  const end = Math.floor(issuedAt / 1000) + lifetime;
  return Math.floor(now / 1000) < end ? 'valid' : 'expired';
}

const maxRemembered = 1000;

/** The prefixes of recent partners: encoding one costs more than all the rest of a token. */
function createPrefixes(): (tenant: Tenant) => string {
  const prefixes = new Map<string, string>();
  return (tenant) => {
    const known = prefixes.get(tenant.partner);
    if (known !== undefined) return known;
    if (prefixes.size === maxRemembered) prefixes.clear();
    const prefix = tenantPrefix(tenant);
    prefixes.set(tenant.partner, prefix);
    return prefix;
  };
}
