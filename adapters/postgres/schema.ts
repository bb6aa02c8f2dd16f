import type { Migration } from '../sql/migrations.js';

/** What every text column is: compared by code point, whatever the database's own collation. */
const text = 'text collate "C"';

/**
 * The steps of the schema, whose name stands for itself in them. A step that was released never
 * changes; `tenant` leads every key of every table that belongs to a tenant, so that a cluster can
 * distribute it by that column.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'deals',
    sql: `
create table "$schema".tenants (
  tenant ${text} not null,
  last_position bigint not null,
  primary key (tenant)
) with (fillfactor = 50);

create table "$schema".ids (
  single boolean not null default true check (single),
  next bigint not null check (next between 1 and 9007199254740992),
  server_started timestamptz,
  primary key (single)
);
insert into "$schema".ids (next) values (1);

create table "$schema".contractors (
  environment ${text} not null,
  register ${text} not null,
  email_key ${text} not null,
  tenant ${text} not null,
  version bigint not null,
  event_id ${text} not null,
  idempotency_key ${text},
  fingerprint ${text},
  email ${text} not null,
  name ${text} not null,
  surname ${text} not null,
  country_code ${text} not null,
  street ${text} not null,
  house_no ${text},
  apartment_no ${text},
  postal_code ${text} not null,
  city ${text} not null,
  language ${text} not null,
  bank_account_currency ${text} not null,
  bank_account_iban ${text} not null,
  bank_account_bic ${text},
  pesel ${text},
  nip ${text},
  tax_id ${text},
  primary key (environment, register, email_key)
);
create unique index contractors_by_key on "$schema".contractors (tenant, idempotency_key)
  where idempotency_key is not null;

create table "$schema".deals (
  tenant ${text} not null,
  partner_id ${text} not null,
  api_version ${text} not null check (api_version in ('1.0', '2.0')),
  id bigint,
  created_at ${text} not null,
  event_id ${text} not null,
  version bigint not null,
  status ${text} not null,
  freelancer_status ${text} not null,
  email_key ${text} not null,
  idempotency_key ${text},
  fingerprint ${text},
  description ${text} not null,
  currency ${text} not null,
  contractor_email ${text},
  name ${text},
  budget numeric(20, 2),
  work_days bigint,
  sub_category_id bigint,
  email_freelancer ${text},
  title ${text},
  amount numeric(20, 2),
  subcategory_id bigint,
  copyright_transfer ${text},
  freelancer_language ${text},
  payment_token ${text},
  primary key (tenant, partner_id)
);
create unique index deals_by_id on "$schema".deals (tenant, id) where id is not null;
create unique index deals_by_key on "$schema".deals (tenant, idempotency_key)
  where idempotency_key is not null;
create index deals_in_order on "$schema".deals (tenant, created_at, event_id);
create index deals_by_status on "$schema".deals (tenant, status, created_at, event_id);
create index deals_by_freelancer_status
  on "$schema".deals (tenant, freelancer_status, created_at, event_id);
create index deals_by_statuses
  on "$schema".deals (tenant, status, freelancer_status, created_at, event_id);
create index deals_by_email on "$schema".deals (tenant, email_key, created_at, event_id);

create table "$schema".stages (
  tenant ${text} not null,
  deal_id bigint not null,
  id bigint not null,
  name ${text} not null,
  budget numeric(20, 2) not null,
  work_days bigint not null,
  status ${text} not null,
  primary key (tenant, deal_id, id)
);

create table "$schema".work_files (
  tenant ${text} not null,
  id ${text} not null,
  deal_id bigint not null,
  stage_id bigint not null,
  sequence bigint not null,
  name ${text} not null,
  size bigint not null,
  sha256 ${text} not null,
  content_type ${text} not null,
  uploaded_at ${text} not null,
  idempotency_key ${text},
  fingerprint ${text},
  primary key (tenant, id)
);
create index work_files_of_deal on "$schema".work_files (tenant, deal_id, sequence);
create unique index work_files_by_key on "$schema".work_files (tenant, idempotency_key)
  where idempotency_key is not null;

create table "$schema".events (
  tenant ${text} not null,
  position bigint not null,
  id ${text} not null,
  type ${text} not null,
  subject ${text} not null,
  sequence bigint not null,
  at ${text} not null,
  data json not null,
  primary key (tenant, position)
);
`,
  },
];
