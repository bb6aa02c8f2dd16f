import type { ContractorKey, DealExistsAlready, DealIds, Idempotency } from 'dealwright/ports';
import { existsByKey, existsByPartnerId, type FirstAnswer } from '../sql/first-answer.js';
import { stageIdsJson } from './selects.js';
import type { Prepare } from './sqlite-like.js';

/** What is there already of a deal that is to be added. */
export interface Found {
  /** The answer under its key, or that another deal has its `partner_id`. */
  readonly exists: DealExistsAlready | undefined;
  /** The deal with its `partner_id`, where this very attempt stored it. */
  readonly own: DealIds | undefined;
  readonly isContractorKnown: boolean;
}

interface Row {
  readonly first: string | null;
  readonly there: string | null;
  readonly known: number;
}

interface There extends DealIds {
  readonly api_version: '1.0' | '2.0';
  readonly event_id: string;
}

/** A version and a tenant, and what names the deal and its attempt. */
export interface Candidate {
  readonly api_version: '1.0' | '2.0';
  readonly tenant: string;
  readonly environment: string;
  readonly partner_id: string;
  readonly event_id: string;
  readonly idempotency: Idempotency | undefined;
  readonly contractor: ContractorKey | undefined;
}

/** Looks for all that decides about a deal, in one statement. */
export function createJudge(prepare: Prepare): (candidate: Candidate) => Found {
  const judge = prepare(`select
    (select json_object('fingerprint', d.fingerprint, 'payment_token', d.payment_token,
        'id', d.id, 'stage_ids', ${stageIdsJson})
      from dealwright_deals d where d.tenant = ? and d.idempotency_key = ?) as first,
    (select json_object('api_version', d.api_version, 'event_id', d.event_id,
        'id', d.id, 'stage_ids', ${stageIdsJson})
      from dealwright_deals d where d.tenant = ? and d.partner_id = ?) as there,
    exists (select 1 from dealwright_contractors
      where environment = ? and register = ? and email_key = ?) as known`);

  return ({ api_version, tenant, environment, partner_id, event_id, idempotency, contractor }) => {
    const row = judge.get<Row>(
      tenant,
      idempotency?.key ?? null,
      tenant,
      partner_id,
      environment,
      contractor?.register ?? null,
      contractor?.email_key ?? null,
    );
    const first = parsed<FirstAnswer>(row?.first);
    const there = parsed<There>(row?.there);
    const isOwn = there?.api_version === api_version && there.event_id === event_id;
    return {
      exists: first ? existsByKey(first) : there && !isOwn ? existsByPartnerId : undefined,
      own: there && isOwn ? { id: there.id, stage_ids: there.stage_ids } : undefined,
      isContractorKnown: row?.known === 1,
    };
  };
}

function parsed<T>(text: string | null | undefined): T | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as T) : undefined;
}
