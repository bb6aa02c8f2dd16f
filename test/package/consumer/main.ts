// What somebody writes who has installed the package: compiled and run by packed.test.ts in a folder
// outside this repository, against the packed tarball.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMarketplace, type PartnerApi } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createClient } from 'dealwright/client';
import { createHandler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import type { MarketplacePorts } from 'dealwright/ports';
import { strictProfile } from 'dealwright/strict';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';

const system = createSystemPorts();
const ports: MarketplacePorts = {
  ...system,
  ...createMemoryStore(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens: createOpaqueTokenIssuer(),
};
const tenant = { environment: 'sandbox', partner: 'consumer' } as const;
const marketplace = createMarketplace(ports, { profile: strictProfile });
const handler = createHandler(marketplace, {
  ...system,
  authenticator: createTokenAuthenticator([['consumer-token', tenant]], system),
});
const server = createServer(createNodeListener(handler)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'consumer-token' });

async function order(api: PartnerApi, partner_id: string): Promise<string> {
  const created = await api.createDealV2({
    partner_id,
    email_freelancer: 'freelancer@example.com',
    title: 'Landing page',
    description: 'Texts for a landing page',
    subcategory_id: 75,
    amount: '500.00',
    currency: 'PLN',
    copyright_transfer: 'full_transfer',
    freelancer_language: 'pl',
  });
  return created.match(
    ({ status }) => status,
    ({ code }) => code,
  );
}

const answers = [
  await order(marketplace.partner(tenant), 'order-1'),
  await order(client, 'order-1'),
  await order(client, 'order-2'),
];
server.close();
server.closeAllConnections();
console.log(JSON.stringify(answers));
