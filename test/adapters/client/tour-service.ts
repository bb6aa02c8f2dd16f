import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler, type Handler } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { Limiter } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';

export const token = 'token-of-the-tour';
export const limitedToken = 'token-of-the-limited';

/** The service of the tour. It uses only code that runs in every runtime. */
export function createTourService(corsOrigins: readonly string[] = []): Handler {
  const system = createSystemPorts();
  const marketplace = createMarketplace({
    ...system,
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  });
  const authenticator = createTokenAuthenticator(
    [
      [token, { environment: 'sandbox', partner: 'acme' }],
      [limitedToken, { environment: 'sandbox', partner: 'limited' }],
    ],
    system,
  );
  let asked = 0;
  const limiter: Limiter = {
    take({ partner }) {
      if (partner !== 'limited') return ok({ allowed: true });
      asked += 1;
      return ok(asked % 2 === 1 ? { allowed: false, retryAfter: 1 } : { allowed: true });
    },
  };
  return createHandler(marketplace, { ...system, authenticator, limiter, corsOrigins });
}
