import { deliveryContract, storeContract } from 'dealwright/spec';
import { createSqliteStore } from 'dealwright/sqlite';
import { describe, it } from 'vitest';
import { createHastyStore } from './database.js';

/** A store with another connection to its file, and another file. */
const withOthers = () => {
  const store = createHastyStore();
  const reopened = () => {
    const db = store.file.open();
    return { ...createSqliteStore(db), close: async () => void db.close() };
  };
  return { ...store, reopened, another: () => createHastyStore() };
};

describe('the store in SQLite', () => {
  storeContract({ describe, it }, withOthers);
  deliveryContract({ describe, it }, () => createHastyStore());
});

describe('the store in SQLite that commits each write alone', () => {
  storeContract({ describe, it }, () => createHastyStore({ gather: false }));
});
