import type { PaymentTokenIssuer } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { encodeBytes, tenantPrefix } from './tenant-prefix.js';

const secretSize = 32;
const poolSize = 32 * secretSize;

/**
 * Issues tokens of 256 random bits behind the tenant they belong to:
 * `<p|s>.<base64url of the partner>.<base64url of 32 random bytes>`. They say nothing else; what
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
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return {
    issue(tenant) {
      if (used === poolSize) {
        globalThis.crypto.getRandomValues(pool);
        used = 0;
      }
      const secret = encodeBytes(pool.subarray(used, used + secretSize));
      // what was handed out is not kept
      pool.fill(0, used, used + secretSize);
      used += secretSize;
      return ok(tenantPrefix(tenant) + secret);
    },
  };
}
