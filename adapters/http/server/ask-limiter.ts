import type { Tenant } from 'dealwright';
import type { Limiter, LimiterDecision, PortGuard } from 'dealwright/ports';
import type { Route } from '../wire/routes.js';
import { portRefusal, type Refusal } from './reply.js';
import { wholeSeconds } from './request-facts.js';

/** Asks whether one more call may pass; `pause` is what a limiter that does not say means. */
export async function askLimiter(
  guard: PortGuard,
  limiter: Limiter,
  tenant: Tenant,
  { operation }: Route,
  pause: number,
): Promise<Refusal | undefined> {
  const port = 'limiter.take';
  const taken = await guard('none', () => limiter.take(tenant, operation));
  if (taken.isErr()) return portRefusal({ ...taken.error, port, outcome: 'none' });
  const decision = readDecision(taken.value);
  if (decision === undefined) {
    return portRefusal({ port, outcome: 'none', retryable: false, cause: 'not a decision' });
  }
  if (decision.allowed) return undefined;
  return {
    code: 'rate_limited',
    headers: { 'retry-after': wholeSeconds(decision.retryAfter ?? pause) },
  };
}

interface Decision {
  readonly allowed: boolean;
  readonly retryAfter?: number | undefined;
}

function readDecision(value: LimiterDecision): Decision | undefined {
  try {
    const { allowed, retryAfter }: Decision = value;
    return typeof allowed === 'boolean' ? { allowed, retryAfter } : undefined;
  } catch {
    return undefined;
  }
}
