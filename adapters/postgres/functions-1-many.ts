/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const commitMany = `create function "$schema".commit_1(
  p_owners text, p_attempts text, p_counts text,
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
) returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off as $commit$
declare
  v_owners text[] := p_owners::text[]; v_attempts text[] := p_attempts::text[]; v_counts bigint[] := p_counts::bigint[];
  v_tenants text[] := '{}'; v_last bigint[] := '{}'; v_failed bigint[] := '{}'; v_some bigint[]; v_first json;
  v_refused int[] := '{}'; v_answer text := '[]'; v_count bigint; v_before bigint;
  v_bases bigint[]; v_versions bigint[] := '{}'; v_row record; v_found jsonb; v_some_found jsonb;
begin
  with raised as (
    insert into "$schema".tenants as t (tenant, last_position) select w.tenant, sum(w.events) as events from unnest(v_owners, v_counts) as w(tenant, events) group by 1 order by 1
        on conflict (tenant) do update set last_position = t.last_position + excluded.last_position
      returning t.tenant, t.last_position
  ) select array_agg(raised.tenant), array_agg(raised.last_position) into v_tenants, v_last from raised;
  if p_contractor_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".contractors t where t.environment = split_part(v_owners[r.n], ':', 1) and t.contractor_key >= r.key and t.contractor_key <= r.key order by t.contractor_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_deal_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_deal_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[], freelancer_status text[])
    left join lateral (select * from "$schema".deals t where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.freelancer_status is null or array_position(r.freelancer_status, t.freelancer_status) is not null)) end);
  end if;
  if p_stage_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_stage_expected::json) as r(n int, i int, absent boolean, key bigint, partner_id text[], status text[])
    left join lateral (select * from "$schema".stages t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.partner_id is null or array_position(r.partner_id, t.partner_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_stage_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_stage_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".stages t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_work_file_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_work_file_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".work_files t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_work_file_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_work_file_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".work_files t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_employer_payment_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_employer_payment_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".employer_payments t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_employer_payment_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_employer_payment_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".employer_payments t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_contractor_payment_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_contractor_payment_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".contractor_payments t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_contractor_payment_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_contractor_payment_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".contractor_payments t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_posting_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_posting_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".postings t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_posting_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_posting_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".postings t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_intent_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_intent_expected::json) as r(n int, i int, absent boolean, key text, status text[], due_at text[])
    left join lateral (select * from "$schema".intents t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.due_at is null or array_position(r.due_at, t.due_at) is not null)) end);
  end if;
  if p_intent_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_intent_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".intents t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_payment_report_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_payment_report_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".payment_reports t where t.tenant = v_owners[r.n] and t.report_key >= r.key and t.report_key <= r.key order by t.report_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_payment_report_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_payment_report_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".payment_reports t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_webhook_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_webhook_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[])
    left join lateral (select * from "$schema".webhooks t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_consumer_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_consumer_expected::json) as r(n int, i int, absent boolean, key text, lease text[], leased_until text[])
    left join lateral (select * from "$schema".consumers t where t.tenant = v_owners[r.n] and t.name >= r.key and t.name <= r.key order by t.name limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.lease is null or array_position(r.lease, t.lease) is not null)
        and (r.leased_until is null or array_position(r.leased_until, t.leased_until) is not null)) end);
  end if;
  if p_delivery_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_delivery_expected::json) as r(n int, i int, absent boolean, key text, status text[])
    left join lateral (select * from "$schema".deliveries t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_answer_expected is not null then
    select coalesce(array_agg((r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int), '{}'), json_object_agg(r.n || ' ' || r.i, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)) filter (where r.absent)
    into v_some, v_first from json_to_recordset(p_answer_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".answers t where t.tenant = v_owners[r.n] and t.answer_key >= r.key and t.answer_key <= r.key order by t.answer_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end;
    v_failed := v_failed || v_some;
  end if;
`;
