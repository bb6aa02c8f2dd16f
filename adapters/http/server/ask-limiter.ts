import type { Tenant } from 'dealwright';
import type { Limiter, PortGuard } from 'dealwright/ports';
import type { Route } from '../wire/route.js';
import { askPort, type Refusal } from './reply.js';
import { wholeSeconds } from './request-facts.js';

interface Decision {
  readonly allowed: boolean;
  readonly retryAfter?: number | undefined;
}

/** Asks whether one more call may pass; `pause` is what a limiter that does not say means. */
export async function askLimiter(
  guard: PortGuard,
  limiter: Limiter,
  tenant: Tenant,
  { operation }: Route,
  pause: number,
): Promise<Refusal | undefined> {
  const decision = await askPort(
    guard,
    'limiter.take',
    () => limiter.take(tenant, operation),
    ({ allowed, retryAfter }: Decision) =>
      typeof allowed === 'boolean' ? { allowed, retryAfter } : undefined,
    'not a decision',
  );
  if ('code' in decision) return decision;
  if (decision.allowed) return undefined;
  const headers = { 'retry-after': wholeSeconds(decision.retryAfter ?? pause) };
  return { code: 'rate_limited', headers };
}
