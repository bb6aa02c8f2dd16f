import { deliveryContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { brokenDeliveries } from '../kit/broken-deliveries.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { broken, createGoodStore } from '../kit/store-parts.js';

describe('the contract of deliveries', () => {
  it('passes a store without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    deliveryContract(runner, createGoodStore);
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(20);
  });

  it.each(Object.entries(brokenDeliveries))(
    'finds a store that %s',
    async (_, [fault, foundBy]) => {
      const { runner, failures } = createCollectingRunner();
      deliveryContract(runner, broken(fault));
      expect(await failures(foundBy)).toEqual([foundBy]);
    },
  );

  it('says what a relay could not do if a store fails', async () => {
    const { runner, reports } = createCollectingRunner();
    deliveryContract(runner, () => {
      const due = () => Promise.reject(new RangeError('the index is lost'));
      return { ...createGoodStore(), due };
    });
    const failed = [...(await reports()).values()];
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.some((said) => said.includes('the index is lost'))).toBe(true);
  });

  it('ends the relays and closes the store of every case, though the case fails', async () => {
    let open = 0;
    const { runner, failures } = createCollectingRunner();
    deliveryContract(runner, () => {
      open += 1;
      const store = createGoodStore();
      return {
        ...store,
        events: { ...store.events, after: () => Promise.reject(new Error('down')) },
        close: async () => {
          open -= 1;
        },
      };
    });
    expect((await failures()).length).toBeGreaterThan(20);
    expect(open).toBe(0);
  });
});
