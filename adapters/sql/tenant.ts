import type { Environment, Tenant } from 'dealwright/ports';

/** The columns of a table that name the owner of a record. */
export type TenantNames = {
  readonly environment: Environment;
  /** The environment and the partner, which may contain any character. */
  readonly tenant: string;
};

/** The columns that name a tenant. */
export function tenantNames({ environment, partner }: Tenant): TenantNames {
  return { environment, tenant: `${environment}:${partner}` };
}

/** The name of a tenant in a column. */
export function tenantText(tenant: Tenant): string {
  return tenantNames(tenant).tenant;
}

/** The tenant that a column names. */
export function tenantOf(text: string): Tenant {
  const at = text.indexOf(':');
  const environment = text.slice(0, at);
  if (environment !== 'production' && environment !== 'sandbox') {
    throw new Error('the database holds a tenant without an environment');
  }
  return { environment, partner: text.slice(at + 1) };
}
