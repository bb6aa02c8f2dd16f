import type { AnyRow, Kind } from 'dealwright/ports';
import { tables } from '../sql/tables.js';
import type { TenantNames } from '../sql/tenant.js';
import { elementText } from './array-text.js';
import { sqlTypes } from './columns.js';
import { quoted } from './statement.js';

/** Rows on their way into a table, kept column by column. */
export interface TableRows {
  readonly count: number;
  /** Of all its values, in characters. */
  readonly size: number;
  add(names: TenantNames, row: AnyRow): void;
  /** Each column as the text of an array, which every driver sends as it is. */
  columns(): readonly string[];
}

/** No rows of a kind. */
export function createTableRows(kind: Kind): TableRows {
  const columns = tables[kind].columns.map(({ name }) => ({ name, texts: [] as string[] }));
  let count = 0;
  let size = 0;
  return {
    get count() {
      return count;
    },
    get size() {
      return size;
    },
    add(names, row) {
      count += 1;
      for (const { name, texts } of columns) {
        const isName = name === 'tenant' || name === 'environment';
        const text = elementText(isName ? names[name] : row[name]);
        size += text.length;
        texts.push(text);
      }
    },
    columns: () => columns.map(({ texts }) => `{${texts.join(',')}}`),
  };
}

/**
 * Stores rows and answers how many. The last parameter is the transaction that it has to be in: a
 * driver that connected again, or a pool, is in another, and then nothing is written.
 */
export function restoreSql(schema: string, kind: Kind): string {
  const { name, columns } = tables[kind];
  const arrays = columns.map(({ type }, at) => `$${at + 1}::text::${sqlTypes[type]}[]`);
  return `with written as (
      insert into ${quoted(schema)}.${name} (${columns.map((column) => column.name).join(', ')})
      select * from unnest(${arrays.join(', ')})
      where pg_current_xact_id()::text = $${columns.length + 1}::text returning 1
    ) select count(*)::text as answer from written`;
}
