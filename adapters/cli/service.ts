import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import {
  createMarketplace,
  interfaceProfile,
  type LocalMarketplace,
  type Marketplace,
} from 'dealwright';
import { createOperatorAuthenticator, createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler, type ErrorReport } from 'dealwright/http';
import { createClientErrorListener, createNodeListener } from 'dealwright/node';
import { createSandboxGateway } from 'dealwright/payments';
import type { MarketplacePorts } from 'dealwright/ports';
import { createReferencePage } from 'dealwright/reference';
import { strictProfile } from 'dealwright/strict';
import { createSandboxClock, createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import type { ApiToken } from './api-tokens.js';
import type { Settings } from './settings.js';
import type { OpenStore } from './store/open-store.js';

/** What a client has for its request, in milliseconds and bytes. */
const limits = {
  headersTimeout: 10_000,
  // 25 MiB over a slow line; the listener ends a body that stalls much earlier
  requestTimeout: 300_000,
  // longer than the minute that proxies keep an idle connection, so that they close it first
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

export const system = createSystemPorts();

/** The marketplace of the service over a store; a test may give it a clock and a gateway besides. */
export function createServiceMarketplace(
  store: OpenStore['ports'] & Partial<Pick<MarketplacePorts, 'clock' | 'payments'>>,
  {
    contractorScope = 'environment',
    profile = 'interface',
    mode = 'invoice',
  }: Partial<Settings> = {},
): LocalMarketplace {
  const ports = {
    ...system,
    clock: createSandboxClock(system.clock),
    // it executes nothing in production: there somebody pays, and reports it
    payments: createSandboxGateway(),
    ...store,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  };
  return createMarketplace(ports, {
    contractorScope,
    mode,
    profile: profile === 'strict' ? strictProfile : interfaceProfile,
  });
}

/** The server of a marketplace, which does not listen yet. */
export function createService(
  marketplace: Marketplace,
  tokens: readonly ApiToken[],
  log: (line: object) => void,
  { operatorTokens = [], served = 'both', deprecation }: Partial<Settings> = {},
): Server {
  const handler = createHandler(marketplace, {
    ...system,
    authenticator: createTokenAuthenticator(
      tokens.map(({ token, tenant }) => [token, tenant]),
      system,
    ),
    ...(operatorTokens.length > 0 && {
      operatorAuthenticator: createOperatorAuthenticator(
        operatorTokens.map(({ token, environment }) => [token, environment]),
        system,
      ),
    }),
    environment: served === 'both' ? 'by-token' : served,
    ...(deprecation && { deprecation }),
    referencePage: createReferencePage(),
    onError: (report) => log(errorLine(report)),
  });
  const server = createServer(limits, createNodeListener(handler)).on(
    'clientError',
    createClientErrorListener(system),
  );
  // for a client that does not read its response, for example
  server.timeout = 120_000;
  // the server closes more as they come, so that it can answer those that it has
  server.maxConnections = 10_000;
  return server;
}

/** The line that is logged for a 500 or 503: the request, the port and the cause. */
export function errorLine({ request_id, code, port, cause }: ErrorReport): object {
  return { level: 'error', request_id, code, port, cause: wordsOf(cause) };
}

/** The stack of an error and no other member of it: those may hold somebody's record. */
export function wordsOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (cause instanceof Error) return cause.stack ?? String(cause);
  return inspect(cause, { breakLength: Number.POSITIVE_INFINITY });
}
