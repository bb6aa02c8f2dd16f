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

const cast = (value: string, type: string) => (type === 'text' ? value : `${value}::${type}`);

/** Skips a word and its values after their last use: more words follow. */
const past = (count: number) => `v_at := v_at + ${1 + count};`;
const at = (nth: number) => `p[v_at + ${nth}]`;
/** Values as variables: with an array a cluster would pass on the whole array for each element. */
const taken = (count: number) =>
  Array.from({ length: count }, (_, nth) => `v_${1 + nth} := ${at(1 + nth)};`).join(' ');

/** The variable for the allowed values of a condition. */
const allowed = (type: string, nth: number) => `v_${type}s_${nth}`;

/** One write as words: each is one of these, with its values after it. */
function wordsOf(parts: Parts): string {
  const { kind, shape, table, isShared, fields, columns, conditions } = parts;
  const key = parts.keyType === 'text' ? 'v_key' : 'v_number';
  const found = parts.find('p_tenant', key);
  const isAnswer = kind === 'answer';
  const holding = parts.isAsAsked((field, nth) => allowed(parts.type(field), nth));
  const asked = (first: number) =>
    conditions.map(([, type], nth) => `${allowed(type, nth)} := ${at(first + nth)};`);
  const values = [
    ...(isShared ? [`split_part(p_tenant, ':', 1)`] : []),
    'p_tenant',
    ...fields.map(([, type], nth) => cast(`v_${1 + nth}`, type)),
    'p_attempt',
    ...(shape.isSubject ? ['p_events'] : []),
  ];
  const under = parts.findUnder('p_tenant', 'v_key');
  return lines([
    `when 'absent ${kind}' then ${key} := ${at(1)};`,
    `  select t.attempt${isAnswer ? `, ${firstAnswer}` : ''} into v_found${isAnswer ? ', v_first' : ''}`,
    `    from ${table} t where ${found.where} ${found.order} limit 1;`,
    `  v_holds := v_found is null; ${past(1)}`,
    `when 'present ${kind}' then ${[`${key} := ${at(1)};`, ...asked(2)].join(' ')}`,
    `  perform 1 from ${table} t where ${[found.where, ...holding].join('\n    and ')} ${found.order} limit 1;`,
    `  v_holds := found; ${past(1 + conditions.length)}`,
    ...(isShared
      ? []
      : [
          `when 'fewer ${kind}' then ${[`v_key := ${at(1)}; v_number := ${at(2)};`, ...asked(3)].join(' ')}`,
          `  select count(*) < v_number into v_holds from (select 1 from ${table} t`,
          `    where ${[under.where, ...holding].join('\n    and ')} ${under.order} limit greatest(v_number, 0)) counted;`,
          `  ${past(2 + conditions.length)}`,
        ]),
    `when 'insert ${kind}' then ${taken(fields.length)}`,
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
    `  ${past(fields.length)}`,
    ...(parts.canChange
      ? [
          // plain variables: with an expression, the planner does not choose among equal indexes by
          // age
          `when 'change ${kind}' then ${key} := ${at(1)}; v_moves := ${at(2)}; v_given := ${at(3)};`,
          `  update ${table} t set ${parts.sets('v_moves', 'v_given')}`,
          `    where ${parts.where('p_tenant', key)}${shape.isSubject ? ` returning t.version - v_moves into v_before` : ''};`,
          shape.isSubject ? `  if v_moves <> 0 then v_sequence := v_before; end if;` : '',
          `  ${past(3)}`,
        ]
      : []),
  ]);
}

function eventWord(): string {
  let nth = 0;
  const values = eventFields.map(([name, type]) => {
    if (name === 'sequence') return 'v_sequence';
    nth += 1;
    return cast(`v_${nth}`, type);
  });
  return lines([
    `when 'event' then`,
    `  v_position := v_position + 1; v_sequence := v_sequence + 1;`,
    `  ${taken(nth)}`,
    `  insert into ${s}.events (${eventColumns})`,
    `  values (p_tenant, v_position, ${values.join(', ')});`,
    `  ${past(nth)}`,
  ]);
}

/** The variables for the values of the longest record. */
const variables = Array.from(
  { length: Math.max(...kinds.map(({ fields }) => fields.length)) },
  (_, nth) => `v_${1 + nth} text;`,
).join(' ');

/** The variables of all conditions, by their types and places. */
const conditionVariables = [
  ...new Set(
    kinds.flatMap(({ conditions }) =>
      conditions.map(([, type], nth) => `${allowed(type, nth)} ${type}[];`),
    ),
  ),
]
  .sort()
  .join(' ');

/** The words of most writes: they come first, as branches are tried in order. */
const common = ["absent deal'", "present contractor'", "insert deal'", "insert stage'", "event'"];

/** The branches of all words. */
function branches(): string {
  const all = lines([...kinds.map(wordsOf), eventWord()]).split(/\n(?=when ')/);
  const others = ['absent', 'insert', 'present', 'change', 'fewer'];
  const words = [...common, ...others].map((word) => `when '${word}`);
  const rank = (branch: string) => words.findIndex((word) => branch.startsWith(word));
  return all.sort((a, b) => rank(a) - rank(b)).join('\n');
}

/**
 * One write of one tenant, from its parameters on. Arrays are texts in the parameters: a cluster
 * passes on no cast of a parameter. It returns null if the write was made, and else the refusal.
 * A host may have turned `array_nulls` off: each null would be stored as the text `NULL`.
 */
export function commitOne(): string {
  return `(p_tenant text, p_attempt text, p_events bigint, p_write text)
returns text language plpgsql ${settings} set array_nulls = on as $commit$
declare
  p text[] := p_write::text[]; v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
  v_key text; v_number bigint; v_moves bigint; v_given jsonb; v_found text; v_first json; v_position bigint; v_before bigint; v_sequence bigint := 0;
  ${conditionVariables}
  ${variables}
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
