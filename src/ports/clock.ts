/**
 * The only source of time (decision 6): the core reads no other.
 *
 * @example
 * ```ts
 * import type { Clock } from 'dealwright/ports';
 *
 * const clock: Clock = {
 *   now: () => Date.now(),
 *   sleep(milliseconds, wake) {
 *     const timer = setTimeout(wake, milliseconds);
 *     return () => clearTimeout(timer);
 *   },
 * };
 * ```
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `wake` once, after `milliseconds`; the function it returns calls it off. */
  sleep(milliseconds: number, wake: () => void): () => void;
}
