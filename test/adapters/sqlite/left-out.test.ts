import { migrateSqlite } from 'dealwright/sqlite';
import { expect, it } from 'vitest';
import { expectFilled } from '../sql/left-out.js';
import { createHastyStore } from './database.js';

it('fills in what processes of an older version left out', async () => {
  const store = createHastyStore();
  const prune = async () => migrateSqlite(store.file.open(), { prune: true })._unsafeUnwrap();
  await expectFilled(store, prune);
  await store.close();
});

it('refuses options that are wrong, or do not exist', () => {
  const store = createHastyStore();
  for (const options of [{ prune: 'yes' }, { purge: true }, null, 'prune']) {
    expect(() => migrateSqlite(store.db, options as never)).toThrow(TypeError);
  }
  void store.close();
});
