/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const commitOne = `create function "$schema".commit_one_1(p_tenant text, p_attempt text, p_events bigint, p_write text)
returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off as $commit$
declare
  p text[] := p_write::text[]; v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
  v_key text; v_number bigint; v_moves bigint; v_given jsonb; v_numbers bigint[];
  v_texts_0 text[]; v_texts_1 text[]; v_texts_2 text[]; v_found text; v_first json; v_position bigint; v_before bigint; v_sequence bigint := 0;
  v_1 text; v_2 text; v_3 text; v_4 text; v_5 text; v_6 text; v_7 text; v_8 text; v_9 text; v_10 text; v_11 text; v_12 text; v_13 text; v_14 text; v_15 text; v_16 text; v_17 text; v_18 text; v_19 text; v_20 text; v_21 text; v_22 text; v_23 text;
begin
  insert into "$schema".tenants as t (tenant, last_position) values (p_tenant, p_events)
    on conflict (tenant) do update set last_position = t.last_position + excluded.last_position
    returning t.last_position - p_events into v_position;
  while v_at <= cardinality(p) loop
    v_expectation := v_expectation + 1;
    case p[v_at]
    when 'absent deal' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".deals t where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'present contractor' then v_key := p[v_at + 1];
      perform 1 from "$schema".contractors t where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key >= v_key and t.contractor_key <= v_key order by t.contractor_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'insert deal' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13]; v_14 := p[v_at + 14]; v_15 := p[v_at + 15]; v_16 := p[v_at + 16]; v_17 := p[v_at + 17]; v_18 := p[v_at + 18]; v_19 := p[v_at + 19]; v_20 := p[v_at + 20]; v_21 := p[v_at + 21]; v_22 := p[v_at + 22]; v_23 := p[v_at + 23];
      insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, due_at, attempt, version)
      values (p_tenant, v_1, v_2::bigint, v_3, v_4, v_5, v_6, v_7, v_8::bigint, v_9::numeric, v_10, v_11::bigint, v_12, v_13, v_14, v_15, v_16, v_17, v_18, v_19::numeric, v_20::numeric, v_21::numeric, v_22, v_23, p_attempt, p_events);
      v_at := v_at + 24;
    when 'insert stage' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8];
      insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, attempt)
      values (p_tenant, v_1::bigint, v_2, v_3, v_4::numeric, v_5::bigint, v_6, v_7::numeric, v_8, p_attempt);
      v_at := v_at + 9;
    when 'event' then
      v_position := v_position + 1; v_sequence := v_sequence + 1;
      v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7];
      insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
      values (p_tenant, v_position, v_1, v_2, v_3, v_sequence, v_4, v_5, v_6, v_7::json);
      v_at := v_at + 8;
    when 'absent contractor' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".contractors t where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key >= v_key and t.contractor_key <= v_key order by t.contractor_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent stage' then v_number := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".stages t where t.tenant = p_tenant and t.id >= v_number and t.id <= v_number order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent work_file' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".work_files t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent employer_payment' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".employer_payments t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent contractor_payment' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".contractor_payments t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent posting' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".postings t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent intent' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".intents t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent payment_report' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".payment_reports t where t.tenant = p_tenant and t.report_key >= v_key and t.report_key <= v_key order by t.report_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent webhook' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".webhooks t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent consumer' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".consumers t where t.tenant = p_tenant and t.name >= v_key and t.name <= v_key order by t.name limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent delivery' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".deliveries t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent answer' then v_key := p[v_at + 1];
      select t.attempt, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer) into v_found, v_first
        from "$schema".answers t where t.tenant = p_tenant and t.answer_key >= v_key and t.answer_key <= v_key order by t.answer_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'insert contractor' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13]; v_14 := p[v_at + 14]; v_15 := p[v_at + 15]; v_16 := p[v_at + 16]; v_17 := p[v_at + 17];
      insert into "$schema".contractors (environment, tenant, contractor_key, email, name, surname, country_code, street, house_no, apartment_no, postal_code, city, language, bank_account_currency, bank_account_iban, bank_account_bic, pesel, nip, tax_id, attempt, version)
      values (split_part(p_tenant, ':', 1), p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9, v_10, v_11, v_12, v_13, v_14, v_15, v_16, v_17, p_attempt, p_events) on conflict do nothing;
      if not found and v_is_begun then
        raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';
      end if;
      v_is_begun := true;
      if not found then v_at := 1; v_expectation := -1; continue; end if;
      v_at := v_at + 18;
    when 'insert work_file' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9];
      insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, attempt)
      values (p_tenant, v_1, v_2, v_3::bigint, v_4, v_5::bigint, v_6, v_7, v_8, v_9, p_attempt);
      v_at := v_at + 10;
    when 'insert employer_payment' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7];
      insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reference, requested_at, updated_at, attempt)
      values (p_tenant, v_1, v_2, v_3::numeric, v_4, v_5, v_6, v_7, p_attempt);
      v_at := v_at + 8;
    when 'insert contractor_payment' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11];
      insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reference, retries, requested_at, updated_at, attempt)
      values (p_tenant, v_1, v_2, v_3::bigint, v_4::numeric, v_5::numeric, v_6::numeric, v_7, v_8, v_9::bigint, v_10, v_11, p_attempt);
      v_at := v_at + 12;
    when 'insert posting' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8];
      insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, v_7::numeric, v_8, p_attempt);
      v_at := v_at + 9;
    when 'insert intent' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10];
      insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, created_at, due_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5::numeric, v_6::numeric, v_7, v_8::bigint, v_9, v_10, p_attempt);
      v_at := v_at + 11;
    when 'insert payment_report' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8];
      insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6::numeric, v_7::bigint, v_8, p_attempt);
      v_at := v_at + 9;
    when 'insert webhook' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10];
      insert into "$schema".webhooks (tenant, id, url, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, attempt, version)
      values (p_tenant, v_1, v_2, v_3, v_4::bigint, v_5, v_6, v_7, v_8, v_9, v_10, p_attempt, p_events);
      v_at := v_at + 11;
    when 'insert consumer' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6];
      insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, p_attempt);
      v_at := v_at + 7;
    when 'insert delivery' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11];
      insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6::bigint, v_7, v_8, v_9::bigint, v_10, v_11, p_attempt);
      v_at := v_at + 12;
    when 'insert answer' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3];
      insert into "$schema".answers (tenant, answer_key, fingerprint, answer, attempt)
      values (p_tenant, v_1, v_2, v_3, p_attempt);
      v_at := v_at + 4;
    when 'present deal' then v_key := p[v_at + 1]; v_numbers := p[v_at + 2]; v_texts_1 := p[v_at + 3]; v_texts_2 := p[v_at + 4];
      perform 1 from "$schema".deals t where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_numbers is null or array_position(v_numbers, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.freelancer_status) is not null) order by t.partner_id limit 1;
      v_holds := found; v_at := v_at + 5;
    when 'present stage' then v_number := p[v_at + 1]; v_texts_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".stages t where t.tenant = p_tenant and t.id >= v_number and t.id <= v_number
        and (v_texts_0 is null or array_position(v_texts_0, t.partner_id) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present work_file' then v_key := p[v_at + 1];
      perform 1 from "$schema".work_files t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present employer_payment' then v_key := p[v_at + 1];
      perform 1 from "$schema".employer_payments t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present contractor_payment' then v_key := p[v_at + 1];
      perform 1 from "$schema".contractor_payments t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present posting' then v_key := p[v_at + 1];
      perform 1 from "$schema".postings t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present intent' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".intents t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.status) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.due_at) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present payment_report' then v_key := p[v_at + 1];
      perform 1 from "$schema".payment_reports t where t.tenant = p_tenant and t.report_key >= v_key and t.report_key <= v_key order by t.report_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present webhook' then v_key := p[v_at + 1]; v_numbers := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".webhooks t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_numbers is null or array_position(v_numbers, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present consumer' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".consumers t where t.tenant = p_tenant and t.name >= v_key and t.name <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.lease) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.leased_until) is not null) order by t.name limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present delivery' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2];
      perform 1 from "$schema".deliveries t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 3;
    when 'present answer' then v_key := p[v_at + 1];
      perform 1 from "$schema".answers t where t.tenant = p_tenant and t.answer_key >= v_key and t.answer_key <= v_key order by t.answer_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'change contractor' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".contractors t set version = t.version + v_moves
        where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change deal' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".deals t set version = t.version + v_moves, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, freelancer_status = case when v_given ? 'freelancer_status' then (v_given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_given ? 'agreed_amount' then (v_given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.partner_id = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change stage' then v_number := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".stages t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, agreed_amount = case when v_given ? 'agreed_amount' then (v_given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_given ? 'submitted_at' then (v_given ->> 'submitted_at')::text else t.submitted_at end
        where t.tenant = p_tenant and t.id = v_number;
      v_at := v_at + 4;
    when 'change work_file' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".work_files t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change employer_payment' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".employer_payments t set amount = case when v_given ? 'amount' then (v_given ->> 'amount')::numeric else t.amount end, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, reference = case when v_given ? 'reference' then (v_given ->> 'reference')::text else t.reference end, updated_at = case when v_given ? 'updated_at' then (v_given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change contractor_payment' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".contractor_payments t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, reference = case when v_given ? 'reference' then (v_given ->> 'reference')::text else t.reference end, retries = case when v_given ? 'retries' then (v_given ->> 'retries')::bigint else t.retries end, updated_at = case when v_given ? 'updated_at' then (v_given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change intent' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".intents t set remaining = case when v_given ? 'remaining' then (v_given ->> 'remaining')::numeric else t.remaining end, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, attempts = case when v_given ? 'attempts' then (v_given ->> 'attempts')::bigint else t.attempts end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change webhook' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".webhooks t set version = t.version + v_moves, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, disabled_reason = case when v_given ? 'disabled_reason' then (v_given ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when v_given ? 'secret' then (v_given ->> 'secret')::text else t.secret end, previous_secret = case when v_given ? 'previous_secret' then (v_given ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when v_given ? 'previous_until' then (v_given ->> 'previous_until')::text else t.previous_until end
        where t.tenant = p_tenant and t.id = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change consumer' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".consumers t set position = case when v_given ? 'position' then (v_given ->> 'position')::text else t.position end, held = case when v_given ? 'held' then (v_given ->> 'held')::text else t.held end, lease = case when v_given ? 'lease' then (v_given ->> 'lease')::text else t.lease end, leased_until = case when v_given ? 'leased_until' then (v_given ->> 'leased_until')::text else t.leased_until end, failing_since = case when v_given ? 'failing_since' then (v_given ->> 'failing_since')::text else t.failing_since end
        where t.tenant = p_tenant and t.name = v_key;
      v_at := v_at + 4;
    when 'change delivery' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".deliveries t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, attempts = case when v_given ? 'attempts' then (v_given ->> 'attempts')::text else t.attempts end, tries = case when v_given ? 'tries' then (v_given ->> 'tries')::bigint else t.tries end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'fewer stage' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".stages t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer work_file' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".work_files t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer employer_payment' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".employer_payments t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer contractor_payment' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".contractor_payments t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer posting' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".postings t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer intent' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".intents t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer payment_report' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".payment_reports t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    end case;
    if not v_holds then
      update "$schema".tenants t set last_position = t.last_position - p_events where t.tenant = p_tenant;
      return json_build_object('expectation', v_expectation, 'made', v_found = p_attempt, 'first', v_first);
    end if;
  end loop;
  return 'null';
end $commit$;`;
