import type { Migration } from '../sql/migrations.js';
import { functions } from './functions-1.js';

/** What every text column is: compared by code point, whatever the database's own collation. */
const text = 'text collate "C"';

/**
 * The steps of the schema, whose name stands for itself in them. A step that was released never
 * changes; `tenant` leads every key of every table that belongs to a tenant, so that a cluster can
 * distribute it by that column. A blank line ends each command of a step: a cluster takes one at a
 * time.
 *
 * The primary key comes last: of indexes that seem equal, as all do on a table that was never
 * analysed, the planner takes the newest.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'deals',
    sql: `create table "$schema".tenants (
  tenant ${text} not null,
  last_position bigint not null,
  primary key (tenant)
) with (fillfactor = 50);

create table "$schema".ids (
  environment ${text} not null,
  next bigint not null check (next between 1 and 9007199254740992),
  server_started timestamptz,
  primary key (environment)
);

insert into "$schema".ids (environment, next) values ('production', 1), ('sandbox', 1);

create table "$schema".contractors (
  environment ${text} not null,
  tenant ${text} not null,
  contractor_key ${text} not null,
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
  attempt ${text} not null,
  version bigint not null,
  primary key (environment, contractor_key)
);

create table "$schema".deals (
  tenant ${text} not null,
  partner_id ${text} not null,
  id bigint not null,
  api_version ${text} not null,
  email_freelancer ${text} not null,
  email_key ${text} not null,
  title ${text} not null,
  description ${text} not null,
  subcategory_id bigint not null,
  amount numeric(20, 2) not null,
  currency ${text} not null,
  work_days bigint,
  copyright_transfer ${text},
  freelancer_language ${text},
  payment_token ${text},
  status ${text} not null,
  freelancer_status ${text} not null,
  created_at ${text} not null,
  attempt ${text} not null,
  version bigint not null
);

create index deals_by_created_at on "$schema".deals (tenant, created_at, attempt);

create index deals_by_status on "$schema".deals (tenant, status, created_at, attempt);

create index deals_by_freelancer_status
  on "$schema".deals (tenant, freelancer_status, created_at, attempt);

create index deals_by_statuses
  on "$schema".deals (tenant, status, freelancer_status, created_at, attempt);

create index deals_by_email_key on "$schema".deals (tenant, email_key, created_at, attempt);

create unique index deals_by_id on "$schema".deals (tenant, id);

alter table "$schema".deals add primary key (tenant, partner_id);

create table "$schema".stages (
  tenant ${text} not null,
  id bigint not null,
  partner_id ${text} not null,
  name ${text} not null,
  budget numeric(20, 2) not null,
  work_days bigint,
  status ${text} not null,
  attempt ${text} not null
);

create index stages_by_partner_id on "$schema".stages (tenant, partner_id, id);

alter table "$schema".stages add primary key (tenant, id);

create table "$schema".work_files (
  tenant ${text} not null,
  id ${text} not null,
  partner_id ${text} not null,
  stage_id bigint not null,
  name ${text} not null,
  size bigint not null,
  sha256 ${text} not null,
  content_type ${text} not null,
  uploaded_at ${text} not null,
  attempt ${text} not null
);

create index work_files_by_partner_id on "$schema".work_files (tenant, partner_id, id);

alter table "$schema".work_files add primary key (tenant, id);

create table "$schema".answers (
  tenant ${text} not null,
  answer_key ${text} not null,
  fingerprint ${text} not null,
  answer json not null,
  attempt ${text} not null,
  primary key (tenant, answer_key)
);

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

${functions}`,
  },
];

/** The migration that made the functions of this version: their names end with it. */
export const functionsVersion = 1;
