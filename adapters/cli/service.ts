import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import { interfaceProfile } from 'dealwright';
import { createRateLimiter } from 'dealwright/auth';
import { createDealwright, type Dealwright, type WorkFailure } from 'dealwright/host';
import type { ErrorReport } from 'dealwright/http';
import { createClientErrorListener, createNodeListener } from 'dealwright/node';
import type { MarketplacePorts } from 'dealwright/ports';
import { createReferencePage } from 'dealwright/reference';
import { strictProfile } from 'dealwright/strict';
import { createSystemTimer } from 'dealwright/system';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import type { ApiToken } from './api-tokens.js';
import type { Settings } from './settings.js';
import type { OpenStore } from './store/open-store.js';

/** The limits of a client's request, in milliseconds and bytes. */
const limits = {
  headersTimeout: 10_000,
  // 25 MiB from a phone with a poor line; the listener ends a body that stalls much earlier
  requestTimeout: 1_800_000,
  // longer than the minute that proxies keep an idle connection, so that they close it first
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

/** The rates of requests, if they are limited (decision 5.2). */
export const rates = {
  timer: createSystemTimer(),
  perSecond: 1_000,
  burst: 5_000,
  offers: { perSecond: 20, burst: 200 },
  failedTokens: { perSecond: 10, burst: 100 },
};

/** The parts of a service besides its settings. */
interface ServiceParts {
  readonly tokens: readonly ApiToken[];
  readonly log: (line: object) => void;
  /** Called for `/readyz`. */
  readonly isReady?: () => boolean;
  /** Ends the posts of webhooks. */
  readonly signal?: AbortSignal;
}

/** The back end of the service over a store; a test may add a clock and a gateway. */
export function createServiceBackEnd(
  ports: OpenStore['ports'] & Partial<Pick<MarketplacePorts, 'clock' | 'payments'>>,
  {
    contractorScope = 'environment',
    profile = 'interface',
    mode = 'invoice',
    feePolicy,
    tolerance,
    operatorTokens = [],
    served = 'both',
    deprecation,
    corsOrigins,
    webhookKeys,
    isWebhookPrivate = false,
    webhookPorts = [],
    isLimited = false,
    proxies = 0,
    pages,
  }: Partial<Settings> = {},
  { tokens, log, isReady, signal }: ServiceParts = { tokens: [], log: () => {} },
): Dealwright {
  return createDealwright({
    ...ports,
    contractorScope,
    mode,
    ...(feePolicy && { feePolicy }),
    ...(tolerance !== undefined && { tolerance }),
    profile: profile === 'strict' ? strictProfile : interfaceProfile,
    apiTokens: tokens.map(({ token, tenant }) => [token, tenant]),
    ...(operatorTokens.length > 0 && {
      operatorTokens: operatorTokens.map(({ token, environment }) => [token, environment]),
    }),
    environment: served === 'both' ? 'by-token' : served,
    ...(deprecation && { deprecation }),
    ...(corsOrigins && { corsOrigins }),
    ...(webhookKeys && {
      webhooks: createWebhookSender({
        allowPrivate: isWebhookPrivate,
        webhookPorts,
        ...(signal && { signal }),
      }),
      secrets: createSealedSecrets(webhookKeys),
    }),
    ...(isLimited && { limiter: createRateLimiter(rates), proxies }),
    ...(isReady && { isReady }),
    referencePage: createReferencePage(),
    ...(pages && { pages }),
    onError: (report) => log(errorLine(report)),
  });
}

/** The server of a back end, not listening yet. */
export function createServiceServer({ handler, ports }: Dealwright): Server {
  const server = createServer(limits, createNodeListener(handler)).on(
    'clientError',
    createClientErrorListener(ports),
  );
  // for a client that does not read its response, for example
  server.timeout = 120_000;
  // the server closes further ones, so that it can answer those that it has
  server.maxConnections = 10_000;
  return server;
}

/** The line that is logged for a 500 or 503: the request, the port and the cause. */
export function errorLine({ request_id, code, port, cause }: ErrorReport): object {
  return { level: 'error', request_id, code, port, cause: wordsOf(cause) };
}

/** The line that is logged for failed work outside of requests. */
export function failureLine({ work, cause, ...about }: WorkFailure): object {
  return {
    level: 'error',
    ...about,
    code: `${work}_failed`,
    ...(cause !== undefined && { cause: wordsOf(cause) }),
  };
}

/** The stack of an error without its other members: those may contain a record. */
export function wordsOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (cause instanceof Error) return cause.stack ?? String(cause);
  return inspect(cause, { breakLength: Number.POSITIVE_INFINITY });
}
