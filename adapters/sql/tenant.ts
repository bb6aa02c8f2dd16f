import type { Environment, Tenant } from 'dealwright/ports';

/** What names the owner of a record in the columns of a table. */
export type TenantNames = {
  readonly environment: Environment;
  /** The environment and the partner, which may hold any character. */
  readonly tenant: string;
};

/** The columns that name a tenant. */
export function tenantNames({ environment, partner }: Tenant): TenantNames {
  return { environment, tenant: `${environment}:${partner}` };
}

/** What names a tenant in a column. */
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
