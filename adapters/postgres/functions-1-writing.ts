/**
 * Functions of the store as migration 1 makes them, generated from the table of fields:
 * frozen once they are released. `npx vitest run test/adapters/postgres/functions.test.ts -u`
 * writes those that are not.
 */
export const writing = `  if cardinality(v_failed) > 0 then
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
    insert into "$schema".deals (tenant, partner_id, id, api_version, email_freelancer, email_key, title, description, subcategory_id, amount, currency, work_days, copyright_transfer, freelancer_language, payment_token, status, freelancer_status, created_at, mode, employer_fee, contractor_fee, agreed_amount, expires_at, due_at, attempt, version)
    select v_owners[r.n], r.partner_id, r.id, r.api_version, r.email_freelancer, r.email_key, r.title, r.description, r.subcategory_id, r.amount, r.currency, r.work_days, r.copyright_transfer, r.freelancer_language, r.payment_token, r.status, r.freelancer_status, r.created_at, r.mode, r.employer_fee, r.contractor_fee, r.agreed_amount, r.expires_at, r.due_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_deal_inserted::json) as r(n int, partner_id text, id bigint, api_version text, email_freelancer text, email_key text, title text, description text, subcategory_id bigint, amount numeric, currency text, work_days bigint, copyright_transfer text, freelancer_language text, payment_token text, status text, freelancer_status text, created_at text, mode text, employer_fee numeric, contractor_fee numeric, agreed_amount numeric, expires_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_deal_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_deal_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deals t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, freelancer_status = case when v_row.given ? 'freelancer_status' then (v_row.given ->> 'freelancer_status')::text else t.freelancer_status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.partner_id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_stage_inserted is not null then
    insert into "$schema".stages (tenant, id, partner_id, name, budget, work_days, status, agreed_amount, submitted_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.name, r.budget, r.work_days, r.status, r.agreed_amount, r.submitted_at, v_attempts[r.n]
    from json_to_recordset(p_stage_inserted::json) as r(n int, id bigint, partner_id text, name text, budget numeric, work_days bigint, status text, agreed_amount numeric, submitted_at text) where r.n <> all(v_refused);
  end if;
  if p_stage_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_stage_changed::json) as r(n int, key bigint, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".stages t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, agreed_amount = case when v_row.given ? 'agreed_amount' then (v_row.given ->> 'agreed_amount')::numeric else t.agreed_amount end, submitted_at = case when v_row.given ? 'submitted_at' then (v_row.given ->> 'submitted_at')::text else t.submitted_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_work_file_inserted is not null then
    insert into "$schema".work_files (tenant, id, partner_id, stage_id, name, size, sha256, content_type, uploaded_at, status, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.name, r.size, r.sha256, r.content_type, r.uploaded_at, r.status, v_attempts[r.n]
    from json_to_recordset(p_work_file_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, name text, size bigint, sha256 text, content_type text, uploaded_at text, status text) where r.n <> all(v_refused);
  end if;
  if p_work_file_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_work_file_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".work_files t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_employer_payment_inserted is not null then
    insert into "$schema".employer_payments (tenant, id, partner_id, amount, status, reference, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.amount, r.status, r.reference, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_employer_payment_inserted::json) as r(n int, id text, partner_id text, amount numeric, status text, reference text, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_employer_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_employer_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".employer_payments t set amount = case when v_row.given ? 'amount' then (v_row.given ->> 'amount')::numeric else t.amount end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_contractor_payment_inserted is not null then
    insert into "$schema".contractor_payments (tenant, id, partner_id, stage_id, amount, employer_fee, contractor_fee, status, reference, retries, requested_at, updated_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.stage_id, r.amount, r.employer_fee, r.contractor_fee, r.status, r.reference, r.retries, r.requested_at, r.updated_at, v_attempts[r.n]
    from json_to_recordset(p_contractor_payment_inserted::json) as r(n int, id text, partner_id text, stage_id bigint, amount numeric, employer_fee numeric, contractor_fee numeric, status text, reference text, retries bigint, requested_at text, updated_at text) where r.n <> all(v_refused);
  end if;
  if p_contractor_payment_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_contractor_payment_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".contractor_payments t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, reference = case when v_row.given ? 'reference' then (v_row.given ->> 'reference')::text else t.reference end, retries = case when v_row.given ? 'retries' then (v_row.given ->> 'retries')::bigint else t.retries end, updated_at = case when v_row.given ? 'updated_at' then (v_row.given ->> 'updated_at')::text else t.updated_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_posting_inserted is not null then
    insert into "$schema".postings (tenant, id, partner_id, kind, payment_id, from_account, to_account, amount, at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.from_account, r.to_account, r.amount, r.at, v_attempts[r.n]
    from json_to_recordset(p_posting_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, from_account text, to_account text, amount numeric, at text) where r.n <> all(v_refused);
  end if;
  if p_intent_inserted is not null then
    insert into "$schema".intents (tenant, id, partner_id, kind, payment_id, amount, remaining, status, attempts, created_at, due_at, attempt)
    select v_owners[r.n], r.id, r.partner_id, r.kind, r.payment_id, r.amount, r.remaining, r.status, r.attempts, r.created_at, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_intent_inserted::json) as r(n int, id text, partner_id text, kind text, payment_id text, amount numeric, remaining numeric, status text, attempts bigint, created_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_intent_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_intent_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".intents t set remaining = case when v_row.given ? 'remaining' then (v_row.given ->> 'remaining')::numeric else t.remaining end, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::bigint else t.attempts end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_payment_report_inserted is not null then
    insert into "$schema".payment_reports (tenant, report_key, partner_id, payment_id, status, reference, amount, retries, at, attempt)
    select v_owners[r.n], r.report_key, r.partner_id, r.payment_id, r.status, r.reference, r.amount, r.retries, r.at, v_attempts[r.n]
    from json_to_recordset(p_payment_report_inserted::json) as r(n int, report_key text, partner_id text, payment_id text, status text, reference text, amount numeric, retries bigint, at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_inserted is not null then
    insert into "$schema".webhooks (tenant, id, url, types, ordered, status, disabled_reason, secret, previous_secret, previous_until, created_at, attempt, version)
    select v_owners[r.n], r.id, r.url, r.types, r.ordered, r.status, r.disabled_reason, r.secret, r.previous_secret, r.previous_until, r.created_at, v_attempts[r.n], v_counts[r.n]
    from json_to_recordset(p_webhook_inserted::json) as r(n int, id text, url text, types text, ordered bigint, status text, disabled_reason text, secret text, previous_secret text, previous_until text, created_at text) where r.n <> all(v_refused);
  end if;
  if p_webhook_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_webhook_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".webhooks t set version = t.version + v_row.moves, status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, disabled_reason = case when v_row.given ? 'disabled_reason' then (v_row.given ->> 'disabled_reason')::text else t.disabled_reason end, secret = case when v_row.given ? 'secret' then (v_row.given ->> 'secret')::text else t.secret end, previous_secret = case when v_row.given ? 'previous_secret' then (v_row.given ->> 'previous_secret')::text else t.previous_secret end, previous_until = case when v_row.given ? 'previous_until' then (v_row.given ->> 'previous_until')::text else t.previous_until end
        where t.tenant = v_row.tenant and t.id = v_row.key returning t.version - v_row.moves into v_before;
      if v_row.moves > 0 then v_versions[v_row.n] := v_before; end if;
    end loop;
  end if;
  if p_consumer_inserted is not null then
    insert into "$schema".consumers (tenant, name, position, held, lease, leased_until, failing_since, attempt)
    select v_owners[r.n], r.name, r.position, r.held, r.lease, r.leased_until, r.failing_since, v_attempts[r.n]
    from json_to_recordset(p_consumer_inserted::json) as r(n int, name text, position text, held text, lease text, leased_until text, failing_since text) where r.n <> all(v_refused);
  end if;
  if p_consumer_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_consumer_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".consumers t set position = case when v_row.given ? 'position' then (v_row.given ->> 'position')::text else t.position end, held = case when v_row.given ? 'held' then (v_row.given ->> 'held')::text else t.held end, lease = case when v_row.given ? 'lease' then (v_row.given ->> 'lease')::text else t.lease end, leased_until = case when v_row.given ? 'leased_until' then (v_row.given ->> 'leased_until')::text else t.leased_until end, failing_since = case when v_row.given ? 'failing_since' then (v_row.given ->> 'failing_since')::text else t.failing_since end
        where t.tenant = v_row.tenant and t.name = v_row.key;
    end loop;
  end if;
  if p_delivery_inserted is not null then
    insert into "$schema".deliveries (tenant, id, consumer, event_id, type, subject, sequence, status, attempts, tries, created_at, due_at, attempt)
    select v_owners[r.n], r.id, r.consumer, r.event_id, r.type, r.subject, r.sequence, r.status, r.attempts, r.tries, r.created_at, r.due_at, v_attempts[r.n]
    from json_to_recordset(p_delivery_inserted::json) as r(n int, id text, consumer text, event_id text, type text, subject text, sequence bigint, status text, attempts text, tries bigint, created_at text, due_at text) where r.n <> all(v_refused);
  end if;
  if p_delivery_changed is not null then
    for v_row in select r.*, v_owners[r.n] as tenant from json_to_recordset(p_delivery_changed::json) as r(n int, key text, moves bigint, given jsonb)
      where r.n <> all(v_refused) loop
      update "$schema".deliveries t set status = case when v_row.given ? 'status' then (v_row.given ->> 'status')::text else t.status end, attempts = case when v_row.given ? 'attempts' then (v_row.given ->> 'attempts')::text else t.attempts end, tries = case when v_row.given ? 'tries' then (v_row.given ->> 'tries')::bigint else t.tries end, due_at = case when v_row.given ? 'due_at' then (v_row.given ->> 'due_at')::text else t.due_at end
        where t.tenant = v_row.tenant and t.id = v_row.key;
    end loop;
  end if;
  if p_answer_inserted is not null then
    insert into "$schema".answers (tenant, answer_key, fingerprint, answer, attempt)
    select v_owners[r.n], r.answer_key, r.fingerprint, r.answer, v_attempts[r.n]
    from json_to_recordset(p_answer_inserted::json) as r(n int, answer_key text, fingerprint text, answer text) where r.n <> all(v_refused);
  end if;
  insert into "$schema".events (tenant, position, id, type, subject, sequence, at, actor, cause, data)
  select v_owners[r.n], v_bases[r.n] + r.sequence, r.id, r.type, r.subject, r.sequence + coalesce(v_versions[r.n], 0), r.at, r.actor, r.cause, r.data
  from json_to_recordset(p_events::json) as r(n int, id text, type text, subject text, sequence bigint, at text, actor text, cause text, data json) where r.n <> all(v_refused);
  return v_answer;
end $commit$;`;
