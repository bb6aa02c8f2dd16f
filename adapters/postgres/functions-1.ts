/**
 * The functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const functions = `create function "$schema".commit_one_1(p_tenant text, p_attempt text, p_events bigint, p text[])
returns text language plpgsql set enable_seqscan = off as $commit$
declare
  v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
  v_key text; v_number bigint; v_found text; v_first json; v_position bigint; v_before bigint; v_sequence bigint := 0;
begin
  insert into "$schema".tenants as t (tenant, last_position) values (p_tenant, p_events)
    on conflict (tenant) do update set last_position = t.last_position + excluded.last_position
    returning t.last_position - p_events into v_position;
  while v_at <= cardinality(p) loop
    v_expectation := v_expectation + 1;
    case p[v_at]
    when 'absent deal' then
      select t.attempt into v_found
        from "$schema".deals t where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'present contractor' then
      perform 1 from "$schema".contractors t where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key >= p[v_at + 1] and t.contractor_key <= p[v_at + 1] order by t.contractor_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'insert deal' then
      insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, attempt, version)
      values (p_tenant, p[v_at + 1], p[v_at + 2]::bigint, p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7], p[v_at + 8]::bigint, p[v_at + 9]::numeric, p[v_at + 10], p[v_at + 11]::bigint, p[v_at + 12], p[v_at + 13], p[v_at + 14], p[v_at + 15], p[v_at + 16], p[v_at + 17], p_attempt, p_events);
      v_at := v_at + 18;
    when 'insert stage' then
      insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, attempt)
      values (p_tenant, p[v_at + 1]::bigint, p[v_at + 2], p[v_at + 3], p[v_at + 4]::numeric, p[v_at + 5]::bigint, p[v_at + 6], p_attempt);
      v_at := v_at + 7;
    when 'event' then
      v_position := v_position + 1; v_sequence := v_sequence + 1;
      insert into "$schema".events (tenant, position, id, type, subject, sequence, at, data)
      values (p_tenant, v_position, p[v_at + 1], p[v_at + 2], p[v_at + 3], v_sequence, p[v_at + 4], p[v_at + 5]::json);
      v_at := v_at + 6;
    when 'absent contractor' then
      select t.attempt into v_found
        from "$schema".contractors t where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key >= p[v_at + 1] and t.contractor_key <= p[v_at + 1] order by t.contractor_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent stage' then
      select t.attempt into v_found
        from "$schema".stages t where t.tenant = p_tenant and t.id >= p[v_at + 1]::bigint and t.id <= p[v_at + 1]::bigint order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent work_file' then
      select t.attempt into v_found
        from "$schema".work_files t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent answer' then
      select t.attempt, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer) into v_found, v_first
        from "$schema".answers t where t.tenant = p_tenant and t.answer_key >= p[v_at + 1] and t.answer_key <= p[v_at + 1] order by t.answer_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'insert contractor' then
      insert into "$schema".contractors (environment, tenant, contractor_key, email, name, surname, country_code, street, house_no, apartment_no, postal_code, city, language, bank_account_currency, bank_account_iban, bank_account_bic, pesel, nip, tax_id, attempt, version)
      values (split_part(p_tenant, ':', 1), p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7], p[v_at + 8], p[v_at + 9], p[v_at + 10], p[v_at + 11], p[v_at + 12], p[v_at + 13], p[v_at + 14], p[v_at + 15], p[v_at + 16], p[v_at + 17], p_attempt, p_events) on conflict do nothing;
      if not found and v_is_begun then
        raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';
      end if;
      v_is_begun := true;
      if not found then v_at := 1; v_expectation := -1; continue; end if;
      v_at := v_at + 18;
    when 'insert work_file' then
      insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3]::bigint, p[v_at + 4], p[v_at + 5]::bigint, p[v_at + 6], p[v_at + 7], p[v_at + 8], p_attempt);
      v_at := v_at + 9;
    when 'insert answer' then
      insert into "$schema".answers (tenant, answer_key, fingerprint, answer, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p_attempt);
      v_at := v_at + 4;
    when 'present deal' then
      perform 1 from "$schema".deals t where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1]
        and (p[v_at + 2]::bigint[] is null or array_position(p[v_at + 2]::bigint[], t.version) is not null)
        and (p[v_at + 3]::text[] is null or array_position(p[v_at + 3]::text[], t.status) is not null)
        and (p[v_at + 4]::text[] is null or array_position(p[v_at + 4]::text[], t.freelancer_status) is not null) order by t.partner_id limit 1;
      v_holds := found; v_at := v_at + 5;
    when 'present stage' then
      perform 1 from "$schema".stages t where t.tenant = p_tenant and t.id >= p[v_at + 1]::bigint and t.id <= p[v_at + 1]::bigint
        and (p[v_at + 2]::text[] is null or array_position(p[v_at + 2]::text[], t.partner_id) is not null)
        and (p[v_at + 3]::text[] is null or array_position(p[v_at + 3]::text[], t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present work_file' then
      perform 1 from "$schema".work_files t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present answer' then
      perform 1 from "$schema".answers t where t.tenant = p_tenant and t.answer_key >= p[v_at + 1] and t.answer_key <= p[v_at + 1] order by t.answer_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'change contractor' then
      v_key := p[v_at + 1];
      update "$schema".contractors t set version = t.version + p[v_at + 2]::bigint
        where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key = v_key returning t.version - p[v_at + 2]::bigint into v_before;
      if p[v_at + 2] <> '0' then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change deal' then
      v_key := p[v_at + 1];
      update "$schema".deals t set version = t.version + p[v_at + 2]::bigint, status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, freelancer_status = case when p[v_at + 3]::jsonb ? 'freelancer_status' then (p[v_at + 3]::jsonb ->> 'freelancer_status')::text else t.freelancer_status end
        where t.tenant = p_tenant and t.partner_id = v_key returning t.version - p[v_at + 2]::bigint into v_before;
      if p[v_at + 2] <> '0' then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change stage' then
      v_number := p[v_at + 1];
      update "$schema".stages t set status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end
        where t.tenant = p_tenant and t.id = v_number;
      v_at := v_at + 4;
    when 'fewer stage' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".stages t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer work_file' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".work_files t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    end case;
    if not v_holds then
      update "$schema".tenants t set last_position = t.last_position - p_events where t.tenant = p_tenant;
      return json_build_object('expectation', v_expectation, 'made', v_found = p_attempt, 'first', v_first);
    end if;
  end loop;
  return 'null';
end $commit$;

create function "$schema".commit_each_1(p_tenant text, p_attempts text[], p_events bigint[], p text[])
returns text language plpgsql as $commit$
declare
  v_answers text[] := '{}'; v_answer text;
begin
  for v_n in 1 .. cardinality(p) loop
    v_answer := "$schema".commit_one_1(p_tenant, p_attempts[v_n], p_events[v_n], p[v_n]::text[]);
    if v_answer <> 'null' then
      v_answers := v_answers || json_build_array(v_n - 1, v_answer::json)::text;
    end if;
  end loop;
  return '[' || array_to_string(v_answers, ',') || ']';
end $commit$;

create function "$schema".commit_1(
  p_owners text[], p_attempts text[], p_counts bigint[],
  p_contractor_expected json,
  p_contractor_inserted json,
  p_contractor_changed json,
  p_deal_expected json,
  p_deal_inserted json,
  p_deal_changed json,
  p_stage_expected json,
  p_stage_counted json,
  p_stage_inserted json,
  p_stage_changed json,
  p_work_file_expected json,
  p_work_file_counted json,
  p_work_file_inserted json,
  p_answer_expected json,
  p_answer_inserted json,
  p_events json
) returns text language plpgsql set enable_seqscan = off as $commit$
declare
  v_tenants text[]; v_last bigint[]; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_moved int[] := '{}'; v_versions bigint[] := '{}'; v_row record;
begin
  with raised as (
    insert into "$schema".tenants as t (tenant, last_position) select w.tenant, sum(w.events) from unnest(p_owners, p_counts) as w(tenant, events) group by 1 order by 1
      on conflict (tenant) do update set last_position = t.last_position + excluded.last_position
      returning t.tenant, t.last_position
  ) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;
  if p_contractor_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".contractors t where t.environment = split_part(p_owners[r.n], ':', 1) and t.contractor_key >= r.key and t.contractor_key <= r.key order by t.contractor_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_deal_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_deal_expected) as r(n int, i int, absent boolean, key text, version bigint[], status text[], freelancer_status text[])
    left join lateral (select * from "$schema".deals t where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.freelancer_status is null or array_position(r.freelancer_status, t.freelancer_status) is not null)) end);
  end if;
  if p_stage_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_stage_expected) as r(n int, i int, absent boolean, key bigint, partner_id text[], status text[])
    left join lateral (select * from "$schema".stages t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.partner_id is null or array_position(r.partner_id, t.partner_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_stage_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_stage_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".stages t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_work_file_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_work_file_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".work_files t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_work_file_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_work_file_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".work_files t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_answer_expected is not null then
    select coalesce(array_agg((r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int), '{}'), json_object_agg(r.n || ' ' || r.i, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)) filter (where r.absent)
    into v_some, v_first from json_to_recordset(p_answer_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".answers t where t.tenant = p_owners[r.n] and t.answer_key >= r.key and t.answer_key <= r.key order by t.answer_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end;
    v_failed := v_failed || v_some;
  end if;
  if cardinality(v_failed) > 0 then
    select array_agg(f.n), json_agg(json_build_array(f.n - 1, json_build_object('expectation', f.i,
        'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
    from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
      from unnest(v_failed) f group by 1) f;
    for v_row in select w.tenant, sum(w.events) as events
      from unnest(p_owners, p_counts) with ordinality as w(tenant, events, n)
      where w.n = any(v_refused) group by 1 loop
      update "$schema".tenants t set last_position = t.last_position - v_row.events where t.tenant = v_row.tenant;
    end loop;
    select array_agg(t.tenant), array_agg(t.last_position) into v_tenants, v_last
    from "$schema".tenants t where t.tenant = any(v_tenants);
  end if;
  if p_contractor_inserted is not null then
    insert into "$schema".contractors (environment, tenant, contractor_key, email, name, surname, country_code, street, house_no, apartment_no, postal_code, city, language, bank_account_currency, bank_account_iban, bank_account_bic, pesel, nip, tax_id, attempt, version)
    select split_part(p_owners[r.n], ':', 1), p_owners[r.n], r.contractor_key, r.email, r.name, r.surname, r.country_code, r.street, r.house_no, r.apartment_no, r.postal_code, r.city, r.language, r.bank_account_currency, r.bank_account_iban, r.bank_account_bic, r.pesel, r.nip, r.tax_id, p_attempts[r.n], p_counts[r.n]
    from json_to_recordset(p_contractor_inserted) as r(n int, contractor_key text, email text, name text, surname text, country_code text, street text, house_no text, apartment_no text, postal_code text, city text, language text, bank_account_currency text, bank_account_iban text, bank_account_bic text, pesel text, nip text, tax_id text)
    where r.n <> all(v_refused) order by 1, r.contractor_key on conflict do nothing;
    get diagnostics v_count = row_count;
    if v_count < (select count(*) from json_to_recordset(p_contractor_inserted) as r(n int) where r.n <> all(v_refused)) then
      raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';
    end if;
  end if;
  if p_contractor_changed is not null then
    for v_row in select * from json_to_recordset(p_contractor_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractors t set version = t.version + v_row.moves
        where t.environment = split_part(p_owners[v_row.n], ':', 1) and t.contractor_key = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_moved := v_moved || v_row.n; v_versions := v_versions || v_before; end if;
    end loop;
  end if;
  if p_deal_inserted is not null then
    insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, attempt, version)
    select p_owners[r.n], r.partner_id, r.id, r.api_version, r.email_freelancer, r.email_key, r.title, r.description, r.subcategory_id, r.amount, r.currency, r.work_days, r.copyright_transfer, r.freelancer_language, r.payment_token, r.status, r.freelancer_status, r.created_at, p_attempts[r.n], p_counts[r.n]
    from json_to_recordset(p_deal_inserted) as r(n int, partner_id text, id bigint, api_version text, email_freelancer text, email_key text, title text, description text, subcategory_id bigint, amount numeric, currency text, work_days bigint, copyright_transfer text, freelancer_language text, payment_token text, status text, freelancer_status text, created_at text)
    where r.n <> all(v_refused);
  end if;
  if p_deal_changed is not null then
    for v_row in select * from json_to_recordset(p_deal_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deals t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, freelancer_status = case when v_row.given ? 'freelancer_status' then (v_row.given ->> 'freelancer_status')::text else t.freelancer_status end
        where t.tenant = p_owners[v_row.n] and t.partner_id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_moved := v_moved || v_row.n; v_versions := v_versions || v_before; end if;
    end loop;
  end if;
  if p_stage_inserted is not null then
    insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.name, r.budget, r.work_days, r.status, p_attempts[r.n]
    from json_to_recordset(p_stage_inserted) as r(n int, id bigint, partner_id text, name text, budget numeric, work_days bigint, status text)
    where r.n <> all(v_refused);
  end if;
  if p_stage_changed is not null then
    for v_row in select * from json_to_recordset(p_stage_changed) as r(n int, key bigint, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".stages t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_work_file_inserted is not null then
    insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.stage_id, r.name, r.size, r.sha256, r.content_type, r.uploaded_at, p_attempts[r.n]
    from json_to_recordset(p_work_file_inserted) as r(n int, id text, partner_id text, stage_id bigint, name text, size bigint, sha256 text, content_type text, uploaded_at text)
    where r.n <> all(v_refused);
  end if;
  if p_answer_inserted is not null then
    insert into "$schema".answers (tenant, answer_key, fingerprint, answer, attempt)
    select p_owners[r.n], r.answer_key, r.fingerprint, r.answer, p_attempts[r.n]
    from json_to_recordset(p_answer_inserted) as r(n int, answer_key text, fingerprint text, answer text)
    where r.n <> all(v_refused);
  end if;
  insert into "$schema".events (tenant, position, id, type, subject, sequence, at, data)
  select c.tenant, c.last_position - count(*) over (partition by c.tenant)
    + row_number() over (partition by c.tenant order by r.n, r.sequence), r.id, r.type, r.subject, r.sequence + coalesce(m.version, 0), r.at, r.data
  from json_to_recordset(p_events) as r(n int, id text, type text, subject text, sequence bigint, at text, data json)
  join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = p_owners[r.n]
  left join unnest(v_moved, v_versions) as m(n, version) on m.n = r.n
  where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
