import { shapeOf } from 'dealwright/ports';
import { recordKinds } from '../../sql/tables.js';
import {
  eventColumns,
  eventFields,
  firstAnswer,
  indent,
  kinds,
  lines,
  type Parts,
  raise,
  s,
  settings,
} from './parts.js';

/** The parameters of `commit` for kinds, in their order. */
export const parameterNames = recordKinds.flatMap((kind) => {
  const { of: owner, isSubject, changes } = shapeOf(kind);
  return [
    `${kind} expected`,
    // a write only counts records of its tenant
    ...(owner === 'tenant' ? [`${kind} counted`] : []),
    `${kind} inserted`,
    ...(isSubject || changes.length > 0 ? [`${kind} changed`] : []),
  ];
});

/** The parameters of kinds and events, each a JSON text of rows. */
const parameters = [...parameterNames, 'events'].map((name) => `p_${name.replace(' ', '_')} text`);

/** The rows of a parameter, as `r`. */
export const given = (name: string, columns = '') =>
  `json_to_recordset(p_${name}::json) as r(n int${columns === '' ? '' : `, ${columns}`})`;
/** The tenant of a row's write: tenants, attempts and numbers of events are in arrays. */
export const tenant = 'v_owners[r.n]';
const attempt = 'v_attempts[r.n]';
const onlyWhere = (name: string, statements: string) =>
  `if p_${name} is not null then\n${indent(statements, 2)}\nend if;`;
const typed = (fields: Parts['fields']) => fields.map((field) => field.join(' ')).join(', ');
/** The allowed values of conditions, as columns of a row. */
const listsOf = ({ conditions }: Parts) =>
  conditions.map(([name, type]) => `, ${name} ${type}[]`).join('');

/** The place where writes are judged and carried out. All else is the same in every place. */
export interface Place {
  /** The first parameters of its functions. */
  readonly parameter: string;
  readonly settings: string;
  /** Moves each log on, which locks it: several logs in the order of their tenants. */
  readonly raising: string;
  /**
   * The requested records, as `t`, joined to the rows that request them; and the statements before.
   */
  readonly found: (parts: Parts) => { readonly before: string; readonly join: string };
  /** Adds rows with too many records to those that fail. */
  readonly counted: (rows: string, count: (owner: string, row: string) => string) => string;
}

/** The number of events of each tenant's writes. */
export const sums = `select w.tenant, sum(w.events) as events from unnest(v_owners, v_counts) as w(tenant, events) group by 1 order by 1`;

/** The record that a row requests, looked up alone. */
export function lookedUp({ table, find }: Parts): string {
  const { where, order } = find(tenant, 'r.key');
  return `left join lateral (select * from ${table} t where ${where} ${order} limit 1) t on true`;
}

/** All tables on one server. */
export const server: Place = {
  parameter: '',
  settings,
  raising: `with raised as (
  ${indent(raise(sums), 2).trim()}
    returning t.tenant, t.last_position
) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;`,
  found: (parts) => ({ before: '', join: lookedUp(parts) }),
  counted: (rows, count) => `v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
from ${rows}
where (select count(*) ${count(tenant, 'r')}) >= r.than);`,
};

function judging(parts: Parts, place: Place): string {
  const { kind, keyType, isShared, table } = parts;
  const holds = ['t.attempt is not null', ...parts.isAsAsked((field) => `r.${field}`)];
  const { before, join } = place.found(parts);
  const code = `(r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = ${attempt}, false)::int`;
  const judged = `from ${given(`${kind}_expected`, `i int, absent boolean, key ${keyType}${listsOf(parts)}`)}
${join}
where case when r.absent then t.attempt is not null
  else not (${holds.join('\n    and ')}) end`;
  const statement =
    kind === 'answer'
      ? `select coalesce(array_agg(${code}), '{}'), json_object_agg(r.n || ' ' || r.i, ${firstAnswer}) filter (where r.absent)
into v_some, v_first ${judged};
v_failed := v_failed || v_some;`
      : `v_failed := v_failed || array(select ${code}
${judged});`;
  const rows = given(`${kind}_counted`, `i int, key text, than bigint${listsOf(parts)}`);
  const counted = place.counted(rows, (owner, row) => {
    const under = parts.findUnder(owner, `${row}.key`);
    const wanted = [under.where, ...parts.isAsAsked((field) => `${row}.${field}`)];
    return `from (select 1 from ${table} t
  where ${wanted.join('\n    and ')} ${under.order} limit greatest(${row}.than, 0)) counted`;
  });
  return lines([
    onlyWhere(`${kind}_expected`, lines([before, statement])),
    isShared ? '' : onlyWhere(`${kind}_counted`, counted),
  ]);
}

function making(parts: Parts): string {
  const { kind, shape, table, isShared, fields, columns } = parts;
  const values = [
    ...(isShared ? [`split_part(${tenant}, ':', 1)`] : []),
    tenant,
    ...fields.map(([name]) => `r.${name}`),
    attempt,
    ...(shape.isSubject ? ['v_counts[r.n]'] : []),
  ];
  const rows = given(`${kind}_inserted`, typed(fields));
  const insert = lines([
    `insert into ${table} (${columns})`,
    `select ${values.join(', ')}`,
    isShared
      ? `from ${rows} where r.n <> all(v_refused) order by 1, r.${shape.key} on conflict do nothing;`
      : `from ${rows} where r.n <> all(v_refused);`,
    ...(isShared
      ? [
          `get diagnostics v_count = row_count;`,
          `if v_count < (select count(*) from ${given(`${kind}_inserted`)} where r.n <> all(v_refused)) then`,
          `  raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';`,
          `end if;`,
        ]
      : []),
  ]);
  const change = lines([
    `for v_row in select r.*, ${tenant} as tenant from ${given(`${kind}_changed`, `key ${parts.keyType}, moves bigint, given jsonb`)}`,
    `  where r.n <> all(v_refused) loop`,
    `  update ${table} t set ${parts.sets('v_row.moves', 'v_row.given')}`,
    `    where ${parts.where('v_row.tenant', 'v_row.key')}${shape.isSubject ? ' returning t.version - v_row.moves into v_before' : ''};`,
    shape.isSubject ? `  if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;` : '',
    `end loop;`,
  ]);
  return lines([
    onlyWhere(`${kind}_inserted`, insert),
    parts.canChange ? onlyWhere(`${kind}_changed`, change) : '',
  ]);
}

/** Takes back the event numbers of refused writes, and writes the rest. */
function writing(): string {
  const eventValues = eventFields.map(([name]) =>
    name === 'sequence' ? 'r.sequence + coalesce(v_versions[r.n], 0)' : `r.${name}`,
  );
  return `if cardinality(v_failed) > 0 then
  select array_agg(f.n), json_agg(json_build_array(f.n - 1, json_build_object('expectation', f.i,
      'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
  from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
    from unnest(v_failed) f group by 1) f;
  for v_row in select w.tenant, sum(w.events) as events
    from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
    where w.n = any(v_refused) group by 1 loop
    update ${s}.tenants t set last_position = t.last_position - v_row.events
      where t.tenant = v_row.tenant returning t.last_position into v_before;
    v_last[array_position(v_tenants, v_row.tenant)] := v_before;
  end loop;
end if;
select array_agg(b.base order by b.n) into v_bases from (
  select w.n, c.last_position - sum(w.events) filter (where w.n <> all(v_refused)) over (partition by w.tenant order by w.n desc) as base
  from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
  join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = w.tenant) b;
${lines(kinds.map(making))}
insert into ${s}.events (${eventColumns})
select ${tenant}, v_bases[r.n] + r.sequence, ${eventValues.join(', ')}
from ${given('events', typed(eventFields))} where r.n <> all(v_refused);
return v_answer;`;
}

/**
 * Many writes of many tenants, from the parameters on. It returns the refused ones: `[[n, why]]`.
 * Arrays and JSON are texts in the parameters: a cluster passes on no cast of a parameter.
 */
export function commitMany(place: Place): string {
  const judged = kinds.map((parts) => judging(parts, place));
  return `(
  ${place.parameter}p_owners text, p_attempts text, p_counts text,
  ${parameters.join(',\n  ')}
) returns text language plpgsql ${place.settings} as $commit$
declare
  v_owners text[] := p_owners::text[]; v_attempts text[] := p_attempts::text[]; v_counts bigint[] := p_counts::bigint[];
  v_tenants text[] := '{}'; v_last bigint[] := '{}'; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_bases bigint[]; v_versions bigint[] := '{}'; v_row record; v_found jsonb; v_some_found jsonb;
begin
${indent(lines([place.raising, ...judged, writing()]), 2)}
end $commit$;`;
}
