import type { NewTable } from './first-tables.js';

/** The columns that migration 3 adds in every database, with their types: frozen once released. */
export const addedColumns: Readonly<Record<string, string>> = {
  deals:
    'terms_version:integer? terms_sha256? accepted_by? issued_amount:money? proposal? notice_at?',
  stages: 'kind? started_at? deadline? overdue_told? notice_at?',
};

/** The tables that it makes. */
export const addedTables: Readonly<Record<string, NewTable>> = {
  proposals: {
    columns: `tenant id partner_id kind proposed_by status changes:long terms:long terms_sha256
      gross:money employer_fee:money contractor_fee:money message? supersedes? created_at expires_at decided_at?
      attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
  },
  terms: {
    columns: `tenant terms_key partner_id terms_version:integer kind terms:long terms_sha256
      employer_fee:money contractor_fee:money proposal_id? proposed_by accepted_by? at attempt`,
    primaryKey: 'tenant terms_key',
    indexes: ['tenant partner_id terms_key'],
  },
};

/**
 * Deals that are accepted already become due at once: the days of their stages begin when the clock
 * visits them (decision 9.13). `now` is the SQL of the time.
 */
export const visitSql = (table: string, now: string) => `update ${table} set due_at = ${now}
  where status in ('accepted', 'changes_requested') and (due_at is null or due_at > ${now});`;
