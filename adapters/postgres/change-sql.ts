import { eventColumns, type Place, places } from './add-sql.js';
import { quoted, type Statement, statement } from './statement.js';

/** Raises the tenant's counter by the events of `from`, and stores them. */
function appendEvents(s: string, tenant: string, place: Place, from: string): string {
  const names = eventColumns.map(([name]) => name);
  const typed = eventColumns.map(([name, type]) => `${name} ${type === 'json' ? 'text' : type}`);
  const count = place('count', 'bigint');
  const given = `json_to_recordset(${place('events', 'json')}) as r(${typed.join(', ')})`;
  const values = names.map((name) => (name === 'data' ? 'r.data::json' : `r.${name}`));
  return `counter as (
      insert into ${s}.tenants (tenant, last_position)
      select ${tenant}, ${count} from ${from}
      on conflict (tenant) do update
      set last_position = tenants.last_position + excluded.last_position
      returning last_position
    ), event as (
      insert into ${s}.events (tenant, position, ${names.join(', ')})
      select ${tenant}, c.last_position - ${count}
        + row_number() over (order by r.sequence), ${values.join(', ')}
      from counter c, ${given}
    )`;
}

/**
 * Moves a deal on where its version is the one that was read. Parameters: tenant, the deal, version,
 * the next version, statuses, how many events, they as JSON, and for 1.0 the stages as JSON.
 */
export function saveStatement(schema: string, version: '1.0' | '2.0'): Statement {
  const s = quoted(schema);
  const place = places();
  const tenant = place('tenant', 'text');
  const deal =
    version === '1.0'
      ? `tenant = ${tenant} and id = ${place('deal', 'bigint')}`
      : `tenant = ${tenant} and partner_id = ${place('deal', 'text')} and api_version = '2.0'`;
  const read = place('version', 'bigint');
  const moved = `moved as (
      update ${s}.deals set version = ${place('next', 'bigint')}, status = ${place('status', 'text')},
        freelancer_status = ${place('freelancer_status', 'text')}
      where ${deal} and version = ${read} returning 1
    )`;
  const events = appendEvents(s, tenant, place, 'moved');
  const stages =
    version === '1.0'
      ? `stage as (
      update ${s}.stages t set status = r.status
      from moved, json_to_recordset(${place('stages', 'json')}) as r(id bigint, status text)
      where t.tenant = ${tenant} and t.deal_id = ${place('deal', 'bigint')} and t.id = r.id
    ), `
      : '';
  return statement(
    version === '1.0' ? 'deals.save' : 'dealsV2.save',
    '',
    `with ${moved}, ${stages}${events}
    select case when exists (select from moved) then 'saved'
      when exists (select from ${s}.deals where ${deal}) then 'stale'
      else 'missing' end as answer`,
  );
}

export const fileColumns = [
  ['id', 'text'],
  ['stage_id', 'bigint'],
  ['name', 'text'],
  ['size', 'bigint'],
  ['sha256', 'text'],
  ['content_type', 'text'],
  ['uploaded_at', 'text'],
] as const;

/** A work file as JSON, from an alias of its table. */
export function fileRecord(alias: string): string {
  const members = fileColumns.map(([name]) => `'${name}', ${alias}.${name}`);
  return `json_build_object(${members.join(', ')})`;
}

/**
 * Records a work file. The deal is locked where its version is the one that was read, and moved on
 * only where the file could be stored: its key may be another's. Parameters: tenant, the deal, key,
 * fingerprint, those of the file, version, the next version, how many events, they as JSON.
 */
export function addWorkFileStatement(schema: string): Statement {
  const s = quoted(schema);
  const place = places();
  const tenant = place('tenant', 'text');
  const deal = `tenant = ${tenant} and id = ${place('deal', 'bigint')}`;
  const key = place('idempotency_key', 'text');
  const fingerprint = place('fingerprint', 'text');
  const file = fileColumns.map(([name, type]) => place(`file.${name}`, type));
  const id = place('file.id', 'text');
  const version = place('version', 'bigint');
  const names = fileColumns.map(([name]) => name).join(', ');
  return statement(
    'deals.addWorkFile',
    '',
    `with locked as (
      select id from ${s}.deals where ${deal} and version = ${version} for no key update
    ), file as (
      insert into ${s}.work_files
        (tenant, deal_id, sequence, idempotency_key, fingerprint, ${names})
      select ${tenant}, l.id, ${place('next', 'bigint')}, ${key}, ${fingerprint}, ${file.join(', ')}
      from locked l on conflict do nothing returning 1
    ), moved as (
      update ${s}.deals set version = ${place('next', 'bigint')}
      where ${deal} and exists (select from file) returning 1
    ), ${appendEvents(s, tenant, place, 'moved')}
    select case when exists (select from moved) then 'stored' else coalesce(
      (select json_build_object('fingerprint', f.fingerprint, 'file', ${fileRecord('f')})::text
        from ${s}.work_files f where f.tenant = ${tenant} and f.idempotency_key = ${key}),
      (select 'stored' from ${s}.work_files f where f.tenant = ${tenant} and f.id = ${id}),
      (select case when version = ${version} then 'unseen' else 'stale' end
        from ${s}.deals where ${deal}),
      'missing') end as answer`,
  );
}

/**
 * Registers a contractor. Parameters: tenant, the key, those of the columns, how many events, they
 * as JSON.
 */
export function addContractorStatement(schema: string): Statement {
  const s = quoted(schema);
  const place = places();
  const tenant = place('tenant', 'text');
  const values = contractorKeys.concat(contractorColumns).map((name) => place(name, typeOf(name)));
  const who = contractorKeys.map((name) => `c.${name} = ${place(name, 'text')}`).join(' and ');
  const key = place('idempotency_key', 'text');
  return statement(
    'contractors.add',
    '',
    `with contractor as (
      insert into ${s}.contractors (tenant, ${[...contractorKeys, ...contractorColumns].join(', ')})
      values (${[tenant, ...values].join(', ')}) on conflict do nothing returning 1
    ), ${appendEvents(s, tenant, place, 'contractor')}
    select case when exists (select from contractor) then 'created' else coalesce(
      (select json_build_object('fingerprint', c.fingerprint)::text from ${s}.contractors c
        where c.tenant = ${tenant} and c.idempotency_key = ${key}),
      (select case when c.event_id = ${place('event_id', 'text')} then 'created' else 'taken' end
        from ${s}.contractors c where ${who}),
      'unseen') end as answer`,
  );
}

const contractorKeys = ['environment', 'register', 'email_key'];

/** What `addContractorStatement` takes behind the key, in its order. */
export const contractorColumns = [
  'version',
  'event_id',
  'idempotency_key',
  'fingerprint',
  'email',
  'name',
  'surname',
  'country_code',
  'street',
  'house_no',
  'apartment_no',
  'postal_code',
  'city',
  'language',
  'bank_account_currency',
  'bank_account_iban',
  'bank_account_bic',
  'pesel',
  'nip',
  'tax_id',
];

function typeOf(column: string): string {
  return column === 'version' ? 'bigint' : 'text';
}
