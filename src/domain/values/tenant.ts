import { hasAtLeast, hasAtMost, isStorableText } from './rule.js';

/**
 * The two environments of a service (interface, Authentication 2). Data never crosses between them.
 */
export type Environment = 'production' | 'sandbox';

/**
 * The partner that a call speaks for: one partner within one environment. Every port method takes
 * it, and no data of one tenant is visible to another (decision 2.1). `partner` is the host's own
 * name for the partner: any text of 1 to 128 characters.
 */
export interface Tenant {
  readonly environment: Environment;
  readonly partner: string;
}

/** Characters of a partner's name. */
export const longestPartner = 128;

/**
 * Says whether a value that came from outside (a port, a configuration) is a tenant.
 *
 * @example
 * ```ts
 * import { isTenant } from 'dealwright';
 *
 * isTenant({ environment: 'sandbox', partner: 'acme' }); // true
 * isTenant({ environment: 'staging', partner: 'acme' }); // false
 * ```
 */
export function isTenant(value: unknown): value is Tenant {
  if (typeof value !== 'object' || value === null) return false;
  const { environment, partner } = value as Partial<Tenant>;
  return (
    (environment === 'production' || environment === 'sandbox') &&
    isStorableText(partner) &&
    hasAtLeast(partner, 1) &&
    hasAtMost(partner, longestPartner)
  );
}

/** The tenant without other members of its object; throws a `TypeError` if it is not a tenant. */
export function knownTenant(whom: Tenant): Tenant {
  const { environment, partner } = Object(whom) as Tenant;
  const tenant = Object.freeze({ environment, partner });
  if (!isTenant(tenant)) {
    throw new TypeError(
      "a tenant is { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }",
    );
  }
  return tenant;
}

/** The name of a tenant within a process: no text of a tenant contains U+0000. */
export function nameOf({ environment, partner }: Tenant): string {
  return `${environment}\0${partner}`;
}

/**
 * Who changes a deal (decision 6): the partner for the employer, the freelancer, the operator of
 * the host, the clock, or a report of the payment provider.
 */
export type Actor = 'partner' | 'freelancer' | 'operator' | 'clock' | 'payments';

/**
 * Every actor.
 *
 * @example
 * ```ts
 * import { actors } from 'dealwright/life';
 *
 * actors.includes('clock'); // true
 * ```
 */
export const actors = ['partner', 'freelancer', 'operator', 'clock', 'payments'] as const;
