import { type Environment, isTenant, type Marketplace, type Tenant } from 'dealwright';
import type { Answer, PortGuard } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { allowsOrigin } from './header-sets.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { askPort, portRefusal, type Refusal, type Scheme, unauthorized } from './reply.js';
import { readToken } from './request-facts.js';
import type { Resource } from './router.js';
import { createTokenCache } from './token-cache.js';
import { mayWaitForOthers } from './turn.js';

/** Whom credentials speak for, and what they can do. */
export interface Caller {
  /** Whose deals they are about; nothing where the route says it. */
  readonly tenant?: Tenant;
  /** Where; nothing where each deal says it. */
  readonly environment?: Environment;
  /** What has the operation of a route; nothing where the route names what is not there. */
  apiOf(route: Route, parameters: Resource['parameters']): object | undefined;
}

/** Finds who sent a request: at once where their token was seen a short while ago. */
export type Identify = (request: HttpRequest) => Caller | Refusal | Promise<Caller | Refusal>;

type Found = Caller | Refusal | Promise<Caller | Refusal>;

/** Those that can call the handler, by the schemes of their credentials (decision 6.5). */
export function createCallers(
  marketplace: Marketplace,
  options: HandlerOptions,
  guard: PortGuard,
  freelancersOf: Environment | 'by-token',
): Partial<Readonly<Record<Scheme, Identify>>> {
  const { authenticator, operatorAuthenticator, acceptBearer = false, corsOrigins } = options;

  /** By the token that a request bears. */
  const byToken =
    (scheme: Scheme, find: (token: string) => Found): Identify =>
    (request) => {
      const token = readToken(request.header('authorization'), scheme, acceptBearer);
      return token === undefined ? unauthorized(scheme) : find(token);
    };
  /** By what the host says, or else by what an authenticator says of the token. */
  function byHost<T>({ scheme, port, authenticator: asked, read, named, flaw }: Kind<T>): Identify {
    const find =
      asked === 'host'
        ? () => unauthorized(scheme)
        : createIdentify(options, (token) =>
            askPort(
              guard,
              port,
              () => asked.authenticate(token),
              (found) => (found === undefined ? unauthorized(scheme) : read(found)),
              flaw,
            ),
          );
    const readHost = (says: HostSays) => {
      const found = named(says);
      return found === undefined ? undefined : read(found);
    };
    return identifyByHost(guard, corsOrigins, readHost, byToken(scheme, find));
  }

  const callers: Partial<Record<Scheme, Identify>> = {
    Token: byHost<Tenant>({
      scheme: 'Token',
      port: 'authenticator.authenticate',
      authenticator,
      read: (tenant) => partnerCaller(marketplace, tenant),
      named: ({ tenant }) => tenant,
      flaw: 'not a tenant',
    }),
  };
  if (marketplace.freelancer !== undefined) {
    callers.Offer = byToken('Offer', (token) => {
      const api = marketplace.freelancer?.(freelancersOf, token);
      return { apiOf: () => api };
    });
  }
  if (marketplace.operator !== undefined && operatorAuthenticator !== undefined) {
    callers.Operator = byHost<Environment>({
      scheme: 'Operator',
      port: 'operatorAuthenticator.authenticate',
      authenticator: operatorAuthenticator,
      read: (environment) => operatorCaller(marketplace, environment),
      named: ({ operatorOf }) => operatorOf,
      flaw: 'not an environment',
    });
  }
  return callers;
}

/** Those who have credentials of one scheme. */
interface Kind<T> {
  readonly scheme: Scheme;
  readonly port: string;
  readonly authenticator: { authenticate(token: string): Answer<T | undefined> } | 'host';
  /** Makes a caller of what credentials mean; nothing where they mean nothing that can be. */
  readonly read: (found: T) => Caller | undefined;
  /** The same of what a host says, where it is about one of this kind. */
  readonly named: (says: HostSays) => T | undefined;
  readonly flaw: string;
}

/** The tenant and nothing else that a host keeps with it, so that nothing else comes to a hook. */
function partnerCaller(marketplace: Marketplace, value: Tenant): Caller | undefined {
  const { environment, partner } = value;
  const tenant = Object.freeze({ environment, partner });
  if (!isTenant(tenant)) return undefined;
  const api = marketplace.partner(tenant);
  const sandbox = environment === 'sandbox' ? marketplace.sandbox?.(tenant) : undefined;
  return { tenant, environment, apiOf: ({ face }) => (face === 'sandbox' ? sandbox : api) };
}

function operatorCaller(marketplace: Marketplace, environment: Environment): Caller | undefined {
  if (!isTenant({ environment, partner: '-' })) return undefined;
  const api = marketplace.operator?.(environment);
  return {
    environment,
    apiOf(_route, { partner }) {
      if (partner === undefined) return api;
      return isTenant({ environment, partner }) ? api?.partner(partner) : undefined;
    },
  };
}

/** Remembers callers by the digests of their tokens (decision 5.3). */
function createIdentify(
  { timer, digest, tokenCacheSize = 10_000, tokenCacheAge = 60_000 }: HandlerOptions,
  authenticate: (token: string) => Promise<Caller | Refusal>,
): (token: string) => Found {
  const callers = createTokenCache<Caller>(tokenCacheSize, tokenCacheAge);
  // one question for all who come while it is open: apart, so that no unknown token drives a
  // good one out
  const questions = createTokenCache<Promise<Caller | Refusal>>(
    mayWaitForOthers ? tokenCacheSize : 0,
    tokenCacheAge,
  );

  async function ask(token: string, key: string, askedAt: number): Promise<Caller | Refusal> {
    const caller = await authenticate(token);
    // the age counts from the question: the answer to a slow one is no younger than that
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

/** The answer of a host: a partner, or the environment of an operator. */
interface HostSays {
  readonly tenant?: Tenant;
  readonly operatorOf?: Environment;
}

/**
 * Finds who calls by what the host knows of them, and otherwise as `otherwise` does; `read` makes
 * nothing of a caller who has another face.
 */
function identifyByHost(
  guard: PortGuard,
  corsOrigins: readonly string[] | '*' | undefined,
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
  return (request) =>
    request.caller === undefined || isForeign(request, corsOrigins)
      ? otherwise(request)
      : ask(request);
}

const answers =
  "resolveCaller returns { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }, { environment, operator: true } or undefined";

/** The members of an answer that count; `undefined` if it is not an answer. */
function sayingOf(answer: unknown): HostSays | undefined {
  // many hosts have null or false in the place of nobody
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
 * Says whether a page of another origin may have sent this request, to change something with the
 * session of the user who opened the page. Browsers say where the page comes from (Fetch Metadata,
 * `Sec-Fetch-Site`); old browsers send its origin alone.
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
  return !URL.canParse(origin) || new URL(origin).host !== request.header('host');
}
