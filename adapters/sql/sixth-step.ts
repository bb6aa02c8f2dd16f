import type { NewTable } from './first-tables.js';
import type { AddedIndex } from './second-step.js';

/** The table that migration 6 makes in every database: frozen once released, like its indexes. */
export const addedTables: Readonly<Record<string, NewTable>> = {
  unmatched_reports: {
    columns: `tenant id partner_id kind payment_id? status amount:money? reference reason
      received_at waiting_since? ends_at? attempt`,
    primaryKey: 'tenant id',
  },
};

export const addedIndexes: readonly AddedIndex[] = [
  {
    table: 'unmatched_reports',
    name: 'of_all_by_waiting_since_attempt',
    columns: 'substr(tenant,1,1) waiting_since attempt',
    column: 'waiting_since',
  },
  {
    table: 'unmatched_reports',
    name: 'of_all_by_ends_at',
    columns: 'ends_at tenant',
    column: 'ends_at',
  },
];

/** The index for the deliveries of the events of one subject. */
export const bySubject = {
  table: 'deliveries',
  name: 'by_subject_id',
  columns: 'tenant subject id',
} as const;
