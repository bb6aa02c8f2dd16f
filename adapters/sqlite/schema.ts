import type { Migration } from '../sql/migrations.js';

/**
 * The steps of the schema. One that was released never changes; a test keeps their sum equal to the
 * table of fields. Text that may be long is last in its table: SQLite reads a row from its
 * beginning, and a list needs none of it.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'records',
    sql: `
create table dealwright_tenants (
  tenant text not null primary key,
  last_position integer not null
) strict, without rowid;

create table dealwright_numbers (
  environment text not null primary key,
  last integer not null check (last between 0 and 9007199254740991)
) strict, without rowid;

insert into dealwright_numbers (environment, last) values ('production', 0), ('sandbox', 0);

create table dealwright_contractors (
  environment text not null,
  contractor_key text not null,
  tenant text not null,
  attempt text not null,
  version integer not null,
  email text not null,
  name text not null,
  surname text not null,
  country_code text not null,
  street text not null,
  house_no text,
  apartment_no text,
  postal_code text not null,
  city text not null,
  language text not null,
  bank_account_currency text not null,
  bank_account_iban text not null,
  bank_account_bic text,
  pesel text,
  nip text,
  tax_id text,
  primary key (environment, contractor_key)
) strict;

create table dealwright_deals (
  tenant text not null,
  partner_id text not null,
  id integer not null,
  created_at text not null,
  attempt text not null,
  version integer not null,
  status text not null,
  freelancer_status text not null,
  email_key text not null,
  api_version text not null,
  email_freelancer text not null,
  title text not null,
  amount text not null,
  currency text not null,
  subcategory_id integer not null,
  work_days integer,
  copyright_transfer text,
  freelancer_language text,
  payment_token text,
  description text not null,
  primary key (tenant, partner_id)
) strict;

create unique index dealwright_deals_by_id
  on dealwright_deals (tenant, id);

create index dealwright_deals_by_created_at_attempt
  on dealwright_deals (tenant, created_at, attempt);

create index dealwright_deals_by_status_created_at_attempt
  on dealwright_deals (tenant, status, created_at, attempt);

create index dealwright_deals_by_freelancer_status_created_at_attempt
  on dealwright_deals (tenant, freelancer_status, created_at, attempt);

create index dealwright_deals_by_status_freelancer_status_created_at_attempt
  on dealwright_deals (tenant, status, freelancer_status, created_at, attempt);

create index dealwright_deals_by_email_key_created_at_attempt
  on dealwright_deals (tenant, email_key, created_at, attempt);

create table dealwright_stages (
  tenant text not null,
  id integer not null,
  partner_id text not null,
  attempt text not null,
  name text not null,
  budget text not null,
  work_days integer,
  status text not null,
  primary key (tenant, id)
) strict, without rowid;

create index dealwright_stages_by_partner_id_id
  on dealwright_stages (tenant, partner_id, id);

create table dealwright_work_files (
  tenant text not null,
  id text not null,
  partner_id text not null,
  attempt text not null,
  stage_id integer not null,
  name text not null,
  size integer not null,
  sha256 text not null,
  content_type text not null,
  uploaded_at text not null,
  primary key (tenant, id)
) strict, without rowid;

create index dealwright_work_files_by_partner_id_id
  on dealwright_work_files (tenant, partner_id, id);

create table dealwright_answers (
  tenant text not null,
  answer_key text not null,
  attempt text not null,
  fingerprint text not null,
  answer text not null,
  primary key (tenant, answer_key)
) strict, without rowid;

create table dealwright_events (
  tenant text not null,
  position integer not null,
  id text not null,
  type text not null,
  subject text not null,
  sequence integer not null,
  at text not null,
  data text not null,
  primary key (tenant, position)
) strict, without rowid;
`,
  },
];

/** The statements of a step: drivers prepare one at a time. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
