import type { Tenant } from 'dealwright/ports';

/** What names a tenant in a column: its environment and its partner, which may hold any character. */
export function tenantText({ environment, partner }: Tenant): string {
  return `${environment}:${partner}`;
}

/** The tenant that a column names. */
export function tenantOf(text: string): Tenant {
  const at = text.indexOf(':');
  const environment = text.slice(0, at);
  if (environment !== 'production' && environment !== 'sandbox') {
    throw new Error('the database holds a tenant of no environment');
  }
  return { environment, partner: text.slice(at + 1) };
}
