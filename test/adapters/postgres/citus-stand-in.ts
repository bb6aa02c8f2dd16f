/**
 * Stands in for Citus in `distributePostgres`, on a server without it: its catalogue, and functions
 * that note their calls and refuse the same calls as Citus. No row is moved: a shard is a view of
 * its rows, and the server is the node of all shards of group 1. `npm run test:distributed` tests
 * how a real cluster runs the store's statements.
 */
export const citusStandIn = `
create table pg_dist_partition (
  logicalrelid regclass primary key, partmethod "char", column_name text, beside regclass, colocationid int
);
create table pg_dist_object (
  classid oid, objid oid, distribution_argument_index int, beside regclass
);
create table pg_dist_placement (shardid bigint, groupid int);
insert into pg_dist_placement values (1, 1), (2, 2);
create table pg_dist_local_group (groupid int);
insert into pg_dist_local_group values (1);
create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
create sequence shard_ids start 3;
create function shard_name(name regclass, shard bigint) returns text language sql as $$
  select format('%s_%s', name, shard) $$;
create function get_shard_id_for_distribution_column(name regclass, value text) returns bigint
  language sql as $$ select 1 + abs(hashtext(value)::bigint) % 2 $$;
create function create_reference_table(name regclass) returns void language plpgsql as $$
begin
  if exists (select from pg_dist_partition where logicalrelid = name) then
    raise exception 'table % is already distributed', name using errcode = '42P16';
  end if;
  insert into pg_dist_partition values (name, 'n', null, null, 1);
end $$;
create function create_distributed_table(
  name regclass, distribution_column text, colocate_with text default 'default'
) returns void language plpgsql as $$
declare
  shard bigint;
begin
  if exists (select from pg_dist_partition where logicalrelid = name) then
    raise exception 'table % is already distributed', name using errcode = '42P16';
  end if;
  if distribution_column is null then
    insert into pg_dist_partition values (name, 'n', null, null, 2);
    return;
  end if;
  if exists (
    select from pg_index i where i.indrelid = name and i.indisunique and not exists (
      select from pg_attribute a where a.attrelid = name and a.attname = distribution_column
        and a.attnum = any (i.indkey::int2[]))
  ) then
    raise exception 'cannot create constraint on %', name using errcode = '42P16';
  end if;
  if colocate_with <> 'none' and not exists (
    select from pg_dist_partition p where p.logicalrelid = colocate_with::regclass and p.partmethod = 'h'
  ) then
    raise exception '% is no distributed table', colocate_with using errcode = '42P16';
  end if;
  insert into pg_dist_partition
  values (name, 'h', distribution_column, nullif(colocate_with, 'none')::regclass, 3);
  for place in 1..2 loop
    shard := case when colocate_with = 'none' then place else nextval('shard_ids') end;
    insert into pg_dist_shard values (name, shard, place::text);
    execute format(
      'create view %s as select * from %s where get_shard_id_for_distribution_column(null, tenant) = %s',
      shard_name(name, shard), name, place);
  end loop;
end $$;
create function create_distributed_function(
  name regprocedure, argument text, colocate_with text
) returns void language plpgsql as $$
begin
  if not exists (select from pg_dist_partition where logicalrelid = colocate_with::regclass) then
    raise exception '% is no distributed table', colocate_with using errcode = '42P16';
  end if;
  insert into pg_dist_object
  select 'pg_proc'::regclass, p.oid, array_position(p.proargnames, argument) - 1, colocate_with::regclass
  from pg_proc p where p.oid = name;
end $$;
`;
