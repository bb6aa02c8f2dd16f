import {
  type DealFilter,
  type DealPart,
  type DealRange,
  type IndexOwner,
  type IndexRange,
  type ListedKind,
  listedFields,
  type PortFailure,
  type RecordKind,
  type RecordRange,
  type TimedKind,
} from 'dealwright/ports';
import type { Result } from 'neverthrow';
import { indexQuery } from '../../sql/index-range.js';
import { dueTables, tables } from '../../sql/tables.js';
import { quoted, type SendOnce, type Statement, sendUntil, statement } from '../connection/send.js';
import { jsonObject } from '../functions/columns.js';

/** The column that finds a deal, and its type. */
const finders = {
  byId: ['d.id', 'bigint'],
  byPartnerId: ['d.partner_id', 'text'],
  byPaymentToken: ['d.payment_token', 'text'],
} as const;

export type Finder = keyof typeof finders;

/**
 * A deal and parts of it, as one JSON text. Parameters: tenant, and the value that finds the deal.
 */
export function dealStatement(schema: string, by: Finder, parts: readonly DealPart[]): Statement {
  const [, type] = finders[by];
  const text = selectDeal(schema, by, parts, '$1::text', `$2::${type}`);
  return statement(`deals.${by}`, variantOf(parts), text);
}

/**
 * Many of them, in the order of their values; null if there is no such deal. Parameters: tenants,
 * and the values that find their deals.
 */
export function dealsStatement(schema: string, by: Finder, parts: readonly DealPart[]): Statement {
  const [, type] = finders[by];
  return statement(
    `deals.${by}`,
    `_many${variantOf(parts)}`,
    `select (${selectDeal(schema, by, parts, 'asked.tenant', 'asked.value')}) as answer
    from unnest($1::text::text[], $2::text::${type}[]) with ordinality as asked(tenant, value, n)
    order by asked.n`,
  );
}

const variantOf = (parts: readonly DealPart[]) => parts.map((part) => `_${part}`).join('');

function selectDeal(
  schema: string,
  by: Finder,
  parts: readonly DealPart[],
  tenant: string,
  value: string,
): string {
  const s = quoted(schema);
  const lists = parts.map((part) => {
    const { name, key } = tables[part];
    const record = jsonObject('t', tables[part].members);
    return `, '${part}', coalesce((select json_agg(t.record) from (
      select ${record} as record from ${s}.${name} t
      where t.tenant = ${tenant} and ${isOnly('t.partner_id', 'd.partner_id')}
        and ${isFew('t.partner_id', 'd.partner_id')}
      order by t.partner_id, t.${key}) t), '[]'::json)`;
  });
  const [column] = finders[by];
  return `select json_build_object('deal', ${jsonObject('d', tables.deal.members)}${lists.join('')})
      ::text as answer from ${s}.deals d where d.tenant = ${tenant} and ${isOnly(column, value)}
    order by ${column} limit 1`;
}

/**
 * The condition that a column has this value, written as a range, whose order no other index has.
 * If all indexes seem equal, as on a table that was never analysed, the planner would take any of
 * them, and read a whole tenant.
 */
function isOnly(column: string, value: string): string {
  return `${column} >= ${value} and ${column} <= ${value}`;
}

/**
 * The same condition again, for the estimate alone: for a range of unknown values the planner
 * expects a part of the tenant, and compiles a statement that seems so expensive.
 */
function isFew(column: string, value: string): string {
  return `${column} = any(array[${value}])`;
}

/**
 * The records of a kind whose time has come, as JSON texts. Parameters: tenant, the time, limit,
 * and their parent, if there is one.
 */
export function dueStatement(schema: string, kind: TimedKind): Statement {
  const { name, key, members, dueUnder } = tables[kind];
  const under = dueUnder.map((column) => `and ${isOnly(`t.${column}`, '$4::text')}`).join(' ');
  const order = dueUnder.map((column) => `t.${column}, `).join('');
  const text = `select ${jsonObject('t', members)}::text as answer from ${quoted(schema)}.${name} t
    where t.tenant = $1::text ${under} and t.due_at <= $2::text
    order by ${order}t.due_at, t.${key} limit $3::bigint`;
  return statement('due', `_${kind}`, text);
}

/** Parameters: tenant, ids as JSON. */
export function recordedStatement(schema: string): Statement {
  const text = `select f.id as answer from json_array_elements_text($2::text::json) as asked(id)
    join ${quoted(schema)}.work_files f on f.tenant = $1::text and f.id = asked.id`;
  return statement('workFiles.recorded', '', text);
}

/**
 * Parameters: tenant, position, limit. The answer is one JSON text: the last position of the tenant,
 * and the events after the given position, the oldest first.
 */
export function eventsStatement(schema: string): Statement {
  const s = quoted(schema);
  const text = `select json_build_object(
    'last', coalesce((select t.last_position from ${s}.tenants t where t.tenant = $1::text), 0),
    'events', coalesce((select json_agg(page.record order by page.position) from (
      select e.position, ${jsonObject('e', tables.event.members)} as record from ${s}.events e
      where e.tenant = $1::text and e.position > $2::bigint
      order by e.position limit $3::bigint) page), '[]'::json))::text as answer`;
  return statement('events.after', '', text);
}

/** Parameters: tenant, subject, sequence, limit. The events of the subject after it, as JSON texts. */
export function eventsOfStatement(schema: string): Statement {
  const text = `select ${jsonObject('e', tables.event.members)}::text as answer
    from ${quoted(schema)}.events e where e.tenant = $1::text
      and (e.subject, e.sequence) > ($2::text, $3::bigint) and e.subject <= $2::text
    order by e.subject, e.sequence limit $4::bigint`;
  return statement('events.of', '', text);
}

/** Parameters: tenant, key. The record as JSON text. */
export function recordStatement(schema: string, kind: ListedKind): Statement {
  const { name, key, members } = tables[kind];
  const text = `select ${jsonObject('t', members)}::text as answer from ${quoted(schema)}.${name} t
    where t.tenant = $1::text and ${isOnly(`t.${key}`, '$2::text')} order by t.${key} limit 1`;
  return statement('records.byKey', `_${kind}`, text);
}

/** The name of the statement for a range of records. */
export function rangeVariant(kind: ListedKind, { under, direction, after }: RecordRange): string {
  const isUnder = under !== undefined && tables[kind].parent !== undefined;
  return `_${kind}_${isUnder ? 'u' : ''}${after === undefined ? '' : 'f'}${direction.charAt(0)}`;
}

/** The values of the statement for this range. */
export function rangeValues(
  tenant: string,
  kind: ListedKind,
  { under, after, limit }: RecordRange,
): (string | number)[] {
  const parent = under !== undefined && tables[kind].parent !== undefined ? [under] : [];
  return [tenant, ...parent, ...(after === undefined ? [] : [after]), limit];
}

/**
 * A range of records as JSON texts, in the order of their keys. Records under one are found as a
 * range of pairs: no other index has their order, and this one is read from its first row to its
 * last.
 */
export function rangeStatement(schema: string, kind: ListedKind, range: RecordRange): Statement {
  const { name, key, parent, members } = tables[kind];
  const { under, direction, after } = range;
  const [sign, back, way] = direction === 'ascending' ? ['>', '<', 'asc'] : ['<', '>', 'desc'];
  const isUnder = under !== undefined && parent !== undefined;
  const keyAt = isUnder ? '$3' : '$2';
  const place =
    after === undefined
      ? isUnder
        ? [isOnly(`t.${parent}`, '$2::text')]
        : []
      : isUnder
        ? [`(t.${parent}, t.${key}) ${sign} ($2::text, $3::text)`, `t.${parent} ${back}= $2::text`]
        : [`t.${key} ${sign} ${keyAt}::text`];
  const order = [...(isUnder ? [parent] : []), key].map((column) => `t.${column} ${way}`);
  const limit = 2 + (isUnder ? 1 : 0) + (after === undefined ? 0 : 1);
  return statement(
    'records.list',
    rangeVariant(kind, range),
    `select ${jsonObject('t', members)}::text as answer from ${quoted(schema)}.${name} t
    where ${['t.tenant = $1::text', ...place].join(' and ')}
    order by ${order.join(', ')} limit $${limit}::bigint`,
  );
}

/**
 * Parameters: the tenant after which they start, or an empty text, and the limit. The answers are
 * JSON texts, each a tenant and the position of its last event.
 */
export function tenantsStatement(schema: string): Statement {
  const text = `select json_build_array(t.tenant, t.last_position)::text as answer from ${quoted(schema)}.tenants t
    where t.tenant > $1::text and t.last_position > 0 order by t.tenant limit $2::bigint`;
  return statement('tenants', '', text);
}

/**
 * The most due records that are read to find tenants; if there are more, each tenant is searched.
 */
const manyDue = 1_000;

/**
 * The same for the tenants with records due by a time, the third parameter, of the kinds whose time
 * has its own index; and whether so much is due that there may be more. It is read in the order of
 * the time, which no other index has: else the planner would take one that it rates equal.
 */
export function tenantsDueStatement(schema: string): Statement {
  const s = quoted(schema);
  const due = dueTables.map(
    ({ name }) => `(select d.tenant from ${s}.${name} d
      where d.due_at <= $3::text and d.tenant > $1::text
      order by d.due_at, d.tenant limit ${manyDue})`,
  );
  const text = `with due as materialized (${due.join(' union all ')})
    select json_build_array(d.tenant,
      (select t.last_position from ${s}.tenants t where t.tenant = d.tenant),
      (select count(*) >= ${manyDue} from due))::text as answer
    from (select due.tenant from due group by due.tenant order by due.tenant limit $2::bigint) d
    order by d.tenant`;
  return statement('tenants', '_due', text);
}

/** The same if much is due: the first time of each tenant is searched. */
export function tenantsWithDueStatement(schema: string): Statement {
  const s = quoted(schema);
  const first = dueTables.map(
    ({ name }) => `(select d.due_at from ${s}.${name} d
      where d.tenant = t.tenant and d.due_at is not null
      order by d.tenant, d.due_at limit 1) <= $3::text`,
  );
  const text = `select json_build_array(t.tenant, t.last_position)::text as answer from ${s}.tenants t
    where t.tenant > $1::text and (${first.join(' or ')}) order by t.tenant limit $2::bigint`;
  return statement('tenants', '_with_due', text);
}

/** The filters that a list can have, in the order of their parameters. */
const filters: Readonly<Record<keyof DealFilter, readonly [condition: string, initial: string]>> = {
  partner_id: ['d.partner_id =', 'p'],
  email_key: ['d.email_key =', 'e'],
  attention: ['d.attention =', 'n'],
  freelancer_status: ['d.freelancer_status =', 'l'],
  status: ['d.status =', 's'],
  created_from: ['d.created_at >=', 'a'],
  created_to: ['d.created_at <', 'b'],
};

const filterNames = Object.keys(filters) as (keyof DealFilter)[];

/**
 * The least power of two that is enough: a list has a text for each. For a limit that is a
 * parameter the planner expects a tenth of the table, and for a limit within another a tenth of
 * that. With a number in the text it keeps one plan; else it would plan each list, which takes as
 * long as the list itself.
 */
function roundUp(limit: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(limit, 1)));
}

/** The name of the statement for a list. */
export function listVariant(filter: DealFilter, { direction, from, limit }: DealRange): string {
  const letters = filterNames.map((name) => (filter[name] === undefined ? '' : filters[name][1]));
  const way = `${direction === 'older' ? 'o' : 'n'}${from === undefined ? '' : 'f'}`;
  return `_${letters.join('')}${way}${roundUp(limit)}`;
}

/** The values of the statement for this list. */
export function listValues(
  tenant: string,
  filter: DealFilter,
  { from, limit }: DealRange,
): (string | number)[] {
  const given = filterNames.flatMap((name) => filter[name] ?? []);
  return [tenant, ...given, ...(from === undefined ? [] : [from.created_at, from.attempt]), limit];
}

const listed = tables.deal.members.filter(({ name }) =>
  ([...listedFields, 'attempt'] as readonly string[]).includes(name),
);

/**
 * A range of a list, in the order of its index, in which it starts at the position: it costs
 * the same at any depth.
 */
export function listStatement(schema: string, filter: DealFilter, range: DealRange): Statement {
  const { direction, from, limit } = range;
  let last = 1;
  const next = () => {
    last += 1;
    return `$${last}`;
  };
  const held = filterNames
    .filter((name) => filter[name] !== undefined)
    .map((name) => `${filters[name][0]} ${next()}::text`);
  const isOlder = direction === 'older';
  const place =
    from === undefined
      ? []
      : [`(d.created_at, d.attempt) ${isOlder ? '<' : '>'} (${next()}::text, ${next()}::text)`];
  const where = ['d.tenant = $1::text', ...held, ...place].join(' and ');
  const way = isOlder ? 'desc' : 'asc';
  // a single deal needs no order, and an order would prevent the use of its index
  const order =
    filter.partner_id === undefined ? `order by d.created_at ${way}, d.attempt ${way}` : '';
  return statement(
    'deals.list',
    listVariant(filter, range),
    `select ${jsonObject('d', listed)}::text as answer
    from (select d.* from ${quoted(schema)}.deals d where ${where} ${order}
      limit ${roundUp(limit)}) d
    ${order} limit ${next()}::bigint`,
  );
}

/** The name of the statement for a range of an index. */
export function indexVariant(owner: IndexOwner, kind: RecordKind, range: IndexRange): string {
  const { index, equal, from, to, direction, after, limit } = range;
  const given = [owner.partner, from, to, after].map((each) => each !== undefined);
  return JSON.stringify([kind, index, equal.length, ...given, direction, roundUp(limit)]);
}

/**
 * A range of an index, each row with its tenant. Parameters: those of `indexValues`. It throws if
 * the kind has no such index.
 */
export function indexStatement(
  schema: string,
  owner: IndexOwner,
  kind: RecordKind,
  range: IndexRange,
): Statement {
  let count = 0;
  const place = (type: string) => {
    count += 1;
    return `$${count}::${type}`;
  };
  const { members: all, name } = tables[kind];
  const { index, members, where, order } = indexQuery(owner, kind, range, (column) =>
    place(all.some((each) => each.name === column && each.type === 'integer') ? 'bigint' : 'text'),
  );
  const text = `select json_build_array(t.tenant, ${jsonObject('t', members)})::text as answer
    from (select t.* from ${quoted(schema)}.${name} t where ${where} order by ${order}
      limit ${roundUp(range.limit)}) t
    order by ${order} limit ${place('bigint')}`;
  return statement('records.byIndex', `_${kind}_${index}`, text);
}

export type Values = readonly (string | number)[];
/** The rows of a statement, which have one text each. */
export type Texts = readonly (string | null)[];

/** Reads with a statement, and makes an answer from its rows. */
export type Read = <T>(
  statement: Statement,
  values: Values,
  answerOf: (texts: Texts) => T,
) => Promise<Result<T, PortFailure>>;

/** The reads of a store. */
export interface Reading {
  /** Reads data of one tenant, which is the first value. */
  readonly ofTenant: Read;
  /** Reads data of all tenants: a cluster returns the rows of each of its nodes. */
  readonly ofAll: Read;
}

/** Sends each statement unchanged. */
export function createReading(send: SendOnce): Reading {
  const read: Read = (statement, values, answerOf) =>
    sendUntil(async (retries) => (await send(statement, values, 1, retries)).map(answerOf), 'read');
  return { ofTenant: read, ofAll: read };
}
