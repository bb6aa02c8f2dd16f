import type { Tenant } from 'dealwright';
import type { Answer, LimitedCaller, LimiterDecision, PortGuard, Usage } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { callHook, type Route } from '../wire/route.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { askPort, type Refusal, type Reply } from './reply.js';
import { addressOf, timeOf, wholeSeconds } from './request-facts.js';
import { createTokenCache } from './token-cache.js';
import type { Turn } from './turn.js';

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

/** More bytes than this take a while: no other request is answered meanwhile. */
const large = 64 * 1024;

/** How many callers that need much are remembered, and for how many milliseconds. */
const [mostLong, longFor] = [10_000, 10_000];

/** Asks the limiter of a handler, if it has one; without a decision the request passes. */
export function createLimits(
  { limiter, timer, proxies = 0, retryAfter = 5 }: HandlerOptions,
  guard: PortGuard,
  turn: Turn | undefined,
) {
  if (limiter === undefined) return undefined;
  /** The callers of whom a request has needed much a short while ago. */
  const long = createTokenCache<true>(mostLong, longFor);

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
      // its requests are asked about one by one: what each of them needs is known before the next
      if (turn !== undefined && long.get(keyOf(caller), timeOf(timer)) === true) await turn();
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
      if (port === undefined) return undefined;
      const key = keyOf(caller);
      return (of, size) => {
        if (of !== 'file' && size > large) long.set(key, true, timeOf(timer));
        callHook(port, { of, size });
      };
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

/** The same for all requests of a caller, and for no other. */
const keyOf = (caller: Limited): string =>
  'tenant' in caller
    ? `${caller.tenant.environment} ${caller.tenant.partner}`
    : `${caller.kind} ${caller.key}`;

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
