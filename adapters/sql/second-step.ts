import type { NewTable } from './first-tables.js';

/** The columns that migration 2 adds in every database: frozen once released, like its tables. */
export const addedColumns: Readonly<Record<string, readonly string[]>> = {
  deals: ['attention'],
  work_files: ['uploaded_by'],
  webhooks: ['host', 'ends_at'],
  consumers: ['ends_at'],
  answers: ['ends_at'],
};

/** The tables that it makes. */
export const addedTables: Readonly<Record<string, NewTable>> = {
  sandbox_clocks: {
    columns: 'tenant name ahead:integer due_at? attempt',
    primaryKey: 'tenant name',
    indexes: ['tenant due_at'],
  },
};

/** An index that migration 2 makes, without rows that have no value in its column. */
export interface AddedIndex {
  readonly table: string;
  /** The end of its name. */
  readonly name: string;
  readonly columns: string;
  readonly column: string;
}

/** For look-ups among the records of all tenants: due records, and expired ones. */
const ofAll = (table: string, column: string): AddedIndex => ({
  table,
  name: `of_all_by_${column}`,
  columns: `${column} tenant`,
  column,
});

export const addedIndexes: readonly AddedIndex[] = [
  {
    table: 'deals',
    name: 'by_attention_created_at_attempt',
    columns: 'tenant attention created_at attempt',
    column: 'attention',
  },
  ofAll('deals', 'due_at'),
  ofAll('intents', 'due_at'),
  ofAll('sandbox_clocks', 'due_at'),
  ofAll('answers', 'ends_at'),
  ofAll('webhooks', 'ends_at'),
  ofAll('consumers', 'ends_at'),
];
