import { isStorableText } from '../values/rule.js';
import type { Environment, Tenant } from '../values/tenant.js';

/**
 * Returns the name of a partner as the sides of its deals see it: `partner_name` of their views. It
 * must not do I/O.
 */
export type PartnerNaming = (partner: string, environment: Environment) => string | undefined;

/** The default: partners have no names. */
export const noNames: PartnerNaming = () => undefined;

/**
 * The name of a partner, `null` if the host has none. A name keeps nobody from a deal: a function
 * that throws, or gives no text, gives none.
 */
export function nameOfPartner(
  naming: PartnerNaming,
  { partner, environment }: Tenant,
): string | null {
  try {
    const name: unknown = naming(partner, environment);
    return isStorableText(name) && name !== '' ? name : null;
  } catch {
    return null;
  }
}
