import type { Migration } from '../sql/migrations.js';

/**
 * The steps of the schema. One that was released never changes. The text that may be long stands
 * last in its table: SQLite reads a row from its beginning, and a list needs none of it.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'deals',
    sql: `
create table dealwright_tenants (
  tenant text not null primary key,
  last_position integer not null
) strict, without rowid;

create table dealwright_ids (
  only_row integer not null primary key check (only_row = 1),
  next integer not null check (next between 1 and 9007199254740992)
) strict;

insert into dealwright_ids (only_row, next) values (1, 1);

create table dealwright_contractors (
  environment text not null,
  register text not null,
  email_key text not null,
  tenant text not null,
  version integer not null,
  event_id text not null,
  idempotency_key text,
  fingerprint text,
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
  primary key (environment, register, email_key)
) strict;

create unique index dealwright_contractors_by_key
  on dealwright_contractors (tenant, idempotency_key) where idempotency_key is not null;

create table dealwright_deals (
  tenant text not null,
  partner_id text not null,
  api_version text not null check (api_version in ('1.0', '2.0')),
  id integer,
  created_at text not null,
  event_id text not null,
  version integer not null,
  status text not null,
  freelancer_status text not null,
  email_key text not null,
  idempotency_key text,
  fingerprint text,
  currency text not null,
  contractor_email text,
  name text,
  budget text,
  work_days integer,
  sub_category_id integer,
  email_freelancer text,
  title text,
  amount text,
  subcategory_id integer,
  copyright_transfer text,
  freelancer_language text,
  payment_token text,
  description text not null,
  primary key (tenant, partner_id)
) strict;

create unique index dealwright_deals_by_id
  on dealwright_deals (tenant, id) where id is not null;

create unique index dealwright_deals_by_key
  on dealwright_deals (tenant, idempotency_key) where idempotency_key is not null;

create index dealwright_deals_in_order
  on dealwright_deals (tenant, created_at, event_id);

create index dealwright_deals_by_status
  on dealwright_deals (tenant, status, created_at, event_id);

create index dealwright_deals_by_freelancer_status
  on dealwright_deals (tenant, freelancer_status, created_at, event_id);

create index dealwright_deals_by_statuses
  on dealwright_deals (tenant, status, freelancer_status, created_at, event_id);

create index dealwright_deals_by_email
  on dealwright_deals (tenant, email_key, created_at, event_id);

create table dealwright_stages (
  tenant text not null,
  deal_id integer not null,
  id integer not null,
  name text not null,
  budget text not null,
  work_days integer not null,
  status text not null,
  primary key (tenant, deal_id, id)
) strict, without rowid;

create table dealwright_work_files (
  tenant text not null,
  id text not null,
  deal_id integer not null,
  stage_id integer not null,
  sequence integer not null,
  name text not null,
  size integer not null,
  sha256 text not null,
  content_type text not null,
  uploaded_at text not null,
  idempotency_key text,
  fingerprint text,
  primary key (tenant, id)
) strict;

create index dealwright_work_files_of_deal
  on dealwright_work_files (tenant, deal_id, sequence);

create unique index dealwright_work_files_by_key
  on dealwright_work_files (tenant, idempotency_key) where idempotency_key is not null;

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
