/** The columns that migration 7 adds in every database, with their types: frozen once released. */
export const addedColumns: Readonly<Record<string, string>> = {
  intents: 'outcome? outcome_at? reason?',
  employer_payments: 'reason?',
  contractor_payments: 'reason?',
  postings: 'retries:integer?',
  unmatched_reports: 'currency?',
};
