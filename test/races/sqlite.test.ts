import { createSqliteStore } from 'dealwright/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHastyStore, type TestStore } from '../adapters/sqlite/database.js';
import { expectOrder, raceSeeds } from './explain.js';

let store: TestStore;

beforeAll(() => {
  store = createHastyStore();
});
afterAll(() => store.close());

it.each(raceSeeds)(
  '50 commands at once on one deal over three connections of SQLite are what some order of them explains: seed %i',
  async (seed) => {
    const others = [{ gather: false }, {}].map((options) => {
      const db = store.file.open();
      db.prepare('pragma synchronous = off').run();
      return createSqliteStore(db, { busyTimeout: 60_000, ...options });
    });
    const { beaten, events } = await expectOrder([store, ...others], seed);
    expect(beaten).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(0);
  },
);
