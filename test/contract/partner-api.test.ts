import { createMarketplace } from 'dealwright';
import { createClient } from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import type { FileScanner } from 'dealwright/ports';
import { delayed, partnerApiContract } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';

const closeNothing = async () => undefined;
const scanner: FileScanner = { scan: () => ok('accepted') };

/** Less than by default, so that a file that is too large is quickly made. */
const fileLimit = 64 * 1024;

describe('in process', () => {
  partnerApiContract({ describe, it }, () => {
    const marketplace = createMarketplace(createPorts(), { fileLimit });
    return { api: (tenant) => marketplace.partner(tenant), fileLimit, close: closeNothing };
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
    const { store, categories, paymentTokens, files } = ports;
    const asked = { store, categories, paymentTokens, files, scanner };
    const marketplace = createMarketplace({ ...ports, ...delayed(asked, turns) }, { fileLimit });
    return { api: (tenant) => marketplace.partner(tenant), fileLimit, close: closeNothing };
  });
});

describe('client -> HTTP -> Node listener', () => {
  partnerApiContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createTestHandler(createPorts(), {}, { fileLimit }));
    return { api: (tenant) => createClient({ baseUrl, token: tokenOf(tenant) }), fileLimit, close };
  });
});

describe('client -> web-standard handler, without a network', () => {
  partnerApiContract({ describe, it }, () => {
    const handle = createFetchHandler(createTestHandler(createPorts(), {}, { fileLimit }));
    return {
      api: (tenant) =>
        createClient({
          baseUrl: 'https://deals.example.com',
          token: tokenOf(tenant),
          fetch: (url, request) => handle(new Request(url, request)),
        }),
      fileLimit,
      close: closeNothing,
    };
  });
});
