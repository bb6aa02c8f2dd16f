import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import { contractor } from '../validation/cases.mjs';
import { paymentTokens } from './payment-tokens.mjs';

/** Creating a deal through the library, in process and in memory. */
export async function createContender() {
  const marketplace = createMarketplace({
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    ...createSystemPorts(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
  });
  const api = marketplace.partner({ environment: 'production', partner: 'acme' });
  await api.registerContractor(contractor);
  return {
    createDeal: (input) => api.createDeal(input),
    idOf: (result) => (result.isOk() ? result.value.id : undefined),
  };
}
