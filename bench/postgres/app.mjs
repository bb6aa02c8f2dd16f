import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore } from 'dealwright/memory';
import { createPostgresStore } from 'dealwright/postgres';
import { createSystemPorts } from 'dealwright/system';
import pg from 'pg';
import { paymentTokens } from '../create/payment-tokens.mjs';

/** The tenant of the benchmarks. */
export const tenant = { environment: 'production', partner: 'acme' };

/** A pool as `dealwright serve` makes one. */
export function createPool(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on('error', () => undefined);
  return pool;
}

/** The driving interface of the tenant over a store in PostgreSQL. */
export function createApi(db, options = {}) {
  return createApiOver(createPostgresStore(db, options));
}

/** The driving interface of the tenant over any store. */
export function createApiOver(store) {
  const marketplace = createMarketplace({
    ...createSystemPorts(),
    store,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
    files: createMemoryFileStore(),
  });
  return marketplace.partner(tenant);
}
