import { createMarketplace } from 'dealwright';
import { createClient } from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import { delayed, partnerApiContract } from 'dealwright/testing';
import { describe, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';

const closeNothing = async () => undefined;

describe('in process', () => {
  partnerApiContract({ describe, it }, () => {
    const marketplace = createMarketplace(createPorts());
    return { api: (tenant) => marketplace.partner(tenant), close: closeNothing };
  });
});

describe('in process, over ports that answer later, and in another order', () => {
  partnerApiContract({ describe, it }, () => {
    const ports = createPorts();
    let call = 0;
    const turns = () => {
      call = (call * 7 + 3) % 11;
      return call;
    };
    const marketplace = createMarketplace({
      ...ports,
      contractors: delayed(ports.contractors, turns),
      deals: delayed(ports.deals, turns),
      dealsV2: delayed(ports.dealsV2, turns),
      categories: delayed(ports.categories, turns),
      paymentTokens: delayed(ports.paymentTokens, turns),
    });
    return { api: (tenant) => marketplace.partner(tenant), close: closeNothing };
  });
});

describe('client -> HTTP -> Node listener', () => {
  partnerApiContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    return { api: (tenant) => createClient({ baseUrl, token: tokenOf(tenant) }), close };
  });
});

describe('client -> web-standard handler, without a network', () => {
  partnerApiContract({ describe, it }, () => {
    const handle = createFetchHandler(createTestHandler());
    return {
      api: (tenant) =>
        createClient({
          baseUrl: 'https://deals.example.com',
          token: tokenOf(tenant),
          fetch: (url, request) => handle(new Request(url, request)),
        }),
      close: closeNothing,
    };
  });
});
