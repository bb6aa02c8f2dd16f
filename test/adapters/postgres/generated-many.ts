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

/** The parameters of `commit` in their order, those of a kind on a line, without what they begin with. */
const parameters = [
  ...kinds.map(({ kind, isDealPart, canChange }) => [
    `${kind}_expected`,
    ...(isDealPart ? [`${kind}_counted`] : []),
    `${kind}_inserted`,
    ...(canChange ? [`${kind}_changed`] : []),
  ]),
  ['events'],
].map((names) => names.map((name) => `p_${name} text`).join(', '));

const given = (name: string, columns = '') =>
  `json_to_recordset(p_${name}::json) as r(n int${columns === '' ? '' : `, ${columns}`})`;
/** Whose the write of a row is: its tenant, attempt and number of events stand in arrays. */
const tenant = 'v_owners[r.n]';
const attempt = 'v_attempts[r.n]';
const onlyWhere = (name: string, statements: string) =>
  `if p_${name} is not null then\n${indent(statements, 2)}\nend if;`;

/** Where the writes are carried out: all tables in one place, or those of a node of a cluster. */
type Place = 'server' | 'node';

/**
 * The records that are asked for, as \`t\`, beside the rows that ask. A node reads those of tenants
 * first, with one plain statement for each tenant, which Citus plans by its short way.
 */
function records(parts: Parts, place: Place): readonly [before: string, join: string] {
  const { kind, shape, table, isShared } = parts;
  if (place === 'server' || isShared) {
    const { where, order } = parts.find(tenant, 'r.key');
    return [
      '',
      `left join lateral (select * from ${table} t where ${where} ${order} limit 1) t on true`,
    ];
  }
  const keyType = parts.type(shape.key);
  const isAnswer = kind === 'answer';
  const read = [
    ...shape.conditions.map((field) => [field, parts.type(field)] as const),
    ...(isAnswer
      ? ([
          ['fingerprint', 'text'],
          ['answer', 'text'],
        ] as const)
      : []),
  ];
  const pairs = read.map(([name]) => `, '${name}', t.${name}`).join('');
  const before = `v_found := '[]';
for v_row in select ${tenant} as owner, array_agg(r.key) as keys from ${given(`${kind}_expected`, `key ${keyType}`)} group by 1 loop
  select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.${shape.key}, 'attempt', t.attempt${pairs})) into v_some_found
    from ${table} t where t.tenant = v_row.owner and t.${shape.key} = any(v_row.keys);
  v_found := v_found || coalesce(v_some_found, '[]');
end loop;`;
  const columns = [
    'owner text',
    `found ${keyType}`,
    'attempt text',
    ...read.map((each) => each.join(' ')),
  ];
  return [
    before,
    `left join jsonb_to_recordset(v_found) as t(${columns.join(', ')})
  on t.owner = ${tenant} and t.found = r.key`,
  ];
}

function judgement(parts: Parts, place: Place): string {
  const { kind, shape } = parts;
  const keyType = parts.type(shape.key);
  const asked = shape.conditions.map((field) => `, ${field} ${parts.type(field)}[]`);
  const holds = ['t.attempt is not null', ...parts.isAsAsked((field) => `r.${field}`)];
  const [before, join] = records(parts, place);
  const code = `(r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = ${attempt}, false)::int`;
  const judged = `from ${given(`${kind}_expected`, `i int, absent boolean, key ${keyType}${asked.join('')}`)}
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
  return lines([
    onlyWhere(`${kind}_expected`, lines([before, statement])),
    parts.isDealPart ? onlyWhere(`${kind}_counted`, counted(parts, place)) : '',
  ]);
}

/** How many there are under a record: a node counts for one row after the other. */
function counted({ kind, table, findUnder }: Parts, place: Place): string {
  const rows = given(`${kind}_counted`, 'i int, key text, than bigint');
  const count = (owner: string, row: string) => {
    const { where, order } = findUnder(owner, `${row}.key`);
    return `from (select 1 from ${table} t
  where ${where} ${order} limit greatest(${row}.than, 0)) counted`;
  };
  if (place === 'server') {
    return `v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
from ${rows}
where (select count(*) ${count(tenant, 'r')}) >= r.than);`;
  }
  return `for v_row in select r.*, ${tenant} as tenant from ${rows} loop
  select count(*) into v_count ${indent(count('v_row.tenant', 'v_row'), 2).trim()};
  if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
end loop;`;
}

const typed = (fields: Parts['fields']) => fields.map((field) => field.join(' ')).join(', ');

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
    `for v_row in select r.*, ${tenant} as tenant from ${given(`${kind}_changed`, `key ${parts.type(shape.key)}, moves bigint, given jsonb`)}`,
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

/** Each log moves on, which locks it: those of more than one in the order of their tenants. */
function raising(place: Place): string {
  const sums = `select w.tenant, sum(w.events) as events from unnest(v_owners, v_counts) as w(tenant, events) group by 1 order by 1`;
  if (place === 'server') {
    return `with raised as (
  ${indent(raise(sums), 2).trim()}
    returning t.tenant, t.last_position
) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;`;
  }
  return `for v_row in ${sums} loop
  ${raise('values (v_row.tenant, v_row.events)')}
    returning t.last_position into v_before;
  v_tenants := v_tenants || v_row.tenant; v_last := v_last || v_before;
end loop;`;
}

/**
 * In some versions of Citus a plan that is kept leaks memory with each call. And a row that is read
 * seems dear, so that keys are looked up one by one where nothing is known of a table yet.
 */
const nodeSettings = `${settings} set plan_cache_mode = force_custom_plan set cpu_tuple_cost = 1000`;

/** How a function of many writes begins: it judges them. \`p_tenant\` names the node. */
function judging(place: Place, version: number): string {
  const [name, own, set] =
    place === 'server'
      ? ['commit', '', settings]
      : ['commit_node', 'p_tenant text, ', nodeSettings];
  return `create function ${s}.${name}_${version}(
  ${own}p_owners text, p_attempts text, p_counts text,
  ${parameters.join(',\n  ')}
) returns text language plpgsql ${set} as $commit$
declare
  v_owners text[] := p_owners::text[]; v_attempts text[] := p_attempts::text[]; v_counts bigint[] := p_counts::bigint[];
  v_tenants text[] := '{}'; v_last bigint[] := '{}'; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_bases bigint[]; v_versions bigint[] := '{}'; v_row record; v_found jsonb; v_some_found jsonb;
begin
${indent(lines([raising(place), ...kinds.map((parts) => judgement(parts, place))]), 2)}
`;
}

/** How it ends, in every place: it gives back the numbers of what is refused, and writes the rest. */
function writing(): string {
  const eventValues = eventFields.map(([name]) =>
    name === 'sequence' ? 'r.sequence + coalesce(v_versions[r.n], 0)' : `r.${name}`,
  );
  return `  if cardinality(v_failed) > 0 then
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
${indent(lines(kinds.map(making)), 2)}
  insert into ${s}.events (${eventColumns})
  select ${tenant}, v_bases[r.n] + r.sequence, ${eventValues.join(', ')}
  from ${given('events', typed(eventFields))} where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
}

/**
 * Many writes of many tenants. It answers those that were not made: \`[[n, what was in the way]]\`. The
 * text comes in parts: how it judges on a server and on a node of a cluster, and how it writes on both.
 * What is an array or JSON is a text here: a cluster passes on no cast of a parameter.
 */
export function commitMany(version: number) {
  return {
    server: judging('server', version),
    node: judging('node', version),
    writing: writing(),
  };
}
