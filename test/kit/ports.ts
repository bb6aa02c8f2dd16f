import { randomBytes } from 'node:crypto';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { MarketplacePorts, PaymentTokenIssuer } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import { ok } from 'neverthrow';
import { createTestWebhooks } from './webhooks.js';

/** A simple issuer, so that these tests need no other adapter than memory. */
export const paymentTokens: PaymentTokenIssuer = {
  issue: () => ok(randomBytes(32).toString('base64url')),
  // a token of this kind names no tenant: its deal is not looked for
  tenantOf: () => undefined,
  verify: () => ok('valid'),
};

/** All ports of a marketplace, over a memory store of its own. */
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
