import { isTenant } from 'dealwright';
import type { Environment, Tenant } from 'dealwright/ports';
import { decodeText, encodeText } from './base64url.js';

const letters = { production: 'p', sandbox: 's' } as const satisfies Record<Environment, string>;

/** The start of an opaque token: `<p|s>.<base64url of the partner>.` */
export function tenantPrefix({ environment, partner }: Tenant): string {
  return `${letters[environment]}.${encodeText(partner)}.`;
}

const opaque = /^([ps])\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;
const signed = /^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;

/** The longest payment token (decision 3): a longer text is not read. */
export const maxTokenLength = 2048;

/**
 * The tenant that an opaque or a signed payment token names, or `undefined` if it names none. It
 * only tells a store where to look: nothing is verified, and such a token can be written without a
 * key. The tokens of a remote service have any form that the service gives them, so a tenant is
 * found in them only if the service names it so.
 *
 * @example
 * ```ts
 * import { tenantOfPaymentToken } from 'dealwright/tokens';
 *
 * tenantOfPaymentToken('s.YWNtZQ.3q2-7w'); // { environment: 'sandbox', partner: 'acme' }
 * ```
 */
export function tenantOfPaymentToken(token: string): Tenant | undefined {
  if (token.length > maxTokenLength) return undefined;
  const [, letter, partner] = opaque.exec(token) ?? [];
  if (partner !== undefined) {
    const environment = letter === 'p' ? 'production' : 'sandbox';
    return tenantOf({ environment, partner: decodeText(partner) });
  }
  const [, payload] = signed.exec(token) ?? [];
  return payload === undefined ? undefined : tenantOf(parseObject(decodeText(payload)));
}

function tenantOf({ environment, partner }: Readonly<Record<string, unknown>>): Tenant | undefined {
  const tenant = { environment, partner };
  return isTenant(tenant) ? tenant : undefined;
}

/** The members of a JSON text; none if it is not JSON or not an object. */
export function parseObject(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(json ?? ''));
  } catch {
    return {};
  }
}
