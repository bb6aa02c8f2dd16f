import type { NewTable } from './first-tables.js';

/** What migration 2 adds in every database: frozen once it is released, as the tables of migration 1. */
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

/** An index that migration 2 makes, without what has no value in the column that it names. */
export interface AddedIndex {
  readonly table: string;
  /** What its name ends with. */
  readonly name: string;
  readonly columns: string;
  readonly column: string;
}

/** By what is looked for among the records of all tenants: what is due, and what ends. */
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
