import { fileStoreContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { brokenFileStores } from '../kit/broken-file-stores.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { createGoodFileStore } from '../kit/good-file-store.js';

describe('the contract of file stores', () => {
  it('passes a store without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    fileStoreContract(runner, createGoodFileStore);
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(10);
  });

  it.each(Object.entries(brokenFileStores))('finds a store that %s', async (_, broken) => {
    const { runner, failures } = createCollectingRunner();
    fileStoreContract(runner, broken.make);
    expect(await failures(broken.foundBy)).toEqual([broken.foundBy]);
  });

  it('closes the store of every case, though the case fails', async () => {
    let open = 0;
    const { runner, failures, count } = createCollectingRunner();
    fileStoreContract(runner, () => {
      open += 1;
      return {
        ...createGoodFileStore(),
        get: () => Promise.reject(new Error('down')),
        close: async () => {
          open -= 1;
        },
      };
    });
    expect((await failures()).length).toBeGreaterThan(count() / 2);
    expect(open).toBe(0);
  });

  it('says what is no runner', () => {
    const runner = { describe: () => undefined } as Partial<
      Parameters<typeof fileStoreContract>[0]
    >;
    expect(() =>
      fileStoreContract(runner as Parameters<typeof fileStoreContract>[0], createGoodFileStore),
    ).toThrow(/^fileStoreContract: the runner/);
  });
});
