import type { Marketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import type { FetchLike } from 'dealwright/client';
import { createGateway, type GatewayOptions } from 'dealwright/gateway';
import { createFetchHandler, type Handler } from 'dealwright/http';
import { tokenOf } from './service.js';

/** A gateway to a service that knows the tenants of the contract. */
export function createTestGateway(options: Partial<GatewayOptions>): Marketplace {
  return createGateway({
    baseUrl: 'https://deals.example.com',
    token: tokenOf,
    categories: createCategoryCatalogue(defaultCategoryTree),
    ...options,
  });
}

/** A `fetch` that calls a handler, without a network. */
export function fetchFrom(handler: Handler): FetchLike {
  const handle = createFetchHandler(handler);
  return (url, request) => handle(new Request(url, request));
}
