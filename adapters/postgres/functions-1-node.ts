/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const commitNode = `create function "$schema".commit_node_1(
  p_tenant text, p_owners text, p_attempts text, p_counts text,
  p_contractor_expected text, p_contractor_inserted text, p_contractor_changed text,
  p_deal_expected text, p_deal_inserted text, p_deal_changed text,
  p_stage_expected text, p_stage_counted text, p_stage_inserted text, p_stage_changed text,
  p_work_file_expected text, p_work_file_counted text, p_work_file_inserted text, p_work_file_changed text,
  p_employer_payment_expected text, p_employer_payment_counted text, p_employer_payment_inserted text, p_employer_payment_changed text,
  p_contractor_payment_expected text, p_contractor_payment_counted text, p_contractor_payment_inserted text, p_contractor_payment_changed text,
  p_posting_expected text, p_posting_counted text, p_posting_inserted text,
  p_intent_expected text, p_intent_counted text, p_intent_inserted text, p_intent_changed text,
  p_payment_report_expected text, p_payment_report_counted text, p_payment_report_inserted text,
  p_webhook_expected text, p_webhook_inserted text, p_webhook_changed text,
  p_consumer_expected text, p_consumer_inserted text, p_consumer_changed text,
  p_delivery_expected text, p_delivery_inserted text, p_delivery_changed text,
  p_answer_expected text, p_answer_inserted text,
  p_events text
) returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off set plan_cache_mode = force_custom_plan set cpu_tuple_cost = 1000 as $commit$
declare
  v_owners text[] := p_owners::text[]; v_attempts text[] := p_attempts::text[]; v_counts bigint[] := p_counts::bigint[];
  v_tenants text[] := '{}'; v_last bigint[] := '{}'; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_bases bigint[]; v_versions bigint[] := '{}'; v_row record; v_found jsonb; v_some_found jsonb;
begin
  for v_row in select w.tenant, sum(w.events) as events from unnest(v_owners, v_counts) as w(tenant, events) group by 1 order by 1 loop
    insert into "$schema".tenants as t (tenant, last_position) values (v_row.tenant, v_row.events)
      on conflict (tenant) do update set last_position = t.last_position + excluded.last_position
      returning t.last_position into v_before;
    v_tenants := v_tenants || v_row.tenant; v_last := v_last || v_before;
  end loop;
  if p_contractor_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".contractors t where t.environment = split_part(v_owners[r.n], ':', 1) and t.contractor_key >= r.key and t.contractor_key <= r.key order by t.contractor_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_deal_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_deal_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.partner_id, 'attempt', t.attempt, 'version', t.version, 'status', t.status, 'freelancer_status', t.freelancer_status)) into v_some_found
        from "$schema".deals t where t.tenant = v_row.owner and t.partner_id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_deal_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[], freelancer_status text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, version bigint, status text, freelancer_status text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.freelancer_status is null or array_position(r.freelancer_status, t.freelancer_status) is not null)) end);
  end if;
  if p_stage_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_stage_expected::json) as r(n int, key bigint) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'partner_id', t.partner_id, 'status', t.status)) into v_some_found
        from "$schema".stages t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_stage_expected::json) as r(n int, i int, absent boolean, key bigint, partner_id text[], status text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found bigint, attempt text, partner_id text, status text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.partner_id is null or array_position(r.partner_id, t.partner_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_stage_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_stage_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".stages t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_work_file_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_work_file_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt)) into v_some_found
        from "$schema".work_files t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_work_file_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_work_file_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_work_file_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".work_files t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_employer_payment_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_employer_payment_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt)) into v_some_found
        from "$schema".employer_payments t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_employer_payment_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_employer_payment_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_employer_payment_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".employer_payments t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_contractor_payment_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_contractor_payment_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt)) into v_some_found
        from "$schema".contractor_payments t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_payment_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_contractor_payment_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_payment_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".contractor_payments t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_posting_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_posting_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt)) into v_some_found
        from "$schema".postings t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_posting_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_posting_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_posting_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".postings t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_intent_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_intent_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'status', t.status, 'due_at', t.due_at)) into v_some_found
        from "$schema".intents t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_intent_expected::json) as r(n int, i int, absent boolean, key text, status text[], due_at text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, status text, due_at text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.due_at is null or array_position(r.due_at, t.due_at) is not null)) end);
  end if;
  if p_intent_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_intent_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".intents t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_payment_report_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_payment_report_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.report_key, 'attempt', t.attempt)) into v_some_found
        from "$schema".payment_reports t where t.tenant = v_row.owner and t.report_key = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_payment_report_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_payment_report_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_payment_report_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".payment_reports t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_webhook_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_webhook_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'version', t.version, 'status', t.status)) into v_some_found
        from "$schema".webhooks t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_webhook_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, version bigint, status text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_consumer_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_consumer_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.name, 'attempt', t.attempt, 'lease', t.lease, 'leased_until', t.leased_until)) into v_some_found
        from "$schema".consumers t where t.tenant = v_row.owner and t.name = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_consumer_expected::json) as r(n int, i int, absent boolean, key text, lease text[], leased_until text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, lease text, leased_until text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.lease is null or array_position(r.lease, t.lease) is not null)
        and (r.leased_until is null or array_position(r.leased_until, t.leased_until) is not null)) end);
  end if;
  if p_delivery_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_delivery_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'status', t.status)) into v_some_found
        from "$schema".deliveries t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_delivery_expected::json) as r(n int, i int, absent boolean, key text, status text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, status text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_answer_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_answer_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.answer_key, 'attempt', t.attempt, 'fingerprint', t.fingerprint, 'answer', t.answer)) into v_some_found
        from "$schema".answers t where t.tenant = v_row.owner and t.answer_key = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    select coalesce(array_agg((r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int), '{}'), json_object_agg(r.n || ' ' || r.i, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)) filter (where r.absent)
    into v_some, v_first from json_to_recordset(p_answer_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, fingerprint text, answer text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end;
    v_failed := v_failed || v_some;
  end if;
`;
