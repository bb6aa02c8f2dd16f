import type { PaymentTokenIssuer, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createRandomText } from './random-text.js';
import { tenantPrefix } from './token-tenant.js';

const secretSize = 32;

/**
 * Issues tokens of 256 random bits behind the tenant they belong to:
 * `<s|p>.<base64url of the partner>.<base64url of 32 random bytes>`. They say nothing else; what
 * they stand for is known to the store alone.
 *
 * @example
 * ```ts
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const paymentTokens = createOpaqueTokenIssuer();
 * ```
 */
export function createOpaqueTokenIssuer(): PaymentTokenIssuer {
  const randomText = createRandomText();
  const prefixOf = { production: createPrefixes(), sandbox: createPrefixes() };
  return {
    issue: (tenant) => ok(prefixOf[tenant.environment](tenant) + randomText(secretSize)),
    verify: (tenant, { payment_token }) =>
      ok(payment_token.startsWith(prefixOf[tenant.environment](tenant)) ? 'valid' : 'invalid'),
  };
}

const maxRemembered = 1000;

/** The prefixes of the partners of late: encoding one costs more than all the rest of a token. */
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
