import { createMemoryStore } from 'dealwright/memory';
import { expect, test } from 'vitest';
import { createPlace } from './place.js';
import { runWorlds, timeLimit } from './worlds.js';

test(
  'the books, the bank and the model agree, in memory',
  async () => {
    expect(await runWorlds(() => createPlace(createMemoryStore()), 4_000)).toBeGreaterThan(0);
  },
  timeLimit,
);
