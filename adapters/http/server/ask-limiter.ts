import type { Tenant } from 'dealwright';
import type { Answer, LimitedCaller, Limiter, LimiterDecision, PortGuard } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Route } from '../wire/route.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { askPort, type Refusal, type Scheme } from './reply.js';
import { addressOf, wholeSeconds } from './request-facts.js';

interface Decision {
  readonly allowed: boolean;
  readonly retryAfter?: number | undefined;
}

/** A request whose caller is known, unless it is the bearer of a payment token. */
interface Asking {
  readonly request: HttpRequest;
  readonly scheme: Scheme;
  readonly route: Route;
  readonly tenant: Tenant | undefined;
}

/** Asks the limiter of a handler, if it has one; without a decision the request passes. */
export function createLimits(
  { limiter, digest, proxies = 0, retryAfter = 5 }: HandlerOptions,
  guard: PortGuard,
) {
  if (limiter === undefined) return undefined;

  async function ask(
    port: keyof Limiter,
    take: () => Answer<LimiterDecision>,
  ): Promise<Refusal | undefined> {
    const decision = await askPort(
      guard,
      `limiter.${port}`,
      take,
      ({ allowed, retryAfter }: Decision) =>
        typeof allowed === 'boolean' ? { allowed, retryAfter } : undefined,
      'not a decision',
    );
    if ('code' in decision) return decision;
    if (decision.allowed) return undefined;
    // without a value of the limiter, the default of all ports applies
    const headers = { 'retry-after': wholeSeconds(decision.retryAfter ?? retryAfter) };
    return { code: 'rate_limited', headers };
  }

  const askOther = (kind: LimitedCaller['kind'], key: string) =>
    ask('takeOther', () => limiter.takeOther?.({ kind, key }) ?? ok({ allowed: true }));

  return {
    /** Whether one more request may pass: asked once its route is known. */
    pass({ request, scheme, route, tenant }: Asking): Promise<Refusal | undefined> | undefined {
      if (tenant !== undefined) return ask('take', () => limiter.take(tenant, route.operation));
      // a caller that the host knows by a session has no token
      const token = tokenIn(request);
      if (limiter.takeOther === undefined || token === undefined) return undefined;
      return askOther(scheme === 'Offer' ? 'offer' : 'operator', digest(token));
    },
    /** The refusal of a client that has sent too many tokens that are not valid. */
    async mayFail(request: HttpRequest): Promise<Refusal | undefined> {
      const address = addressOf(request, proxies);
      const isTried = address !== undefined && tokenIn(request) !== undefined;
      if (limiter.takeOther === undefined || !isTried) return undefined;
      return askOther('failed_token', address);
    },
  };
}

/** The token of a request, of any scheme. */
function tokenIn(request: HttpRequest): string | undefined {
  return /\s(\S+)\s*$/.exec(request.header('authorization') ?? '')?.[1];
}
