import { storeContract } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { brokenFiles } from '../kit/broken-files.js';
import { brokenIndexes } from '../kit/broken-index.js';
import { brokenReads } from '../kit/broken-reads.js';
import { brokenWrites } from '../kit/broken-writes.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { createGoodStore } from '../kit/store-parts.js';

const brokenStores = { ...brokenWrites, ...brokenReads, ...brokenIndexes, ...brokenFiles };

describe('the contract of stores', () => {
  it('passes a store without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    storeContract(runner, createGoodStore);
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(45);
  });

  it.each(Object.entries(brokenStores))('finds a store that %s', async (_, { make, foundBy }) => {
    const { runner, failures } = createCollectingRunner();
    storeContract(runner, make);
    expect(await failures()).toContain(foundBy);
  });

  it('closes the store of every case, though the case fails', async () => {
    let open = 0;
    const { runner, failures, count } = createCollectingRunner();
    storeContract(runner, () => {
      open += 1;
      const store = createGoodStore();
      return {
        ...store,
        events: { after: () => Promise.reject(new Error('down')) },
        close: async () => {
          open -= 1;
        },
      };
    });
    expect((await failures()).length).toBeGreaterThan(count() / 3);
    expect(open).toBe(0);
  });
});
