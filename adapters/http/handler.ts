import {
  type Environment,
  isTenant,
  type Marketplace,
  type PartnerApi,
  type Tenant,
} from 'dealwright';
import {
  createPortGuard,
  type Limiter,
  type LimiterDecision,
  type PortFailure,
} from 'dealwright/ports';
import { callOperation } from './call-operation.js';
import { allowsOrigin, corsHeaders, deprecationHeaders, preflightHeaders } from './header-sets.js';
import { callHook } from './hooks.js';
import { asksForProblem, preferredLanguage } from './language.js';
import type { Handler, HttpRequest, HttpResponse } from './messages.js';
import { checkOptions, type HandlerOptions } from './options.js';
import { problemBody, statuses } from './problem.js';
import { type Refusal, type Reply, unauthorized, wrongMethod } from './reply.js';
import {
  isApi,
  isHealth,
  pathOf,
  pathsOf,
  readToken,
  requestIdOf,
  timeOf,
  wholeSeconds,
} from './request-facts.js';
import { type ApiVersion, type Route, routes } from './routes.js';
import { createTokenCache } from './token-cache.js';

/** Whom a token speaks for, and what they can do. */
interface Caller {
  readonly tenant: Tenant;
  readonly api: PartnerApi<never>;
}

/** What is known of a request so far. */
interface Exchange {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly path: string;
  route: Route | undefined;
  caller: Caller | undefined;
}

/** What is known at once is answered at once: each turn of the queue costs as much as a look-up. */
type Answered = Reply | Refusal | Promise<Reply | Refusal>;

const allVersions: readonly ApiVersion[] = ['1.0', '2.0'];

/** The methods of what is no route of the interface; `*` asks about the server (RFC 9110, 9.3.7). */
function methodsBeside(path: string): string | undefined {
  if (isHealth(path)) return 'GET, HEAD';
  return path === '*' ? 'GET, HEAD, POST' : undefined;
}

/** The response; HEAD is told the length of the body that GET would get. */
function finish(
  { method }: HttpRequest,
  status: number,
  headers: Record<string, string>,
  body: string | undefined,
): HttpResponse {
  if (method !== 'HEAD' || body === undefined) return { status, headers, body };
  headers['content-length'] = String(new TextEncoder().encode(body).length);
  return { status, headers, body: undefined };
}

/** A port of the handler's own failed: nothing was asked of the marketplace yet. */
function failed(port: string, { retryable, retryAfter, cause }: PortFailure): Refusal {
  return {
    code: retryable ? 'unavailable' : 'internal',
    outcome: 'none',
    port,
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/**
 * Makes the handler of the interface: a function from plain requests to plain responses, which
 * `createFetchHandler` and `createNodeListener` bring to a runtime. It never rejects; whatever a
 * request holds, the answer is one of the interface (decision 5).
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createTokenAuthenticator } from 'dealwright/auth';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createHandler } from 'dealwright/http';
 * import { createMemoryStore } from 'dealwright/memory';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const system = createSystemPorts();
 * const marketplace = createMarketplace({
 *   ...system,
 *   ...createMemoryStore(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * });
 * const handler = createHandler(marketplace, {
 *   ...system,
 *   authenticator: createTokenAuthenticator(
 *     [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
 *     system,
 *   ),
 * });
 * ```
 */
export function createHandler(marketplace: Marketplace, options: HandlerOptions): Handler {
  checkOptions(marketplace, options);
  const { clock, ids, digest, authenticator, limiter, onRequest, onError } = options;
  const { environment = 'by-token', versions, corsOrigins, bodyLimit = 2 ** 20 } = options;
  const { tokenCacheSize = 10_000, tokenCacheAge = 60_000, retryAfter = 5 } = options;
  const guard = createPortGuard(clock, options.deadline ?? 10_000);
  const callers = createTokenCache<Caller>(tokenCacheSize, tokenCacheAge);
  const deprecation = deprecationHeaders(options.deprecation);
  const routesByPath = new Map(
    routes.flatMap((route) => pathsOf(route.path).map((path) => [path, route])),
  );

  const isServed = ({ version }: Route, where: Environment): boolean =>
    (versions?.[where] ?? allVersions).includes(version);
  const isServedAnywhere = (route: Route | undefined): route is Route =>
    route !== undefined &&
    (environment === 'by-token'
      ? isServed(route, 'production') || isServed(route, 'sandbox')
      : isServed(route, environment));

  function identify(token: string): Caller | Promise<Caller | Refusal> {
    const now = clock.now();
    const key = digest(token);
    return callers.get(key, now) ?? askAuthenticator(token, key, now);
  }

  async function askAuthenticator(
    token: string,
    key: string,
    askedAt: number,
  ): Promise<Caller | Refusal> {
    const found = await guard('none', () => authenticator.authenticate(token));
    if (found.isErr()) return failed('authenticator.authenticate', found.error);
    if (found.value === undefined) return unauthorized;
    if (!isTenant(found.value)) {
      const cause = 'not a tenant';
      return { code: 'internal', outcome: 'none', port: 'authenticator.authenticate', cause };
    }
    // nothing else that the host keeps with its tenants comes as far as a hook
    const tenant = Object.freeze({
      environment: found.value.environment,
      partner: found.value.partner,
    });
    const caller = { tenant, api: marketplace.partner(tenant) };
    // the age counts from the question: the answer to a slow one is no younger than that
    callers.set(key, caller, askedAt);
    return caller;
  }

  function answerApi(exchange: Exchange): Answered {
    const token = readToken(exchange.request.header('authorization'));
    if (token === undefined) return unauthorized;
    const caller = identify(token);
    return caller instanceof Promise
      ? caller.then((found) => answerCaller(exchange, found))
      : answerCaller(exchange, caller);
  }

  function answerCaller(exchange: Exchange, caller: Caller | Refusal): Answered {
    if ('code' in caller) return caller;
    const { tenant } = caller;
    if (environment !== 'by-token' && tenant.environment !== environment) return unauthorized;
    exchange.caller = caller;

    const { request, route } = exchange;
    if (route === undefined || !isServed(route, tenant.environment)) return { code: 'not_found' };
    if (request.method !== route.method) return wrongMethod(route.method);
    const call = () => callOperation(request, route, caller.api, bodyLimit);
    if (limiter === undefined) return call();
    return askLimiter(limiter, tenant, route).then((refused) => refused ?? call());
  }

  async function askLimiter(
    limiter: Limiter,
    tenant: Tenant,
    { operation }: Route,
  ): Promise<Refusal | undefined> {
    const port = 'limiter.take';
    const taken = await guard('none', () => limiter.take(tenant, operation));
    if (taken.isErr()) return failed(port, taken.error);
    const decision: Partial<LimiterDecision> | null | undefined = taken.value;
    if (decision?.allowed === true) return undefined;
    if (decision?.allowed === false) {
      const headers = { 'retry-after': wholeSeconds(decision.retryAfter ?? retryAfter) };
      return { code: 'rate_limited', headers };
    }
    return { code: 'internal', outcome: 'none', port, cause: 'not a decision' };
  }

  function answer(exchange: Exchange): Answered {
    const { request, path } = exchange;
    if (request.method === 'OPTIONS') return answerOptions(exchange);
    if (isApi(path)) return answerApi(exchange);
    if (!isHealth(path)) return { code: 'not_found' };
    if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD');
    return { status: 200, body: '{"status":"ok"}' };
  }

  function answerOptions({ request, path, route }: Exchange): Reply | Refusal {
    const methods = isServedAnywhere(route) ? route.method : methodsBeside(path);
    if (methods === undefined) return { code: 'not_found' };
    const allow = `${methods}, OPTIONS`;
    const isPreflight = allowsOrigin(corsOrigins, request.header('origin'));
    return {
      status: 204,
      body: undefined,
      headers: { allow, ...(isPreflight ? preflightHeaders(allow) : {}) },
    };
  }

  function write(exchange: Exchange, reply: Reply | Refusal): HttpResponse {
    const { request, requestId, path } = exchange;
    const isVersion1 = path.startsWith('/api/1.0/');
    const headers: Record<string, string> = { 'x-request-id': requestId };
    if (corsOrigins !== undefined) {
      Object.assign(headers, corsHeaders(corsOrigins, request.header('origin')));
    }
    if (isVersion1 && deprecation !== undefined) Object.assign(headers, deprecation);
    // answers hold payment tokens
    if (isApi(path)) headers['cache-control'] = 'no-store';
    if (!('code' in reply)) {
      if (reply.body !== undefined) headers['content-type'] = 'application/json';
      if (reply.headers !== undefined) Object.assign(headers, reply.headers);
      return finish(request, reply.status, headers, reply.body);
    }
    const status = statuses[reply.code];
    const language = preferredLanguage(request.header('accept-language'));
    headers['content-type'] = asksForProblem(request.header('accept'))
      ? 'application/problem+json'
      : 'application/json';
    headers['content-language'] = language;
    if (reply.code === 'unavailable') {
      headers['retry-after'] = wholeSeconds(reply.retryAfter ?? retryAfter);
    }
    Object.assign(headers, reply.headers);
    return finish(request, status, headers, problemBody(reply, requestId, language, isVersion1));
  }

  function report(exchange: Exchange, reply: Reply | Refusal, status: number, begun: number): void {
    const { requestId: request_id, request, route, caller } = exchange;
    if (onError !== undefined && 'code' in reply && status >= 500) {
      const { code, port, cause } = reply;
      callHook(onError, { request_id, code, ...(port === undefined ? {} : { port }), cause });
    }
    if (onRequest === undefined) return;
    callHook(onRequest, {
      request_id,
      method: request.method,
      status,
      duration: timeOf(clock) - begun,
      deprecated: route?.version === '1.0',
      ...(route && { route: route.path, operation: route.operation, api_version: route.version }),
      ...caller?.tenant,
    });
  }

  return {
    async handle(request) {
      const path = pathOf(request.target);
      const route = routesByPath.get(path);
      const requestId = requestIdOf(request.header('x-request-id'), ids);
      const exchange: Exchange = { request, requestId, path, route, caller: undefined };
      const begun = onRequest === undefined ? 0 : timeOf(clock);
      let reply: Reply | Refusal;
      try {
        const answered = answer(exchange);
        reply = answered instanceof Promise ? await answered : answered;
      } catch (cause) {
        reply = { code: 'internal', cause };
      }
      const response = write(exchange, reply);
      report(exchange, reply, response.status, begun);
      return response;
    },
  };
}
