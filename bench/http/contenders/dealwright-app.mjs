import { createServer } from 'node:http';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler } from 'dealwright/http';
import { createMemoryFileStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createSystemPorts } from 'dealwright/system';
import { paymentTokens } from '../../create/payment-tokens.mjs';
import { contractor } from '../../validation/cases.mjs';

/** The handler as a host wires it, over one of our stores, with a registered contractor. */
export function createApp({ token, tenant }, store) {
  const system = createSystemPorts();
  const categories = createCategoryCatalogue(defaultCategoryTree);
  const files = createMemoryFileStore();
  const marketplace = createMarketplace({ ...system, store, files, categories, paymentTokens });
  marketplace.partner(tenant).registerContractor(contractor);
  const authenticator = createTokenAuthenticator([[token, tenant]], system);
  return createHandler(marketplace, { ...system, authenticator });
}

/** The handler in the Node listener. */
export function listenOnNode(handler) {
  const server = createServer(createNodeListener(handler));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
