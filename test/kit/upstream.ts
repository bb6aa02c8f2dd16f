import { createMarketplace, type Marketplace, type MarketplaceOptions } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import type { FetchLike } from 'dealwright/client';
import { createFetchHandler, type Handler } from 'dealwright/http';
import { createHttpRepositories, type HttpRepositoriesOptions } from 'dealwright/http-repositories';
import { createSystemPorts } from 'dealwright/system';
import { tokenOf } from './service.js';

/** A marketplace whose contractors and deals of record are those of a service upstream. */
export function createMarketplaceOver(
  upstream: Partial<HttpRepositoriesOptions>,
  options: MarketplaceOptions = {},
): Marketplace {
  return createMarketplace(
    {
      ...createHttpRepositories({
        baseUrl: 'https://deals.example.com',
        token: tokenOf,
        ...upstream,
      }),
      ...createSystemPorts(),
      categories: createCategoryCatalogue(defaultCategoryTree),
    },
    options,
  );
}

/** A `fetch` that calls a handler, without a network. */
export function fetchFrom(handler: Handler): FetchLike {
  const handle = createFetchHandler(handler);
  return (url, request) => handle(new Request(url, request));
}
