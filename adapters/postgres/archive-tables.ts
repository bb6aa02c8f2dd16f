import { dealColumns, eventColumns, stageColumns } from './add-sql.js';
import { contractorColumns, fileColumns } from './change-sql.js';
import { quoted } from './statement.js';

type Column = readonly [name: string, type: string];

/** The tables that records become rows of, with their columns, in the order in which they are written. */
const tables = {
  contractors: [
    ['tenant', 'text'],
    ['environment', 'text'],
    ['register', 'text'],
    ['email_key', 'text'],
    ...contractorColumns.map((name): Column => [name, name === 'version' ? 'bigint' : 'text']),
  ],
  deals: [['tenant', 'text'], ...dealColumns],
  stages: [['tenant', 'text'], ['deal_id', 'bigint'], ...stageColumns],
  work_files: [
    ['tenant', 'text'],
    ['deal_id', 'bigint'],
    ['sequence', 'bigint'],
    ['idempotency_key', 'text'],
    ['fingerprint', 'text'],
    ...fileColumns,
  ],
  events: [['tenant', 'text'], ['position', 'bigint'], ...eventColumns],
} as const satisfies Record<string, readonly Column[]>;

export type RestoredTable = keyof typeof tables;

export const restoredTables = Object.keys(tables) as readonly RestoredTable[];

type Value = string | number | null | undefined;

/** Rows on their way into a table, kept column by column. */
export interface TableRows {
  readonly count: number;
  /** Of all its values, in characters. */
  readonly size: number;
  /** Adds one, whose values are in the order of the columns; those that are missing are null. */
  add(values: readonly Value[]): void;
  /** Each column as the text of an array, which every driver sends as it is. */
  columns(): readonly string[];
}

/** No rows of a table. */
export function createTableRows(name: RestoredTable): TableRows {
  const columns = tables[name].map((): string[] => []);
  let count = 0;
  let size = 0;
  return {
    get count() {
      return count;
    },
    get size() {
      return size;
    },
    add(values) {
      count += 1;
      for (const [at, column] of columns.entries()) {
        const text = element(values[at]);
        size += text.length;
        column.push(text);
      }
    },
    columns: () => columns.map((column) => `{${column.join(',')}}`),
  };
}

/** An element of an array as PostgreSQL reads it: what is quoted is text, whatever it says. */
function element(value: Value): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

/**
 * Stores rows and answers how many. The last parameter is the transaction that it has to be in: a
 * driver that connected again, or a pool, is in another, and then nothing is written.
 */
export function restoreSql(schema: string, name: RestoredTable): string {
  const columns = tables[name];
  const arrays = columns.map(([, type], at) => `$${at + 1}::text::${type}[]`);
  return `with written as (
      insert into ${quoted(schema)}.${name} (${columns.map(([column]) => column).join(', ')})
      select * from unnest(${arrays.join(', ')})
      where pg_current_xact_id()::text = $${columns.length + 1}::text returning 1
    ) select count(*)::text as answer from written`;
}
