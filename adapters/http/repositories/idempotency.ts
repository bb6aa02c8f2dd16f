import type { Idempotency } from 'dealwright/ports';

/** The key that a request carries: that of its addition, and none where that has none. */
export function keyOf(idempotency: Idempotency | undefined) {
  return idempotency === undefined ? {} : { idempotencyKey: idempotency.key };
}

/** The service says that the key stands for other input: no fingerprint of ours is empty. */
export const noMatch = { fingerprint: '' };
