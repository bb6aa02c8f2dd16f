import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { deliveryContract, hammerStore, storeContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { createLevelStore } from '../../../examples/level-store.js';
import { runGroups } from '../../kit/groups.js';
import { hammer, hammerSeeds } from '../../kit/hammer.js';

async function openLevel() {
  const folder = await mkdtemp(join(tmpdir(), 'dealwright-level-'));
  const db = new ClassicLevel<string, string>(folder);
  await db.open();
  return {
    db,
    folder,
    close: async () => {
      await db.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('a store over LevelDB', () => {
  const makeStore = async () => {
    const { db, close } = await openLevel();
    return { ...createLevelStore(db), close };
  };
  // the helper runs the whole contract over a map; the database below can differ in these groups
  const groups = [
    'store: reads of deals',
    'store: records by their keys',
    'store: events',
    'store: writes at the same time',
  ];
  runGroups(groups, (runner) => storeContract(runner, makeStore));
  runGroups([], (runner) => deliveryContract(runner, makeStore));

  it.each(hammerSeeds)(
    'answers a hammer of 64 clients with what it stores: seed %i',
    async (seed) => {
      const { db, close } = await openLevel();
      const store = { ...createLevelStore(db), close };
      const report = await hammerStore([store], hammer(seed, 2000));
      expect(report.committed).toBeGreaterThan(500);
      expect(report.refused).toBeGreaterThan(200);
      expect(report.failed).toBe(0);
      await close();
    },
  );

  it('keeps what it has if it is opened again', async () => {
    const { db, folder, close } = await openLevel();
    const first = (await createLevelStore(db).reserve('sandbox', 5))._unsafeUnwrap();
    await db.close();
    const again = new ClassicLevel<string, string>(folder);
    const second = (await createLevelStore(again).reserve('sandbox', 5))._unsafeUnwrap();
    expect([first, second]).toEqual([1, 6]);
    await again.close();
    await close();
  });

  it('is unavailable once it is closed', async () => {
    const { db, close } = await openLevel();
    const store = createLevelStore(db);
    await close();
    const failed = (await store.reserve('sandbox', 1))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ code: 'unavailable', outcome: 'none' });
  });
});
