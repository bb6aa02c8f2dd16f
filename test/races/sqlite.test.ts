import { createSqliteStore } from 'dealwright/sqlite';
import { afterAll, beforeAll } from 'vitest';
import { createHastyStore, type TestStore } from '../adapters/sqlite/database.js';
import { describeRaces } from './explain.js';

let store: TestStore;

beforeAll(() => {
  store = createHastyStore();
});
afterAll(() => store.close());

describeRaces('three connections of SQLite', () => {
  const others = [{ gather: false }, {}].map((options) => {
    const db = store.file.open();
    db.prepare('pragma synchronous = off').run();
    return createSqliteStore(db, { busyTimeout: 60_000, ...options });
  });
  return [store, ...others];
});
