import { isTenant } from 'dealwright';
import type { Environment, Tenant } from 'dealwright/ports';
import { decodeText, encodeText } from './base64url.js';
import { parseObject } from './parse-object.js';

const letters = { production: 'p', sandbox: 's' } as const satisfies Record<Environment, string>;

/** What an opaque token begins with: `<p|s>.<base64url of the partner>.` */
export function tenantPrefix({ environment, partner }: Tenant): string {
  return `${letters[environment]}.${encodeText(partner)}.`;
}

const opaque = /^([ps])\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;
const signed = /^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;

/** What no payment token is longer than (decision 3): nothing longer is looked at. */
export const maxTokenLength = 2048;

/**
 * The tenant that an opaque or a signed payment token says it is of, or `undefined` where it says
 * none. It lets a store look in the right place, and that is all: nothing is verified, and anybody
 * can write a token that says so. What a remote service issues has any form that service gives
 * it, so that this finds a tenant in it only by that service's leave.
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
