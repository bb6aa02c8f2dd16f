import { err, ok, type Result } from 'neverthrow';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/answer.js';
import type { TenantLog } from '../ports/store.js';
import type { Context } from '../usecases/context.js';

/** How many tenants one call of a store returns: one call is enough, as a rule. */
const pageSize = 10_000;

/** How many tenants have their turn at once. */
export const tenantsAtOnce = 8;

/**
 * The tenants that may have due work in these environments, by a clock that was not moved.
 */
export async function tenantsDue(
  { ports }: Pick<Context, 'ports'>,
  environments: readonly Environment[],
): Promise<Result<readonly TenantLog[], PortProblem>> {
  const now = ports.now({ environment: environments[0] ?? 'sandbox', partner: '-' });
  if (now.isErr()) return err(now.error);
  const all: TenantLog[] = [];
  for (;;) {
    const last: Tenant | undefined = all.at(-1)?.tenant;
    const page = await ports.tenants(last, pageSize, now.value);
    if (page.isErr()) return err(page.error);
    all.push(...page.value);
    if (page.value.length < pageSize) {
      return ok(all.filter(({ tenant }) => environments.includes(tenant.environment)));
    }
  }
}
