import type { Environment, Marketplace, ServicePromises } from 'dealwright';
import { createPortGuard } from 'dealwright/ports';
import { allRoutes } from '../wire/all-routes.js';
import { problemBody, statuses } from '../wire/problem.js';
import type { ApiVersion, Route } from '../wire/route.js';
import { callHook } from '../wire/route.js';
import { countedBody, countedReply, createLimits } from './ask-limiter.js';
import { createBeside } from './beside.js';
import { callOperation } from './call-operation.js';
import { type Caller, createCallers } from './callers.js';
import { asksForProblem, preferredLanguage } from './language.js';
import type { Handler, HttpRequest, HttpResponse } from './messages.js';
import { checkHandlerOptions, type HandlerOptions } from './options.js';
import {
  allowsOrigin,
  apiHeaders,
  corsHeaders,
  deprecationHeaders,
  noOperation,
  preflightHeaders,
  type Refusal,
  type Reply,
  type Scheme,
  unauthorized,
  wrongMethod,
} from './reply.js';
import {
  givenIdOf,
  longestTarget,
  pathWithin,
  requestIdOf,
  schemeOf,
  schemesIn,
  timeOf,
  wholeSeconds,
} from './request-facts.js';
import { createRouter, methodsOf, type Resource, routeFor, servedWith } from './router.js';
import { createTurnForEach } from './turn.js';

/** What every answer needs of its request. */
interface Written {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly path: string;
}

/** A request with all that is known of it so far. */
interface Exchange extends Written {
  readonly resource: Resource | undefined;
  readonly route: Route | undefined;
  caller: Caller | undefined;
}

/** The facts that decide where a route is served. */
type Served = Pick<Resource, 'version' | 'face'>;

/** A known answer is given at once: each turn of the queue costs as much as a look-up. */
type Answered = Reply | Refusal | Promise<Reply | Refusal>;

/**
 * Says whether a handler has a route: a route without possible credentials does not exist, nor a
 * route that the host has not wired.
 */
function isOn(
  { face, path }: Route,
  marketplace: Marketplace,
  callers: ReturnType<typeof createCallers>,
): boolean {
  if (marketplace.hasWebhooks === false && /\/(webhook|(failed-)?delivery)\//.test(path))
    return false;
  if (marketplace.hasTokenLists === false && path.endsWith('/token/')) return false;
  switch (face) {
    case 'partner':
      return true;
    case 'sandbox':
      return marketplace.sandbox !== undefined;
    case 'freelancer':
      return callers.Offer !== undefined;
    case 'operator':
      return callers.Operator !== undefined;
  }
}

const allVersions: readonly ApiVersion[] = ['1.0', '2.0'];

/** The response; HEAD gets the length of the body that GET would get. */
function finish(
  { method }: HttpRequest,
  status: number,
  headers: Record<string, string>,
  body: HttpResponse['body'],
): HttpResponse {
  if (method !== 'HEAD' || body === undefined) return { status, headers, body };
  if (typeof body === 'string') {
    headers['content-length'] = String(new TextEncoder().encode(body).length);
  }
  return { status, headers, body: undefined };
}

/**
 * Makes the handler of the interface: a function from plain requests to plain responses.
 * `createFetchHandler` and `createNodeListener` bring it to a runtime. It never rejects: every
 * request gets a response of the interface (decision 5).
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createTokenAuthenticator } from 'dealwright/auth';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createHandler } from 'dealwright/http';
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const system = createSystemPorts();
 * const marketplace = createMarketplace({
 *   ...system,
 *   store: createMemoryStore(),
 *   files: createMemoryFileStore(),
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
  checkHandlerOptions(marketplace, options);
  const { timer, ids, onRequest, onError, retryAfter = 5 } = options;
  const { environment = 'by-token', versions, corsOrigins, bodyLimit = 2 ** 20 } = options;
  const { basePath = '' } = options;
  const guard = createPortGuard(timer, options.deadline ?? 10_000);
  const turn = createTurnForEach();
  const limits = createLimits(options, guard);
  const deprecation = deprecationHeaders(options.deprecation);
  const reading = { json: bodyLimit, file: marketplace.fileLimit, turn };

  const servedIn = (where: Environment) => versions?.[where] ?? allVersions;
  const served: Partial<Record<Environment, readonly ApiVersion[]>> =
    environment === 'by-token'
      ? { production: servedIn('production'), sandbox: servedIn('sandbox') }
      : { [environment]: servedIn(environment) };
  const environments = (['production', 'sandbox'] as const).filter(
    (where) => (served[where]?.length ?? 0) > 0,
  );
  const serving = {
    ...reading,
    promises: (of: ServicePromises) => ({
      ...of,
      versions: of.versions.filter((each) => served[of.environment]?.includes(each)),
      max_body_size: Math.min(of.max_body_size, bodyLimit),
      accepts_bearer: options.acceptBearer === true,
      allows_any_origin: options.corsOrigins === '*',
    }),
  };
  const isServed = ({ version, face }: Served, where: Environment): boolean =>
    version === undefined
      ? environments.includes(where) && (face !== 'sandbox' || where === 'sandbox')
      : served[where]?.includes(version) === true;
  const isServedAnywhere = (resource: Served): boolean =>
    isServed(resource, 'production') || isServed(resource, 'sandbox');
  const [only = environment, more] = environments;
  const callers = createCallers(
    marketplace,
    options,
    guard,
    limits,
    more === undefined ? only : 'by-token',
  );
  const own = allRoutes(marketplace.lifecycle).filter((each) => isOn(each, marketplace, callers));
  const router = createRouter(own);
  const beside = createBeside(options, marketplace.ready, () => ({
    routes: own.filter((route) => isServedAnywhere({ ...route, version: servedWith(route) })),
    lifecycle: marketplace.lifecycle,
    valueSets: marketplace.valueSets,
    descriptionLimit: marketplace.descriptionLimit,
    limits: reading,
    served,
    deprecation,
    basePath,
  }));

  function answerApi(exchange: Exchange, scheme: Scheme): Answered {
    const identify = callers[scheme];
    if (identify === undefined) return noOperation;
    const caller = identify(exchange.request);
    return caller instanceof Promise
      ? caller.then((found) => answerCaller(exchange, scheme, found))
      : answerCaller(exchange, scheme, caller);
  }

  /** The first face whose credentials these are: a `Bearer`, and a session, say no scheme. */
  async function answerAny(exchange: Exchange): Promise<Reply | Refusal> {
    for (const scheme of schemesIn(exchange.request)) {
      const caller = await callers[scheme]?.(exchange.request);
      if (caller === undefined || ('code' in caller && caller.code === 'unauthorized')) continue;
      return answerCaller(exchange, scheme, caller);
    }
    return unauthorized('Token');
  }

  function answerCaller(exchange: Exchange, scheme: Scheme, caller: Caller | Refusal): Answered {
    if ('code' in caller) return caller;
    const { environment: where, limited, spend } = caller;
    if (environment !== 'by-token' && where !== undefined && where !== environment) {
      return unauthorized(scheme);
    }
    exchange.caller = caller;

    const { request, resource, route } = exchange;
    // the token of a freelancer says in which environment the deal is
    const isHere = where === undefined ? isServedAnywhere : (each: Served) => isServed(each, where);
    if (resource === undefined || !isHere(resource)) return noOperation;
    if (route === undefined) return wrongMethod(methodsOf(resource));
    const asked = spend === undefined ? request : countedBody(request, spend);
    const call = () => callOperation(asked, route, resource.parameters, caller, serving);
    const passed = limited && limits?.pass(limited, route);
    return passed === undefined ? call() : passed.then((refused) => refused ?? call());
  }

  function answer(exchange: Exchange): Answered {
    const { request, path } = exchange;
    if (request.method === 'OPTIONS') return answerOptions(exchange);
    const scheme = schemeOf(path);
    if (scheme === 'any') return answerAny(exchange);
    if (scheme !== undefined) return answerApi(exchange, scheme);
    const page = beside.find(path);
    if (page === undefined) return noOperation;
    if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD');
    return page(request);
  }

  function answerOptions({ request, path, resource }: Exchange): Reply | Refusal {
    const isOne = resource !== undefined && isServedAnywhere(resource);
    const methods = isOne ? methodsOf(resource) : beside.methods(path);
    if (methods === undefined) return noOperation;
    const allow = `${methods}, OPTIONS`;
    const isPreflight = allowsOrigin(corsOrigins, request.header('origin'));
    return {
      status: 204,
      body: undefined,
      headers: { allow, ...(isPreflight ? preflightHeaders(allow, options.corsHeaders) : {}) },
    };
  }

  function write(exchange: Written, reply: Reply | Refusal): HttpResponse {
    const { request, requestId, path } = exchange;
    const isVersion1 = path.startsWith('/api/1.0/');
    const headers: Record<string, string> = { 'x-request-id': requestId };
    if (corsOrigins !== undefined) {
      Object.assign(headers, corsHeaders(corsOrigins, request.header('origin')));
    }
    if (isVersion1 && deprecation !== undefined) Object.assign(headers, deprecation);
    if (schemeOf(path) !== undefined) Object.assign(headers, apiHeaders);
    if (!('code' in reply)) {
      if (typeof reply.body === 'string') headers['content-type'] = 'application/json';
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

  /** Tells why a request was refused, if the client is not told it. */
  function tell(request_id: string, { code, port, cause }: Refusal): void {
    if (onError === undefined) return;
    callHook(onError, { request_id, code, ...(port === undefined ? {} : { port }), cause });
  }

  function report(exchange: Exchange, reply: Reply | Refusal, status: number, begun: number): void {
    const { requestId: request_id, request, path, route, caller } = exchange;
    if ('cause' in reply) tell(request_id, reply);
    if (onRequest === undefined) return;
    callHook(onRequest, {
      request_id,
      method: request.method,
      status,
      duration: timeOf(timer) - begun,
      deprecated: path.startsWith('/api/1.0/') && exchange.resource !== undefined,
      ...(route && { route: route.path, operation: route.operation, api_version: route.version }),
      ...(caller?.environment && { environment: caller.environment }),
      ...(caller?.tenant && { partner: caller.tenant.partner }),
    });
  }

  return {
    async handle(request) {
      const path = pathWithin(basePath, request);
      // like any unknown path, it gets its 404 after the check of the token
      const resource = request.target.length > longestTarget ? undefined : router.find(path);
      const route = routeFor(resource, request.method);
      const requestId = requestIdOf(givenIdOf(request), ids);
      const exchange: Exchange = { request, requestId, path, resource, route, caller: undefined };
      const begun = onRequest === undefined ? 0 : timeOf(timer);
      let reply: Reply | Refusal;
      try {
        const answered = answer(exchange);
        reply = answered instanceof Promise ? await answered : answered;
        const spend = exchange.caller?.spend;
        if (spend !== undefined && !('code' in reply)) reply = countedReply(request, reply, spend);
        if (limits !== undefined && 'code' in reply && reply.code === 'unauthorized') {
          reply = (await limits.mayFail(request)) ?? reply;
        }
      } catch (cause) {
        reply = { code: 'internal', cause };
      }
      const response = write(exchange, reply);
      report(exchange, reply, response.status, begun);
      return response;
    },
    sendFailed(request, failed, cause) {
      const requestId = failed?.headers['x-request-id'] ?? requestIdOf(givenIdOf(request), ids);
      const path = pathWithin(basePath, request);
      const reply: Refusal = { code: 'internal', cause };
      tell(requestId, reply);
      return write({ request, requestId, path }, reply);
    },
  };
}
