/**
 * The only source of identifiers.
 *
 * @example
 * ```ts
 * import type { Ids } from 'dealwright/ports';
 * import { monotonicFactory } from 'ulid';
 *
 * const next = monotonicFactory();
 * const ids: Ids = { next: () => next() };
 * ```
 */
export interface Ids {
  /** A ULID, later in order than those before it. */
  next(): string;
}
