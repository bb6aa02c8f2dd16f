import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentColumn, tables } from '../../../adapters/sql/tables.js';
import { createTestStore, type TestStore } from './database.js';

let store: TestStore;
beforeEach(() => {
  store = createTestStore();
});
afterEach(() => store.close());

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

function rows<T>(sql: string): readonly T[] {
  return store.db.prepare(sql).all() as T[];
}

const byName = <T extends { readonly name: string }>(all: readonly T[]) =>
  [...all].sort((a, b) => (a.name < b.name ? -1 : 1));

describe('the sum of the migrations is the table of fields', () => {
  it('has a table for each kind of record, and its own', () => {
    const found = rows<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and name like 'dealwright%'",
    );
    const own = ['migrations', 'numbers', 'store', 'tenants'];
    const expected = [...Object.values(tables).map(({ name }) => name), ...own];
    expect(found.map(({ name }) => name).sort()).toEqual(
      expected.map((name) => `dealwright_${name}`).sort(),
    );
  });

  it.each(Object.values(tables))('has the columns of $name', ({ name, columns, primaryKey }) => {
    const found = rows<ColumnInfo>(`pragma table_info(dealwright_${name})`);
    const expected = columns.map((column) => ({
      name: column.name,
      type: column.type === 'integer' ? 'INTEGER' : 'TEXT',
      notnull: column.isOptional ? 0 : 1,
      pk: primaryKey.indexOf(column.name) + 1,
    }));
    const shown = found.map(({ name, type, notnull, pk }) => ({ name, type, notnull, pk }));
    expect(byName(shown)).toEqual(byName(expected));
    const [{ strict } = { strict: 0 }] = rows<{ strict: number }>(
      `select strict from pragma_table_list where name = 'dealwright_${name}'`,
    );
    expect(strict).toBe(1);
  });

  it.each(Object.values(tables))('has the indexes of $name', ({ name, indexes }) => {
    const found = rows<{ name: string; unique: number; origin: string }>(
      `pragma index_list(dealwright_${name})`,
    ).filter(({ origin }) => origin === 'c');
    const shown = found.map((index) => {
      const columns = rows<{ name: string | null }>(`pragma index_info(${index.name})`);
      return {
        name: index.name.replace(`dealwright_${name}_`, ''),
        // only an expression has no name
        columns: columns.map((each) => each.name ?? environmentColumn()),
        isUnique: index.unique === 1,
      };
    });
    expect(shown).toHaveLength(indexes.length);
    expect(shown).toEqual(expect.arrayContaining([...indexes]));
  });
});
