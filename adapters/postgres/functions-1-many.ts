/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const functionsOfMany = `create function "$schema".commit_1(
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
  p_work_file_changed json,
  p_employer_payment_expected json,
  p_employer_payment_counted json,
  p_employer_payment_inserted json,
  p_employer_payment_changed json,
  p_contractor_payment_expected json,
  p_contractor_payment_counted json,
  p_contractor_payment_inserted json,
  p_contractor_payment_changed json,
  p_posting_expected json,
  p_posting_counted json,
  p_posting_inserted json,
  p_intent_expected json,
  p_intent_counted json,
  p_intent_inserted json,
  p_intent_changed json,
  p_payment_report_expected json,
  p_payment_report_counted json,
  p_payment_report_inserted json,
  p_answer_expected json,
  p_answer_inserted json,
  p_events json
) returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off as $commit$
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
  if p_employer_payment_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_employer_payment_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".employer_payments t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_employer_payment_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_employer_payment_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".employer_payments t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_contractor_payment_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_payment_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".contractor_payments t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_contractor_payment_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_contractor_payment_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".contractor_payments t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_posting_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_posting_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".postings t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_posting_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_posting_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".postings t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_intent_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_intent_expected) as r(n int, i int, absent boolean, key text, status text[], due_at text[])
    left join lateral (select * from "$schema".intents t where t.tenant = p_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.due_at is null or array_position(r.due_at, t.due_at) is not null)) end);
  end if;
  if p_intent_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_intent_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".intents t
      where t.tenant = p_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_payment_report_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = p_attempts[r.n], false)::int
    from json_to_recordset(p_payment_report_expected) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".payment_reports t where t.tenant = p_owners[r.n] and t.report_key >= r.key and t.report_key <= r.key order by t.report_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_payment_report_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_payment_report_counted) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".payment_reports t
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
    from json_to_recordset(p_contractor_inserted) as r(n int, contractor_key text, email text, name text, surname text, country_code text, street text, house_no text, apartment_no text, postal_code text, city text, language text, bank_account_currency text, bank_account_iban text, bank_account_bic text, pesel text, nip text, tax_id text) where r.n <> all(v_refused) order by 1, r.contractor_key on conflict do nothing;
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
    insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, due_at, attempt, version)
    select p_owners[r.n], r.partner_id, r.id, r.api_version, r.email_freelancer, r.email_key, r.title, r.description, r.subcategory_id, r.amount, r.currency, r.work_days, r.copyright_transfer, r.freelancer_language, r.payment_token, r.status, r.freelancer_status, r.created_at, r.mode, r.employer_fee, r.contractor_fee, r.agreed_amount, r.expires_at, r.due_at, p_attempts[r.n], p_counts[r.n]
    from json_to_recordset(p_deal_inserted) as r(n int, partner_id text, id bigint, api_version text, email_freelancer text, email_key text, title text, description text, subcategory_id bigint, amount numeric, currency text, work_days bigint, copyright_transfer text, freelancer_language text, payment_token text, status text, freelancer_status text, created_at text, mode text, employer_fee numeric, contractor_fee numeric, agreed_amount numeric, expires_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_deal_changed is not null then
    for v_row in select * from json_to_recordset(p_deal_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deals t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, freelancer_status = case when v_row.given ? 'freelancer_status' then (v_row.given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_owners[v_row.n] and t.partner_id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_moved := v_moved || v_row.n; v_versions := v_versions || v_before; end if;
    end loop;
  end if;
  if p_stage_inserted is not null then
    insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.name, r.budget, r.work_days, r.status, r.agreed_amount, r.submitted_at, p_attempts[r.n]
    from json_to_recordset(p_stage_inserted) as r(n int, id bigint, partner_id text, name text, budget numeric, work_days bigint, status text, agreed_amount numeric, submitted_at text) where r.n <> all(v_refused);
  end if;
  if p_stage_changed is not null then
    for v_row in select * from json_to_recordset(p_stage_changed) as r(n int, key bigint, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".stages t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_row.given ? 'submitted_at' then (v_row.given ->> 'submitted_at')::text else t.submitted_at end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_work_file_inserted is not null then
    insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.stage_id, r.name, r.size, r.sha256, r.content_type, r.uploaded_at, r.status, p_attempts[r.n]
    from json_to_recordset(p_work_file_inserted) as r(n int, id text, partner_id text, stage_id bigint, name text, size bigint, sha256 text, content_type text, uploaded_at text, status text) where r.n <> all(v_refused);
  end if;
  if p_work_file_changed is not null then
    for v_row in select * from json_to_recordset(p_work_file_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".work_files t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_employer_payment_inserted is not null then
    insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reference, requested_at, updated_at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.amount, r.status, r.reference, r.requested_at, r.updated_at, p_attempts[r.n]
    from json_to_recordset(p_employer_payment_inserted) as r(n int, id text, partner_id text, amount numeric, status text, reference text, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_employer_payment_changed is not null then
    for v_row in select * from json_to_recordset(p_employer_payment_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".employer_payments t set amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_contractor_payment_inserted is not null then
    insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reference, retries, requested_at, updated_at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.stage_id, r.amount, r.employer_fee, r.contractor_fee, r.status, r.reference, r.retries, r.requested_at, r.updated_at, p_attempts[r.n]
    from json_to_recordset(p_contractor_payment_inserted) as r(n int, id text, partner_id text, stage_id bigint, amount numeric, employer_fee numeric, contractor_fee numeric, status text, reference text, retries bigint, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_contractor_payment_changed is not null then
    for v_row in select * from json_to_recordset(p_contractor_payment_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractor_payments t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, retries = case when v_row.given ? 'retries' then (v_row.given ->> 'retries')::bigint else t.retries end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_posting_inserted is not null then
    insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.from_account, r.to_account, r.amount, r.at, p_attempts[r.n]
    from json_to_recordset(p_posting_inserted) as r(n int, id text, partner_id text, kind text, payment_id text, from_account text, to_account text, amount numeric, at text) where r.n <> all(v_refused);
  end if;
  if p_intent_inserted is not null then
    insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, created_at, due_at, attempt)
    select p_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.amount, r.remaining, r.status, r.attempts, r.created_at, r.due_at, p_attempts[r.n]
    from json_to_recordset(p_intent_inserted) as r(n int, id text, partner_id text, kind text, payment_id text, amount numeric, remaining numeric, status text, attempts bigint, created_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_intent_changed is not null then
    for v_row in select * from json_to_recordset(p_intent_changed) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".intents t set remaining = case when v_row.given ? 'remaining' then (v_row.given ->> 'remaining')::numeric else t.remaining end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::bigint else t.attempts end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_owners[v_row.n] and t.id = v_row.key;
    end loop;
  end if;
  if p_payment_report_inserted is not null then
    insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
    select p_owners[r.n], r.report_key, r.partner_id, r.payment_id, r.status, r.reference, r.amount, r.retries, r.at, p_attempts[r.n]
    from json_to_recordset(p_payment_report_inserted) as r(n int, report_key text, partner_id text, payment_id text, status text, reference text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_answer_inserted is not null then
    insert into "$schema".answers (tenant, answer_key, fingerprint, answer, attempt)
    select p_owners[r.n], r.answer_key, r.fingerprint, r.answer, p_attempts[r.n]
    from json_to_recordset(p_answer_inserted) as r(n int, answer_key text, fingerprint text, answer text) where r.n <> all(v_refused);
  end if;
  insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
  select c.tenant, c.last_position - count(*) over (partition by c.tenant)
    + row_number() over (partition by c.tenant order by r.n, r.sequence), r.id, r.type, r.subject, r.sequence + coalesce(m.version, 0), r.at, r.actor, r.cause, r.data
  from json_to_recordset(p_events) as r(n int, id text, type text, subject text, sequence bigint, at text, actor text, cause text, data json)
  join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = p_owners[r.n]
  left join unnest(v_moved, v_versions) as m(n, version) on m.n = r.n
  where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
