import { randomBytes } from 'node:crypto';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { MarketplacePorts, PaymentTokenIssuer } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import { ok } from 'neverthrow';
import { createTestWebhooks } from './webhooks.js';

/** An issuer of the simplest kind, so that these tests stand on no other adapter than memory. */
export const paymentTokens: PaymentTokenIssuer = {
  issue: () => ok(randomBytes(32).toString('base64url')),
  // a token of this kind says nothing: nobody looks for its deal
  tenantOf: () => undefined,
  verify: () => ok('valid'),
};

/** Everything that a marketplace needs, over a memory store of its own. */
export function createPorts() {
  const { webhooks, secrets } = createTestWebhooks();
  return {
    ...createSystemPorts(),
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
    webhooks,
    secrets,
  } satisfies MarketplacePorts;
}
