import { defaultCategoryTree } from 'dealwright/categories';
import { createClient } from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import { type PartnerApiSubject, partnerApiContract } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { runGroups } from '../kit/groups.js';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';

const closeNothing = async () => undefined;

/** Less than by default, so that a too large file is quickly made. */
const fileLimit = 64 * 1024;

describe('client -> HTTP -> Node listener', () => {
  partnerApiContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createTestHandler(createPorts(), {}, { fileLimit }));
    return {
      api: (tenant) => createClient({ baseUrl, token: tokenOf(tenant) }),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close,
    };
  });
});

describe('client -> web-standard handler, without a network', () => {
  const make = (): PartnerApiSubject => {
    const handle = createFetchHandler(createTestHandler(createPorts(), {}, { fileLimit }));
    return {
      api: (tenant) =>
        createClient({
          baseUrl: 'https://deals.example.com',
          token: tokenOf(tenant),
          fetch: (url, request) => handle(new Request(url, request)),
        }),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close: closeNothing,
    };
  };
  const groups = [
    'PartnerApi: the documented examples',
    'PartnerApi: work files',
    'PartnerApi: work files that are refused',
    'PartnerApi: hostile input',
    'PartnerApi: idempotency keys',
    'PartnerApi: identity',
  ];
  runGroups(groups, (runner) => partnerApiContract(runner, make));
});
