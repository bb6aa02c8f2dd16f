import type { Store, StoreArchive } from 'dealwright/ports';
import type { SqliteLike, SqliteStore } from 'dealwright/sqlite';
import type Database from 'libsql';
import { expectTypeOf, it } from 'vitest';
import type { TestStore } from './database.js';

it('takes the connections of a synchronous driver, and no other', () => {
  expectTypeOf<Database.Database>().toExtend<SqliteLike>();
  expectTypeOf<{ prepare(sql: number): unknown }>().not.toExtend<SqliteLike>();
  expectTypeOf<{ exec(sql: string): void }>().not.toExtend<SqliteLike>();
});

it('is a store', () => {
  expectTypeOf<SqliteStore>().toExtend<Store>();
  expectTypeOf<TestStore['archive']>().toExtend<StoreArchive>();
});
