import { s, settings } from './parts.js';

/** The shards of this node: of colocated tables, those of `tenants` stand for all. */
const own = `pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_local_group g on g.groupid = p.groupid where s.logicalrelid = '${s}.tenants'::regclass`;

/** The most statements that a connection keeps: each takes some 75 kB. */
const mostKept = 500;

/**
 * The character between rows: JSON never contains it, and a row with it would change the number of
 * rows.
 */
export const separator = 30;

/**
 * One read-only statement, run once for each list of values, from the parameters on. For a tenant
 * (`p_of` is `tenant`, and the tenant is the first value) it reads the shard of the tenant, for a
 * node all its shards. Citus would plan each statement of a function each time, so the statement is
 * prepared over the shards, once for each connection; its name identifies the text and the shards.
 *
 * For each list it returns one text: the shards that were read, the number of rows, and the rows,
 * which are cheaper so than one by one. It returns null if the data is not on this node, or if the
 * statement is not prepared and its text was not given.
 */
export function readNode(): string {
  return `(p_tenant text, p_of text, p_statement text, p_text text, p_reads text)
returns setof text language plpgsql set plan_cache_mode = force_generic_plan ${settings} as $read$
declare
  v_read text; v_values text[]; v_value text; v_shard bigint; v_shards bigint[]; v_name text; v_call text;
  v_kept text[]; v_table text; v_from text; v_text text; v_rows text[];
begin
  foreach v_read in array p_reads::text[] loop
    v_values := v_read::text[];
    if p_of = 'tenant' then
      v_shard := get_shard_id_for_distribution_column('${s}.tenants', v_values[1]);
      select array_agg(s.shardid) into v_shards from ${own} and s.shardid = v_shard;
      v_name := format('read_node_%s_%s', p_statement, v_shard);
    else
      select array_agg(s.shardid order by s.shardid) into v_shards from ${own};
      v_name := format('read_node_%s_%s', p_statement, md5(v_shards::text));
    end if;
    if v_shards is null then
      return next null;
      continue;
    end if;
    v_call := '';
    foreach v_value in array v_values loop
      v_call := format('%s, %L', v_call, v_value);
    end loop;
    v_call := format('execute %I(%s)', v_name, substr(v_call, 2));
    begin
      execute v_call into v_rows;
    exception when invalid_sql_statement_name then
      if p_text is null then
        return next null;
        continue;
      end if;
      select array_agg(k.name) into v_kept from pg_prepared_statements k where k.name like 'read_node_%';
      if cardinality(v_kept) >= ${mostKept} then
        -- all but those of a client, whose session it is where the coordinator has shards
        foreach v_text in array v_kept loop
          execute format('deallocate %I', v_text);
        end loop;
      end if;
      v_text := p_text;
      for v_table in select distinct m[1] from regexp_matches(p_text, '${s}.([a-z_]+)', 'g') m loop
        select string_agg(format('select * from %s', shard_name(o.logicalrelid, o.shardid)), ' union all ') into v_from
          from pg_dist_shard s join pg_dist_shard o on o.shardminvalue = s.shardminvalue
          where s.shardid = any(v_shards) and o.logicalrelid = format('${s}.%I', v_table)::regclass;
        v_text := regexp_replace(v_text, format('${s}.%s(?![a-z_])', v_table), format('(%s)', v_from), 'g');
      end loop;
      execute format('prepare %I as select array(%s)', v_name, v_text);
      execute v_call into v_rows;
    end;
    return next array_to_string(array[v_shards::text, cardinality(v_rows)::text] || v_rows, chr(${separator}));
  end loop;
end $read$;`;
}
