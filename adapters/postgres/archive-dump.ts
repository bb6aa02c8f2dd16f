import type { Idempotency, StoreRecord } from 'dealwright/ports';
import { contractorOf, eventOf, storedDealOf } from '../sql/records.js';
import { tenantOf } from '../sql/tenant.js';
import { contractorColumns } from './change-sql.js';
import { dealRecord } from './read-sql.js';

/** A stretch of an archive: which rows, and what record one of them is. */
export interface DumpPart {
  /** Rows of two JSON texts: `answer`, the record as its repository has it, and `beside`. */
  readonly sql: string;
  readonly recordOf: (answer: string, beside: string) => StoreRecord;
}

interface Beside {
  readonly tenant: string;
  readonly event_id: string;
  readonly idempotency_key: string | null;
  readonly fingerprint: string | null;
}

interface BesideContractor extends Beside {
  readonly register: string;
  readonly email_key: string;
}

interface BesideDeal extends Beside {
  readonly work_file_keys: readonly (Idempotency & { readonly file_id: string })[];
}

/**
 * All parts of an archive in their order. Each is read in the order of an index, so that its first
 * rows come at once and nothing is sorted on the server's disk.
 */
export function dumpParts(schema: string): readonly DumpPart[] {
  const s = `"${schema}"`;
  const beside = (alias: string, more = '') =>
    `json_build_object('tenant', ${alias}.tenant, 'event_id', ${alias}.event_id,
      'idempotency_key', ${alias}.idempotency_key, 'fingerprint', ${alias}.fingerprint${more})::text`;
  const kept = new Set(['event_id', 'idempotency_key', 'fingerprint']);
  const members = contractorColumns.filter((name) => !kept.has(name));
  const ofContractor = members.map((name) => `'${name}', c.${name}`).join(', ');
  const fileKeys = `, 'work_file_keys', coalesce(
      (select json_agg(json_build_object('key', f.idempotency_key, 'fingerprint', f.fingerprint,
        'file_id', f.id) order by f.stage_id, f.sequence)
      from ${s}.work_files f where f.tenant = d.tenant and f.deal_id = d.id
        and f.idempotency_key is not null), '[]'::json)`;
  return [
    {
      sql: `select json_build_object(${ofContractor})::text as answer,
        ${beside('c', ", 'register', c.register, 'email_key', c.email_key")} as beside
      from ${s}.contractors c order by c.environment, c.register, c.email_key`,
      recordOf: contractorRecord,
    },
    {
      sql: `select ${dealRecord(s)} as answer, ${beside('d', fileKeys)} as beside
      from ${s}.deals d order by d.tenant, d.created_at, d.event_id`,
      recordOf: dealRecordOf,
    },
    {
      sql: `select json_build_object('id', e.id, 'type', e.type, 'subject', e.subject,
          'sequence', e.sequence, 'at', e.at, 'data', e.data)::text as answer, e.tenant as beside
      from ${s}.events e order by e.tenant, e.position`,
      recordOf: eventRecord,
    },
  ];
}

function contractorRecord(answer: string, besideText: string): StoreRecord {
  const beside = JSON.parse(besideText) as BesideContractor;
  const { value: contractor, version } = contractorOf(answer);
  const key = { register: beside.register, email_key: beside.email_key };
  return { record: 'contractor', key, contractor, version, ...whose(beside) };
}

function dealRecordOf(answer: string, besideText: string): StoreRecord {
  const beside = JSON.parse(besideText) as BesideDeal;
  const stored = storedDealOf(answer);
  const { version } = stored;
  if (stored.api_version === '2.0') {
    return { record: 'deal_v2', deal: stored.value, version, ...whose(beside) };
  }
  const { work_file_keys } = beside;
  return { record: 'deal', deal: stored.value, work_file_keys, version, ...whose(beside) };
}

function whose({ tenant, event_id, idempotency_key: key, fingerprint }: Beside) {
  const idempotency = key === null || fingerprint === null ? undefined : { key, fingerprint };
  return { tenant: tenantOf(tenant), event_id, idempotency };
}

function eventRecord(answer: string, tenantText: string): StoreRecord {
  const tenant = tenantOf(tenantText);
  const event = { ...tenant, ...eventOf(answer) };
  return { record: 'event', tenant, event };
}
