import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMarketplace, type Marketplace, type MarketplaceOptions } from 'dealwright';
import { createHandler, type Handler, type HandlerOptions } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import type { MarketplacePorts, OperatorAuthenticator } from 'dealwright/ports';
import { contractTenants } from 'dealwright/spec';
import { createSystemPorts } from 'dealwright/system';
import { ok } from 'neverthrow';
import { createPorts, tokenOf } from './ports.js';

export { tokenOf };

/** The token of the operator of the sandbox, and an authenticator that knows it. */
export const operatorToken = 'token-of-the-staff';
export const operators: OperatorAuthenticator = {
  authenticate: (token) => ok(token === operatorToken ? 'sandbox' : undefined),
};

/** A handler over a marketplace of its own, which knows the tenants of the contract. */
export function createTestHandler(
  ports: MarketplacePorts = createPorts(),
  options: Partial<HandlerOptions> = {},
  marketplaceOptions: MarketplaceOptions = {},
): Handler {
  return handlerOver(createMarketplace(ports, marketplaceOptions), { ...ports, ...options });
}

/** A handler over a marketplace, which knows the tenants of the contract. */
export function handlerOver(
  marketplace: Marketplace,
  options: Partial<HandlerOptions> = {},
): Handler {
  const tenants = new Map(contractTenants.map((tenant) => [tokenOf(tenant), tenant]));
  const authenticator = { authenticate: (token: string) => ok(tenants.get(token)) };
  return createHandler(marketplace, { ...createSystemPorts(), authenticator, ...options });
}

/** Serves a handler on a free port of this machine, mounted by `mount`. */
export async function serve(
  handler: Handler,
  mount: (listener: RequestListener) => RequestListener = (listener) => listener,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const server = createServer(mount(createNodeListener(handler)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
