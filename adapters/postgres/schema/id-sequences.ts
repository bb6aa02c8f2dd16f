/**
 * The way ids are reserved, even in a transaction of a host, which may stay open for long: no other
 * process waits for it. A row is locked and unseen until a transaction ends; a sequence is neither,
 * and keeps its value when the transaction is rolled back. So the sequence has the last id, and the
 * row follows: a restore sets the row, and a logical replica has it.
 */

/** The largest id. */
const lastId = 9007199254740991n;

const environments = ['production', 'sandbox'];

const sequences = environments.map(
  (environment) =>
    `create sequence "$schema".ids_${environment} as bigint minvalue 1 maxvalue ${lastId};`,
);

/** After the trigger: from then on no process changes a row until the migration is committed. */
const starts = environments.map(
  (environment) =>
    `select setval('"$schema".ids_${environment}', greatest(next - 1, 1), next > 1) from "$schema".ids where environment = '${environment}';`,
);

/**
 * The first of a number of ids in a row; null if fewer are left. The lock is taken after a
 * savepoint, and released with its rollback, which does not set back a sequence. It has the rights
 * of its owner: roles need no rights to the sequences.
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

/** A role that may only read could use ids up. */
const revoked = `revoke execute on function "$schema".take_ids_2(text, bigint) from public;`;

/** Roles that could write ids keep the right: an upgrade must not stop a service. */
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

/**
 * An update of the row gets the value of the sequence, also in processes of the previous version.
 */
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

/** The commands of migration 2 about ids. */
export const idSequences = [...sequences, takeIds, revoked, granted, followIds, trigger, ...starts];
