import type { DealExistsAlready } from 'dealwright/ports';

/** What the row of a deal says of the create that stored it: facts that never change. */
export interface FirstAnswer {
  readonly fingerprint: string;
  /** Of a deal of version 1.0. */
  readonly id: number | null;
  readonly stage_ids: readonly number[] | null;
  /** Of a deal of version 2.0. */
  readonly payment_token: string | null;
}

/** The answer to a create whose key another one, or the same, has used already. */
export function existsByKey({
  fingerprint,
  id,
  stage_ids,
  payment_token,
}: FirstAnswer): DealExistsAlready {
  const first = {
    fingerprint,
    ...(id === null ? {} : { ids: { id, stage_ids: stage_ids ?? [] } }),
    ...(payment_token === null ? {} : { payment_token }),
  };
  return { outcome: 'exists', by: 'idempotency_key', first };
}

/** The answer to a create whose `partner_id` another deal has. */
export const existsByPartnerId = Object.freeze({
  outcome: 'exists',
  by: 'partner_id',
} as const satisfies DealExistsAlready);
