create function "$schema".commit_one_c360aef3e3(p_tenant text, p_attempt text, p_events bigint, p_write text)
returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off set array_nulls = on as $commit$
declare
  p text[] := p_write::text[]; v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
  v_key text; v_number bigint; v_moves bigint; v_given jsonb; v_found text; v_first json; v_position bigint; v_before bigint; v_sequence bigint := 0;
  v_bigints_0 bigint[]; v_texts_0 text[]; v_texts_1 text[]; v_texts_2 text[];
  v_1 text; v_2 text; v_3 text; v_4 text; v_5 text; v_6 text; v_7 text; v_8 text; v_9 text; v_10 text; v_11 text; v_12 text; v_13 text; v_14 text; v_15 text; v_16 text; v_17 text; v_18 text; v_19 text; v_20 text; v_21 text; v_22 text; v_23 text; v_24 text; v_25 text; v_26 text; v_27 text; v_28 text; v_29 text; v_30 text; v_31 text; v_32 text; v_33 text;
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
    when 'insert deal' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13]; v_14 := p[v_at + 14]; v_15 := p[v_at + 15]; v_16 := p[v_at + 16]; v_17 := p[v_at + 17]; v_18 := p[v_at + 18]; v_19 := p[v_at + 19]; v_20 := p[v_at + 20]; v_21 := p[v_at + 21]; v_22 := p[v_at + 22]; v_23 := p[v_at + 23]; v_24 := p[v_at + 24]; v_25 := p[v_at + 25]; v_26 := p[v_at + 26]; v_27 := p[v_at + 27]; v_28 := p[v_at + 28]; v_29 := p[v_at + 29]; v_30 := p[v_at + 30]; v_31 := p[v_at + 31]; v_32 := p[v_at + 32]; v_33 := p[v_at + 33];
      insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, notice_at, due_at, attention, terms_version, terms_sha256, accepted_by, issued_amount, proposal, status_since, alert, alert_at, attempt, version)
      values (p_tenant, v_1, v_2::bigint, v_3, v_4, v_5, v_6, v_7, v_8::bigint, v_9::numeric, v_10, v_11::bigint, v_12, v_13, v_14, v_15, v_16, v_17, v_18, v_19::numeric, v_20::numeric, v_21::numeric, v_22, v_23, v_24, v_25, v_26::bigint, v_27, v_28, v_29::numeric, v_30, v_31, v_32, v_33, p_attempt, p_events);
      v_at := v_at + 34;
    when 'insert stage' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13];
      insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, notice_at, kind, started_at, deadline, overdue_told, attempt)
      values (p_tenant, v_1::bigint, v_2, v_3, v_4::numeric, v_5::bigint, v_6, v_7::numeric, v_8, v_9, v_10, v_11, v_12, v_13, p_attempt);
      v_at := v_at + 14;
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
    when 'absent unmatched_report' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".unmatched_reports t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent proposal' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".proposals t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent terms' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".terms t where t.tenant = p_tenant and t.terms_key >= v_key and t.terms_key <= v_key order by t.terms_key limit 1;
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
    when 'absent sandbox_clock' then v_key := p[v_at + 1];
      select t.attempt into v_found
        from "$schema".sandbox_clocks t where t.tenant = p_tenant and t.name >= v_key and t.name <= v_key order by t.name limit 1;
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
    when 'insert work_file' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10];
      insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, uploaded_by, attempt)
      values (p_tenant, v_1, v_2, v_3::bigint, v_4, v_5::bigint, v_6, v_7, v_8, v_9, v_10, p_attempt);
      v_at := v_at + 11;
    when 'insert employer_payment' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8];
      insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reason, reference, requested_at, updated_at, attempt)
      values (p_tenant, v_1, v_2, v_3::numeric, v_4, v_5, v_6, v_7, v_8, p_attempt);
      v_at := v_at + 9;
    when 'insert contractor_payment' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12];
      insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reason, reference, retries, requested_at, updated_at, attempt)
      values (p_tenant, v_1, v_2, v_3::bigint, v_4::numeric, v_5::numeric, v_6::numeric, v_7, v_8, v_9, v_10::bigint, v_11, v_12, p_attempt);
      v_at := v_at + 13;
    when 'insert posting' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9];
      insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, retries, at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, v_7::numeric, v_8::bigint, v_9, p_attempt);
      v_at := v_at + 10;
    when 'insert intent' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13];
      insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, outcome, outcome_at, reason, created_at, due_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5::numeric, v_6::numeric, v_7, v_8::bigint, v_9, v_10, v_11, v_12, v_13, p_attempt);
      v_at := v_at + 14;
    when 'insert payment_report' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8];
      insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6::numeric, v_7::bigint, v_8, p_attempt);
      v_at := v_at + 9;
    when 'insert unmatched_report' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12];
      insert into "$schema".unmatched_reports (tenant, id, partner_id, kind, payment_id, status, amount, reference, reason, currency, received_at, waiting_since, ends_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6::numeric, v_7, v_8, v_9, v_10, v_11, v_12, p_attempt);
      v_at := v_at + 13;
    when 'insert proposal' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12]; v_13 := p[v_at + 13]; v_14 := p[v_at + 14]; v_15 := p[v_at + 15]; v_16 := p[v_at + 16];
      insert into "$schema".proposals (tenant, id, partner_id, kind, proposed_by, status, changes, terms, terms_sha256, gross, employer_fee, contractor_fee, message, supersedes, created_at, expires_at, decided_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9::numeric, v_10::numeric, v_11::numeric, v_12, v_13, v_14, v_15, v_16, p_attempt);
      v_at := v_at + 17;
    when 'insert terms' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12];
      insert into "$schema".terms (tenant, terms_key, partner_id, terms_version, kind, terms, terms_sha256, employer_fee, contractor_fee, proposal_id, proposed_by, accepted_by, at, attempt)
      values (p_tenant, v_1, v_2, v_3::bigint, v_4, v_5, v_6, v_7::numeric, v_8::numeric, v_9, v_10, v_11, v_12, p_attempt);
      v_at := v_at + 13;
    when 'insert webhook' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12];
      insert into "$schema".webhooks (tenant, id, url, host, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, ends_at, attempt, version)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5::bigint, v_6, v_7, v_8, v_9, v_10, v_11, v_12, p_attempt, p_events);
      v_at := v_at + 13;
    when 'insert consumer' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7];
      insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, ends_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6, v_7, p_attempt);
      v_at := v_at + 8;
    when 'insert delivery' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4]; v_5 := p[v_at + 5]; v_6 := p[v_at + 6]; v_7 := p[v_at + 7]; v_8 := p[v_at + 8]; v_9 := p[v_at + 9]; v_10 := p[v_at + 10]; v_11 := p[v_at + 11]; v_12 := p[v_at + 12];
      insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, failed_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, v_5, v_6::bigint, v_7, v_8, v_9::bigint, v_10, v_11, v_12, p_attempt);
      v_at := v_at + 13;
    when 'insert sandbox_clock' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3];
      insert into "$schema".sandbox_clocks (tenant, name, ahead, due_at, attempt)
      values (p_tenant, v_1, v_2::bigint, v_3, p_attempt);
      v_at := v_at + 4;
    when 'insert answer' then v_1 := p[v_at + 1]; v_2 := p[v_at + 2]; v_3 := p[v_at + 3]; v_4 := p[v_at + 4];
      insert into "$schema".answers (tenant, answer_key, fingerprint, answer, ends_at, attempt)
      values (p_tenant, v_1, v_2, v_3, v_4, p_attempt);
      v_at := v_at + 5;
    when 'present deal' then v_key := p[v_at + 1]; v_bigints_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3]; v_texts_2 := p[v_at + 4];
      perform 1 from "$schema".deals t where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_bigints_0 is null or array_position(v_bigints_0, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.freelancer_status) is not null) order by t.partner_id limit 1;
      v_holds := found; v_at := v_at + 5;
    when 'present stage' then v_number := p[v_at + 1]; v_texts_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".stages t where t.tenant = p_tenant and t.id >= v_number and t.id <= v_number
        and (v_texts_0 is null or array_position(v_texts_0, t.partner_id) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present work_file' then v_key := p[v_at + 1]; v_bigints_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3]; v_texts_2 := p[v_at + 4];
      perform 1 from "$schema".work_files t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_bigints_0 is null or array_position(v_bigints_0, t.stage_id) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.uploaded_by) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 5;
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
    when 'present unmatched_report' then v_key := p[v_at + 1];
      perform 1 from "$schema".unmatched_reports t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present proposal' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2];
      perform 1 from "$schema".proposals t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.proposed_by) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 3;
    when 'present terms' then v_key := p[v_at + 1];
      perform 1 from "$schema".terms t where t.tenant = p_tenant and t.terms_key >= v_key and t.terms_key <= v_key order by t.terms_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present webhook' then v_key := p[v_at + 1]; v_bigints_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3]; v_texts_2 := p[v_at + 4];
      perform 1 from "$schema".webhooks t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_bigints_0 is null or array_position(v_bigints_0, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.host) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 5;
    when 'present consumer' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2]; v_texts_1 := p[v_at + 3];
      perform 1 from "$schema".consumers t where t.tenant = p_tenant and t.name >= v_key and t.name <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.lease) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.leased_until) is not null) order by t.name limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present delivery' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2];
      perform 1 from "$schema".deliveries t where t.tenant = p_tenant and t.id >= v_key and t.id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 3;
    when 'present sandbox_clock' then v_key := p[v_at + 1]; v_bigints_0 := p[v_at + 2];
      perform 1 from "$schema".sandbox_clocks t where t.tenant = p_tenant and t.name >= v_key and t.name <= v_key
        and (v_bigints_0 is null or array_position(v_bigints_0, t.ahead) is not null) order by t.name limit 1;
      v_holds := found; v_at := v_at + 3;
    when 'present answer' then v_key := p[v_at + 1]; v_texts_0 := p[v_at + 2];
      perform 1 from "$schema".answers t where t.tenant = p_tenant and t.answer_key >= v_key and t.answer_key <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.ends_at) is not null) order by t.answer_key limit 1;
      v_holds := found; v_at := v_at + 3;
    when 'change contractor' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".contractors t set version = t.version + v_moves
        where t.environment = split_part(p_tenant, ':', 1) and t.contractor_key = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change deal' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".deals t set version = t.version + v_moves, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, freelancer_status = case when v_given ? 'freelancer_status' then (v_given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_given ? 'agreed_amount' then (v_given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end, attention = case when v_given ? 'attention' then (v_given ->> 'attention')::text else t.attention end, title = case when v_given ? 'title' then (v_given ->> 'title')::text else t.title end, description = case when v_given ? 'description' then (v_given ->> 'description')::text else t.description end, amount = case when v_given ? 'amount' then (v_given ->> 'amount')::numeric else t.amount end, work_days = case when v_given ? 'work_days' then (v_given ->> 'work_days')::bigint else t.work_days end, copyright_transfer = case when v_given ? 'copyright_transfer' then (v_given ->> 'copyright_transfer')::text else t.copyright_transfer end, employer_fee = case when v_given ? 'employer_fee' then (v_given ->> 'employer_fee')::numeric else t.employer_fee end, contractor_fee = case when v_given ? 'contractor_fee' then (v_given ->> 'contractor_fee')::numeric else t.contractor_fee end, terms_version = case when v_given ? 'terms_version' then (v_given ->> 'terms_version')::bigint else t.terms_version end, terms_sha256 = case when v_given ? 'terms_sha256' then (v_given ->> 'terms_sha256')::text else t.terms_sha256 end, accepted_by = case when v_given ? 'accepted_by' then (v_given ->> 'accepted_by')::text else t.accepted_by end, issued_amount = case when v_given ? 'issued_amount' then (v_given ->> 'issued_amount')::numeric else t.issued_amount end, proposal = case when v_given ? 'proposal' then (v_given ->> 'proposal')::text else t.proposal end, expires_at = case when v_given ? 'expires_at' then (v_given ->> 'expires_at')::text else t.expires_at end, notice_at = case when v_given ? 'notice_at' then (v_given ->> 'notice_at')::text else t.notice_at end, status_since = case when v_given ? 'status_since' then (v_given ->> 'status_since')::text else t.status_since end, alert = case when v_given ? 'alert' then (v_given ->> 'alert')::text else t.alert end, alert_at = case when v_given ? 'alert_at' then (v_given ->> 'alert_at')::text else t.alert_at end
        where t.tenant = p_tenant and t.partner_id = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change stage' then v_number := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".stages t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, agreed_amount = case when v_given ? 'agreed_amount' then (v_given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_given ? 'submitted_at' then (v_given ->> 'submitted_at')::text else t.submitted_at end, name = case when v_given ? 'name' then (v_given ->> 'name')::text else t.name end, budget = case when v_given ? 'budget' then (v_given ->> 'budget')::numeric else t.budget end, work_days = case when v_given ? 'work_days' then (v_given ->> 'work_days')::bigint else t.work_days end, started_at = case when v_given ? 'started_at' then (v_given ->> 'started_at')::text else t.started_at end, deadline = case when v_given ? 'deadline' then (v_given ->> 'deadline')::text else t.deadline end, overdue_told = case when v_given ? 'overdue_told' then (v_given ->> 'overdue_told')::text else t.overdue_told end, notice_at = case when v_given ? 'notice_at' then (v_given ->> 'notice_at')::text else t.notice_at end
        where t.tenant = p_tenant and t.id = v_number;
      v_at := v_at + 4;
    when 'change work_file' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".work_files t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change employer_payment' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".employer_payments t set amount = case when v_given ? 'amount' then (v_given ->> 'amount')::numeric else t.amount end, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, reason = case when v_given ? 'reason' then (v_given ->> 'reason')::text else t.reason end, reference = case when v_given ? 'reference' then (v_given ->> 'reference')::text else t.reference end, updated_at = case when v_given ? 'updated_at' then (v_given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change contractor_payment' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".contractor_payments t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, reason = case when v_given ? 'reason' then (v_given ->> 'reason')::text else t.reason end, reference = case when v_given ? 'reference' then (v_given ->> 'reference')::text else t.reference end, retries = case when v_given ? 'retries' then (v_given ->> 'retries')::bigint else t.retries end, updated_at = case when v_given ? 'updated_at' then (v_given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change intent' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".intents t set remaining = case when v_given ? 'remaining' then (v_given ->> 'remaining')::numeric else t.remaining end, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, attempts = case when v_given ? 'attempts' then (v_given ->> 'attempts')::bigint else t.attempts end, outcome = case when v_given ? 'outcome' then (v_given ->> 'outcome')::text else t.outcome end, outcome_at = case when v_given ? 'outcome_at' then (v_given ->> 'outcome_at')::text else t.outcome_at end, reason = case when v_given ? 'reason' then (v_given ->> 'reason')::text else t.reason end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change unmatched_report' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".unmatched_reports t set waiting_since = case when v_given ? 'waiting_since' then (v_given ->> 'waiting_since')::text else t.waiting_since end, ends_at = case when v_given ? 'ends_at' then (v_given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change webhook' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".webhooks t set version = t.version + v_moves, status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, disabled_reason = case when v_given ? 'disabled_reason' then (v_given ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when v_given ? 'secret' then (v_given ->> 'secret')::text else t.secret end, previous_secret = case when v_given ? 'previous_secret' then (v_given ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when v_given ? 'previous_until' then (v_given ->> 'previous_until')::text else t.previous_until end, ends_at = case when v_given ? 'ends_at' then (v_given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = p_tenant and t.id = v_key returning t.version - v_moves into v_before;
      if v_moves <> 0 then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change consumer' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".consumers t set position = case when v_given ? 'position' then (v_given ->> 'position')::text else t.position end, held = case when v_given ? 'held' then (v_given ->> 'held')::text else t.held end, lease = case when v_given ? 'lease' then (v_given ->> 'lease')::text else t.lease end, leased_until = case when v_given ? 'leased_until' then (v_given ->> 'leased_until')::text else t.leased_until end, failing_since = case when v_given ? 'failing_since' then (v_given ->> 'failing_since')::text else t.failing_since end, ends_at = case when v_given ? 'ends_at' then (v_given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = p_tenant and t.name = v_key;
      v_at := v_at + 4;
    when 'change delivery' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".deliveries t set status = case when v_given ? 'status' then (v_given ->> 'status')::text else t.status end, attempts = case when v_given ? 'attempts' then (v_given ->> 'attempts')::text else t.attempts end, tries = case when v_given ? 'tries' then (v_given ->> 'tries')::bigint else t.tries end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end, failed_at = case when v_given ? 'failed_at' then (v_given ->> 'failed_at')::text else t.failed_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change sandbox_clock' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".sandbox_clocks t set ahead = case when v_given ? 'ahead' then (v_given ->> 'ahead')::bigint else t.ahead end, due_at = case when v_given ? 'due_at' then (v_given ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.name = v_key;
      v_at := v_at + 4;
    when 'change answer' then v_key := p[v_at + 1]; v_moves := p[v_at + 2]; v_given := p[v_at + 3];
      update "$schema".answers t set fingerprint = case when v_given ? 'fingerprint' then (v_given ->> 'fingerprint')::text else t.fingerprint end, answer = case when v_given ? 'answer' then (v_given ->> 'answer')::text else t.answer end, ends_at = case when v_given ? 'ends_at' then (v_given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = p_tenant and t.answer_key = v_key;
      v_at := v_at + 4;
    when 'fewer deal' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_bigints_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4]; v_texts_2 := p[v_at + 5];
      select count(*) < v_number into v_holds from (select 1 from "$schema".deals t
        where t.tenant = p_tenant
        and (v_bigints_0 is null or array_position(v_bigints_0, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.freelancer_status) is not null) order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 6;
    when 'fewer stage' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4];
      select count(*) < v_number into v_holds from (select 1 from "$schema".stages t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.partner_id) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null) order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 5;
    when 'fewer work_file' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_bigints_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4]; v_texts_2 := p[v_at + 5];
      select count(*) < v_number into v_holds from (select 1 from "$schema".work_files t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_bigints_0 is null or array_position(v_bigints_0, t.stage_id) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.uploaded_by) is not null) order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 6;
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
    when 'fewer intent' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4];
      select count(*) < v_number into v_holds from (select 1 from "$schema".intents t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.status) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.due_at) is not null) order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 5;
    when 'fewer payment_report' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".payment_reports t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer unmatched_report' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".unmatched_reports t
        where t.tenant = p_tenant order by t.id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer proposal' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3];
      select count(*) < v_number into v_holds from (select 1 from "$schema".proposals t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.proposed_by) is not null) order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 4;
    when 'fewer terms' then v_key := p[v_at + 1]; v_number := p[v_at + 2];
      select count(*) < v_number into v_holds from (select 1 from "$schema".terms t
        where t.tenant = p_tenant and t.partner_id >= v_key and t.partner_id <= v_key order by t.partner_id limit greatest(v_number, 0)) counted;
      v_at := v_at + 3;
    when 'fewer webhook' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_bigints_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4]; v_texts_2 := p[v_at + 5];
      select count(*) < v_number into v_holds from (select 1 from "$schema".webhooks t
        where t.tenant = p_tenant
        and (v_bigints_0 is null or array_position(v_bigints_0, t.version) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.status) is not null)
        and (v_texts_2 is null or array_position(v_texts_2, t.host) is not null) order by t.id limit greatest(v_number, 0)) counted;
      v_at := v_at + 6;
    when 'fewer consumer' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3]; v_texts_1 := p[v_at + 4];
      select count(*) < v_number into v_holds from (select 1 from "$schema".consumers t
        where t.tenant = p_tenant
        and (v_texts_0 is null or array_position(v_texts_0, t.lease) is not null)
        and (v_texts_1 is null or array_position(v_texts_1, t.leased_until) is not null) order by t.name limit greatest(v_number, 0)) counted;
      v_at := v_at + 5;
    when 'fewer delivery' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3];
      select count(*) < v_number into v_holds from (select 1 from "$schema".deliveries t
        where t.tenant = p_tenant and t.consumer >= v_key and t.consumer <= v_key
        and (v_texts_0 is null or array_position(v_texts_0, t.status) is not null) order by t.consumer limit greatest(v_number, 0)) counted;
      v_at := v_at + 4;
    when 'fewer sandbox_clock' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_bigints_0 := p[v_at + 3];
      select count(*) < v_number into v_holds from (select 1 from "$schema".sandbox_clocks t
        where t.tenant = p_tenant
        and (v_bigints_0 is null or array_position(v_bigints_0, t.ahead) is not null) order by t.name limit greatest(v_number, 0)) counted;
      v_at := v_at + 4;
    when 'fewer answer' then v_key := p[v_at + 1]; v_number := p[v_at + 2]; v_texts_0 := p[v_at + 3];
      select count(*) < v_number into v_holds from (select 1 from "$schema".answers t
        where t.tenant = p_tenant
        and (v_texts_0 is null or array_position(v_texts_0, t.ends_at) is not null) order by t.answer_key limit greatest(v_number, 0)) counted;
      v_at := v_at + 4;
    end case;
    if not v_holds then
      update "$schema".tenants t set last_position = t.last_position - p_events where t.tenant = p_tenant;
      return json_build_object('expectation', v_expectation, 'made', v_found = p_attempt, 'first', v_first);
    end if;
  end loop;
  return 'null';
end $commit$;

create function "$schema".commit_31873f1545(
  p_owners text, p_attempts text, p_counts text,
  p_contractor_expected text,
  p_contractor_inserted text,
  p_contractor_changed text,
  p_deal_expected text,
  p_deal_counted text,
  p_deal_inserted text,
  p_deal_changed text,
  p_stage_expected text,
  p_stage_counted text,
  p_stage_inserted text,
  p_stage_changed text,
  p_work_file_expected text,
  p_work_file_counted text,
  p_work_file_inserted text,
  p_work_file_changed text,
  p_employer_payment_expected text,
  p_employer_payment_counted text,
  p_employer_payment_inserted text,
  p_employer_payment_changed text,
  p_contractor_payment_expected text,
  p_contractor_payment_counted text,
  p_contractor_payment_inserted text,
  p_contractor_payment_changed text,
  p_posting_expected text,
  p_posting_counted text,
  p_posting_inserted text,
  p_intent_expected text,
  p_intent_counted text,
  p_intent_inserted text,
  p_intent_changed text,
  p_payment_report_expected text,
  p_payment_report_counted text,
  p_payment_report_inserted text,
  p_unmatched_report_expected text,
  p_unmatched_report_counted text,
  p_unmatched_report_inserted text,
  p_unmatched_report_changed text,
  p_proposal_expected text,
  p_proposal_counted text,
  p_proposal_inserted text,
  p_terms_expected text,
  p_terms_counted text,
  p_terms_inserted text,
  p_webhook_expected text,
  p_webhook_counted text,
  p_webhook_inserted text,
  p_webhook_changed text,
  p_consumer_expected text,
  p_consumer_counted text,
  p_consumer_inserted text,
  p_consumer_changed text,
  p_delivery_expected text,
  p_delivery_counted text,
  p_delivery_inserted text,
  p_delivery_changed text,
  p_sandbox_clock_expected text,
  p_sandbox_clock_counted text,
  p_sandbox_clock_inserted text,
  p_sandbox_clock_changed text,
  p_answer_expected text,
  p_answer_counted text,
  p_answer_inserted text,
  p_answer_changed text,
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
  if p_deal_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_deal_counted::json) as r(n int, i int, key text, than bigint, version bigint[], status text[], freelancer_status text[])
    where (select count(*) from (select 1 from "$schema".deals t
      where t.tenant = v_owners[r.n]
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.freelancer_status is null or array_position(r.freelancer_status, t.freelancer_status) is not null) order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
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
    from json_to_recordset(p_stage_counted::json) as r(n int, i int, key text, than bigint, partner_id text[], status text[])
    where (select count(*) from (select 1 from "$schema".stages t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key
        and (r.partner_id is null or array_position(r.partner_id, t.partner_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null) order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_work_file_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_work_file_expected::json) as r(n int, i int, absent boolean, key text, stage_id bigint[], status text[], uploaded_by text[])
    left join lateral (select * from "$schema".work_files t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.stage_id is null or array_position(r.stage_id, t.stage_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.uploaded_by is null or array_position(r.uploaded_by, t.uploaded_by) is not null)) end);
  end if;
  if p_work_file_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_work_file_counted::json) as r(n int, i int, key text, than bigint, stage_id bigint[], status text[], uploaded_by text[])
    where (select count(*) from (select 1 from "$schema".work_files t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key
        and (r.stage_id is null or array_position(r.stage_id, t.stage_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.uploaded_by is null or array_position(r.uploaded_by, t.uploaded_by) is not null) order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
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
    from json_to_recordset(p_intent_counted::json) as r(n int, i int, key text, than bigint, status text[], due_at text[])
    where (select count(*) from (select 1 from "$schema".intents t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.due_at is null or array_position(r.due_at, t.due_at) is not null) order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
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
  if p_unmatched_report_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_unmatched_report_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".unmatched_reports t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_unmatched_report_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_unmatched_report_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".unmatched_reports t
      where t.tenant = v_owners[r.n] order by t.id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_proposal_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_proposal_expected::json) as r(n int, i int, absent boolean, key text, proposed_by text[])
    left join lateral (select * from "$schema".proposals t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.proposed_by is null or array_position(r.proposed_by, t.proposed_by) is not null)) end);
  end if;
  if p_proposal_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_proposal_counted::json) as r(n int, i int, key text, than bigint, proposed_by text[])
    where (select count(*) from (select 1 from "$schema".proposals t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key
        and (r.proposed_by is null or array_position(r.proposed_by, t.proposed_by) is not null) order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_terms_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_terms_expected::json) as r(n int, i int, absent boolean, key text)
    left join lateral (select * from "$schema".terms t where t.tenant = v_owners[r.n] and t.terms_key >= r.key and t.terms_key <= r.key order by t.terms_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_terms_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_terms_counted::json) as r(n int, i int, key text, than bigint)
    where (select count(*) from (select 1 from "$schema".terms t
      where t.tenant = v_owners[r.n] and t.partner_id >= r.key and t.partner_id <= r.key order by t.partner_id limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_webhook_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_webhook_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[], host text[])
    left join lateral (select * from "$schema".webhooks t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.host is null or array_position(r.host, t.host) is not null)) end);
  end if;
  if p_webhook_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_webhook_counted::json) as r(n int, i int, key text, than bigint, version bigint[], status text[], host text[])
    where (select count(*) from (select 1 from "$schema".webhooks t
      where t.tenant = v_owners[r.n]
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.host is null or array_position(r.host, t.host) is not null) order by t.id limit greatest(r.than, 0)) counted) >= r.than);
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
  if p_consumer_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_consumer_counted::json) as r(n int, i int, key text, than bigint, lease text[], leased_until text[])
    where (select count(*) from (select 1 from "$schema".consumers t
      where t.tenant = v_owners[r.n]
        and (r.lease is null or array_position(r.lease, t.lease) is not null)
        and (r.leased_until is null or array_position(r.leased_until, t.leased_until) is not null) order by t.name limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_delivery_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_delivery_expected::json) as r(n int, i int, absent boolean, key text, status text[])
    left join lateral (select * from "$schema".deliveries t where t.tenant = v_owners[r.n] and t.id >= r.key and t.id <= r.key order by t.id limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.status is null or array_position(r.status, t.status) is not null)) end);
  end if;
  if p_delivery_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_delivery_counted::json) as r(n int, i int, key text, than bigint, status text[])
    where (select count(*) from (select 1 from "$schema".deliveries t
      where t.tenant = v_owners[r.n] and t.consumer >= r.key and t.consumer <= r.key
        and (r.status is null or array_position(r.status, t.status) is not null) order by t.consumer limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_sandbox_clock_expected is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_sandbox_clock_expected::json) as r(n int, i int, absent boolean, key text, ahead bigint[])
    left join lateral (select * from "$schema".sandbox_clocks t where t.tenant = v_owners[r.n] and t.name >= r.key and t.name <= r.key order by t.name limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.ahead is null or array_position(r.ahead, t.ahead) is not null)) end);
  end if;
  if p_sandbox_clock_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_sandbox_clock_counted::json) as r(n int, i int, key text, than bigint, ahead bigint[])
    where (select count(*) from (select 1 from "$schema".sandbox_clocks t
      where t.tenant = v_owners[r.n]
        and (r.ahead is null or array_position(r.ahead, t.ahead) is not null) order by t.name limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if p_answer_expected is not null then
    select coalesce(array_agg((r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int), '{}'), json_object_agg(r.n || ' ' || r.i, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)) filter (where r.absent)
    into v_some, v_first from json_to_recordset(p_answer_expected::json) as r(n int, i int, absent boolean, key text, ends_at text[])
    left join lateral (select * from "$schema".answers t where t.tenant = v_owners[r.n] and t.answer_key >= r.key and t.answer_key <= r.key order by t.answer_key limit 1) t on true
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.ends_at is null or array_position(r.ends_at, t.ends_at) is not null)) end;
    v_failed := v_failed || v_some;
  end if;
  if p_answer_counted is not null then
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1)
    from json_to_recordset(p_answer_counted::json) as r(n int, i int, key text, than bigint, ends_at text[])
    where (select count(*) from (select 1 from "$schema".answers t
      where t.tenant = v_owners[r.n]
        and (r.ends_at is null or array_position(r.ends_at, t.ends_at) is not null) order by t.answer_key limit greatest(r.than, 0)) counted) >= r.than);
  end if;
  if cardinality(v_failed) > 0 then
    select array_agg(f.n), json_agg(json_build_array(f.n - 1, json_build_object('expectation', f.i,
        'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
    from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
      from unnest(v_failed) f group by 1) f;
    for v_row in select w.tenant, sum(w.events) as events
      from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
      where w.n = any(v_refused) group by 1 loop
      update "$schema".tenants t set last_position = t.last_position - v_row.events
        where t.tenant = v_row.tenant returning t.last_position into v_before;
      v_last[array_position(v_tenants, v_row.tenant)] := v_before;
    end loop;
  end if;
  select array_agg(b.base order by b.n) into v_bases from (
    select w.n, c.last_position - sum(w.events) filter (where w.n <> all(v_refused)) over (partition by w.tenant order by w.n desc) as base
    from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
    join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = w.tenant) b;
  if p_contractor_inserted is not null then
    insert into "$schema".contractors (environment, tenant, contractor_key, email, name, surname, country_code, street, house_no, apartment_no, postal_code, city, language, bank_account_currency, bank_account_iban, bank_account_bic, pesel, nip, tax_id, attempt, version)
    select split_part(v_owners[r.n], ':', 1), v_owners[r.n], r.contractor_key, r.email, r.name, r.surname, r.country_code, r.street, r.house_no, r.apartment_no, r.postal_code, r.city, r.language, r.bank_account_currency, r.bank_account_iban, r.bank_account_bic, r.pesel, r.nip, r.tax_id, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_contractor_inserted::json) as r(n int, contractor_key text, email text, name text, surname text, country_code text, street text, house_no text, apartment_no text, postal_code text, city text, language text, bank_account_currency text, bank_account_iban text, bank_account_bic text, pesel text, nip text, tax_id text) where r.n <> all(v_refused) order by 1, r.contractor_key on conflict do nothing;
    get diagnostics v_count = row_count;
    if v_count < (select count(*) from json_to_recordset(p_contractor_inserted::json) as r(n int) where r.n <> all(v_refused)) then
      raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';
    end if;
  end if;
  if p_contractor_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractors t set version = t.version + v_row.moves
        where t.environment = split_part(v_row.tenant, ':', 1) and t.contractor_key = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_deal_inserted is not null then
    insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, notice_at, due_at, attention, terms_version, terms_sha256, accepted_by, issued_amount, proposal, status_since, alert, alert_at, attempt, version)
    select v_owners[r.n], r.partner_id, r.id, r.api_version, r.email_freelancer, r.email_key, r.title, r.description, r.subcategory_id, r.amount, r.currency, r.work_days, r.copyright_transfer, r.freelancer_language, r.payment_token, r.status, r.freelancer_status, r.created_at, r.mode, r.employer_fee, r.contractor_fee, r.agreed_amount, r.expires_at, r.notice_at, r.due_at, r.attention, r.terms_version, r.terms_sha256, r.accepted_by, r.issued_amount, r.proposal, r.status_since, r.alert, r.alert_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_deal_inserted::json) as r(n int, partner_id text, id bigint, api_version text, email_freelancer text, email_key text, title text, description text, subcategory_id bigint, amount numeric, currency text, work_days bigint, copyright_transfer text, freelancer_language text, payment_token text, status text, freelancer_status text, created_at text, mode text, employer_fee numeric, contractor_fee numeric, agreed_amount numeric, expires_at text, notice_at text, due_at text, attention text, terms_version bigint, terms_sha256 text, accepted_by text, issued_amount numeric, proposal text, status_since text, alert text, alert_at text) where r.n <> all(v_refused);
  end if;
  if p_deal_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_deal_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deals t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, freelancer_status = case when v_row.given ? 'freelancer_status' then (v_row.given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end, attention = case when v_row.given ? 'attention' then (v_row.given ->> 'attention')::text else t.attention end, title = case when v_row.given ? 'title' then (v_row.given ->> 'title')::text else t.title end, description = case when v_row.given ? 'description' then (v_row.given ->> 'description')::text else t.description end, amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, work_days = case when v_row.given ? 'work_days' then (v_row.given ->> 'work_days')::bigint else t.work_days end, copyright_transfer = case when v_row.given ? 'copyright_transfer' then (v_row.given ->> 'copyright_transfer')::text else t.copyright_transfer end, employer_fee = case when v_row.given ? 'employer_fee' then (v_row.given ->> 'employer_fee')::numeric else t.employer_fee end, contractor_fee = case when v_row.given ? 'contractor_fee' then (v_row.given ->> 'contractor_fee')::numeric else t.contractor_fee end, terms_version = case when v_row.given ? 'terms_version' then (v_row.given ->> 'terms_version')::bigint else t.terms_version end, terms_sha256 = case when v_row.given ? 'terms_sha256' then (v_row.given ->> 'terms_sha256')::text else t.terms_sha256 end, accepted_by = case when v_row.given ? 'accepted_by' then (v_row.given ->> 'accepted_by')::text else t.accepted_by end, issued_amount = case when v_row.given ? 'issued_amount' then (v_row.given ->> 'issued_amount')::numeric else t.issued_amount end, proposal = case when v_row.given ? 'proposal' then (v_row.given ->> 'proposal')::text else t.proposal end, expires_at = case when v_row.given ? 'expires_at' then (v_row.given ->> 'expires_at')::text else t.expires_at end, notice_at = case when v_row.given ? 'notice_at' then (v_row.given ->> 'notice_at')::text else t.notice_at end, status_since = case when v_row.given ? 'status_since' then (v_row.given ->> 'status_since')::text else t.status_since end, alert = case when v_row.given ? 'alert' then (v_row.given ->> 'alert')::text else t.alert end, alert_at = case when v_row.given ? 'alert_at' then (v_row.given ->> 'alert_at')::text else t.alert_at end
        where t.tenant = v_row.tenant and t.partner_id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_stage_inserted is not null then
    insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, notice_at, kind, started_at, deadline, overdue_told, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.name, r.budget, r.work_days, r.status, r.agreed_amount, r.submitted_at, r.notice_at, r.kind, r.started_at, r.deadline, r.overdue_told, v_attempts[r.n]
    from json_to_recordset(p_stage_inserted::json) as r(n int, id bigint, partner_id text, name text, budget numeric, work_days bigint, status text, agreed_amount numeric, submitted_at text, notice_at text, kind text, started_at text, deadline text, overdue_told text) where r.n <> all(v_refused);
  end if;
  if p_stage_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_stage_changed::json) as r(n int, key bigint, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".stages t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_row.given ? 'submitted_at' then (v_row.given ->> 'submitted_at')::text else t.submitted_at end, name = case when v_row.given ? 'name' then (v_row.given ->> 'name')::text else t.name end, budget = case when v_row.given ? 'budget' then (v_row.given ->> 'budget')::numeric else t.budget end, work_days = case when v_row.given ? 'work_days' then (v_row.given ->> 'work_days')::bigint else t.work_days end, started_at = case when v_row.given ? 'started_at' then (v_row.given ->> 'started_at')::text else t.started_at end, deadline = case when v_row.given ? 'deadline' then (v_row.given ->> 'deadline')::text else t.deadline end, overdue_told = case when v_row.given ? 'overdue_told' then (v_row.given ->> 'overdue_told')::text else t.overdue_told end, notice_at = case when v_row.given ? 'notice_at' then (v_row.given ->> 'notice_at')::text else t.notice_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_work_file_inserted is not null then
    insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, uploaded_by, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.name, r.size, r.sha256, r.content_type, r.uploaded_at, r.status, r.uploaded_by, v_attempts[r.n]
    from json_to_recordset(p_work_file_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, name text, size bigint, sha256 text, content_type text, uploaded_at text, status text, uploaded_by text) where r.n <> all(v_refused);
  end if;
  if p_work_file_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_work_file_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".work_files t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_employer_payment_inserted is not null then
    insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reason, reference, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.amount, r.status, r.reason, r.reference, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_employer_payment_inserted::json) as r(n int, id text, partner_id text, amount numeric, status text, reason text, reference text, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_employer_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_employer_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".employer_payments t set amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_contractor_payment_inserted is not null then
    insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reason, reference, retries, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.amount, r.employer_fee, r.contractor_fee, r.status, r.reason, r.reference, r.retries, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_contractor_payment_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, amount numeric, employer_fee numeric, contractor_fee numeric, status text, reason text, reference text, retries bigint, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_contractor_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractor_payments t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, retries = case when v_row.given ? 'retries' then (v_row.given ->> 'retries')::bigint else t.retries end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_posting_inserted is not null then
    insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, retries, at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.from_account, r.to_account, r.amount, r.retries, r.at, v_attempts[r.n]
    from json_to_recordset(p_posting_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, from_account text, to_account text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_intent_inserted is not null then
    insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, outcome, outcome_at, reason, created_at, due_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.amount, r.remaining, r.status, r.attempts, r.outcome, r.outcome_at, r.reason, r.created_at, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_intent_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, amount numeric, remaining numeric, status text, attempts bigint, outcome text, outcome_at text, reason text, created_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_intent_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_intent_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".intents t set remaining = case when v_row.given ? 'remaining' then (v_row.given ->> 'remaining')::numeric else t.remaining end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::bigint else t.attempts end, outcome = case when v_row.given ? 'outcome' then (v_row.given ->> 'outcome')::text else t.outcome end, outcome_at = case when v_row.given ? 'outcome_at' then (v_row.given ->> 'outcome_at')::text else t.outcome_at end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_payment_report_inserted is not null then
    insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
    select v_owners[r.n], r.report_key, r.partner_id, r.payment_id, r.status, r.reference, r.amount, r.retries, r.at, v_attempts[r.n]
    from json_to_recordset(p_payment_report_inserted::json) as r(n int, report_key text, partner_id text, payment_id text, status text, reference text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_unmatched_report_inserted is not null then
    insert into "$schema".unmatched_reports (tenant, id, partner_id, kind, payment_id, status, amount, reference, reason, currency, received_at, waiting_since, ends_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.status, r.amount, r.reference, r.reason, r.currency, r.received_at, r.waiting_since, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_unmatched_report_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, status text, amount numeric, reference text, reason text, currency text, received_at text, waiting_since text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_unmatched_report_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_unmatched_report_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".unmatched_reports t set waiting_since = case when v_row.given ? 'waiting_since' then (v_row.given ->> 'waiting_since')::text else t.waiting_since end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_proposal_inserted is not null then
    insert into "$schema".proposals (tenant, id, partner_id, kind, proposed_by, status, changes, terms, terms_sha256, gross, employer_fee, contractor_fee, message, supersedes, created_at, expires_at, decided_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.proposed_by, r.status, r.changes, r.terms, r.terms_sha256, r.gross, r.employer_fee, r.contractor_fee, r.message, r.supersedes, r.created_at, r.expires_at, r.decided_at, v_attempts[r.n]
    from json_to_recordset(p_proposal_inserted::json) as r(n int, id text, partner_id text, kind text, proposed_by text, status text, changes text, terms text, terms_sha256 text, gross numeric, employer_fee numeric, contractor_fee numeric, message text, supersedes text, created_at text, expires_at text, decided_at text) where r.n <> all(v_refused);
  end if;
  if p_terms_inserted is not null then
    insert into "$schema".terms (tenant, terms_key, partner_id, terms_version, kind, terms, terms_sha256, employer_fee, contractor_fee, proposal_id, proposed_by, accepted_by, at, attempt)
    select v_owners[r.n], r.terms_key, r.partner_id, r.terms_version, r.kind, r.terms, r.terms_sha256, r.employer_fee, r.contractor_fee, r.proposal_id, r.proposed_by, r.accepted_by, r.at, v_attempts[r.n]
    from json_to_recordset(p_terms_inserted::json) as r(n int, terms_key text, partner_id text, terms_version bigint, kind text, terms text, terms_sha256 text, employer_fee numeric, contractor_fee numeric, proposal_id text, proposed_by text, accepted_by text, at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_inserted is not null then
    insert into "$schema".webhooks (tenant, id, url, host, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, ends_at, attempt, version)
    select v_owners[r.n], r.id, r.url, r.host, r.types, r.ordered, r.status, r.disabled_reason, r.secret, r.previous_secret, r.previous_until, r.created_at, r.ends_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_webhook_inserted::json) as r(n int, id text, url text, host text, types text, ordered bigint, status text, disabled_reason text, secret text, previous_secret text, previous_until text, created_at text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_webhook_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".webhooks t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, disabled_reason = case when v_row.given ? 'disabled_reason' then (v_row.given ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when v_row.given ? 'secret' then (v_row.given ->> 'secret')::text else t.secret end, previous_secret = case when v_row.given ? 'previous_secret' then (v_row.given ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when v_row.given ? 'previous_until' then (v_row.given ->> 'previous_until')::text else t.previous_until end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_consumer_inserted is not null then
    insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, ends_at, attempt)
    select v_owners[r.n], r.name, r.position, r.held, r.lease, r.leased_until, r.failing_since, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_consumer_inserted::json) as r(n int, name text, position text, held text, lease text, leased_until text, failing_since text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_consumer_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_consumer_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".consumers t set position = case when v_row.given ? 'position' then (v_row.given ->> 'position')::text else t.position end, held = case when v_row.given ? 'held' then (v_row.given ->> 'held')::text else t.held end, lease = case when v_row.given ? 'lease' then (v_row.given ->> 'lease')::text else t.lease end, leased_until = case when v_row.given ? 'leased_until' then (v_row.given ->> 'leased_until')::text else t.leased_until end, failing_since = case when v_row.given ? 'failing_since' then (v_row.given ->> 'failing_since')::text else t.failing_since end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.name = v_row.key;
    end loop;
  end if;
  if p_delivery_inserted is not null then
    insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, failed_at, attempt)
    select v_owners[r.n], r.id, r.consumer, r.event_id, r.type, r.subject, r.sequence, r.status, r.attempts, r.tries, r.created_at, r.due_at, r.failed_at, v_attempts[r.n]
    from json_to_recordset(p_delivery_inserted::json) as r(n int, id text, consumer text, event_id text, type text, subject text, sequence bigint, status text, attempts text, tries bigint, created_at text, due_at text, failed_at text) where r.n <> all(v_refused);
  end if;
  if p_delivery_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_delivery_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deliveries t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::text else t.attempts end, tries = case when v_row.given ? 'tries' then (v_row.given ->> 'tries')::bigint else t.tries end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end, failed_at = case when v_row.given ? 'failed_at' then (v_row.given ->> 'failed_at')::text else t.failed_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_sandbox_clock_inserted is not null then
    insert into "$schema".sandbox_clocks (tenant, name, ahead, due_at, attempt)
    select v_owners[r.n], r.name, r.ahead, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_sandbox_clock_inserted::json) as r(n int, name text, ahead bigint, due_at text) where r.n <> all(v_refused);
  end if;
  if p_sandbox_clock_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_sandbox_clock_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".sandbox_clocks t set ahead = case when v_row.given ? 'ahead' then (v_row.given ->> 'ahead')::bigint else t.ahead end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.name = v_row.key;
    end loop;
  end if;
  if p_answer_inserted is not null then
    insert into "$schema".answers (tenant, answer_key, fingerprint, answer, ends_at, attempt)
    select v_owners[r.n], r.answer_key, r.fingerprint, r.answer, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_answer_inserted::json) as r(n int, answer_key text, fingerprint text, answer text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_answer_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_answer_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".answers t set fingerprint = case when v_row.given ? 'fingerprint' then (v_row.given ->> 'fingerprint')::text else t.fingerprint end, answer = case when v_row.given ? 'answer' then (v_row.given ->> 'answer')::text else t.answer end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.answer_key = v_row.key;
    end loop;
  end if;
  insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
  select v_owners[r.n], v_bases[r.n] + r.sequence, r.id, r.type, r.subject, r.sequence + coalesce(v_versions[r.n], 0), r.at, r.actor, r.cause, r.data
  from json_to_recordset(p_events::json) as r(n int, id text, type text, subject text, sequence bigint, at text, actor text, cause text, data json) where r.n <> all(v_refused);
  return v_answer;
end $commit$;

create function "$schema".commit_node_07303c4f75(
  p_tenant text, p_owners text, p_attempts text, p_counts text,
  p_contractor_expected text,
  p_contractor_inserted text,
  p_contractor_changed text,
  p_deal_expected text,
  p_deal_counted text,
  p_deal_inserted text,
  p_deal_changed text,
  p_stage_expected text,
  p_stage_counted text,
  p_stage_inserted text,
  p_stage_changed text,
  p_work_file_expected text,
  p_work_file_counted text,
  p_work_file_inserted text,
  p_work_file_changed text,
  p_employer_payment_expected text,
  p_employer_payment_counted text,
  p_employer_payment_inserted text,
  p_employer_payment_changed text,
  p_contractor_payment_expected text,
  p_contractor_payment_counted text,
  p_contractor_payment_inserted text,
  p_contractor_payment_changed text,
  p_posting_expected text,
  p_posting_counted text,
  p_posting_inserted text,
  p_intent_expected text,
  p_intent_counted text,
  p_intent_inserted text,
  p_intent_changed text,
  p_payment_report_expected text,
  p_payment_report_counted text,
  p_payment_report_inserted text,
  p_unmatched_report_expected text,
  p_unmatched_report_counted text,
  p_unmatched_report_inserted text,
  p_unmatched_report_changed text,
  p_proposal_expected text,
  p_proposal_counted text,
  p_proposal_inserted text,
  p_terms_expected text,
  p_terms_counted text,
  p_terms_inserted text,
  p_webhook_expected text,
  p_webhook_counted text,
  p_webhook_inserted text,
  p_webhook_changed text,
  p_consumer_expected text,
  p_consumer_counted text,
  p_consumer_inserted text,
  p_consumer_changed text,
  p_delivery_expected text,
  p_delivery_counted text,
  p_delivery_inserted text,
  p_delivery_changed text,
  p_sandbox_clock_expected text,
  p_sandbox_clock_counted text,
  p_sandbox_clock_inserted text,
  p_sandbox_clock_changed text,
  p_answer_expected text,
  p_answer_counted text,
  p_answer_inserted text,
  p_answer_changed text,
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
  if p_deal_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_deal_counted::json) as r(n int, i int, key text, than bigint, version bigint[], status text[], freelancer_status text[]) loop
      select count(*) into v_count from (select 1 from "$schema".deals t
        where t.tenant = v_row.tenant
          and (v_row.version is null or array_position(v_row.version, t.version) is not null)
          and (v_row.status is null or array_position(v_row.status, t.status) is not null)
          and (v_row.freelancer_status is null or array_position(v_row.freelancer_status, t.freelancer_status) is not null) order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
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
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_stage_counted::json) as r(n int, i int, key text, than bigint, partner_id text[], status text[]) loop
      select count(*) into v_count from (select 1 from "$schema".stages t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key
          and (v_row.partner_id is null or array_position(v_row.partner_id, t.partner_id) is not null)
          and (v_row.status is null or array_position(v_row.status, t.status) is not null) order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_work_file_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_work_file_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'stage_id', t.stage_id, 'status', t.status, 'uploaded_by', t.uploaded_by)) into v_some_found
        from "$schema".work_files t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_work_file_expected::json) as r(n int, i int, absent boolean, key text, stage_id bigint[], status text[], uploaded_by text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, stage_id bigint, status text, uploaded_by text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.stage_id is null or array_position(r.stage_id, t.stage_id) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.uploaded_by is null or array_position(r.uploaded_by, t.uploaded_by) is not null)) end);
  end if;
  if p_work_file_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_work_file_counted::json) as r(n int, i int, key text, than bigint, stage_id bigint[], status text[], uploaded_by text[]) loop
      select count(*) into v_count from (select 1 from "$schema".work_files t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key
          and (v_row.stage_id is null or array_position(v_row.stage_id, t.stage_id) is not null)
          and (v_row.status is null or array_position(v_row.status, t.status) is not null)
          and (v_row.uploaded_by is null or array_position(v_row.uploaded_by, t.uploaded_by) is not null) order by t.partner_id limit greatest(v_row.than, 0)) counted;
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
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_intent_counted::json) as r(n int, i int, key text, than bigint, status text[], due_at text[]) loop
      select count(*) into v_count from (select 1 from "$schema".intents t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key
          and (v_row.status is null or array_position(v_row.status, t.status) is not null)
          and (v_row.due_at is null or array_position(v_row.due_at, t.due_at) is not null) order by t.partner_id limit greatest(v_row.than, 0)) counted;
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
  if p_unmatched_report_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_unmatched_report_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt)) into v_some_found
        from "$schema".unmatched_reports t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_unmatched_report_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_unmatched_report_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_unmatched_report_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".unmatched_reports t
        where t.tenant = v_row.tenant order by t.id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_proposal_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_proposal_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'proposed_by', t.proposed_by)) into v_some_found
        from "$schema".proposals t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_proposal_expected::json) as r(n int, i int, absent boolean, key text, proposed_by text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, proposed_by text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.proposed_by is null or array_position(r.proposed_by, t.proposed_by) is not null)) end);
  end if;
  if p_proposal_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_proposal_counted::json) as r(n int, i int, key text, than bigint, proposed_by text[]) loop
      select count(*) into v_count from (select 1 from "$schema".proposals t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key
          and (v_row.proposed_by is null or array_position(v_row.proposed_by, t.proposed_by) is not null) order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_terms_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_terms_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.terms_key, 'attempt', t.attempt)) into v_some_found
        from "$schema".terms t where t.tenant = v_row.owner and t.terms_key = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_terms_expected::json) as r(n int, i int, absent boolean, key text)
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null) end);
  end if;
  if p_terms_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_terms_counted::json) as r(n int, i int, key text, than bigint) loop
      select count(*) into v_count from (select 1 from "$schema".terms t
        where t.tenant = v_row.tenant and t.partner_id >= v_row.key and t.partner_id <= v_row.key order by t.partner_id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_webhook_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_webhook_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.id, 'attempt', t.attempt, 'version', t.version, 'status', t.status, 'host', t.host)) into v_some_found
        from "$schema".webhooks t where t.tenant = v_row.owner and t.id = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_webhook_expected::json) as r(n int, i int, absent boolean, key text, version bigint[], status text[], host text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, version bigint, status text, host text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.version is null or array_position(r.version, t.version) is not null)
        and (r.status is null or array_position(r.status, t.status) is not null)
        and (r.host is null or array_position(r.host, t.host) is not null)) end);
  end if;
  if p_webhook_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_webhook_counted::json) as r(n int, i int, key text, than bigint, version bigint[], status text[], host text[]) loop
      select count(*) into v_count from (select 1 from "$schema".webhooks t
        where t.tenant = v_row.tenant
          and (v_row.version is null or array_position(v_row.version, t.version) is not null)
          and (v_row.status is null or array_position(v_row.status, t.status) is not null)
          and (v_row.host is null or array_position(v_row.host, t.host) is not null) order by t.id limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
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
  if p_consumer_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_consumer_counted::json) as r(n int, i int, key text, than bigint, lease text[], leased_until text[]) loop
      select count(*) into v_count from (select 1 from "$schema".consumers t
        where t.tenant = v_row.tenant
          and (v_row.lease is null or array_position(v_row.lease, t.lease) is not null)
          and (v_row.leased_until is null or array_position(v_row.leased_until, t.leased_until) is not null) order by t.name limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
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
  if p_delivery_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_delivery_counted::json) as r(n int, i int, key text, than bigint, status text[]) loop
      select count(*) into v_count from (select 1 from "$schema".deliveries t
        where t.tenant = v_row.tenant and t.consumer >= v_row.key and t.consumer <= v_row.key
          and (v_row.status is null or array_position(v_row.status, t.status) is not null) order by t.consumer limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_sandbox_clock_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_sandbox_clock_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.name, 'attempt', t.attempt, 'ahead', t.ahead)) into v_some_found
        from "$schema".sandbox_clocks t where t.tenant = v_row.owner and t.name = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    v_failed := v_failed || array(select (r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int
    from json_to_recordset(p_sandbox_clock_expected::json) as r(n int, i int, absent boolean, key text, ahead bigint[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, ahead bigint)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.ahead is null or array_position(r.ahead, t.ahead) is not null)) end);
  end if;
  if p_sandbox_clock_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_sandbox_clock_counted::json) as r(n int, i int, key text, than bigint, ahead bigint[]) loop
      select count(*) into v_count from (select 1 from "$schema".sandbox_clocks t
        where t.tenant = v_row.tenant
          and (v_row.ahead is null or array_position(v_row.ahead, t.ahead) is not null) order by t.name limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if p_answer_expected is not null then
    v_found := '[]';
    for v_row in select v_owners[r.n] as owner, array_agg(r.key) as keys from json_to_recordset(p_answer_expected::json) as r(n int, key text) group by 1 loop
      select jsonb_agg(jsonb_build_object('owner', t.tenant, 'found', t.answer_key, 'attempt', t.attempt, 'ends_at', t.ends_at, 'fingerprint', t.fingerprint, 'answer', t.answer)) into v_some_found
        from "$schema".answers t where t.tenant = v_row.owner and t.answer_key = any(v_row.keys);
      v_found := v_found || coalesce(v_some_found, '[]');
    end loop;
    select coalesce(array_agg((r.n::bigint << 32) + (r.i << 1) + coalesce(r.absent and t.attempt = v_attempts[r.n], false)::int), '{}'), json_object_agg(r.n || ' ' || r.i, json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)) filter (where r.absent)
    into v_some, v_first from json_to_recordset(p_answer_expected::json) as r(n int, i int, absent boolean, key text, ends_at text[])
    left join jsonb_to_recordset(v_found) as t(owner text, found text, attempt text, ends_at text, fingerprint text, answer text)
      on t.owner = v_owners[r.n] and t.found = r.key
    where case when r.absent then t.attempt is not null
      else not (t.attempt is not null
        and (r.ends_at is null or array_position(r.ends_at, t.ends_at) is not null)) end;
    v_failed := v_failed || v_some;
  end if;
  if p_answer_counted is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_answer_counted::json) as r(n int, i int, key text, than bigint, ends_at text[]) loop
      select count(*) into v_count from (select 1 from "$schema".answers t
        where t.tenant = v_row.tenant
          and (v_row.ends_at is null or array_position(v_row.ends_at, t.ends_at) is not null) order by t.answer_key limit greatest(v_row.than, 0)) counted;
      if v_count >= v_row.than then v_failed := v_failed || ((v_row.n::bigint << 32) + (v_row.i << 1)); end if;
    end loop;
  end if;
  if cardinality(v_failed) > 0 then
    select array_agg(f.n), json_agg(json_build_array(f.n - 1, json_build_object('expectation', f.i,
        'made', f.code & 1 = 1, 'first', v_first -> (f.n || ' ' || f.i))))::text into v_refused, v_answer
    from (select f >> 32 as n, (min(f) >> 1) & 2147483647 as i, min(f) as code
      from unnest(v_failed) f group by 1) f;
    for v_row in select w.tenant, sum(w.events) as events
      from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
      where w.n = any(v_refused) group by 1 loop
      update "$schema".tenants t set last_position = t.last_position - v_row.events
        where t.tenant = v_row.tenant returning t.last_position into v_before;
      v_last[array_position(v_tenants, v_row.tenant)] := v_before;
    end loop;
  end if;
  select array_agg(b.base order by b.n) into v_bases from (
    select w.n, c.last_position - sum(w.events) filter (where w.n <> all(v_refused)) over (partition by w.tenant order by w.n desc) as base
    from unnest(v_owners, v_counts) with ordinality as w(tenant, events, n)
    join unnest(v_tenants, v_last) as c(tenant, last_position) on c.tenant = w.tenant) b;
  if p_contractor_inserted is not null then
    insert into "$schema".contractors (environment, tenant, contractor_key, email, name, surname, country_code, street, house_no, apartment_no, postal_code, city, language, bank_account_currency, bank_account_iban, bank_account_bic, pesel, nip, tax_id, attempt, version)
    select split_part(v_owners[r.n], ':', 1), v_owners[r.n], r.contractor_key, r.email, r.name, r.surname, r.country_code, r.street, r.house_no, r.apartment_no, r.postal_code, r.city, r.language, r.bank_account_currency, r.bank_account_iban, r.bank_account_bic, r.pesel, r.nip, r.tax_id, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_contractor_inserted::json) as r(n int, contractor_key text, email text, name text, surname text, country_code text, street text, house_no text, apartment_no text, postal_code text, city text, language text, bank_account_currency text, bank_account_iban text, bank_account_bic text, pesel text, nip text, tax_id text) where r.n <> all(v_refused) order by 1, r.contractor_key on conflict do nothing;
    get diagnostics v_count = row_count;
    if v_count < (select count(*) from json_to_recordset(p_contractor_inserted::json) as r(n int) where r.n <> all(v_refused)) then
      raise exception 'dealwright: a race was lost' using errcode = 'serialization_failure';
    end if;
  end if;
  if p_contractor_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractors t set version = t.version + v_row.moves
        where t.environment = split_part(v_row.tenant, ':', 1) and t.contractor_key = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_deal_inserted is not null then
    insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, notice_at, due_at, attention, terms_version, terms_sha256, accepted_by, issued_amount, proposal, status_since, alert, alert_at, attempt, version)
    select v_owners[r.n], r.partner_id, r.id, r.api_version, r.email_freelancer, r.email_key, r.title, r.description, r.subcategory_id, r.amount, r.currency, r.work_days, r.copyright_transfer, r.freelancer_language, r.payment_token, r.status, r.freelancer_status, r.created_at, r.mode, r.employer_fee, r.contractor_fee, r.agreed_amount, r.expires_at, r.notice_at, r.due_at, r.attention, r.terms_version, r.terms_sha256, r.accepted_by, r.issued_amount, r.proposal, r.status_since, r.alert, r.alert_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_deal_inserted::json) as r(n int, partner_id text, id bigint, api_version text, email_freelancer text, email_key text, title text, description text, subcategory_id bigint, amount numeric, currency text, work_days bigint, copyright_transfer text, freelancer_language text, payment_token text, status text, freelancer_status text, created_at text, mode text, employer_fee numeric, contractor_fee numeric, agreed_amount numeric, expires_at text, notice_at text, due_at text, attention text, terms_version bigint, terms_sha256 text, accepted_by text, issued_amount numeric, proposal text, status_since text, alert text, alert_at text) where r.n <> all(v_refused);
  end if;
  if p_deal_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_deal_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deals t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, freelancer_status = case when v_row.given ? 'freelancer_status' then (v_row.given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end, attention = case when v_row.given ? 'attention' then (v_row.given ->> 'attention')::text else t.attention end, title = case when v_row.given ? 'title' then (v_row.given ->> 'title')::text else t.title end, description = case when v_row.given ? 'description' then (v_row.given ->> 'description')::text else t.description end, amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, work_days = case when v_row.given ? 'work_days' then (v_row.given ->> 'work_days')::bigint else t.work_days end, copyright_transfer = case when v_row.given ? 'copyright_transfer' then (v_row.given ->> 'copyright_transfer')::text else t.copyright_transfer end, employer_fee = case when v_row.given ? 'employer_fee' then (v_row.given ->> 'employer_fee')::numeric else t.employer_fee end, contractor_fee = case when v_row.given ? 'contractor_fee' then (v_row.given ->> 'contractor_fee')::numeric else t.contractor_fee end, terms_version = case when v_row.given ? 'terms_version' then (v_row.given ->> 'terms_version')::bigint else t.terms_version end, terms_sha256 = case when v_row.given ? 'terms_sha256' then (v_row.given ->> 'terms_sha256')::text else t.terms_sha256 end, accepted_by = case when v_row.given ? 'accepted_by' then (v_row.given ->> 'accepted_by')::text else t.accepted_by end, issued_amount = case when v_row.given ? 'issued_amount' then (v_row.given ->> 'issued_amount')::numeric else t.issued_amount end, proposal = case when v_row.given ? 'proposal' then (v_row.given ->> 'proposal')::text else t.proposal end, expires_at = case when v_row.given ? 'expires_at' then (v_row.given ->> 'expires_at')::text else t.expires_at end, notice_at = case when v_row.given ? 'notice_at' then (v_row.given ->> 'notice_at')::text else t.notice_at end, status_since = case when v_row.given ? 'status_since' then (v_row.given ->> 'status_since')::text else t.status_since end, alert = case when v_row.given ? 'alert' then (v_row.given ->> 'alert')::text else t.alert end, alert_at = case when v_row.given ? 'alert_at' then (v_row.given ->> 'alert_at')::text else t.alert_at end
        where t.tenant = v_row.tenant and t.partner_id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_stage_inserted is not null then
    insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, notice_at, kind, started_at, deadline, overdue_told, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.name, r.budget, r.work_days, r.status, r.agreed_amount, r.submitted_at, r.notice_at, r.kind, r.started_at, r.deadline, r.overdue_told, v_attempts[r.n]
    from json_to_recordset(p_stage_inserted::json) as r(n int, id bigint, partner_id text, name text, budget numeric, work_days bigint, status text, agreed_amount numeric, submitted_at text, notice_at text, kind text, started_at text, deadline text, overdue_told text) where r.n <> all(v_refused);
  end if;
  if p_stage_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_stage_changed::json) as r(n int, key bigint, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".stages t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_row.given ? 'submitted_at' then (v_row.given ->> 'submitted_at')::text else t.submitted_at end, name = case when v_row.given ? 'name' then (v_row.given ->> 'name')::text else t.name end, budget = case when v_row.given ? 'budget' then (v_row.given ->> 'budget')::numeric else t.budget end, work_days = case when v_row.given ? 'work_days' then (v_row.given ->> 'work_days')::bigint else t.work_days end, started_at = case when v_row.given ? 'started_at' then (v_row.given ->> 'started_at')::text else t.started_at end, deadline = case when v_row.given ? 'deadline' then (v_row.given ->> 'deadline')::text else t.deadline end, overdue_told = case when v_row.given ? 'overdue_told' then (v_row.given ->> 'overdue_told')::text else t.overdue_told end, notice_at = case when v_row.given ? 'notice_at' then (v_row.given ->> 'notice_at')::text else t.notice_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_work_file_inserted is not null then
    insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, uploaded_by, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.name, r.size, r.sha256, r.content_type, r.uploaded_at, r.status, r.uploaded_by, v_attempts[r.n]
    from json_to_recordset(p_work_file_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, name text, size bigint, sha256 text, content_type text, uploaded_at text, status text, uploaded_by text) where r.n <> all(v_refused);
  end if;
  if p_work_file_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_work_file_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".work_files t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_employer_payment_inserted is not null then
    insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reason, reference, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.amount, r.status, r.reason, r.reference, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_employer_payment_inserted::json) as r(n int, id text, partner_id text, amount numeric, status text, reason text, reference text, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_employer_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_employer_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".employer_payments t set amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_contractor_payment_inserted is not null then
    insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reason, reference, retries, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.amount, r.employer_fee, r.contractor_fee, r.status, r.reason, r.reference, r.retries, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_contractor_payment_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, amount numeric, employer_fee numeric, contractor_fee numeric, status text, reason text, reference text, retries bigint, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_contractor_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractor_payments t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, retries = case when v_row.given ? 'retries' then (v_row.given ->> 'retries')::bigint else t.retries end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_posting_inserted is not null then
    insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, retries, at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.from_account, r.to_account, r.amount, r.retries, r.at, v_attempts[r.n]
    from json_to_recordset(p_posting_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, from_account text, to_account text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_intent_inserted is not null then
    insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, outcome, outcome_at, reason, created_at, due_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.amount, r.remaining, r.status, r.attempts, r.outcome, r.outcome_at, r.reason, r.created_at, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_intent_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, amount numeric, remaining numeric, status text, attempts bigint, outcome text, outcome_at text, reason text, created_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_intent_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_intent_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".intents t set remaining = case when v_row.given ? 'remaining' then (v_row.given ->> 'remaining')::numeric else t.remaining end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::bigint else t.attempts end, outcome = case when v_row.given ? 'outcome' then (v_row.given ->> 'outcome')::text else t.outcome end, outcome_at = case when v_row.given ? 'outcome_at' then (v_row.given ->> 'outcome_at')::text else t.outcome_at end, reason = case when v_row.given ? 'reason' then (v_row.given ->> 'reason')::text else t.reason end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_payment_report_inserted is not null then
    insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
    select v_owners[r.n], r.report_key, r.partner_id, r.payment_id, r.status, r.reference, r.amount, r.retries, r.at, v_attempts[r.n]
    from json_to_recordset(p_payment_report_inserted::json) as r(n int, report_key text, partner_id text, payment_id text, status text, reference text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_unmatched_report_inserted is not null then
    insert into "$schema".unmatched_reports (tenant, id, partner_id, kind, payment_id, status, amount, reference, reason, currency, received_at, waiting_since, ends_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.status, r.amount, r.reference, r.reason, r.currency, r.received_at, r.waiting_since, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_unmatched_report_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, status text, amount numeric, reference text, reason text, currency text, received_at text, waiting_since text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_unmatched_report_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_unmatched_report_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".unmatched_reports t set waiting_since = case when v_row.given ? 'waiting_since' then (v_row.given ->> 'waiting_since')::text else t.waiting_since end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_proposal_inserted is not null then
    insert into "$schema".proposals (tenant, id, partner_id, kind, proposed_by, status, changes, terms, terms_sha256, gross, employer_fee, contractor_fee, message, supersedes, created_at, expires_at, decided_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.proposed_by, r.status, r.changes, r.terms, r.terms_sha256, r.gross, r.employer_fee, r.contractor_fee, r.message, r.supersedes, r.created_at, r.expires_at, r.decided_at, v_attempts[r.n]
    from json_to_recordset(p_proposal_inserted::json) as r(n int, id text, partner_id text, kind text, proposed_by text, status text, changes text, terms text, terms_sha256 text, gross numeric, employer_fee numeric, contractor_fee numeric, message text, supersedes text, created_at text, expires_at text, decided_at text) where r.n <> all(v_refused);
  end if;
  if p_terms_inserted is not null then
    insert into "$schema".terms (tenant, terms_key, partner_id, terms_version, kind, terms, terms_sha256, employer_fee, contractor_fee, proposal_id, proposed_by, accepted_by, at, attempt)
    select v_owners[r.n], r.terms_key, r.partner_id, r.terms_version, r.kind, r.terms, r.terms_sha256, r.employer_fee, r.contractor_fee, r.proposal_id, r.proposed_by, r.accepted_by, r.at, v_attempts[r.n]
    from json_to_recordset(p_terms_inserted::json) as r(n int, terms_key text, partner_id text, terms_version bigint, kind text, terms text, terms_sha256 text, employer_fee numeric, contractor_fee numeric, proposal_id text, proposed_by text, accepted_by text, at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_inserted is not null then
    insert into "$schema".webhooks (tenant, id, url, host, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, ends_at, attempt, version)
    select v_owners[r.n], r.id, r.url, r.host, r.types, r.ordered, r.status, r.disabled_reason, r.secret, r.previous_secret, r.previous_until, r.created_at, r.ends_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_webhook_inserted::json) as r(n int, id text, url text, host text, types text, ordered bigint, status text, disabled_reason text, secret text, previous_secret text, previous_until text, created_at text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_webhook_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".webhooks t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, disabled_reason = case when v_row.given ? 'disabled_reason' then (v_row.given ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when v_row.given ? 'secret' then (v_row.given ->> 'secret')::text else t.secret end, previous_secret = case when v_row.given ? 'previous_secret' then (v_row.given ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when v_row.given ? 'previous_until' then (v_row.given ->> 'previous_until')::text else t.previous_until end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_consumer_inserted is not null then
    insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, ends_at, attempt)
    select v_owners[r.n], r.name, r.position, r.held, r.lease, r.leased_until, r.failing_since, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_consumer_inserted::json) as r(n int, name text, position text, held text, lease text, leased_until text, failing_since text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_consumer_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_consumer_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".consumers t set position = case when v_row.given ? 'position' then (v_row.given ->> 'position')::text else t.position end, held = case when v_row.given ? 'held' then (v_row.given ->> 'held')::text else t.held end, lease = case when v_row.given ? 'lease' then (v_row.given ->> 'lease')::text else t.lease end, leased_until = case when v_row.given ? 'leased_until' then (v_row.given ->> 'leased_until')::text else t.leased_until end, failing_since = case when v_row.given ? 'failing_since' then (v_row.given ->> 'failing_since')::text else t.failing_since end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.name = v_row.key;
    end loop;
  end if;
  if p_delivery_inserted is not null then
    insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, failed_at, attempt)
    select v_owners[r.n], r.id, r.consumer, r.event_id, r.type, r.subject, r.sequence, r.status, r.attempts, r.tries, r.created_at, r.due_at, r.failed_at, v_attempts[r.n]
    from json_to_recordset(p_delivery_inserted::json) as r(n int, id text, consumer text, event_id text, type text, subject text, sequence bigint, status text, attempts text, tries bigint, created_at text, due_at text, failed_at text) where r.n <> all(v_refused);
  end if;
  if p_delivery_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_delivery_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deliveries t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::text else t.attempts end, tries = case when v_row.given ? 'tries' then (v_row.given ->> 'tries')::bigint else t.tries end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end, failed_at = case when v_row.given ? 'failed_at' then (v_row.given ->> 'failed_at')::text else t.failed_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_sandbox_clock_inserted is not null then
    insert into "$schema".sandbox_clocks (tenant, name, ahead, due_at, attempt)
    select v_owners[r.n], r.name, r.ahead, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_sandbox_clock_inserted::json) as r(n int, name text, ahead bigint, due_at text) where r.n <> all(v_refused);
  end if;
  if p_sandbox_clock_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_sandbox_clock_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".sandbox_clocks t set ahead = case when v_row.given ? 'ahead' then (v_row.given ->> 'ahead')::bigint else t.ahead end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.name = v_row.key;
    end loop;
  end if;
  if p_answer_inserted is not null then
    insert into "$schema".answers (tenant, answer_key, fingerprint, answer, ends_at, attempt)
    select v_owners[r.n], r.answer_key, r.fingerprint, r.answer, r.ends_at, v_attempts[r.n]
    from json_to_recordset(p_answer_inserted::json) as r(n int, answer_key text, fingerprint text, answer text, ends_at text) where r.n <> all(v_refused);
  end if;
  if p_answer_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_answer_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".answers t set fingerprint = case when v_row.given ? 'fingerprint' then (v_row.given ->> 'fingerprint')::text else t.fingerprint end, answer = case when v_row.given ? 'answer' then (v_row.given ->> 'answer')::text else t.answer end, ends_at = case when v_row.given ? 'ends_at' then (v_row.given ->> 'ends_at')::text else t.ends_at end
        where t.tenant = v_row.tenant and t.answer_key = v_row.key;
    end loop;
  end if;
  insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
  select v_owners[r.n], v_bases[r.n] + r.sequence, r.id, r.type, r.subject, r.sequence + coalesce(v_versions[r.n], 0), r.at, r.actor, r.cause, r.data
  from json_to_recordset(p_events::json) as r(n int, id text, type text, subject text, sequence bigint, at text, actor text, cause text, data json) where r.n <> all(v_refused);
  return v_answer;
end $commit$;

create function "$schema".read_node_5bdc26e84b(p_tenant text, p_of text, p_statement text, p_text text, p_reads text)
returns setof text language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off set jit = off as $read$
declare
  v_read text; v_values text[]; v_value text; v_shard bigint; v_shards bigint[]; v_name text; v_call text;
  v_kept text[]; v_table text; v_from text; v_text text; v_rows text[];
begin
  foreach v_read in array p_reads::text[] loop
    v_values := v_read::text[];
    if p_of = 'tenant' then
      v_shard := get_shard_id_for_distribution_column('"$schema".tenants', v_values[1]);
      select array_agg(s.shardid) into v_shards from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_local_group g on g.groupid = p.groupid where s.logicalrelid = '"$schema".tenants'::regclass and s.shardid = v_shard;
      v_name := format('read_node_%s_%s', p_statement, v_shard);
    else
      select array_agg(s.shardid order by s.shardid) into v_shards from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_local_group g on g.groupid = p.groupid where s.logicalrelid = '"$schema".tenants'::regclass;
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
      if cardinality(v_kept) >= 500 then
        -- all but those of a client, whose session it is where the coordinator has shards
        foreach v_text in array v_kept loop
          execute format('deallocate %I', v_text);
        end loop;
      end if;
      v_text := p_text;
      for v_table in select distinct m[1] from regexp_matches(p_text, '"$schema".([a-z_]+)', 'g') m loop
        select string_agg(format('select * from %s', shard_name(o.logicalrelid, o.shardid)), ' union all ') into v_from
          from pg_dist_shard s join pg_dist_shard o on o.shardminvalue = s.shardminvalue
          where s.shardid = any(v_shards) and o.logicalrelid = format('"$schema".%I', v_table)::regclass;
        v_text := regexp_replace(v_text, format('"$schema".%s(?![a-z_])', v_table), format('(%s)', v_from), 'g');
      end loop;
      execute format('prepare %I as select array(%s)', v_name, v_text);
      execute v_call into v_rows;
    end;
    return next array_to_string(array[v_shards::text, cardinality(v_rows)::text] || v_rows, chr(30));
  end loop;
end $read$;
