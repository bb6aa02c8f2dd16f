import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler, type ErrorReport } from 'dealwright/http';
import { createClientErrorListener, createNodeListener } from 'dealwright/node';
import { createReferencePage } from 'dealwright/reference';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import type { ApiToken } from './api-tokens.js';
import type { OpenStore } from './store/open-store.js';

/** A client has this long, in milliseconds, and this much room, in bytes, for its request. */
const limits = {
  headersTimeout: 10_000,
  // 25 MiB over a slow line; a body that stalls is ended much earlier, by the listener
  requestTimeout: 300_000,
  // longer than the minute that proxies keep an idle connection, so that they close it first
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

/** The whole service over a store, wired but not listening yet. */
export function createService(
  tokens: readonly ApiToken[],
  log: (line: object) => void,
  store: OpenStore['ports'],
): Server {
  const system = createSystemPorts();
  const marketplace = createMarketplace({
    ...system,
    ...store,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  });
  const handler = createHandler(marketplace, {
    ...system,
    authenticator: createTokenAuthenticator(
      tokens.map(({ token, tenant }) => [token, tenant]),
      system,
    ),
    referencePage: createReferencePage(),
    onError: (report) => log(errorLine(report)),
  });
  const server = createServer(limits, createNodeListener(handler)).on(
    'clientError',
    createClientErrorListener(system),
  );
  // one over which nothing moves, because its client does not read its answer, for one
  server.timeout = 120_000;
  // more are closed as they come, so that those that are there are answered
  server.maxConnections = 10_000;
  return server;
}

/** What is logged of a 500 or 503: where it was and what it says, on one line. */
export function errorLine({ request_id, code, port, cause }: ErrorReport): object {
  return {
    level: 'error',
    request_id,
    code,
    ...(port === undefined ? {} : { port }),
    cause: wordsOf(cause),
  };
}

/** Of an error no more than it says itself: what else hangs on it may be a record of somebody's. */
function wordsOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (cause instanceof Error) return cause.stack ?? String(cause);
  return inspect(cause, { breakLength: Number.POSITIVE_INFINITY });
}
