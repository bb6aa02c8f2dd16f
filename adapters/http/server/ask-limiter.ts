import type { Tenant } from 'dealwright';
import type { Answer, LimitedCaller, LimiterDecision, PortGuard, Usage } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { callHook, type Route } from '../wire/route.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { askPort, type Refusal, type Reply } from './reply.js';
import { addressOf, wholeSeconds } from './request-facts.js';

interface Decision {
  readonly allowed: boolean;
  readonly retryAfter?: number | undefined;
}

/** A caller that a limiter limits. */
export type Limited = { readonly tenant: Tenant } | LimitedCaller;

/** The limits of a handler. */
export type Limits = NonNullable<ReturnType<typeof createLimits>>;

/** Tells the limiter what the requests of a caller need. */
export type Spend = (of: Usage['of'], size: number) => void;

/** Asks the limiter of a handler, if it has one; without a decision the request passes. */
export function createLimits(
  { limiter, proxies = 0, retryAfter = 5 }: HandlerOptions,
  guard: PortGuard,
) {
  if (limiter === undefined) return undefined;

  async function ask(
    port: 'take' | 'takeOther',
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

  const askOther = (other: LimitedCaller) =>
    ask('takeOther', () => limiter.takeOther?.(other) ?? ok({ allowed: true }));

  return {
    /** Whether one more request of a caller may pass: asked once its route is known. */
    async pass(caller: Limited, { operation }: Route): Promise<Refusal | undefined> {
      if (!('tenant' in caller)) return limiter.takeOther && askOther(caller);
      const { tenant } = caller;
      return ask('take', () => limiter.take(tenant, operation));
    },
    /** Tells what further requests of a caller need; `undefined` if the limiter does not count it. */
    spendOf(caller: Limited): Spend | undefined {
      const { spend, spendOther } = limiter;
      const port =
        'tenant' in caller
          ? spend && ((usage: Usage) => spend.call(limiter, caller.tenant, usage))
          : spendOther && ((usage: Usage) => spendOther.call(limiter, caller, usage));
      return port && ((of, size) => callHook(port, { of, size }));
    },
    /** The refusal of a client that has sent too many tokens that are not valid. */
    async mayFail(request: HttpRequest): Promise<Refusal | undefined> {
      const address = addressOf(request, proxies);
      const isTried = address !== undefined && tokenIn(request) !== undefined;
      if (limiter.takeOther === undefined || !isTried) return undefined;
      return askOther({ kind: 'failed_token', key: address });
    },
  };
}

/** A request whose body is counted as it comes. */
export function countedBody(request: HttpRequest, spend: Spend): HttpRequest {
  const { method, target } = request;
  return {
    ...{ method, target },
    header: (name) => request.header(name),
    async body(limit) {
      const bytes = await request.body(limit);
      if (typeof bytes !== 'string') spend('json', bytes.length);
      return bytes;
    },
    stream: () => countedPieces(request.stream(), spend),
  };
}

/** An answer that is counted: one with a file as that is sent. */
export function countedReply({ method }: HttpRequest, reply: Reply, spend: Spend): Reply {
  const { body } = reply;
  if (body === undefined) return reply;
  if (typeof body !== 'string') return { ...reply, body: countedPieces(body, spend) };
  if (method !== 'HEAD') spend('json', body.length);
  return reply;
}

/** The pieces of a file, each counted as it passes. */
async function* countedPieces(
  pieces: AsyncIterable<Uint8Array>,
  spend: Spend,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    spend('file', piece.length);
    yield piece;
  }
}

/** The token of a request, of any scheme. */
function tokenIn(request: HttpRequest): string | undefined {
  return /\s(\S+)\s*$/.exec(request.header('authorization') ?? '')?.[1];
}
