import { createMemoryStore } from 'dealwright/memory';
import { expect, test } from 'vitest';
import { createPlace } from './place.js';
import { runWorlds } from './worlds.js';

const usually = 50_000;

test(
  'the books, the bank and the model agree, in memory',
  async () => {
    expect(await runWorlds(() => createPlace(createMemoryStore()), usually)).toBeGreaterThan(0);
  },
  900_000 + 10 * Number(process.env['DEALWRIGHT_COMMANDS'] ?? 0),
);
