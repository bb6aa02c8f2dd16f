import { createMemoryStore } from 'dealwright/memory';
import { delayed, storeContract } from 'dealwright/spec';
import { describe, it } from 'vitest';

const close = async () => undefined;

describe('memory store', () => {
  storeContract({ describe, it }, () => ({ ...createMemoryStore(), close }));
});

describe('memory store that answers later, out of order', () => {
  storeContract({ describe, it }, () => {
    const store = createMemoryStore();
    let call = 0;
    const turns = () => {
      call = (call * 7 + 3) % 11;
      return call;
    };
    return {
      ...delayed(store, turns),
      deals: delayed(store.deals, turns),
      workFiles: delayed(store.workFiles, turns),
      events: delayed(store.events, turns),
      close,
    };
  });
});
