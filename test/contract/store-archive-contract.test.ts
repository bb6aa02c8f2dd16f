import { storeArchiveContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { createGoodArchive } from '../kit/archive-parts.js';
import { brokenDumps } from '../kit/broken-dumps.js';
import { brokenRestores } from '../kit/broken-restores.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';

describe('the contract of archives', () => {
  it('passes an archive without a fault, and closes all stores', async () => {
    const { runner, failures, count } = createCollectingRunner();
    let open = 0;
    const make = () => {
      open += 1;
      const close = async () => {
        open -= 1;
      };
      return { ...createGoodArchive(), close };
    };
    storeArchiveContract(runner, make);
    expect(await failures()).toEqual([]);
    expect(count()).toBe(23);
    expect(open).toBe(0);
  });

  it.each(Object.entries({ ...brokenDumps, ...brokenRestores }))(
    'finds one that %s',
    async (_, { make, foundBy }) => {
      const { runner, failures } = createCollectingRunner();
      storeArchiveContract(runner, make);
      expect(await failures(foundBy)).toEqual([foundBy]);
    },
  );

  it('dumps from the one kind of store, and restores into the other', async () => {
    const { runner, failures } = createCollectingRunner();
    const dump = () => {
      throw new Error('nothing is dumped from it first');
    };
    const restore = () => Promise.reject(new Error('nothing is restored into it first'));
    const broken = (archive: object) => () => {
      const store = createGoodArchive();
      return { ...store, archive: { ...store.archive, ...archive } };
    };
    storeArchiveContract(runner, broken({ restore }), createGoodArchive);
    const failed = await failures();
    storeArchiveContract(runner, createGoodArchive, broken({ dump }));
    // only these cases restore into the first store
    expect(failed).toEqual(['8/archive/any-number', '8/archive/status-since']);
    expect((await failures()).length).toBeGreaterThan(failed.length);
  });
});
