import { err, type Result } from 'neverthrow';
import type { Outcome } from '../domain/input/errors.js';

/** How a port fails: see `unavailable`, which makes one. */
export interface PortFailure {
  readonly code: 'unavailable';
  /** Whether the call may have had its effect. */
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Seconds after which a retry makes sense, where the port knows. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * What a port method answers with: a neverthrow `Result`, at once or later. A `ResultAsync` and a
 * `Promise<Result>` are both such answers. An answer that comes at once costs no timer.
 */
export type Answer<T> = Result<T, PortFailure> | PromiseLike<Result<T, PortFailure>>;

/**
 * The answer of a port that failed. Say `outcome: 'none'` where nothing can have happened and
 * `'unknown'` where it may have. `retryable` is true unless said otherwise.
 *
 * @example
 * ```ts
 * import { unavailable } from 'dealwright/ports';
 *
 * unavailable({ outcome: 'unknown', cause: new Error('connection reset') });
 * ```
 */
export function unavailable(failure: Partial<PortFailure> & Pick<PortFailure, 'outcome'>) {
  return err(Object.freeze({ retryable: true, ...failure, code: 'unavailable' as const }));
}
