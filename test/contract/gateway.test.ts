import { defaultCategoryTree } from 'dealwright/categories';
import { createClient } from 'dealwright/client';
import { type PartnerApiSubject, partnerApiContract } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { createTestGateway, fetchFrom } from '../kit/gateway.js';
import { runGroups } from '../kit/groups.js';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, handlerOver, serve, tokenOf } from '../kit/service.js';

/** Less than by default, so that a too large file is quickly made. */
const fileLimit = 64 * 1024;

describe('gateway with a limit of its own -> HTTP -> Node listener', () => {
  partnerApiContract({ describe, it }, async () => {
    const { baseUrl, close } = await serve(createTestHandler());
    const gateway = createTestGateway({ baseUrl, fileLimit });
    return {
      api: (tenant) => gateway.partner(tenant),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close,
    };
  });
});

describe('client -> HTTP -> Node listener -> gateway -> web-standard handler', () => {
  const make = async (): Promise<PartnerApiSubject> => {
    const service = createTestHandler(createPorts(), {}, { fileLimit });
    const gateway = createTestGateway({ fetch: fetchFrom(service), fileLimit: 2 * fileLimit });
    const { baseUrl, close } = await serve(handlerOver(gateway));
    return {
      api: (tenant) => createClient({ baseUrl, token: tokenOf(tenant) }),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close,
    };
  };
  // the gateway alone and HTTP alone each run the whole contract
  const groups = [
    'PartnerApi: the documented examples',
    'PartnerApi: work files',
    'PartnerApi: work files that are refused',
    'PartnerApi: commands that are refused',
    'PartnerApi: events',
    'PartnerApi: feeds and time lines',
    'PartnerApi: idempotency keys',
  ];
  runGroups(groups, (runner) => partnerApiContract(runner, make));
});
