import { createMemoryStore } from 'dealwright/memory';
import { delayed, storeContract } from 'dealwright/spec';
import { describe, it } from 'vitest';

const close = async () => undefined;

describe('memory store', () => {
  storeContract({ describe, it }, () => ({ ...createMemoryStore(), close }));
});

describe('memory store that answers later, out of order', () => {
  storeContract({ describe, it }, () => {
    const { contractors, deals, dealsV2, dealIndex, events } = createMemoryStore();
    let call = 0;
    const turns = () => {
      call = (call * 7 + 3) % 11;
      return call;
    };
    return {
      contractors: delayed(contractors, turns),
      deals: delayed(deals, turns),
      dealsV2: delayed(dealsV2, turns),
      dealIndex: delayed(dealIndex, turns),
      events: delayed(events, turns),
      close,
    };
  });
});
