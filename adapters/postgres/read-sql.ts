import type { DealFilter, DealStretch } from 'dealwright/ports';
import { stageColumns } from './add-sql.js';
import { contractorColumns, fileRecord } from './change-sql.js';
import { quoted, type Statement, statement } from './statement.js';

/** A deal of either version as one JSON text, from `deals d`. */
export function dealRecord(s: string): string {
  const plain = [
    ...['partner_id', 'api_version', 'version', 'created_at', 'status', 'freelancer_status'],
    ...['description', 'currency', 'id', 'contractor_email', 'name', 'work_days'],
    ...['sub_category_id', 'email_freelancer', 'title', 'subcategory_id', 'copyright_transfer'],
    ...['freelancer_language', 'payment_token'],
  ].map((name) => `'${name}', d.${name}`);
  const stage = stageColumns.map(
    ([name, type]) => `'${name}', t.${name}${type === 'numeric' ? '::text' : ''}`,
  );
  const files = `coalesce((select json_agg(${fileRecord('f')} order by f.sequence)
    from ${s}.work_files f where f.tenant = d.tenant and f.deal_id = d.id and f.stage_id = t.id),
    '[]'::json)`;
  return `json_build_object(${plain.join(', ')}, 'budget', d.budget::text, 'amount', d.amount::text,
    'stages', case when d.id is not null then coalesce(
      (select json_agg(json_build_object(${stage.join(', ')}, 'work_files', ${files}) order by t.id)
      from ${s}.stages t where t.tenant = d.tenant and t.deal_id = d.id), '[]'::json) end)::text`;
}

/** Parameters: tenant, id. */
export function byIdStatement(schema: string): Statement {
  const s = quoted(schema);
  const text = `select ${dealRecord(s)} as answer from ${s}.deals d
    where d.tenant = $1::text and d.id = $2::bigint`;
  return statement('deals.byId', '', text);
}

/** Parameters: tenant, partner_id. */
export function byPartnerIdStatement(schema: string): Statement {
  const s = quoted(schema);
  const text = `select ${dealRecord(s)} as answer from ${s}.deals d
    where d.tenant = $1::text and d.partner_id = $2::text`;
  return statement('deals.byPartnerId', '', text);
}

/** Parameters: tenant, ids as JSON. */
export function recordedStatement(schema: string): Statement {
  const text = `select f.id as answer from json_array_elements_text($2::text::json) as asked(id)
    join ${quoted(schema)}.work_files f on f.tenant = $1::text and f.id = asked.id`;
  return statement('deals.recordedWorkFiles', '', text);
}

/** Parameters: environment, register, e-mail key. */
export function byKeyStatement(schema: string): Statement {
  const beside = new Set(['event_id', 'idempotency_key', 'fingerprint']);
  const members = contractorColumns.filter((name) => !beside.has(name));
  const text = `select json_build_object(${members.map((name) => `'${name}', ${name}`).join(', ')})
    ::text as answer from ${quoted(schema)}.contractors
    where environment = $1::text and register = $2::text and email_key = $3::text`;
  return statement('contractors.byKey', '', text);
}

/**
 * Parameters: tenant, position, limit, environment, partner. The answer is one JSON text: the last
 * position of the tenant, and the events behind the one that was given, the oldest first.
 */
export function eventsStatement(schema: string): Statement {
  const s = quoted(schema);
  const record = `json_build_object('id', e.id, 'type', e.type, 'environment', $4::text,
    'partner', $5::text, 'subject', e.subject, 'sequence', e.sequence, 'at', e.at, 'data', e.data)`;
  const text = `select json_build_object(
    'last', coalesce((select t.last_position from ${s}.tenants t where t.tenant = $1::text), 0),
    'events', coalesce((select json_agg(page.record order by page.position) from (
      select e.position, ${record} as record from ${s}.events e
      where e.tenant = $1::text and e.position > $2::bigint
      order by e.position limit $3::bigint) page), '[]'::json))::text as answer`;
  return statement('events.after', '', text);
}

/** The filters that a list can have, in the order of their parameters. */
const filters = {
  partner_id: (value: string) => `d.partner_id = ${value}`,
  email_key: (value: string) => `d.email_key = ${value}`,
  freelancer_status: (value: string) => `d.freelancer_status = ${value}`,
  status: (value: string) => `d.status = ${value}`,
  created_from: (value: string) => `d.created_at >= ${value}`,
  created_to: (value: string) => `d.created_at < ${value}`,
} as const;

const filterNames = Object.keys(filters) as (keyof DealFilter)[];

/**
 * The least power of two that is enough, of which a list has a text for each. Of a limit that is a
 * parameter the planner expects a tenth of the table, and of a limit within another a tenth of that:
 * then it keeps one plan, where it would plan each list anew, which takes as long as the list itself.
 */
function roundUp(limit: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(limit, 1)));
}

/** Which statement a list needs, as a word. */
export function listVariant(filter: DealFilter, { direction, from, limit }: DealStretch): string {
  const letters = filterNames.map((name) => (filter[name] === undefined ? '' : initials[name]));
  const way = `${direction === 'older' ? 'o' : 'n'}${from === undefined ? '' : 'f'}`;
  return `_${letters.join('')}${way}${roundUp(limit)}`;
}

const initials: Readonly<Record<keyof DealFilter, string>> = {
  partner_id: 'p',
  email_key: 'e',
  freelancer_status: 'l',
  status: 's',
  created_from: 'a',
  created_to: 'b',
};

/** The values of the statement for this list. */
export function listValues(
  tenant: string,
  filter: DealFilter,
  { from, limit }: DealStretch,
): (string | number)[] {
  const given = filterNames.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [value];
  });
  const place = from === undefined ? [] : [from.created_at, from.event_id];
  return [tenant, ...given, ...place, limit];
}

/**
 * A stretch of a list, in the order of its index, in which it begins where it is to begin: it costs
 * the same at any depth.
 */
export function listStatement(schema: string, filter: DealFilter, stretch: DealStretch): Statement {
  const { direction, from, limit } = stretch;
  let last = 1;
  const next = () => {
    last += 1;
    return `$${last}`;
  };
  const held = filterNames
    .filter((name) => filter[name] !== undefined)
    .map((name) => filters[name](`${next()}::text`));
  const isOlder = direction === 'older';
  const place =
    from === undefined
      ? []
      : [`(d.created_at, d.event_id) ${isOlder ? '<' : '>'} (${next()}::text, ${next()}::text)`];
  const where = ['d.tenant = $1::text', ...held, ...place].join(' and ');
  const way = isOlder ? 'desc' : 'asc';
  // one deal alone has no order, and an order would take its index away from it
  const order =
    filter.partner_id === undefined ? `order by d.created_at ${way}, d.event_id ${way}` : '';
  return statement(
    'dealIndex.list',
    listVariant(filter, stretch),
    `select json_build_object('partner_id', d.partner_id, 'api_version', d.api_version, 'id', d.id,
      'title', coalesce(d.name, d.title),
      'email_freelancer', coalesce(d.contractor_email, d.email_freelancer),
      'amount', coalesce(d.budget, d.amount)::text, 'currency', d.currency, 'status', d.status,
      'freelancer_status', d.freelancer_status, 'created_at', d.created_at,
      'event_id', d.event_id)::text as answer
    from (select d.* from ${quoted(schema)}.deals d where ${where} ${order}
      limit ${roundUp(limit)}) d
    ${order} limit ${next()}::bigint`,
  );
}
