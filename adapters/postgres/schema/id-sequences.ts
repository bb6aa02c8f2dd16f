/**
 * How ids are given, also in a transaction of a host, which may stay open for long: nobody waits for
 * it. What a row says is locked and unseen until a transaction ends; a sequence is neither, and keeps
 * what it says when the transaction is rolled back. So the sequence says which id was given last, and
 * the row follows: it is what a restore sets, and what a logical replica has.
 */

/** The last id that there is. */
const lastId = 9007199254740991n;

const environments = ['production', 'sandbox'];

const sequences = environments.map(
  (environment) =>
    `create sequence "$schema".ids_${environment} as bigint minvalue 1 maxvalue ${lastId};`,
);

/** Behind the trigger, from which on nobody moves a row on until the migration is committed. */
const starts = environments.map(
  (environment) =>
    `select setval('"$schema".ids_${environment}', greatest(next - 1, 1), next > 1) from "$schema".ids where environment = '${environment}';`,
);

/**
 * The first of so many ids in a row; null if not so many are left. The lock is taken behind a
 * savepoint, and is free again with its rollback, which takes nothing back of a sequence. It has the
 * rights of its owner: roles need none of their own to the sequences.
 */
const takeIds = `create function "$schema".take_ids_2(p_environment text, p_count bigint) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $body$
declare
  given text := case p_environment when 'production' then '"$schema".ids_production' else '"$schema".ids_sandbox' end;
  first bigint;
begin
  begin
    perform pg_advisory_xact_lock(hashtextextended('"$schema".ids', 0));
    execute 'select greatest(i.next, s.last_value + s.is_called::int) from "$schema".ids as i, ' || given || ' as s where i.environment = $1'
      into first using p_environment;
    if first > ${lastId} - p_count + 1 then
      first := null;
    else
      perform setval(given::regclass, first + p_count - 1);
    end if;
    raise exception using errcode = 'DW001', message = 'the lock is given back';
  exception when sqlstate 'DW001' then
    null;
  end;
  return first;
end
$body$;`;

/** Who may only read could use ids up. */
const revoked = `revoke execute on function "$schema".take_ids_2(text, bigint) from public;`;

/** Who could write ids before may go on: an upgrade takes no right from the role of a service. */
const granted = `do $roles$
declare
  role text;
begin
  for role in
    select distinct case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end
    from pg_class, aclexplode(relacl)
    where oid = '"$schema".ids'::regclass and privilege_type = 'UPDATE'
  loop
    execute 'grant execute on function "$schema".take_ids_2(text, bigint) to ' || role;
  end loop;
end
$roles$;`;

/** Whoever moves the row on is given what the sequence has, processes of the version before, too. */
const followIds = `create function "$schema".follow_ids_2() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
declare
  first bigint := "$schema".take_ids_2(new.environment, new.next - old.next);
begin
  if first is null then
    raise exception using errcode = 'check_violation', message = 'all ids are given out';
  end if;
  new.next := first + new.next - old.next;
  return new;
end
$body$;`;

const trigger = `create trigger follow_ids before update on "$schema".ids
for each row when (new.next > old.next) execute function "$schema".follow_ids_2();`;

/** The commands of migration 2 that are about ids. */
export const idSequences = [...sequences, takeIds, revoked, granted, followIds, trigger, ...starts];
