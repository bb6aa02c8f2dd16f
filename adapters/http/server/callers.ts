import { type Environment, isTenant, type Marketplace, type Tenant } from 'dealwright';
import type { Answer, PortGuard } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Route } from '../wire/route.js';
import type { Limited, Limits, Spend } from './ask-limiter.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import {
  allowsOrigin,
  askPort,
  foreignRefusal,
  portRefusal,
  type Refusal,
  type Scheme,
  unauthorized,
} from './reply.js';
import { readToken, timeOf } from './request-facts.js';
import type { Resource } from './router.js';
import { createTokenCache } from './token-cache.js';
import { mayWaitForOthers } from './turn.js';

/** The owner of credentials, and the operations that they allow. */
export interface Caller {
  /** The tenant of the deals; absent if the route names it. */
  readonly tenant?: Tenant;
  /** The environment; absent if each deal has its own. */
  readonly environment?: Environment;
  /** As whom a limiter knows it: not an operator that the host knows, who has no token. */
  readonly limited?: Limited | undefined;
  /** Tells the limiter what its requests need, if that counts it. */
  readonly spend?: Spend | undefined;
  /** The API with the operation of a route; `undefined` if it does not exist for this caller. */
  apiOf(route: Route, parameters: Resource['parameters']): object | undefined;
}

/** Finds the caller of a request: at once if its token was seen a short while ago. */
export type Identify = (request: HttpRequest) => Caller | Refusal | Promise<Caller | Refusal>;

type Found = Caller | Refusal | Promise<Caller | Refusal>;

/** The callers of a handler, by the schemes of their credentials (decision 6.5). */
export function createCallers(
  marketplace: Marketplace,
  options: HandlerOptions,
  guard: PortGuard,
  limits: Limits | undefined,
  freelancersOf: Environment | 'by-token',
): Partial<Readonly<Record<Scheme, Identify>>> {
  const { authenticator, operatorAuthenticator, acceptBearer = false } = options;

  /** By the token of a request. */
  const byToken =
    (scheme: Scheme, find: (token: string) => Found): Identify =>
    (request) => {
      const token = readToken(request.header('authorization'), scheme, acceptBearer);
      return token === undefined ? unauthorized(scheme) : find(token);
    };
  /** By the answer of the host, or else by that of an authenticator. */
  function byHost<T>({ scheme, port, authenticator: asked, read, named, flaw }: Kind<T>): Identify {
    const find =
      asked === 'host'
        ? () => unauthorized(scheme)
        : createIdentify(options, (token, key) =>
            askPort(
              guard,
              port,
              () => asked.authenticate(token),
              (found) => (found === undefined ? unauthorized(scheme) : read(found, key)),
              flaw,
            ),
          );
    const readHost = (says: HostSays) => {
      const found = named(says);
      return found === undefined ? undefined : read(found);
    };
    return identifyByHost(options, guard, scheme, readHost, byToken(scheme, find));
  }

  const callers: Partial<Record<Scheme, Identify>> = {
    Token: byHost<Tenant>({
      scheme: 'Token',
      port: 'authenticator.authenticate',
      authenticator,
      read: (tenant) => partnerCaller(marketplace, limits, tenant),
      named: ({ tenant }) => tenant,
      flaw: 'not a tenant',
    }),
  };
  if (marketplace.freelancer !== undefined) {
    callers.Offer = byToken('Offer', (token) => {
      const limited = limits && ({ kind: 'offer', key: options.digest(token) } as const);
      const spend = limited && limits.spendOf(limited);
      const api = marketplace.freelancer?.(freelancersOf, token, meterOf(spend));
      return { limited, spend, apiOf: () => api };
    });
  }
  if (marketplace.operator !== undefined && operatorAuthenticator !== undefined) {
    callers.Operator = byHost<Environment>({
      scheme: 'Operator',
      port: 'operatorAuthenticator.authenticate',
      authenticator: operatorAuthenticator,
      read: (environment, key) => operatorCaller(marketplace, limits, environment, key),
      named: ({ operatorOf }) => operatorOf,
      flaw: 'not an environment',
    });
  }
  return callers;
}

/** The callers with credentials of one scheme. */
interface Kind<T> {
  readonly scheme: Scheme;
  readonly port: string;
  readonly authenticator: { authenticate(token: string): Answer<T | undefined> } | 'host';
  /**
   * Makes a caller of the owner of credentials; `undefined` if there can be no such owner. `key` is
   * the digest of the token, if there is one.
   */
  readonly read: (found: T, key?: string) => Caller | undefined;
  /** The same owner, as the host names it; `undefined` if it is of another kind. */
  readonly named: (says: HostSays) => T | undefined;
  readonly flaw: string;
}

const meterOf = (spend: Spend | undefined) => spend && ((size: number) => spend('records', size));

/** Drops all other members that a host keeps with a tenant, so that no hook gets them. */
function partnerCaller(
  marketplace: Marketplace,
  limits: Limits | undefined,
  value: Tenant,
): Caller | undefined {
  const { environment, partner } = value;
  const tenant = Object.freeze({ environment, partner });
  if (!isTenant(tenant)) return undefined;
  const limited = limits && { tenant };
  const spend = limited && limits.spendOf(limited);
  const meter = meterOf(spend);
  const api = marketplace.partner(tenant, meter);
  const sandbox = environment === 'sandbox' ? marketplace.sandbox?.(tenant, meter) : undefined;
  return {
    ...{ tenant, environment, limited, spend },
    apiOf: ({ face }) => (face === 'sandbox' ? sandbox : api),
  };
}

function operatorCaller(
  marketplace: Marketplace,
  limits: Limits | undefined,
  environment: Environment,
  key: string | undefined,
): Caller | undefined {
  if (!isTenant({ environment, partner: '-' })) return undefined;
  const limited = key === undefined ? undefined : ({ kind: 'operator', key } as const);
  const spend = limited && limits?.spendOf(limited);
  const api = marketplace.operator?.(environment, meterOf(spend));
  return {
    ...{ environment, limited, spend },
    apiOf(_route, { partner }) {
      if (partner === undefined) return api;
      return isTenant({ environment, partner }) ? api?.partner(partner) : undefined;
    },
  };
}

/** Remembers callers by the digests of their tokens (decision 5.3). */
function createIdentify(
  { timer, digest, tokenCacheSize = 10_000, tokenCacheAge = 60_000 }: HandlerOptions,
  authenticate: (token: string, key: string) => Promise<Caller | Refusal>,
): (token: string) => Found {
  const callers = createTokenCache<Caller>(tokenCacheSize, tokenCacheAge);
  // one question for all requests with a token while it is open: in a cache of its own, so that
  // unknown tokens do not drive out good ones
  const questions = createTokenCache<Promise<Caller | Refusal>>(
    mayWaitForOthers ? tokenCacheSize : 0,
    tokenCacheAge,
  );

  async function ask(token: string, key: string, askedAt: number): Promise<Caller | Refusal> {
    const caller = await authenticate(token, key);
    // the age counts from the question: a slow answer is as old as its question
    if (!('code' in caller)) callers.set(key, caller, askedAt);
    return caller;
  }

  function open(token: string, key: string, now: number): Promise<Caller | Refusal> {
    const question = ask(token, key, now);
    questions.set(key, question, now);
    const close = () => questions.delete(key);
    question.then(close, close);
    return question;
  }

  return (token) => {
    let now: number;
    let key: string;
    try {
      now = timer.now();
      key = digest(token);
    } catch (cause) {
      return portRefusal({ port: 'system', outcome: 'none', retryable: true, cause });
    }
    return callers.get(key, now) ?? questions.get(key, now) ?? open(token, key, now);
  };
}

/** The answer of the host: a partner, or the environment of an operator. */
interface HostSays {
  readonly tenant?: Tenant;
  readonly operatorOf?: Environment;
}

/**
 * Finds the caller by the answer of the host, or else by `otherwise`; `read` returns `undefined`
 * for a caller of another face.
 */
function identifyByHost(
  { corsOrigins, timer }: HandlerOptions,
  guard: PortGuard,
  scheme: Scheme,
  read: (says: HostSays) => Caller | undefined,
  otherwise: Identify,
): Identify {
  const port = { port: 'resolveCaller', outcome: 'none' } as const;
  async function ask(request: HttpRequest): Promise<Caller | Refusal> {
    const answered = await guard('none', async () => ok(await request.caller?.()));
    if (answered.isErr()) return portRefusal({ ...answered.error, ...port });
    const says = sayingOf(answered.value);
    if (says === undefined) {
      return portRefusal({ ...port, retryable: false, cause: new TypeError(answers) });
    }
    return read(says) ?? otherwise(request);
  }
  let toldAt = Number.NEGATIVE_INFINITY;
  /** Without a token, it is the session that is missed: the caller and the host learn why. */
  function refuse(request: HttpRequest): Refusal {
    const refusal = foreignRefusal(scheme);
    const now = timeOf(timer);
    // strangers must not fill the log of a host
    if (Math.abs(now - toldAt) < 60_000) return refusal;
    toldAt = now;
    return { ...refusal, port: port.port, cause: new Error(whyForeign(request)) };
  }
  return (request) => {
    if (request.caller === undefined) return otherwise(request);
    if (!isForeign(request, corsOrigins)) return ask(request);
    return request.header('authorization') === undefined ? refuse(request) : otherwise(request);
  };
}

const answers =
  "resolveCaller returns { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }, { environment, operator: true } or undefined";

/** The members of an answer that count; `undefined` if it is not an answer. */
function sayingOf(answer: unknown): HostSays | undefined {
  // many hosts have null or false for no user
  if (answer === undefined || answer === null || answer === false) return {};
  try {
    const { environment, partner, operator = false } = Object(answer);
    const tenant = Object.freeze({ environment, partner: operator === true ? '-' : partner });
    if (typeof operator !== 'boolean' || !isTenant(tenant)) return undefined;
    return operator ? { operatorOf: tenant.environment } : { tenant };
  } catch {
    return undefined; // a member that throws
  }
}

/**
 * Says whether a page of another origin may have sent this request, to make changes with the
 * session of the user who opened the page. Browsers say where the page comes from (Fetch Metadata,
 * `Sec-Fetch-Site`); old browsers send only its origin, and so do all browsers to a name without TLS.
 */
function isForeign(
  request: HttpRequest,
  corsOrigins: readonly string[] | '*' | undefined,
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const origin = request.header('origin');
  if (corsOrigins !== '*' && allowsOrigin(corsOrigins, origin)) return false;
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  // the same URL of both: some proxies add the port that is the default
  const own = `${protocol}//${request.header('host')}`;
  return host === '' || !URL.canParse(own) || new URL(own).host !== host;
}

/** Why no caller was asked for, with the headers that a proxy may have changed. */
function whyForeign(request: HttpRequest): string {
  const [origin, site, host] = ['origin', 'sec-fetch-site', 'host'].map((name) =>
    JSON.stringify(request.header(name)?.slice(0, 300) ?? null),
  );
  return `resolveCaller was not called, because the request seems to come from a page of another origin: Origin is ${origin}, Host is ${host}, Sec-Fetch-Site is ${site}. If a proxy stands in front, let it hand on the header Host (nginx: proxy_set_header Host $http_host;). If a page of that origin may use sessions, name it in corsOrigins. This is said once a minute at most`;
}
