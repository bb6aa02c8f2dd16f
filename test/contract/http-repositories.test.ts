import { createHttpRepositories } from 'dealwright/http-repositories';
import { partnerApiContract, upstreamStoreContract } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';
import { createMarketplaceOver, fetchFrom } from '../kit/upstream.js';

const closeNothing = async () => undefined;

/** Less than by default, so that a file that is too large is quickly made. */
const fileLimit = 64 * 1024;

const createUpstream = () => createTestHandler(createPorts(), {}, { fileLimit });

describe('in process -> repositories -> web-standard handler over memory', () => {
  partnerApiContract({ describe, it }, () => {
    const marketplace = createMarketplaceOver({ fetch: fetchFrom(createUpstream()) });
    return { api: (tenant) => marketplace.partner(tenant), fileLimit, close: closeNothing };
  });
});

describe('in process -> repositories -> HTTP -> Node listener over memory', () => {
  partnerApiContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createUpstream());
    const marketplace = createMarketplaceOver({ baseUrl });
    return { api: (tenant) => marketplace.partner(tenant), fileLimit, close };
  });
});

describe('repositories -> web-standard handler over memory', () => {
  upstreamStoreContract({ describe, it }, () => ({
    ...createHttpRepositories({
      baseUrl: 'https://deals.example.com',
      token: tokenOf,
      fetch: fetchFrom(createUpstream()),
    }),
    close: closeNothing,
  }));
});

describe('repositories -> HTTP -> Node listener over memory', () => {
  upstreamStoreContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createUpstream());
    return { ...createHttpRepositories({ baseUrl, token: tokenOf }), close };
  });
});
