import { ok, type Result } from 'neverthrow';
import type { Tenant } from '../domain/values/tenant.js';
import { movedBy } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Context } from './context.js';

/** The time of a tenant, and how far a partner of the sandbox has moved it (decision 6.6). */
export interface TenantTime {
  /** Business time; RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** The time of the clock, which no sandbox has moved. */
  readonly real: string;
  /** Milliseconds. */
  readonly ahead: number;
}

/** The key of the one sandbox clock that a tenant may have. */
export const clockKey = 'sandbox';

/** The time of a tenant. Production uses the clock alone. */
export function timeOf(
  { ports }: Pick<Context, 'ports'>,
  tenant: Tenant,
): Result<TenantTime, PortProblem> | Promise<Result<TenantTime, PortProblem>> {
  if (tenant.environment === 'production') {
    return ports.now(tenant).map((now) => ({ now, real: now, ahead: 0 }));
  }
  return movedTime(ports, tenant);
}

async function movedTime(
  ports: Context['ports'],
  tenant: Tenant,
): Promise<Result<TenantTime, PortProblem>> {
  const clock = await ports.recordByKey(tenant, 'sandbox_clock', clockKey);
  return clock.andThen((row) =>
    ports.now(tenant).andThen((real) => {
      const ahead = row?.ahead ?? 0;
      return ok({ now: movedBy(real, ahead), real, ahead });
    }),
  );
}
