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
} from './generated-parts.js';

/** The parameters of \`commit\` in their order, without what they begin and end with. */
export const parameterNames = kinds.flatMap(({ kind, isDealPart, canChange }) => [
  `${kind}_expected`,
  ...(isDealPart ? [`${kind}_counted`] : []),
  `${kind}_inserted`,
  ...(canChange ? [`${kind}_changed`] : []),
]);

const given = (name: string, columns = '') =>
  `json_to_recordset(p_${name}) as r(n int${columns === '' ? '' : `, ${columns}`})`;
/** Whose the write of a row is: its tenant, attempt and number of events stand in arrays. */
const tenant = 'p_owners[r.n]';
const attempt = 'p_attempts[r.n]';
const onlyWhere = (name: string, statements: string) =>
  `if p_${name} is not null then\n${indent(statements, 2)}\nend if;`;

function judgement(parts: Parts): string {
  const { kind, shape, table, isDealPart } = parts;
  const keyType = parts.type(shape.key);
  const asked = shape.conditions.map((field) => `, ${field} ${parts.type(field)}[]`);
  const holds = ['t.attempt is not null', ...parts.isAsAsked((field) => `r.${field}`)];
  const isAnswer = kind === 'answer';
  const [found, under] = [parts.find(tenant, 'r.key'), parts.findUnder(tenant, 'r.key')];
  const code = `(r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = ${attempt}, false)::int`;
  const judged = `from ${given(`${kind}_expected`, `i int, absent boolean, key ${keyType}${asked.join('')}`)}
left join lateral (select * from ${table} t where ${found.where} ${found.order} limit 1) t on true
where case when r.absent then t.attempt is not null
  else not (${holds.join('\n    and ')}) end`;
  const statement = isAnswer
    ? `select coalesce(array_agg(${code}), '{}'), json_object_agg(r.n || ' ' || r.i, ${firstAnswer}) filter (where r.absent)
into v_some, v_first ${judged};
v_failed := v_failed || v_some;`
    : `v_failed := v_failed || array(select ${code}
${judged});`;
  return lines([
    onlyWhere(`${kind}_expected`, statement),
    !isDealPart
      ? ''
      : onlyWhere(
          `${kind}_counted`,
          `v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
from ${given(`${kind}_counted`, 'i int, key text, than bigint')}
where (select count(*) from (select 1 from ${table} t
  where ${under.where} ${under.order} limit greatest(r.than, 0)) counted) >= r.than);`,
        ),
  ]);
}

const typed = (fields: Parts['fields']) => fields.map((field) => field.join(' ')).join(', ');

function making(parts: Parts): string {
  const { kind, shape, table, isShared, fields, columns } = parts;
  const values = [
    ...(isShared ? [`split_part(${tenant}, ':', 1)`] : []),
    tenant,
    ...fields.map(([name]) => `r.${name}`),
    attempt,
    ...(shape.isSubject ? ['p_counts[r.n]'] : []),
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
    `for v_row in select * from ${given(`${kind}_changed`, `key ${parts.type(shape.key)}, moves bigint, given jsonb`)}`,
    `  where r.n <> all(v_refused) loop`,
    `  update ${table} t set ${parts.sets('v_row.moves', 'v_row.given')}`,
    `    where ${parts.where('p_owners[v_row.n]', 'v_row.key')}${shape.isSubject ? ' returning t.version - v_row.moves into v_before' : ''};`,
    shape.isSubject
      ? `  if v_row.moves > 0 then v_moved := v_moved || v_row.n; v_versions := v_versions || v_before; end if;`
      : '',
    `end loop;`,
  ]);
  return lines([
    onlyWhere(`${kind}_inserted`, insert),
    parts.canChange ? onlyWhere(`${kind}_changed`, change) : '',
  ]);
}

/**
 * Many writes of many tenants. It answers those that were not made: \`[[n, what was in the way]]\`. The
 * text comes in two parts: how it judges, and how it writes.
 */
export function commitMany(version: number): readonly [judging: string, making: string] {
  const parameters = [...parameterNames, 'events'].map((name) => `p_${name} json`);
  const eventValues = eventFields.map(([name]) =>
    name === 'sequence' ? 'r.sequence + coalesce(m.version, 0)' : `r.${name}`,
  );
  const judging = `create function ${s}.commit_${version}(
  p_owners text[], p_attempts text[], p_counts bigint[],
  ${parameters.join(',\n  ')}
) returns text language plpgsql ${settings} as $commit$
declare
  v_tenants text[]; v_last bigint[]; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_moved int[] := '{}'; v_versions bigint[] := '{}'; v_row record;
begin
  with raised as (
    ${indent(raise(`select w.tenant, sum(w.events) from unnest(p_owners, p_counts) as w(tenant, events) group by 1 order by 1`), 2).trim()}
      returning t.tenant, t.last_position
  ) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;
${indent(lines(kinds.map(judgement)), 2)}
  if cardinality(v_failed) > 0 then
    select array_agg(f.n), json_agg(json_build_array(f.n - 1, json_build_object('expectation', f.i,
        'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
    from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
      from unnest(v_failed) f group by 1) f;
    for v_row in select w.tenant, sum(w.events) as events
      from unnest(p_owners, p_counts) with ordinality as w(tenant, events, n)
      where w.n = any(v_refused) group by 1 loop
      update ${s}.tenants t set last_position = t.last_position - v_row.events where t.tenant = v_row.tenant;
    end loop;
    select array_agg(t.tenant), array_agg(t.last_position) into v_tenants, v_last
    from ${s}.tenants t where t.tenant = any(v_tenants);
  end if;
`;
  const rest = `${indent(lines(kinds.map(making)), 2)}
  insert into ${s}.events (${eventColumns})
  select c.tenant, c.last_position - count(*) over (partition by c.tenant)
    + row_number() over (partition by c.tenant order by r.n, r.sequence), ${eventValues.join(', ')}
  from ${given('events', typed(eventFields))}
  join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = ${tenant}
  left join unnest(v_moved, v_versions) as m(n, version) on m.n = r.n
  where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
  return [judging, rest];
}
