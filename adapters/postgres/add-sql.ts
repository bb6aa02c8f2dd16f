import { quoted, type Statement, statement } from './statement.js';

/** What a create of either version gives a deal, and in which type, in the order of its parameters. */
export const dealColumns = [
  ['partner_id', 'text'],
  ['api_version', 'text'],
  ['id', 'bigint'],
  ['created_at', 'text'],
  ['event_id', 'text'],
  ['version', 'bigint'],
  ['status', 'text'],
  ['freelancer_status', 'text'],
  ['email_key', 'text'],
  ['idempotency_key', 'text'],
  ['fingerprint', 'text'],
  ['description', 'text'],
  ['currency', 'text'],
  ['contractor_email', 'text'],
  ['name', 'text'],
  ['budget', 'numeric'],
  ['work_days', 'bigint'],
  ['sub_category_id', 'bigint'],
  ['email_freelancer', 'text'],
  ['title', 'text'],
  ['amount', 'numeric'],
  ['subcategory_id', 'bigint'],
  ['copyright_transfer', 'text'],
  ['freelancer_language', 'text'],
  ['payment_token', 'text'],
] as const;

export type DealColumn = (typeof dealColumns)[number][0];

const common = dealColumns.slice(0, 13).map(([name]) => name);

/** The columns of each version, which have values in its lone statement. */
export const columnsOf: Readonly<Record<'1.0' | '2.0', readonly DealColumn[]>> = {
  '1.0': [...common, 'contractor_email', 'name', 'budget', 'work_days', 'sub_category_id'],
  '2.0': [
    ...common.filter((name) => name !== 'id'),
    'email_freelancer',
    'title',
    'amount',
    'subcategory_id',
    'copyright_transfer',
    'freelancer_language',
    'payment_token',
  ],
};

export const stageColumns = [
  ['id', 'bigint'],
  ['name', 'text'],
  ['budget', 'numeric'],
  ['work_days', 'bigint'],
  ['status', 'text'],
] as const;

export const eventColumns = [
  ['id', 'text'],
  ['type', 'text'],
  ['subject', 'text'],
  ['sequence', 'bigint'],
  ['at', 'text'],
  ['data', 'json'],
] as const;

/** A parameter's place by its name; a parameter that is text comes out of every driver alike. */
export type Place = (name: string, type: string) => string;

/** Gives parameters their places, in the order in which they are first named. */
export function places(): Place {
  const known = new Map<string, number>();
  return (name, type) => {
    const at = known.get(name) ?? known.size + 1;
    known.set(name, at);
    // drivers write JSON their own way once they know that it is JSON
    return type === 'json' ? `$${at}::text::json` : `$${at}::${type}`;
  };
}

/**
 * What somebody who was first is told, from `deals d` and `stages`: facts that never change. The
 * attempt itself may be that somebody.
 */
export function firstAnswers(schema: string) {
  const stageIds = `(select json_agg(s.id order by s.id) from ${quoted(schema)}.stages s
    where s.tenant = d.tenant and s.deal_id = d.id)`;
  return {
    byKey: `json_build_object('by', 'key', 'fingerprint', d.fingerprint, 'id', d.id,
      'stage_ids', ${stageIds}, 'payment_token', d.payment_token)::text`,
    byPartnerId: (attempt: string, version: string) =>
      `case when d.event_id = ${attempt} and d.api_version = ${version}
      then json_build_object('by', 'attempt', 'id', d.id, 'stage_ids', ${stageIds})::text
      else 'taken' end`,
  };
}

/**
 * The create of one deal with one event and so many stages: one row, without a loop in it. Its
 * parameters: `tenant`, those of `columnsOf`, the contractor's key for version 1.0, those of the
 * event, and those of each stage.
 *
 * The counter is raised last of all that waits for others, so that its lock is short and no two
 * creates wait for each other.
 */
export function addOneStatement(
  schema: string,
  version: '1.0' | '2.0',
  stageCount: number,
): Statement {
  const s = quoted(schema);
  const place = places();
  const tenant = place('tenant', 'text');
  const columns = columnsOf[version];
  const types = new Map<string, string>(dealColumns);
  const values = columns.map((name) => place(name, types.get(name) ?? 'text'));
  const known =
    version === '1.0'
      ? `exists (select from ${s}.contractors where environment = ${place('environment', 'text')}
          and register = ${place('register', 'text')} and email_key = ${place('contractor_key', 'text')})`
      : 'true';
  const event = eventColumns.map(([name, type]) =>
    // the id of the event is the deal's too
    name === 'id' ? place('event_id', 'text') : place(`event.${name}`, type),
  );
  const stages = Array.from(
    { length: stageCount },
    (_, at) =>
      `(${stageColumns.map(([name, type]) => place(`stage.${at}.${name}`, type)).join(', ')})`,
  );
  const first = firstAnswers(schema);
  return statement(
    version === '1.0' ? 'deals.add' : 'dealsV2.add',
    version === '1.0' ? `_${stageCount}` : '',
    `with deal as (
      insert into ${s}.deals (tenant, ${columns.join(', ')})
      select ${[tenant, ...values].join(', ')} where ${known}
      on conflict do nothing returning 1
    ), ${
      stageCount === 0
        ? ''
        : `stage as (
      insert into ${s}.stages (tenant, deal_id, ${stageColumns.map(([name]) => name).join(', ')})
      select ${tenant}, ${place('id', 'bigint')}, v.* from deal, (values ${stages.join(', ')}) v
    ), `
    }counter as (
      insert into ${s}.tenants (tenant, last_position) select ${tenant}, 1 from deal
      on conflict (tenant) do update set last_position = tenants.last_position + 1
      returning last_position
    ), event as (
      insert into ${s}.events (tenant, position, ${eventColumns.map(([name]) => name).join(', ')})
      select ${tenant}, last_position, ${event.join(', ')} from counter
    )
    select case when exists (select from deal) then 'created' else coalesce(
      (select ${first.byKey} from ${s}.deals d
        where d.tenant = ${tenant} and d.idempotency_key = ${place('idempotency_key', 'text')}),
      (select ${first.byPartnerId(place('event_id', 'text'), `'${version}'`)} from ${s}.deals d
        where d.tenant = ${tenant} and d.partner_id = ${place('partner_id', 'text')}),
      case when ${known} then 'unseen' else 'contractor_missing' end) end as answer`,
  );
}

/**
 * The create of many deals of both versions: the parameters are three JSON texts, of the deals, of
 * their stages and of their events, each with the number `n` of its deal. No two deals have the same
 * event, by which they are known once they are stored. Whatever else collides is left to the database; it answers each `n` with what the lone statement would. With `isOfOneTenant` a
 * fourth parameter is the tenant of all of them, by which a cluster finds its shard.
 */
export function addManyStatement(schema: string, isOfOneTenant: boolean): Statement {
  const s = quoted(schema);
  const tenant = (alias: string) => (isOfOneTenant ? '$4::text' : `${alias}.tenant`);
  const given = (at: number, alias: string, columns: readonly (readonly [string, string])[]) => {
    const typed = columns.map(([name, type]) => `${name} ${type === 'json' ? 'text' : type}`);
    return `json_to_recordset($${at}::text::json) as ${alias}(n int, ${typed.join(', ')})`;
  };
  const names = dealColumns.map(([name]) => name);
  const stages = stageColumns.map(([name]) => name);
  const first = firstAnswers(schema);
  const keys = [
    ['tenant', 'text'],
    ['environment', 'text'],
    ['register', 'text'],
    ['contractor_key', 'text'],
  ] as const;
  return statement(
    'deals.addMany',
    isOfOneTenant ? '_tenant' : '',
    `with input as materialized (
      select i.*, case when i.api_version = '2.0' then true else
        (select true from ${s}.contractors c where c.environment = i.environment
          and c.register = i.register and c.email_key = i.contractor_key) end as known
      from ${given(1, 'i', [...keys, ...dealColumns])}
    ), stored as (
      insert into ${s}.deals (tenant, ${names.join(', ')})
      select ${tenant('i')}, ${names.map((name) => `i.${name}`).join(', ')}
      from input i where i.known order by i.n
      on conflict do nothing returning tenant, event_id
    ), won as materialized (
      select i.n, d.tenant, i.id as deal_id from stored d
      join input i on i.event_id = d.event_id
    ), stage as (
      insert into ${s}.stages (tenant, deal_id, ${stages.join(', ')})
      select ${tenant('w')}, w.deal_id, ${stages.map((name) => `r.${name}`).join(', ')}
      from ${given(2, 'r', stageColumns)} join won w on w.n = r.n
    ), happened as materialized (
      select w.tenant, r.*, row_number() over (partition by w.tenant order by r.n, r.sequence) as nth
      from ${given(3, 'r', eventColumns)} join won w on w.n = r.n
    ), counter as (
      insert into ${s}.tenants (tenant, last_position)
      select ${tenant('h')}, count(*) from happened h group by 1 order by 1
      on conflict (tenant) do update
      set last_position = tenants.last_position + excluded.last_position
      returning tenant, last_position
    ), event as (
      insert into ${s}.events (tenant, position, ${eventColumns.map(([name]) => name).join(', ')})
      select ${tenant('h')},
        c.last_position - count(*) over (partition by h.tenant) + h.nth,
        ${eventColumns.map(([name]) => (name === 'data' ? 'h.data::json' : `h.${name}`)).join(', ')}
      from happened h join counter c on c.tenant = h.tenant
    )
    select json_build_array(i.n, case when w.n is not null then 'created' else coalesce(
      (select ${first.byKey} from ${s}.deals d
        where d.tenant = ${tenant('i')} and d.idempotency_key = i.idempotency_key),
      (select ${first.byPartnerId('i.event_id', 'i.api_version')} from ${s}.deals d
        where d.tenant = ${tenant('i')} and d.partner_id = i.partner_id),
      case when i.known then 'unseen' else 'contractor_missing' end) end)::text as answer
    from input i left join won w on w.n = i.n`,
  );
}
