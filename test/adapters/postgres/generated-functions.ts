import { type Kind, type RecordKind, shapeOf } from 'dealwright/ports';
import { memberColumns, recordKinds, sqlTypes } from '../../../adapters/postgres/columns.js';
import { tables } from '../../../adapters/sql/tables.js';

const s = '"$schema"';
const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n');
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

type TypedName = readonly [name: string, type: string];

const inOrder = (owner: string, column: string, value: string) => ({
  where: `${owner} and t.${column} >= ${value} and t.${column} <= ${value}`,
  order: `order by t.${column}`,
});

const typedNames = (kind: Kind) =>
  memberColumns(kind).map(({ name, type }): TypedName => [name, sqlTypes[type]]);
const fieldCount = (kind: Kind) => Object.keys(shapeOf(kind).fields).length;

/** What the generator needs of a kind. */
function partsOf(kind: RecordKind) {
  const shape = shapeOf(kind);
  const table = `${s}.${tables[kind].name}`;
  const isShared = shape.of === 'environment';
  const type = (field: string) =>
    field === 'version' ? 'bigint' : sqlTypes[shape.fields[field]?.type ?? 'text'];
  const members = typedNames(kind);
  const owner = (tenant: string) =>
    isShared ? `t.environment = split_part(${tenant}, ':', 1)` : `t.tenant = ${tenant}`;
  return {
    ...{ kind, shape, table, isShared, type, members },
    fields: members.slice(0, fieldCount(kind)),
    added: members.slice(fieldCount(kind)),
    columns: tables[kind].columns.map(({ name }) => name).join(', '),
    canChange: shape.isSubject || shape.changes.length > 0,
    /** Where the record with this key is. */
    where: (tenant: string, key: string) => `${owner(tenant)} and t.${shape.key} = ${key}`,
    /**
     * The same for what finds a record. No other index has this order: where all seem equal, as on a
     * table that was never analysed, the planner would take one of them, and read a whole tenant.
     */
    find: (tenant: string, key: string) => inOrder(owner(tenant), shape.key, key),
    findUnder: (tenant: string, key: string) => inOrder(owner(tenant), shape.under?.by ?? '', key),
    /** What a change sets: what is not given stays. */
    sets: (moves: string, given: string) =>
      [
        ...(shape.isSubject ? [`version = t.version + ${moves}`] : []),
        ...shape.changes.map(
          (name) =>
            `${name} = case when ${given} ? '${name}' then (${given} ->> '${name}')::${type(name)} else t.${name} end`,
        ),
      ].join(', '),
    /** Whether a found record has the values that are asked for. */
    isAsAsked: (value: (field: string, nth: number) => string) =>
      shape.conditions.map((field, nth) => {
        const asked = value(field, nth);
        return `(${asked} is null or array_position(${asked}, t.${field}) is not null)`;
      }),
  };
}

const kinds = recordKinds.map(partsOf);
type Parts = (typeof kinds)[number];

const cast = (value: string, type: string) => (type === 'text' ? value : `${value}::${type}`);

const firstAnswer = `json_build_object('fingerprint', t.fingerprint, 'answer', t.answer::text)`;

/** One write, told by words: each is one of these, with its values behind it. */
function wordsOf(parts: Parts): string {
  const { kind, shape, table, isShared, fields, columns } = parts;
  const at = (nth: number) => `p[v_at + ${nth}]`;
  const key = cast(at(1), parts.type(shape.key));
  const variable = parts.type(shape.key) === 'text' ? 'v_key' : 'v_number';
  const found = parts.find('p_tenant', key);
  const under = parts.findUnder('p_tenant', at(1));
  const isAnswer = kind === 'answer';
  const conditions = parts.isAsAsked((field, nth) => `${at(2 + nth)}::${parts.type(field)}[]`);
  const values = [
    ...(isShared ? [`split_part(p_tenant, ':', 1)`] : []),
    'p_tenant',
    ...fields.map(([, type], nth) => cast(at(1 + nth), type)),
    'p_attempt',
    ...(shape.isSubject ? ['p_events'] : []),
  ];
  return lines([
    `when 'absent ${kind}' then`,
    `  select t.attempt${isAnswer ? `, ${firstAnswer}` : ''} into v_found${isAnswer ? ', v_first' : ''}`,
    `    from ${table} t where ${found.where} ${found.order} limit 1;`,
    `  v_holds := v_found is null; v_at := v_at + 2;`,
    `when 'present ${kind}' then`,
    `  perform 1 from ${table} t where ${[found.where, ...conditions].join('\n    and ')} ${found.order} limit 1;`,
    `  v_holds := found; v_at := v_at + ${2 + conditions.length};`,
    ...(shape.under === undefined
      ? []
      : [
          `when 'fewer ${kind}' then`,
          `  select count(*) < ${at(2)}::bigint into v_holds from (select 1 from ${table} t`,
          `    where ${under.where} ${under.order} limit ${at(2)}::bigint) counted;`,
          `  v_at := v_at + 3;`,
        ]),
    `when 'insert ${kind}' then`,
    `  insert into ${table} (${columns})`,
    `  values (${values.join(', ')})${isShared ? ' on conflict do nothing' : ''};`,
    ...(isShared
      ? [
          `  if not found and v_is_begun then`,
          `    raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';`,
          `  end if;`,
          `  v_is_begun := true;`,
          `  if not found then v_at := 1; v_expectation := -1; continue; end if;`,
        ]
      : []),
    `  v_at := v_at + ${1 + fields.length};`,
    ...(parts.canChange
      ? [
          `when 'change ${kind}' then`,
          // a plain variable: with an expression, indexes that seem equal are not told apart by age
          `  ${variable} := ${at(1)};`,
          `  update ${table} t set ${parts.sets(`${at(2)}::bigint`, `${at(3)}::jsonb`)}`,
          `    where ${parts.where('p_tenant', variable)}${shape.isSubject ? ` returning t.version - ${at(2)}::bigint into v_before` : ''};`,
          shape.isSubject ? `  if ${at(2)} <> '0' then v_sequence := v_before; end if;` : '',
          `  v_at := v_at + 4;`,
        ]
      : []),
  ]);
}

const eventFields = typedNames('event');
const eventColumns = tables.event.columns.map(({ name }) => name).join(', ');
const givenEventFields = eventFields.filter(([name]) => name !== 'sequence');

function eventWord(): string {
  let nth = 0;
  const values = eventFields.map(([name, type]) => {
    if (name === 'sequence') return 'v_sequence';
    nth += 1;
    return cast(`p[v_at + ${nth}]`, type);
  });
  return lines([
    `when 'event' then`,
    `  v_position := v_position + 1; v_sequence := v_sequence + 1;`,
    `  insert into ${s}.events (${eventColumns})`,
    `  values (p_tenant, v_position, ${values.join(', ')});`,
    `  v_at := v_at + ${1 + nth};`,
  ]);
}

const raise = (values: string) => `insert into ${s}.tenants as t (tenant, last_position) ${values}
    on conflict (tenant) do update set last_position = t.last_position + excluded.last_position`;

/** The branches of all words, those that most writes have first: they are tried one after the other. */
function branches(): string {
  const verbs = ['event', 'absent', 'insert', 'present', 'change', 'fewer'];
  const all = lines([...kinds.map(wordsOf), eventWord()]).split(/\n(?=when ')/);
  const rank = (branch: string) => verbs.findIndex((verb) => branch.startsWith(`when '${verb}`));
  return all.sort((a, b) => rank(a) - rank(b)).join('\n');
}

/** One write of one tenant. It answers null where it was made, and else what was in the way. */
export function commitOne(version: number): string {
  return `create function ${s}.commit_one_${version}(p_tenant text, p_attempt text, p_events bigint, p text[])
returns text language plpgsql set enable_seqscan = off as $commit$
declare
  v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
  v_key text; v_number bigint; v_found text; v_first json; v_position bigint; v_before bigint; v_sequence bigint := 0;
begin
  ${raise('values (p_tenant, p_events)')}
    returning t.last_position - p_events into v_position;
  while v_at <= cardinality(p) loop
    v_expectation := v_expectation + 1;
    case p[v_at]
${indent(branches(), 4)}
    end case;
    if not v_holds then
      update ${s}.tenants t set last_position = t.last_position - p_events where t.tenant = p_tenant;
      return json_build_object('expectation', v_expectation, 'made', v_found = p_attempt, 'first', v_first);
    end if;
  end loop;
  return 'null';
end $commit$;`;
}

/** Several writes of one tenant, one after the other: it answers as \`commit\` does. */
export function commitEach(version: number): string {
  return `create function ${s}.commit_each_${version}(p_tenant text, p_attempts text[], p_events bigint[], p text[])
returns text language plpgsql as $commit$
declare
  v_answers text[] := '{}'; v_answer text;
begin
  for v_n in 1 .. cardinality(p) loop
    v_answer := ${s}.commit_one_${version}(p_tenant, p_attempts[v_n], p_events[v_n], p[v_n]::text[]);
    if v_answer <> 'null' then
      v_answers := v_answers || json_build_array(v_n - 1, v_answer::json)::text;
    end if;
  end loop;
  return '[' || array_to_string(v_answers, ',') || ']';
end $commit$;`;
}

/** The parameters of \`commit\` in their order, without what they begin and end with. */
export const parameterNames = kinds.flatMap(({ kind, shape, canChange }) => [
  `${kind}_expected`,
  ...(shape.under === undefined ? [] : [`${kind}_counted`]),
  `${kind}_inserted`,
  ...(canChange ? [`${kind}_changed`] : []),
]);

const given = (name: string, columns: string) =>
  `json_to_recordset(p_${name}) as r(n int, ${columns})`;
const onlyWhere = (name: string, statements: string) =>
  `if p_${name} is not null then\n${indent(statements, 2)}\nend if;`;

function judgement(parts: Parts): string {
  const { kind, shape, table } = parts;
  const keyType = parts.type(shape.key);
  const asked = shape.conditions.map((field) => `, ${field} ${parts.type(field)}[]`);
  const holds = ['t.attempt is not null', ...parts.isAsAsked((field) => `r.${field}`)];
  const isAnswer = kind === 'answer';
  const [found, under] = [parts.find('r.tenant', 'r.key'), parts.findUnder('r.tenant', 'r.key')];
  const code = `(r.n::bigint << 32) + (r.i << 1) + coalesce(t.attempt = r.attempt, false)::int`;
  const judged = `from ${given(`${kind}_expected`, `i int, tenant text, key ${keyType}, attempt text${asked.join('')}`)}
left join lateral (select * from ${table} t where ${found.where} ${found.order} limit 1) t on true
where case when r.attempt is not null then t.attempt is not null
  else not (${holds.join('\n    and ')}) end`;
  const statement = isAnswer
    ? `select coalesce(array_agg(${code}), '{}'), json_object_agg(r.n || ' ' || r.i, ${firstAnswer}) filter (where r.attempt is not null)
into v_some, v_first ${judged};
v_failed := v_failed || v_some;`
    : `v_failed := v_failed || array(select ${code}
${judged});`;
  return lines([
    onlyWhere(`${kind}_expected`, statement),
    shape.under === undefined
      ? ''
      : onlyWhere(
          `${kind}_counted`,
          `v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
from ${given(`${kind}_counted`, 'i int, tenant text, key text, than bigint')}
where (select count(*) from (select 1 from ${table} t
  where ${under.where} ${under.order} limit r.than) counted) >= r.than);`,
        ),
  ]);
}

const typed = (fields: Parts['fields']) =>
  fields.map(([name, type]) => `${name} ${type === 'json' ? 'text' : type}`).join(', ');
const value = ([name, type]: Parts['fields'][number]) =>
  type === 'json' ? `r.${name}::json` : `r.${name}`;

function making(parts: Parts): string {
  const { kind, shape, table, isShared, fields, added, columns } = parts;
  const values = [
    ...(isShared ? [`split_part(r.tenant, ':', 1)`] : []),
    'r.tenant',
    ...parts.members.map(value),
  ];
  const rows = given(`${kind}_inserted`, `tenant text, ${typed([...added, ...fields])}`);
  const insert = lines([
    `insert into ${table} (${columns})`,
    `select ${values.join(', ')}`,
    `from ${rows}`,
    isShared
      ? `where r.n <> all(v_refused) order by 1, r.${shape.key} on conflict do nothing;`
      : `where r.n <> all(v_refused);`,
    ...(isShared
      ? [
          `get diagnostics v_count = row_count;`,
          `if v_count < (select count(*) from ${given(`${kind}_inserted`, 'tenant text')} where r.n <> all(v_refused)) then`,
          `  raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';`,
          `end if;`,
        ]
      : []),
  ]);
  const change = lines([
    `for v_row in select * from ${given(`${kind}_changed`, `tenant text, key ${parts.type(shape.key)}, moves bigint, given jsonb`)}`,
    `  where r.n <> all(v_refused) loop`,
    `  update ${table} t set ${parts.sets('v_row.moves', 'v_row.given')}`,
    `    where ${parts.where('v_row.tenant', 'v_row.key')}${shape.isSubject ? ' returning t.version - v_row.moves into v_before' : ''};`,
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

/** Many writes of many tenants. It answers those that were not made: \`[[n, what was in the way]]\`. */
export function commitMany(version: number): string {
  const parameters = ['tenants', ...parameterNames, 'events'].map((name) => `p_${name} json`);
  const eventValues = eventFields.map(([name, type]) =>
    name === 'sequence'
      ? 'r.sequence + case when r.is_moved then m.version else 0 end'
      : value([name, type]),
  );
  return `create function ${s}.commit_${version}(
  ${parameters.join(',\n  ')}
) returns text language plpgsql set enable_seqscan = off as $commit$
declare
  v_tenants text[]; v_last bigint[]; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_moved int[] := '{}'; v_versions bigint[] := '{}'; v_row record;
begin
  with raised as (
    ${indent(raise(`select r.tenant, r.events from json_to_recordset(p_tenants) as r(tenant text, events bigint) order by r.tenant`), 2).trim()}
      returning t.tenant, t.last_position
  ) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;
${indent(lines(kinds.map(judgement)), 2)}
  if cardinality(v_failed) > 0 then
    select array_agg(f.n), json_agg(json_build_array(f.n, json_build_object('expectation', f.i,
        'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
    from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
      from unnest(v_failed) f group by 1) f;
    for v_row in select r.tenant, count(*) as events from ${given('events', 'tenant text')}
      where r.n = any(v_refused) group by 1 loop
      update ${s}.tenants t set last_position = t.last_position - v_row.events where t.tenant = v_row.tenant;
    end loop;
    select array_agg(t.tenant), array_agg(t.last_position) into v_tenants, v_last
    from ${s}.tenants t where t.tenant = any(v_tenants);
  end if;
${indent(lines(kinds.map(making)), 2)}
  insert into ${s}.events (${eventColumns})
  select r.tenant, c.last_position - count(*) over (partition by r.tenant)
    + row_number() over (partition by r.tenant order by r.n, r.sequence), ${eventValues.join(', ').replace('r.tenant, ', '')}
  from ${given('events', `tenant text, sequence bigint, is_moved boolean, ${typed(givenEventFields)}`)}
  join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = r.tenant
  left join unnest(v_moved, v_versions) as m(n, version) on m.n = r.n
  where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
}

/** All functions of the store, in the order in which they are made: a blank line ends each. */
export function generatedFunctions(version: number): string {
  return [commitOne(version), commitEach(version), commitMany(version)].join('\n\n');
}
