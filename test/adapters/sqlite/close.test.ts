import { copyFileSync, existsSync, statSync } from 'node:fs';
import { createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { acme, addition, registration } from '../sql/writes.js';
import { createTestStore } from './database.js';

it('leaves everything in the one file once the store is closed', async () => {
  const store = createTestStore();
  (await store.commit(acme, registration()))._unsafeUnwrap();
  (await store.commit(acme, await addition(store, 'deal')))._unsafeUnwrap();
  await store.checkpoint();
  expect(statSync(`${store.file.path}-wal`).size).toBe(0);
  const copy = `${store.file.path}.copy`;
  copyFileSync(store.file.path, copy);
  expect(existsSync(`${copy}-wal`)).toBe(false);
  const db = new Database(copy);
  const read = await createSqliteStore(db).deals.byPartnerId(acme, 'deal', ['stage']);
  expect(read._unsafeUnwrap()).toMatchObject({ deal: { partner_id: 'deal' }, stage: [{ id: 2 }] });
  db.close();
  await store.close();
});

it('loses nothing and does not throw if another connection reads, or the connection is closed', async () => {
  const store = createTestStore();
  (await store.commit(acme, registration()))._unsafeUnwrap();
  const other = store.file.open();
  other.prepare('begin').run();
  other.prepare('select * from dealwright_events').all();
  (await store.commit(acme, await addition(store, 'deal')))._unsafeUnwrap();
  await store.checkpoint();
  expect(statSync(`${store.file.path}-wal`).size).toBeGreaterThan(0);
  const later = createSqliteStore(store.file.open());
  const read = (await later.deals.byPartnerId(acme, 'deal', []))._unsafeUnwrap();
  expect(read?.deal.partner_id).toBe('deal');
  store.db.close();
  await store.checkpoint();
  await store.close();
});
