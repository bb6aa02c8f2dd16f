import { err, ok, type Result } from 'neverthrow';
import { type CreateDealError, plainError } from '../domain/errors.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { DealExistsAlready, FirstDeal } from '../ports/deal-repository.js';
import { type Call, promiseBroken } from './context.js';

/** The first answer to repeat, or why there is none. */
export type DealConflict = Result<FirstDeal, CreateDealError>;

/**
 * What a create meets that was not the first: its own earlier success, a key that was used for
 * something else, or a deal with the same `partner_id` (decision 2.7).
 */
export function dealConflict(
  port: string,
  decision: DealExistsAlready | undefined,
  idempotency: Idempotency | undefined,
  call: Call,
): DealConflict {
  if (decision?.outcome === 'exists' && decision.by === 'partner_id') {
    return err(plainError('deal_exists', call.language));
  }
  if (idempotency && decision?.outcome === 'exists' && decision.by === 'idempotency_key') {
    return decision.first.fingerprint === idempotency.fingerprint
      ? ok(decision.first)
      : err(plainError('idempotency_key_reused', call.language));
  }
  return err(promiseBroken(port, 'an outcome that the port does not have', 'unknown', call));
}
