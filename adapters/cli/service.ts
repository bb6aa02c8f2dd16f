import type { RequestListener } from 'node:http';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import type { ApiToken } from './api-tokens.js';

/** The whole service over memory: what is behind a 500 or a 503 goes to `log`. */
export function createService(
  tokens: readonly ApiToken[],
  log: (line: object) => void,
): RequestListener {
  const system = createSystemPorts();
  const marketplace = createMarketplace({
    ...system,
    ...createMemoryStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  });
  const handler = createHandler(marketplace, {
    ...system,
    authenticator: createTokenAuthenticator(
      tokens.map(({ token, tenant }) => [token, tenant]),
      system,
    ),
    onError: ({ cause, ...report }) => log({ ...report, cause: String(cause) }),
  });
  return createNodeListener(handler);
}
