import { randomBytes } from 'node:crypto';
import type { Tenant } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { MarketplacePorts, PaymentTokenIssuer } from 'dealwright/ports';
import { contractTenants } from 'dealwright/spec';
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

/** The API token of a tenant in these tests. */
export function tokenOf({ environment, partner }: Tenant): string {
  return `token-of-${environment}-${partner}`;
}

/** All ports of a marketplace, over a memory store of its own. */
export function createPorts() {
  const { webhooks, secrets } = createTestWebhooks();
  const system = createSystemPorts();
  const tokens = contractTenants.map((tenant) => [tokenOf(tenant), tenant] as const);
  return {
    ...system,
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
    webhooks,
    secrets,
    authenticator: createTokenAuthenticator(tokens, system),
  } satisfies MarketplacePorts;
}
