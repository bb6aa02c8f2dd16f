import { given, lookedUp, type Place, sums, tenant } from './batch.js';
import { indent, type Parts, raise, settings } from './parts.js';

/**
 * The requested records are read first, with one plain statement for each tenant, which Citus plans
 * by its fast path.
 */
function found(parts: Parts): ReturnType<Place['found']> {
  const { kind, shape, table, keyType, conditions } = parts;
  if (parts.isShared) return { before: '', join: lookedUp(parts) };
  const answered = [
    ['fingerprint', 'text'],
    ['answer', 'text'],
  ] as const;
  const read = [...conditions, ...(kind === 'answer' ? answered : [])];
  const pairs = read.map(([name]) => `, '${name}', t.${name}`).join('');
  const columns = [
    'owner text',
    `found ${keyType}`,
    'attempt text',
    ...read.map((each) => each.join(' ')),
  ];
  return {
    before: `v_found := '[]';
for v_row in select ${tenant} as owner, array_agg(r.key) as keys from ${given(`${kind}_expected`, `key ${keyType}`)} group by 1 loop
  select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.${shape.key}, 'attempt', t.attempt${pairs})) into v_some_found
    from ${table} t where t.tenant = v_row.owner and t.${shape.key} = any(v_row.keys);
  v_found := v_found || coalesce(v_some_found, '[]');
end loop;`,
    join: `left join jsonb_to_recordset(v_found) as t(${columns.join(', ')})
  on t.owner = ${tenant} and t.found = r.key`,
  };
}

/** A node of a cluster, which the first parameter names by a tenant on it. */
export const node: Place = {
  parameter: 'p_tenant text, ',
  // in some versions of Citus a cached plan leaks memory with each call; and with a high cost of a
  // row, keys are looked up one by one even if a table was not analysed yet
  settings: `${settings} set plan_cache_mode = force_custom_plan set cpu_tuple_cost = 1000`,
  raising: `for v_row in ${sums} loop
  ${raise('values (v_row.tenant, v_row.events)')}
    returning t.last_position into v_before;
  v_tenants := v_tenants || v_row.tenant; v_last := v_last || v_before;
end loop;`,
  found,
  counted: (rows, count) => `for v_row in select r.*, ${tenant} as tenant from ${rows} loop
  select count(*) into v_count ${indent(count('v_row.tenant', 'v_row'), 2).trim()};
  if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
end loop;`,
};
