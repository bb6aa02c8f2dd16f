import { isTenant } from 'dealwright';
import type { Environment, Tenant } from 'dealwright/ports';

const letters = { production: 'p', sandbox: 's' } as const satisfies Record<Environment, string>;
const form = /^([ps])\.([A-Za-z0-9_-]+)\./;

/** What our own tokens begin with: `<p|s>.<base64url of the partner>.` */
export function tenantPrefix({ environment, partner }: Tenant): string {
  return `${letters[environment]}.${encodeText(partner)}.`;
}

/**
 * The tenant that a payment token of ours says it is of, or `undefined` where it says none. It lets
 * a store look in the right place; it proves nothing, since anybody can write such a beginning.
 *
 * @example
 * ```ts
 * import { tenantOfPaymentToken } from 'dealwright/tokens';
 *
 * tenantOfPaymentToken('s.YWNtZQ.3q2-7w'); // { environment: 'sandbox', partner: 'acme' }
 * ```
 */
export function tenantOfPaymentToken(token: string): Tenant | undefined {
  const [, letter, encoded] = form.exec(token) ?? [];
  if (encoded === undefined) return undefined;
  const partner = decodeText(encoded);
  const tenant = { environment: letter === 'p' ? 'production' : 'sandbox', partner };
  return isTenant(tenant) ? tenant : undefined;
}

/** Base64url without padding (RFC 4648, section 5). */
export function encodeBytes(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function encodeText(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

function decodeText(encoded: string): string | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
