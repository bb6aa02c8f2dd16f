import { createMarketplace } from 'dealwright';
import { defaultCategoryTree } from 'dealwright/categories';
import type { FileScanner } from 'dealwright/ports';
import { partnerApiContract } from 'dealwright/spec';
import { delayed } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, it } from 'vitest';
import { createPorts } from '../kit/ports.js';

const closeNothing = async () => undefined;
const scanner: FileScanner = { scan: () => ok('accepted') };

/** Less than by default, so that a too large file is quickly made. */
const fileLimit = 64 * 1024;

describe('in process', () => {
  partnerApiContract({ describe, it }, () => {
    const marketplace = createMarketplace(createPorts(), { fileLimit });
    return {
      api: (tenant) => marketplace.partner(tenant),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close: closeNothing,
    };
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
    return {
      api: (tenant) => marketplace.partner(tenant),
      fileLimit,
      webhooks: true,
      categories: defaultCategoryTree,
      close: closeNothing,
    };
  });
});
