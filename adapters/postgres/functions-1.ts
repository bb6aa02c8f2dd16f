/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const functions = `create function "$schema".commit_one_1(p_tenant text, p_attempt text, p_events bigint, p_write text)
returns text language plpgsql set enable_seqscan = off set enable_sort = off set jit = off as $commit$
declare
  p text[] := p_write::text[]; v_at int := 1; v_expectation int := -1; v_holds boolean := true; v_is_begun boolean := false;
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
      insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, due_at, attempt, version)
      values (p_tenant, p[v_at + 1], p[v_at + 2]::bigint, p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7], p[v_at + 8]::bigint, p[v_at + 9]::numeric, p[v_at + 10], p[v_at + 11]::bigint, p[v_at + 12], p[v_at + 13], p[v_at + 14], p[v_at + 15], p[v_at + 16], p[v_at + 17], p[v_at + 18], p[v_at + 19]::numeric, p[v_at + 20]::numeric, p[v_at + 21]::numeric, p[v_at + 22], p[v_at + 23], p_attempt, p_events);
      v_at := v_at + 24;
    when 'insert stage' then
      insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, attempt)
      values (p_tenant, p[v_at + 1]::bigint, p[v_at + 2], p[v_at + 3], p[v_at + 4]::numeric, p[v_at + 5]::bigint, p[v_at + 6], p[v_at + 7]::numeric, p[v_at + 8], p_attempt);
      v_at := v_at + 9;
    when 'event' then
      v_position := v_position + 1; v_sequence := v_sequence + 1;
      insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
      values (p_tenant, v_position, p[v_at + 1], p[v_at + 2], p[v_at + 3], v_sequence, p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7]::json);
      v_at := v_at + 8;
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
    when 'absent employer_payment' then
      select t.attempt into v_found
        from "$schema".employer_payments t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent contractor_payment' then
      select t.attempt into v_found
        from "$schema".contractor_payments t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent posting' then
      select t.attempt into v_found
        from "$schema".postings t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent intent' then
      select t.attempt into v_found
        from "$schema".intents t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent payment_report' then
      select t.attempt into v_found
        from "$schema".payment_reports t where t.tenant = p_tenant and t.report_key >= p[v_at + 1] and t.report_key <= p[v_at + 1] order by t.report_key limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent webhook' then
      select t.attempt into v_found
        from "$schema".webhooks t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent consumer' then
      select t.attempt into v_found
        from "$schema".consumers t where t.tenant = p_tenant and t.name >= p[v_at + 1] and t.name <= p[v_at + 1] order by t.name limit 1;
      v_holds := v_found is null; v_at := v_at + 2;
    when 'absent delivery' then
      select t.attempt into v_found
        from "$schema".deliveries t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
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
      insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3]::bigint, p[v_at + 4], p[v_at + 5]::bigint, p[v_at + 6], p[v_at + 7], p[v_at + 8], p[v_at + 9], p_attempt);
      v_at := v_at + 10;
    when 'insert employer_payment' then
      insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reference, requested_at, updated_at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3]::numeric, p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7], p_attempt);
      v_at := v_at + 8;
    when 'insert contractor_payment' then
      insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reference, retries, requested_at, updated_at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3]::bigint, p[v_at + 4]::numeric, p[v_at + 5]::numeric, p[v_at + 6]::numeric, p[v_at + 7], p[v_at + 8], p[v_at + 9]::bigint, p[v_at + 10], p[v_at + 11], p_attempt);
      v_at := v_at + 12;
    when 'insert posting' then
      insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6], p[v_at + 7]::numeric, p[v_at + 8], p_attempt);
      v_at := v_at + 9;
    when 'insert intent' then
      insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, created_at, due_at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5]::numeric, p[v_at + 6]::numeric, p[v_at + 7], p[v_at + 8]::bigint, p[v_at + 9], p[v_at + 10], p_attempt);
      v_at := v_at + 11;
    when 'insert payment_report' then
      insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6]::numeric, p[v_at + 7]::bigint, p[v_at + 8], p_attempt);
      v_at := v_at + 9;
    when 'insert webhook' then
      insert into "$schema".webhooks (tenant, id, url, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, attempt, version)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4]::bigint, p[v_at + 5], p[v_at + 6], p[v_at + 7], p[v_at + 8], p[v_at + 9], p[v_at + 10], p_attempt, p_events);
      v_at := v_at + 11;
    when 'insert consumer' then
      insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6], p_attempt);
      v_at := v_at + 7;
    when 'insert delivery' then
      insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, attempt)
      values (p_tenant, p[v_at + 1], p[v_at + 2], p[v_at + 3], p[v_at + 4], p[v_at + 5], p[v_at + 6]::bigint, p[v_at + 7], p[v_at + 8], p[v_at + 9]::bigint, p[v_at + 10], p[v_at + 11], p_attempt);
      v_at := v_at + 12;
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
    when 'present employer_payment' then
      perform 1 from "$schema".employer_payments t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present contractor_payment' then
      perform 1 from "$schema".contractor_payments t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present posting' then
      perform 1 from "$schema".postings t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1] order by t.id limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present intent' then
      perform 1 from "$schema".intents t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1]
        and (p[v_at + 2]::text[] is null or array_position(p[v_at + 2]::text[], t.status) is not null)
        and (p[v_at + 3]::text[] is null or array_position(p[v_at + 3]::text[], t.due_at) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present payment_report' then
      perform 1 from "$schema".payment_reports t where t.tenant = p_tenant and t.report_key >= p[v_at + 1] and t.report_key <= p[v_at + 1] order by t.report_key limit 1;
      v_holds := found; v_at := v_at + 2;
    when 'present webhook' then
      perform 1 from "$schema".webhooks t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1]
        and (p[v_at + 2]::bigint[] is null or array_position(p[v_at + 2]::bigint[], t.version) is not null)
        and (p[v_at + 3]::text[] is null or array_position(p[v_at + 3]::text[], t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present consumer' then
      perform 1 from "$schema".consumers t where t.tenant = p_tenant and t.name >= p[v_at + 1] and t.name <= p[v_at + 1]
        and (p[v_at + 2]::text[] is null or array_position(p[v_at + 2]::text[], t.lease) is not null)
        and (p[v_at + 3]::text[] is null or array_position(p[v_at + 3]::text[], t.leased_until) is not null) order by t.name limit 1;
      v_holds := found; v_at := v_at + 4;
    when 'present delivery' then
      perform 1 from "$schema".deliveries t where t.tenant = p_tenant and t.id >= p[v_at + 1] and t.id <= p[v_at + 1]
        and (p[v_at + 2]::text[] is null or array_position(p[v_at + 2]::text[], t.status) is not null) order by t.id limit 1;
      v_holds := found; v_at := v_at + 3;
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
      update "$schema".deals t set version = t.version + p[v_at + 2]::bigint, status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, freelancer_status = case when p[v_at + 3]::jsonb ? 'freelancer_status' then (p[v_at + 3]::jsonb ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when p[v_at + 3]::jsonb ? 'agreed_amount' then (p[v_at + 3]::jsonb ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when p[v_at + 3]::jsonb ? 'due_at' then (p[v_at + 3]::jsonb ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.partner_id = v_key returning t.version - p[v_at + 2]::bigint into v_before;
      if p[v_at + 2] <> '0' then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change stage' then
      v_number := p[v_at + 1];
      update "$schema".stages t set status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, agreed_amount = case when p[v_at + 3]::jsonb ? 'agreed_amount' then (p[v_at + 3]::jsonb ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when p[v_at + 3]::jsonb ? 'submitted_at' then (p[v_at + 3]::jsonb ->> 'submitted_at')::text else t.submitted_at end
        where t.tenant = p_tenant and t.id = v_number;
      v_at := v_at + 4;
    when 'change work_file' then
      v_key := p[v_at + 1];
      update "$schema".work_files t set status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change employer_payment' then
      v_key := p[v_at + 1];
      update "$schema".employer_payments t set amount = case when p[v_at + 3]::jsonb ? 'amount' then (p[v_at + 3]::jsonb ->> 'amount')::numeric else t.amount end, status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, reference = case when p[v_at + 3]::jsonb ? 'reference' then (p[v_at + 3]::jsonb ->> 'reference')::text else t.reference end, updated_at = case when p[v_at + 3]::jsonb ? 'updated_at' then (p[v_at + 3]::jsonb ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change contractor_payment' then
      v_key := p[v_at + 1];
      update "$schema".contractor_payments t set status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, reference = case when p[v_at + 3]::jsonb ? 'reference' then (p[v_at + 3]::jsonb ->> 'reference')::text else t.reference end, retries = case when p[v_at + 3]::jsonb ? 'retries' then (p[v_at + 3]::jsonb ->> 'retries')::bigint else t.retries end, updated_at = case when p[v_at + 3]::jsonb ? 'updated_at' then (p[v_at + 3]::jsonb ->> 'updated_at')::text else t.updated_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change intent' then
      v_key := p[v_at + 1];
      update "$schema".intents t set remaining = case when p[v_at + 3]::jsonb ? 'remaining' then (p[v_at + 3]::jsonb ->> 'remaining')::numeric else t.remaining end, status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, attempts = case when p[v_at + 3]::jsonb ? 'attempts' then (p[v_at + 3]::jsonb ->> 'attempts')::bigint else t.attempts end, due_at = case when p[v_at + 3]::jsonb ? 'due_at' then (p[v_at + 3]::jsonb ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'change webhook' then
      v_key := p[v_at + 1];
      update "$schema".webhooks t set version = t.version + p[v_at + 2]::bigint, status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, disabled_reason = case when p[v_at + 3]::jsonb ? 'disabled_reason' then (p[v_at + 3]::jsonb ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when p[v_at + 3]::jsonb ? 'secret' then (p[v_at + 3]::jsonb ->> 'secret')::text else t.secret end, previous_secret = case when p[v_at + 3]::jsonb ? 'previous_secret' then (p[v_at + 3]::jsonb ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when p[v_at + 3]::jsonb ? 'previous_until' then (p[v_at + 3]::jsonb ->> 'previous_until')::text else t.previous_until end
        where t.tenant = p_tenant and t.id = v_key returning t.version - p[v_at + 2]::bigint into v_before;
      if p[v_at + 2] <> '0' then v_sequence := v_before; end if;
      v_at := v_at + 4;
    when 'change consumer' then
      v_key := p[v_at + 1];
      update "$schema".consumers t set position = case when p[v_at + 3]::jsonb ? 'position' then (p[v_at + 3]::jsonb ->> 'position')::text else t.position end, held = case when p[v_at + 3]::jsonb ? 'held' then (p[v_at + 3]::jsonb ->> 'held')::text else t.held end, lease = case when p[v_at + 3]::jsonb ? 'lease' then (p[v_at + 3]::jsonb ->> 'lease')::text else t.lease end, leased_until = case when p[v_at + 3]::jsonb ? 'leased_until' then (p[v_at + 3]::jsonb ->> 'leased_until')::text else t.leased_until end, failing_since = case when p[v_at + 3]::jsonb ? 'failing_since' then (p[v_at + 3]::jsonb ->> 'failing_since')::text else t.failing_since end
        where t.tenant = p_tenant and t.name = v_key;
      v_at := v_at + 4;
    when 'change delivery' then
      v_key := p[v_at + 1];
      update "$schema".deliveries t set status = case when p[v_at + 3]::jsonb ? 'status' then (p[v_at + 3]::jsonb ->> 'status')::text else t.status end, attempts = case when p[v_at + 3]::jsonb ? 'attempts' then (p[v_at + 3]::jsonb ->> 'attempts')::text else t.attempts end, tries = case when p[v_at + 3]::jsonb ? 'tries' then (p[v_at + 3]::jsonb ->> 'tries')::bigint else t.tries end, due_at = case when p[v_at + 3]::jsonb ? 'due_at' then (p[v_at + 3]::jsonb ->> 'due_at')::text else t.due_at end
        where t.tenant = p_tenant and t.id = v_key;
      v_at := v_at + 4;
    when 'fewer stage' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".stages t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer work_file' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".work_files t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer employer_payment' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".employer_payments t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer contractor_payment' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".contractor_payments t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer posting' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".postings t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer intent' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".intents t
        where t.tenant = p_tenant and t.partner_id >= p[v_at + 1] and t.partner_id <= p[v_at + 1] order by t.partner_id limit greatest(p[v_at + 2]::bigint, 0)) counted;
      v_at := v_at + 3;
    when 'fewer payment_report' then
      select count(*) < p[v_at + 2]::bigint into v_holds from (select 1 from "$schema".payment_reports t
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

create function "$schema".commit_each_1(p_tenant text, p_tenants text, p_attempts text, p_events text, p_writes text)
returns text language plpgsql as $commit$
declare
  v_tenants text[] := p_tenants::text[]; v_attempts text[] := p_attempts::text[];
  v_events bigint[] := p_events::bigint[]; v_writes text[] := p_writes::text[];
  v_answers text[] := '{}'; v_answer text;
begin
  for v_n in 1 .. cardinality(v_writes) loop
    v_answer := "$schema".commit_one_1(v_tenants[v_n], v_attempts[v_n], v_events[v_n], v_writes[v_n]);
    if v_answer <> 'null' then
      v_answers := v_answers || json_build_array(v_n - 1, v_answer::json)::text;
    end if;
  end loop;
  return '[' || array_to_string(v_answers, ',') || ']';
end $commit$;`;
