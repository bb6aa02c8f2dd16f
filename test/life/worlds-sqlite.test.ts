import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHastyStore, type TestStore } from '../adapters/sqlite/database.js';
import { createPlace } from './place.js';
import { runWorlds, timeLimit } from './worlds.js';

let store: TestStore;

beforeAll(() => {
  store = createHastyStore();
});
afterAll(() => store.close());

test(
  'the books, the bank and the model agree, on SQLite',
  async () => {
    const place = createPlace(store);
    expect(await runWorlds(() => place, 2_500)).toBeGreaterThan(0);
  },
  timeLimit,
);
